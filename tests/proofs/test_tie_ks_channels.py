"""KS with sequence numbers, and without duplicate information: the symbolic channels do what those of the models do."""

from __future__ import annotations

import pytest
from stepwise import Stepwise, first_difference

from precede.checker.bounds import Bounds
from precede.checker.result import ReceiveEvent, SendEvent
from precede.models.ks import KS
from precede.proofs import ks_differences, ks_sequence
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import Steps

ONE = (Process, Message)


def arrivals(f, taken):
    """A copy arrives, and is delivered then or later."""
    p = taken.event.process
    if isinstance(taken.event, SendEvent):
        yield "send", (p, taken.message[:2])
    elif isinstance(taken.event, ReceiveEvent):
        yield "arrive", (p, taken.message[:2])
    for message in taken.delivered:
        yield "receive", (p, message[:2])


def next_of_channels(run):
    return {"arrive": {(t.packet.to, t.message) for t in run.in_transit.values() if run.receivable(t)}}


def channel(f, a, d):
    return sorted(m for m in f.dests if m[0] == a and d in f.dests[m])


def place(f, m, d):
    return channel(f, m[0], d).index(m) + 1


def has_arrived(f, d, m):
    waiting = {copy.packet.message[:2] for copy in f.run.states[d].buffer}
    return m in waiting or (m, d) in f.run.pasts[d].delivered


SEQUENCE = Stepwise(
    "ks-sequence",
    ks_sequence.some_state(),
    observed={"last": lambda f, d, a: f.run.states[d].last[a - 1], "arrived": has_arrived},
    actions={
        "send": (ONE, ks_sequence.send),
        "arrive": (ONE, ks_sequence.arrive),
        "receive": (ONE, ks_sequence.receive),
    },
    meaning=arrivals,
    enabled=next_of_channels,
    given={"index": place},
)


def exchanges(f, taken):
    """The O_M of each copy is that of KS in the state of the sender."""
    if isinstance(taken.event, SendEvent):
        _, copies = KS().sent(f.before[taken.event.process].ks, taken.message)
        for copy in copies:
            O_M = dict(copy.control)
            f.tables.setdefault("O_M", {})[taken.message[:2], copy.to] = O_M
    yield from ((name, args) for name, args in arrivals(f, taken) if name != "receive")


def O_M(f, x, e):
    return f.tables.get("O_M", {}).get((x, e), {})


def kept(field):
    """What is told to a process, or heard from one, as a relation of entries, and as one of their D-fields."""
    at = lambda f, p, e: dict(getattr(f.run.states[p], field)[e - 1])  # noqa: E731
    return {field: lambda f, p, e, m: m in at(f, p, e), f"{field}_D": lambda f, p, e, m, d: d in at(f, p, e)[m]}


KEPT = {**kept("told"), **kept("heard")}
DIFFERENCES = Stepwise(
    "ks-differences",
    ks_differences.some_state(),
    observed=KEPT,
    carried={
        "new": lambda f, difference, m: m in dict(difference.entries),
        "removed": lambda f, difference, m: m in difference.removed,
    },
    per_copy=("new", "removed"),
    where={f"{field}_D": lambda f, p, e, m, d, has=KEPT[field]: has(f, p, e, m) for field in ("told", "heard")},
    actions={"send": (ONE, ks_differences.send), "arrive": (ONE, ks_differences.arrive)},
    meaning=exchanges,
    enabled=next_of_channels,
    given={
        "index": place,
        "O": lambda f, x, e, m: m in O_M(f, x, e),
        "OD": lambda f, x, e, m, d: d in O_M(f, x, e).get(m, ()),
    },
)


TIES = {
    "sequence": (SEQUENCE, Bounds(processes=3, sends=5), ks_sequence.LABELS),
    "differences": (DIFFERENCES, Bounds(processes=3, sends=5, channel="fifo"), ks_differences.LABELS),
}


@pytest.mark.parametrize("name", TIES)
def test_every_step_of_a_random_run_is_the_same(name):
    tie, bounds, _ = TIES[name]
    difference, compared = first_difference(tie, bounds, 15)
    assert difference is None and compared >= 100


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, (*_, labels) in TIES.items() for label in labels])
def test_a_step_that_is_left_out_makes_a_difference(name, label):
    tie, bounds, _ = TIES[name]
    difference, _ = first_difference(tie, bounds, 40, Steps(frozenset({label})))
    assert difference is not None
