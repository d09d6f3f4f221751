"""Synchronous unicast and acknowledgements by the transport: the symbolic systems do what the Python models do."""

from __future__ import annotations

import pytest
from stepwise import Stepwise, first_difference, receivable

from precede.checker.bounds import Bounds
from precede.checker.result import InternalEvent, SendEvent
from precede.models import Signal
from precede.proofs import acknowledged, synchronous
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import Steps

ONE, TWO = (Process, Message), (Process, Process)


def transmitted(taken):
    """The copies that a step transmits."""
    return [t for t in taken.transmitted if not isinstance(t.packet, Signal)]


def meeting(f, taken):
    (to,) = taken.message.dests
    yield "meet", (taken.event.process, to, taken.message[:2])


def alternating(f, taken):
    p = taken.event.process
    if isinstance(taken.event, SendEvent):
        yield "send", (p, taken.message[:2])
    elif isinstance(taken.taken.packet, Signal):
        yield "hear", (p, taken.taken.packet.sender)
    else:
        yield "receive", (p, taken.message[:2])


def signals(run):
    """(p, d): a signal from d to p is in transit."""
    return {(t.packet.to, t.packet.sender) for t in run.in_transit.values() if isinstance(t.packet, Signal)}


def buffered(f, taken):
    p = taken.event.process
    if isinstance(taken.event, InternalEvent):
        yield "take", (p, taken.delivered[0][:2])
    elif isinstance(taken.event, SendEvent):
        yield "send", (p, taken.message[:2])
    elif isinstance(taken.taken.packet, Signal):
        yield "acknowledge", (p, (p, taken.taken.packet.control[1]))
    else:
        yield "arrive", (p, taken.message[:2])
    for transit in transmitted(taken):
        yield "transmit", (p, transit.message)


def of_buffers(run):
    heads = {(p, s.IN[0][:2]) for p, s in run.states.items() if s.IN}
    acks = {(p, (p, t.packet.control[1])) for t in run.in_transit.values()
            if isinstance(t.packet, Signal) for p in [t.packet.to]}  # fmt: skip
    return {"arrive": receivable(run), "acknowledge": acks, "take": heads, "transmit": set()}


def OUT(f, m):
    return [message[:2] for message, _ in f.run.states[m[0]].OUT]


def IN(f, m):
    (to,) = f.dests[m]
    return [message[:2] for message in f.run.states[to].IN]


def both_in(f, m, n):
    return m in IN(f, m) and n in IN(f, m)


ACTIONS = {"send": (ONE, synchronous.send), "receive": (ONE, synchronous.receive), "hear": (TWO, synchronous.hear)}
RENDEZVOUS = Bounds(processes=3, sends=5, dests="unicast", channel="rendezvous")
UNICASTS = Bounds(processes=3, sends=5, dests="unicast")
TIES = {
    "KS-27a": (
        Stepwise(
            "synchronous",
            synchronous.some_state(),
            actions={"meet": ((Process, Process, Message), synchronous.meet)},
            sends=("meet",),
            meaning=meeting,
        ),
        RENDEZVOUS,
        synchronous.LABELS,
    ),
    "KS-27b": (
        Stepwise(
            "synchronous",
            synchronous.some_state(),
            readings=("KS-27b",),
            observed={
                "awaited": lambda f, p, d: d in f.run.states[p].awaited,
                "told": lambda f, p, d: (p, d) in signals(f.run),
            },
            actions=ACTIONS,
            meaning=alternating,
            senders=lambda run: {p for p, s in run.states.items() if not s.awaited},
            enabled=lambda run: {"receive": receivable(run), "hear": signals(run)},
        ),
        UNICASTS,
        synchronous.LABELS_B,
    ),
    "acknowledged": (
        Stepwise(
            "mattern-fuenfrocken",
            acknowledged.some_state(),
            observed={
                "transmitted": lambda f, m: m not in OUT(f, m)[1:],
                "arrived": lambda f, m: m in IN(f, m) or (m, *f.dests[m]) in f.run.pasts[min(f.dests[m])].delivered,
                "acknowledged": lambda f, m: m not in OUT(f, m),
                "ahead": lambda f, m, n: IN(f, m).index(m) < IN(f, m).index(n),
            },
            where={"ahead": both_in},
            actions={
                "send": (ONE, acknowledged.send),
                "transmit": (ONE, acknowledged.transmit),
                "arrive": (ONE, acknowledged.arrive),
                "acknowledge": (ONE, acknowledged.acknowledge),
                "take": (ONE, acknowledged.take),
            },
            meaning=buffered,
            enabled=of_buffers,
        ),
        UNICASTS,
        acknowledged.LABELS,
    ),
}


@pytest.mark.parametrize("name", TIES)
def test_every_step_of_a_random_run_is_the_same(name):
    tie, bounds, _ = TIES[name]
    difference, compared = first_difference(tie, bounds, 15)
    assert difference is None and compared >= 75


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, (*_, labels) in TIES.items() for label in labels])
def test_a_step_that_is_left_out_makes_a_difference(name, label):
    tie, bounds, _ = TIES[name]
    difference, _ = first_difference(tie, bounds, 15, Steps(frozenset({label})))
    assert difference is not None
