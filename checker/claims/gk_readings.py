"""Gambhire and Kshemkalyani: what the readings of definitions and lemmas come to (GK-6, GK-10, GK-11, GK-14, GK-18)."""

from __future__ import annotations

from precede.checker.history import Past
from precede.models.gk import GKState

from .gk import definition_5_meets_definition_3, kind_of_last
from .gk_events import (
    Counts,
    Vector,
    before_the_last,
    clocks,
    counts,
    difference,
    known_events,
    known_pasts,
    semantic_past,
    send_event,
    sent_within,
    total,
    within,
)
from .registry import claim


@claim(
    "C-GK-L1-send-events", "gk", statement="MCV(e) <= ECV(e), and events on which e depends are in MCV(e), for sends"
)
def definition_5_meets_definition_3_at_send_events(process: int, past: Past) -> bool:
    """Lemma 1 at sends only (GK-6c), which is all that Theorem 1 uses of it."""
    return kind_of_last(past) != "send" or definition_5_meets_definition_3(process, past)


@claim("C-GK-D1", "gk", statement="e ->s f only where e -> f, when f is the event that depends on e")
def dependencies_go_forward(process: int, past: Past) -> bool:
    """Definition 1 as its second half has it (GK-10a)."""
    ECV = clocks(process, past)[-1].ECV
    number = len(past.events)
    return all(p <= ECV.get(q, 0) and (q, p) != (process, number) for q, p in semantic_past(process, past, number))


@claim("C-GK-D1-words", "gk", statement="e ->s f only where e -> f, when e is the event that depends on f")
def dependencies_go_backward(process: int, past: Past) -> bool:
    """Definition 1 as its first words have it (GK-10b): an event that depends on one before it would be before it."""
    return not past.events or past.events[-1].depends_on == 0


@claim("C-GK-E1-transitive", "gk", statement="E1 is the same for the latest local event on which e depends at all")
def latest_transitive_is_enough(process: int, past: Past) -> bool:
    """Dependencies over messages and back (GK-11b); at sends and internal events."""
    if kind_of_last(past) in ("", "delivery"):
        return True
    number, MCV = len(past.events), clocks(process, past)[-2].MCV.get(process, 0)
    latest = max((p for q, p in semantic_past(process, past, number) if q == process), default=0)
    return (latest > MCV) == (past.events[-1].depends_on > MCV)


@claim("C-GK-E1-set", "gk", statement="whatever local events up to the latest one e depends on, all is within MCV(e)")
def latest_is_enough_for_a_set(process: int, past: Past) -> bool:
    """A set of direct dependencies, known by its latest event alone (GK-11c): it may hold every event before that."""
    if kind_of_last(past) in ("", "delivery"):
        return True
    MCV = clocks(process, past)[-1].MCV
    possible = range(1, past.events[-1].depends_on + 1)
    depends_on = {(process, p) for p in possible}.union(*(semantic_past(process, past, p) for p in possible))
    return all(p <= MCV.get(q, 0) for q, p in depends_on)


def counted_up_to(process: int, past: Past, prefix: Vector, n: int) -> Counts:
    """The messages within `prefix`, without the one that the last event sends."""
    known = before_the_last if kind_of_last(past) == "send" else known_pasts
    return sent_within(known(process, past), prefix, n)


@claim("C-GK-L2-before", "gk", statement="just before e, SENT_PREV + SENT_CONC = SENT_ECV of e, its message left out")
def matrices_count_the_past_before(process: int, before: GKState, past: Past) -> bool:
    """Lemma 2 (GK-14c)."""
    ECV = clocks(process, past)[-1].ECV
    return total(before.PREV, before.CONC) == counted_up_to(process, past, ECV, len(before.DELIV))


@claim("C-GK-L3-before", "gk", statement="just before e, SENT_PREV counts the messages up to MCV(e), its own left out")
def PREV_counts_MC_before(process: int, before: GKState, past: Past) -> bool:
    """Lemma 3 (GK-14c)."""
    MCV = clocks(process, past)[-1].MCV
    return counts(before.PREV) == counted_up_to(process, past, MCV, len(before.DELIV))


@claim("C-GK-L4-before", "gk", statement="just before e, SENT_CONC counts those in (MCV(e), ECV(e)], its own left out")
def CONC_counts_the_rest_before(process: int, before: GKState, past: Past) -> bool:
    """Lemma 4 (GK-14c)."""
    (ECV, MCV), n = clocks(process, past)[-1], len(before.DELIV)
    rest = difference(counted_up_to(process, past, ECV, n), counted_up_to(process, past, MCV, n))
    return counts(before.CONC) == rest


def smallest_MCV(process: int, past: Past) -> Vector:
    """The smallest vector that meets Definition 3 at the last event (GK-18c)."""
    smallest: dict[int, int] = {}
    for q, p in semantic_past(process, past, len(past.events)):
        smallest[q] = max(p, smallest.get(q, 0))
    return smallest


@claim("C-GK-P1-smallest", "gk", statement="the smallest MCV of a send is within ECV, and has all on which it depends")
def smallest_MCV_is_enough(process: int, past: Past) -> bool:
    """Proposition 1 for the smallest MCV (GK-18c)."""
    if kind_of_last(past) != "send":
        return True
    smallest, depends_on = smallest_MCV(process, past), semantic_past(process, past, len(past.events))
    return within(smallest, clocks(process, past)[-1].ECV) and all(p <= smallest.get(q, 0) for q, p in depends_on)


@claim("C-GK-D5-smallest", "gk", statement="at sends, the MCV of Definition 5 is the smallest that meets Definition 3")
def definition_5_is_the_smallest(process: int, past: Past) -> bool:
    """Definition 5 (GK-18c)."""
    return kind_of_last(past) != "send" or within(clocks(process, past)[-1].MCV, smallest_MCV(process, past))


@claim("C-GK-PR2-smallest", "gk", statement="from one send of a process to the next the smallest MCV does not decrease")
def smallest_MCV_does_not_decrease(process: int, past: Past) -> bool:
    """Property 2 for the smallest MCV, which Figure 3 could not keep in matrices that only grow."""
    sends = [number for number, event in enumerate(past.events, 1) if event.kind == "send"]
    if len(sends) < 2 or sends[-1] != len(past.events):
        return True
    earlier = past._replace(events=past.events[: sends[-2]])
    return within(smallest_MCV(process, earlier), smallest_MCV(process, past))


@claim("C-GK-DS-smallest", "gk", statement="the smallest MC of a send holds the sends of its deliveries")
def smallest_MC_is_a_prefix(process: int, past: Past) -> bool:
    """What is said between Definitions 4 and 5, for the smallest MCV."""
    if kind_of_last(past) != "send":
        return True
    smallest = smallest_MCV(process, past)
    events = known_events(process, past).items()
    delivered = (e.event.sent for (q, p), e in events if e.event.kind == "delivery" and p <= smallest.get(q, 0))
    return all(within(dict([send_event(sent)]), smallest) for sent in delivered if sent)
