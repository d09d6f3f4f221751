"""Serialised broadcast and multicast: the symbolic systems do what the Python models do, token and all."""

from __future__ import annotations

import pytest
from stepwise import Stepwise, first_difference, receivable

from precede.checker.bounds import Bounds
from precede.checker.result import InternalEvent, SendEvent
from precede.models import Signal
from precede.proofs import ks_serialised_broadcast, ks_serialised_multicast
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import Steps

ONE, TWO = (Process, Message), (Process, Process)


def moves(f, taken):
    p, own = taken.event.process, "take_own" in f.tie.actions
    if isinstance(taken.event, InternalEvent):
        yield "pass_on", (p, taken.transmitted[0].packet.to)
    elif isinstance(taken.event, SendEvent):
        yield "send", (p, taken.message[:2])
    elif isinstance(taken.taken.packet, Signal):
        yield "take_token", (p,)
    else:
        yield "receive", (p, taken.message[:2])
    while own and (counting := f.possible("take_own")):
        yield "take_own", min(counting, key=lambda args: time(f, args[1]))


def coming(run):
    """The process to which the token is on its way."""
    return {t.packet.to for t in run.in_transit.values() if isinstance(t.packet, Signal)}


def holders(run, field, nothing):
    return {p for p, s in run.states.items() if getattr(s, field) != nothing}


def time(f, m):
    """The place of a message among all."""
    return list(f.dests).index(m) + 1


def waiting(f, p):
    """The messages whose own copies wait at p."""
    return {packet.message[:2] for packet in f.run.states[p].own}


def latest_to(f, i, M):
    """`latest_to` at the send of M."""
    return {(M, *at): m for at, m in f.tables.get("latest_to", {}).items()}


def tie_of(model, system, holds, **more):
    actions = {
        "send": (ONE, system.send),
        "receive": (ONE, system.receive),
        "pass_on": (TWO, system.pass_on),
        "take_token": ((Process,), system.take_token),
    }
    observed = {
        "holds": lambda f, p: p in holds(f.run),
        "coming": lambda f, p: p in coming(f.run),
        "SR": lambda f, p, a: f.run.states[p].SR[a - 1],
        **more.pop("observed"),
    }
    return Stepwise(
        model,
        system.some_state(),
        observed=observed,
        actions=actions | more.pop("actions", {}),
        meaning=moves,
        enabled=lambda run: {"receive": receivable(run), "take_token": {(p,) for p in coming(run)},
                             **({"take_own": set()} if "broadcast" in model else {})},
        senders=holds,
        given={"time": time, "number": lambda f, m: m[1]},
        starts={"holds": {(1,): True}},
        **more,
    )  # fmt: skip


def has_turn(run):
    return holders(run, "turn", None)


def has_token(run):
    return holders(run, "holds", False)


BROADCAST = tie_of(
    "serialised-broadcast",
    ks_serialised_broadcast,
    has_turn,
    actions={"take_own": (ONE, ks_serialised_broadcast.take_own)},
    observed={
        "turn": lambda f, p: f.run.states[p].turn,
        "last": lambda f, p, m: f.run.states[p].last == (m[0], time(f, m)),
        "own": lambda f, p, m: m in waiting(f, p),
    },
    where={"turn": lambda f, p: p in has_turn(f.run), "last": lambda f, p, m: p in has_turn(f.run)},
    carried={"names": lambda f, control, m: control.last == (m[0], time(f, m))},
)
MULTICAST = tie_of(
    "serialised-multicast",
    ks_serialised_multicast,
    has_token,
    observed={"last": lambda f, p, d, m: f.run.states[p].last[d - 1] == m},
    where={"last": lambda f, p, d, m: p in has_token(f.run)},
    carried={"names": lambda f, vector, d, m: vector[d - 1] == m},
    fixed={"send": {"latest_to_before": latest_to}},
)
TIES = {
    "broadcast": (BROADCAST, Bounds(processes=3, sends=4, dests="broadcast"), ks_serialised_broadcast.LABELS),
    "multicast": (MULTICAST, Bounds(processes=3, sends=4), ks_serialised_multicast.LABELS),
}


@pytest.mark.parametrize("name", TIES)
def test_every_step_of_a_random_run_is_the_same(name):
    tie, bounds, _ = TIES[name]
    difference, compared = first_difference(tie, bounds, 10)
    assert difference is None and compared >= 200


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, (*_, labels) in TIES.items() for label in labels])
def test_a_step_that_is_left_out_makes_a_difference(name, label):
    tie, bounds, _ = TIES[name]
    difference, _ = first_difference(tie, bounds, 25, Steps(frozenset({label})))
    assert difference is not None
