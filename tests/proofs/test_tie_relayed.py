"""The centralised and the hierarchical organisation: the symbolic systems do what the Python models do."""

from __future__ import annotations

import pytest
from stepwise import Stepwise, first_difference, receivable

from precede.checker.bounds import Bounds
from precede.checker.result import SendEvent
from precede.proofs import centralised, hierarchical
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import Steps

ONE = (Process, Message)
REPRESENTATIVE = {1: 1, 2: 1, 3: 3, 4: 3}


def through_the_coordinator(f, taken):
    p, M = taken.event.process, taken.message[:2]
    if isinstance(taken.event, SendEvent):
        yield ("send_itself" if p == 1 else "send"), (p, M)
    elif p == 1:
        yield "serve", (M,)
    else:
        yield "receive", (p, M)


def of_coordinator(run):
    copies = receivable(run)
    return {"serve": {(m,) for p, m in copies if p == 1}, "receive": {(p, m) for p, m in copies if p != 1}}


def hop(p, m, sender):
    """What it is that p gets m from `sender`."""
    if p != REPRESENTATIVE[p]:
        return "receive"
    return "up" if REPRESENTATIVE[sender] == p else "across"


def through_representatives(f, taken):
    p, M = taken.event.process, taken.message[:2]
    if isinstance(taken.event, SendEvent):
        yield ("send_itself" if p == REPRESENTATIVE[p] else "send"), (p, M)
    else:
        yield hop(p, M, taken.taken.packet.sender), (p, M)


def of_representatives(run):
    found = {"up": set(), "across": set(), "receive": set()}
    for t in run.in_transit.values():
        if run.receivable(t):
            found[hop(t.packet.to, t.message, t.packet.sender)].add((t.packet.to, t.message))
    return found


def zone_past_of(f, r, M):
    """What happened before M among the representatives."""
    return {(m, M): known for (p, m), known in f.tables.get("zone_past", {}).items() if p == r}


TIES = {
    "centralised": (
        Stepwise(
            "centralised",
            centralised.some_state(),
            actions={
                "send": (ONE, centralised.send),
                "send_itself": (ONE, centralised.send_itself),
                "serve": ((Message,), centralised.serve),
                "receive": (ONE, centralised.receive),
            },
            sends=("send", "send_itself"),
            meaning=through_the_coordinator,
            enabled=of_coordinator,
            constants={"coordinator": 1},
        ),
        Bounds(processes=3, sends=5, channel="fifo"),
        centralised.LABELS,
    ),
    "hierarchical": (
        Stepwise(
            "hierarchical",
            hierarchical.some_state(),
            actions={
                "send": (ONE, hierarchical.send),
                "send_itself": (ONE, hierarchical.send_itself),
                "up": (ONE, hierarchical.up),
                "across": (ONE, hierarchical.across),
                "receive": (ONE, hierarchical.receive),
            },
            sends=("send", "send_itself"),
            meaning=through_representatives,
            enabled=of_representatives,
            given={
                "rep": lambda f, p: REPRESENTATIVE[p],
                "reaches": lambda f, m, r: r in {REPRESENTATIVE[d] for d in f.dests[m]},
            },
            fixed={"up": {"zone_hb": zone_past_of}, "send_itself": {"zone_hb": zone_past_of}},
        ),
        Bounds(processes=4, sends=4, channel="fifo"),
        hierarchical.LABELS,
    ),
}


@pytest.mark.parametrize("name", TIES)
def test_every_step_of_a_random_run_is_the_same(name):
    tie, bounds, _ = TIES[name]
    difference, compared = first_difference(tie, bounds, 15)
    assert difference is None and compared >= 100


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, (*_, labels) in TIES.items() for label in labels])
def test_a_step_that_is_left_out_makes_a_difference(name, label):
    tie, bounds, _ = TIES[name]
    difference, _ = first_difference(tie, bounds, 25, Steps(frozenset({label})))
    assert difference is not None
