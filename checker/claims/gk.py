"""Claims of Gambhire and Kshemkalyani (HiPC 2000) as named properties.

MCV and ECV are computed from the past by the words of Definition 5 (gk_events.py), not taken from the model. A plain
claim speaks of the state after all steps of its last event (GK-14a), one with "-msg" of what a send attaches (GK-14b).
"""

from __future__ import annotations

from typing import Any

from precede.checker.history import Past
from precede.models import Message, Packet
from precede.models.gk import GKControl, GKState

from .gk_events import (
    SENT_of_RST,
    Vector,
    before_the_last,
    clocks,
    counts,
    difference,
    known_events,
    known_pasts,
    latest,
    not_more,
    semantic_past,
    send_event,
    sent_within,
    total,
    within,
)
from .registry import claim


@claim("C-GK-P1", "gk", statement="every send on which a send e depends is among the first MCV(e)[j] events of its j")
def sends_are_in_MC(process: int, past: Past) -> bool:
    """Proposition 1, for the MCV of Definition 5: messages of MC(e) in order are all that semantic order asks for."""
    if kind_of_last(past) != "send":
        return True
    events, MCV = known_events(process, past), clocks(process, past)[-1].MCV
    depends_on = semantic_past(process, past, len(past.events))
    return all(p <= MCV.get(q, 0) for q, p in depends_on if events[q, p].event.kind == "send")


@claim("C-GK-L1", "gk", statement="MCV(e) <= ECV(e), and every event on which e depends is within MCV(e), for all e")
def definition_5_meets_definition_3(process: int, past: Past) -> bool:
    """Lemma 1 at all events (GK-6a)."""
    ECV, MCV = clocks(process, past)[-1]
    depends_on = semantic_past(process, past, len(past.events))
    return within(MCV, ECV) and all(p <= MCV.get(q, 0) for q, p in depends_on)


@claim("C-GK-L1-sends", "gk", statement="the same for sends and internal events e")
def definition_5_meets_definition_3_at_sends(process: int, past: Past) -> bool:
    """Lemma 1 without deliveries (GK-6b)."""
    return kind_of_last(past) == "delivery" or definition_5_meets_definition_3(process, past)


@claim("C-GK-D45", "gk", statement="Definitions 4 and 5 define the same MCV")
def definitions_agree(process: int, past: Past) -> bool:
    """Section 3.1 (GK-17)."""
    return clocks(process, past, definition=4)[-1] == clocks(process, past)[-1]


@claim("C-GK-DS", "gk", statement="MCV is a maximum of ECVs of past events; MC holds the sends of its deliveries")
def MC_is_a_prefix(process: int, past: Past) -> bool:
    """Section 3.1, between Definitions 4 and 5."""
    events, MCV = known_events(process, past), clocks(process, past)[-1].MCV
    highest: Vector = {}
    for known in events.values():
        if within(known.clocks.ECV, MCV):
            highest = latest(highest, known.clocks.ECV)
    delivered = (e.event.sent for (q, p), e in events.items() if e.event.kind == "delivery" and p <= MCV.get(q, 0))
    return highest == MCV and all(within(dict([send_event(sent)]), MCV) for sent in delivered if sent)


@claim("C-GK-PR1", "gk", statement="the process knows MCV from the event before, the latest local dependency, the copy")
def MCV_is_known(process: int, state: GKState, past: Past) -> bool:
    """Property 1: what the model computes of it is what Definition 5 says, with all dependencies (GK-5, GK-11c)."""
    MCV = clocks(process, past)[-1].MCV
    return tuple(MCV.get(j, 0) for j in range(1, len(state.MCV) + 1)) == state.MCV


@claim("C-GK-PR2", "gk", statement="MCV and SENT_PREV do not decrease")
def MCV_does_not_decrease(process: int, before: GKState, after: GKState, past: Past) -> bool:
    """Property 2, for Definition 5 and for what the model keeps."""
    *_, old, new = clocks(process, past)
    kept = all(a <= b for a, b in zip(before.MCV, after.MCV, strict=True))
    return within(old.MCV, new.MCV) and kept and not_more(counts(before.PREV), counts(after.PREV))


@claim("C-GK-L2", "gk", statement="SENT_PREV + SENT_CONC = SENT_ECV")
def matrices_count_the_past(process: int, state: GKState, past: Past) -> bool:
    """Lemma 2."""
    known = known_pasts(process, past)
    return total(state.PREV, state.CONC) == sent_within(known, clocks(process, past)[-1].ECV, len(state.DELIV))


@claim("C-GK-L2-msg", "gk", statement="on a copy, SENT_PREV + SENT_CONC = SENT_ECV before the send")
def copy_counts_the_past(packet: Packet, past: Past) -> bool:
    """Lemma 2."""
    SP, SC, *_ = packet.control
    known = known_pasts(packet.sender, past)
    return total(SP, SC) == sent_within(known, clocks(packet.sender, past)[-1].ECV, len(SP))


@claim("C-GK-L3", "gk", statement="SENT_PREV[j] counts exactly the messages that j sent up to event MCV[j]")
def PREV_counts_MC(process: int, state: GKState, past: Past) -> bool:
    """Lemma 3."""
    MCV = clocks(process, past)[-1].MCV
    return counts(state.PREV) == sent_within(known_pasts(process, past), MCV, len(state.DELIV))


@claim("C-GK-L3-msg", "gk", statement="so does SENT_PREV on a copy, the message itself left out")
def PREV_of_a_copy_counts_MC(model: Any, process: int, before: GKState, event: Any, past: Past) -> bool:
    """Lemma 3, of a send."""
    known, MCV = before_the_last(process, past), clocks(process, past)[-1].MCV
    expected = sent_within(known, MCV, len(before.DELIV))
    return all(counts(control.SP) == expected for control in attached(model, before, event, past))


@claim("C-GK-L4", "gk", statement="SENT_CONC[j] counts exactly the messages that j sent after MCV[j], up to ECV[j]")
def CONC_counts_the_rest(process: int, state: GKState, past: Past) -> bool:
    """Lemma 4."""
    known, (ECV, MCV), n = known_pasts(process, past), clocks(process, past)[-1], len(state.DELIV)
    return counts(state.CONC) == difference(sent_within(known, ECV, n), sent_within(known, MCV, n))


@claim("C-GK-L4-msg", "gk", statement="so does SENT_CONC on a copy, the message itself left out (GK-15b)")
def CONC_of_a_copy_counts_the_rest(model: Any, process: int, before: GKState, event: Any, past: Past) -> bool:
    """Lemma 4, of a send."""
    known, (ECV, MCV), n = before_the_last(process, past), clocks(process, past)[-1], len(before.DELIV)
    expected = difference(sent_within(known, ECV, n), sent_within(known, MCV, n))
    return all(counts(control.SC) == expected for control in attached(model, before, event, past))


@claim("C-GK-L4-msg-own", "gk", statement="the same with the message itself, where it is after MCV (GK-15a)")
def CONC_of_a_copy_counts_its_own(model: Any, process: int, before: GKState, event: Any, past: Past) -> bool:
    """Lemma 4, of a send."""
    known, (ECV, MCV), n = known_pasts(process, past), clocks(process, past)[-1], len(before.DELIV)
    expected = difference(sent_within(known, ECV, n), sent_within(known, MCV, n))
    return all(counts(control.SC) == expected for control in attached(model, before, event, past))


@claim("C-GK-RST", "gk", statement="SENT_PREV + SENT_CONC is the SENT of Raynal, Schiper and Toueg")
def matrices_are_those_of_RST(process: int, state: GKState, past: Past) -> bool:
    """Section 2."""
    return total(state.PREV, state.CONC) == SENT_of_RST(process, past, len(state.DELIV))


@claim("C-GK-RST-msg", "gk", statement="a copy of a send with MCV = ECV carries RST's matrix as SENT_PREV, no more")
def copy_is_that_of_RST(model: Any, process: int, before: GKState, event: Any, past: Past) -> bool:
    """Section 2; MCV by Definition 5, or by GK-12b."""
    ECV, MCV = clocks(process, past)[-1]
    if MCV != ECV and model.precedence == "a":
        return True
    SENT = total(before.PREV, before.CONC)
    return all(counts(SP) == SENT == total(SP, SC) for SP, SC, *_ in attached(model, before, event, past))


@claim("C-GK-FC", "gk", statement="a copy waits for no message outside MC of its send")
def only_MC_is_enforced(model: Any, process: int, before: GKState, event: Any, past: Past) -> bool:
    """Section 3.4: false causality is enforced inside MC x MC only."""
    MCV = clocks(process, past)[-1].MCV
    allowed = sent_within(known_pasts(process, past), MCV, len(before.DELIV))
    return all(not_more(counts(control.SP), allowed) for control in attached(model, before, event, past))


@claim("C-GK-SZ", "gk", statement="a copy carries 2n^2 counters")
def size_of_a_copy(model: Any, packet: Packet) -> bool:
    """Section 3.4."""
    return bool(model.control_units(packet) == 2 * len(packet.control.SP) ** 2)


def kind_of_last(past: Past) -> str:
    """send | delivery | internal; empty for the initial event."""
    return past.events[-1].kind if past.events else ""


def attached(model: Any, before: GKState, event: Any, past: Past) -> list[GKControl]:
    """What the last event of `past` attached to its copies; nothing when it is no send."""
    if not isinstance(event, Message):
        return []
    return [packet.control for packet in model.emission(before, event, past.events[-1].depends_on).packets]
