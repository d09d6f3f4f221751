"""The symbolic SA does what the Python SA does: the same waits, counts and copies on every step of random runs.

The symbolic system sends and receives extra messages in steps of their own: a step of the model is a send or a delivery
and the extra messages that it sends, one after the other. The pasts and `holder` are left out: no step looks at them.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
import z3
from tied import State, evaluable, places, translated

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.run import Run
from precede.models import Signal
from precede.proofs import sa
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import ALL_STEPS, Steps

i, e = z3.Consts("i e", Process)
x = z3.Const("x", Message)
STATE = sa.some_state()
UNKNOWN = ("hb", "holder_before")


def actions(steps):
    return {
        "user send": sa.snd(STATE, i, x, steps),
        "extra send": sa.xsnd(STATE, i, x, e, steps),
        "user receive": sa.rcv(STATE, i, x, steps),
        "extra receive": sa.xrcv(STATE, i, x, steps),
    }


class Symbolic:
    """One run of the symbolic system. Matrices are {(a, d): count}."""

    def __init__(self, processes, guards, after):
        self.guards, self.after, self.processes = guards, after, list(processes)
        self.pairs = list(product(self.processes, repeat=2))
        self.dests, self.sent, self.delivered = {}, [], set()
        self.M = {p: dict.fromkeys(self.pairs, 0) for p in self.processes}
        self.DELIV = {p: dict.fromkeys(self.processes, 0) for p in self.processes}
        self.Mm = {}

    def state(self, i, x):
        """With constants for a step of i with x; e is the destination of an extra message."""
        relations = {
            "sender": lambda m: m[0],
            "user": lambda m: m[1] > 0,
            "dest": lambda m, d: d in self.dests[m],
            "index": lambda m, d: self.channel(m[0], d).index(m) + 1,
            "sent": lambda m: m in self.sent,
            "delivered": lambda d, m: (d, m) in self.delivered,
            "count": lambda a, d: sum(m in self.sent for m in self.channel(a, d)),
            "nth": lambda a, d, v: self.channel(a, d)[v - 1],
            "M": lambda p, a, d: self.M[p][a, d],
            "DELIV": lambda p, a: self.DELIV[p][a],
            "Mm": lambda m, a, d: self.Mm[m][a, d],
        }
        return State(self.processes, list(self.dests), relations, {"i": i, "x": x, "e": min(self.dests[x])})

    def channel(self, a, d):
        """The messages from a to d, in the order in which they are sent."""
        return [m for m, dests in self.dests.items() if m[0] == a and d in dests]

    def is_possible(self, name, i, x):
        return self.guards[name](self.state(i, x))

    def value(self, name, of, i, x, *args):
        state = self.state(i, x)
        state.constants |= {f"x{k}": arg for k, arg in enumerate(args)}
        return self.after[name, of](state)

    def take(self, name, i, x):
        """The state after the step."""
        M = {p: {pair: self.value(name, "M", i, x, p, *pair) for pair in self.pairs} for p in self.processes}
        DELIV = {p: {a: self.value(name, "DELIV", i, x, p, a) for a in self.processes} for p in self.processes}
        if name.endswith("send"):
            self.Mm[x] = {pair: self.value(name, "Mm", i, x, x, *pair) for pair in self.pairs}
            self.sent.append(x)
        else:
            self.delivered.add((i, x))
        self.M, self.DELIV = M, DELIV


def name_of(transit):
    """A message: those of the application are (sender, number), extra messages have negative numbers."""
    return transit.message or (transit.packet.sender, -transit.number)


def carried(transit, processes):
    """What a copy carries; of an extra message it is one column."""
    packet = transit.packet
    if isinstance(packet, Signal):
        return {(a, d): packet.control[a - 1] if d == packet.to else 0 for a, d in product(processes, repeat=2)}
    return {(a, d): packet.control[a - 1][d - 1] for a, d in product(processes, repeat=2)}


def first_difference(bounds, runs, steps=ALL_STEPS, settings=()):
    """The first step of random runs on which the two differ, and how often each step was compared."""
    system = actions(steps)
    guards = {name: translated(evaluable(action.guard, UNKNOWN)) for name, action in system.items()}
    after = {
        (name, of): translated(getattr(action.after, of)(*places(getattr(STATE, of))))
        for name, action in system.items()
        for of in ("M", "DELIV", "Mm")
    }
    chance, calls = random.Random(0), ModelCalls(load_model("sa", settings=settings), bounds)
    seen = Counter()
    for _ in range(runs):
        run = Run(calls, bounds)
        symbolic = Symbolic(run.processes, guards, after)
        while True:
            possible = {(t.packet.to, name_of(t)) for t in run.in_transit.values() if run.receivable(t)}
            seen["waits"] += len(run.in_transit) - len(possible)
            for p, m in product(run.processes, symbolic.sent):
                name = f"{'user' if m[1] > 0 else 'extra'} receive"
                if symbolic.is_possible(name, p, m) != ((p, m) in possible):
                    return f"guard of {name}", seen
            if not (events := run.enabled()):
                break
            taken = run.apply(chance.choice(events))
            if difference := follow(symbolic, run, taken, seen):
                return difference, seen
    return None, seen


def follow(symbolic, run, taken, seen):
    """Take a step of the run. What differs then, if anything does."""
    p = taken.event.process
    todo = []
    if taken.taken:
        m = name_of(taken.taken)
        todo.append(("user receive" if m[1] > 0 else "extra receive", m))
    for transit in taken.transmitted:
        m = name_of(transit)
        if m not in symbolic.dests:
            symbolic.dests[m] = taken.message.dests if m[1] > 0 else {transit.packet.to}
            todo.append(("user send" if m[1] > 0 else "extra send", m))
    for name, m in todo:
        seen[name] += 1
        if name.endswith("send") and not symbolic.is_possible(name, p, m):
            return f"guard of {name}"
        symbolic.take(name, p, m)
    for transit in taken.transmitted:
        if symbolic.Mm[name_of(transit)] != carried(transit, run.processes):
            return "Mm"
    for q, local in run.states.items():
        M = {(a, d): local.M[a - 1][d - 1] for a, d in symbolic.pairs}
        if (symbolic.M[q], symbolic.DELIV[q]) != (M, dict(enumerate(local.DELIV, 1))):
            return "M or DELIV"
    return None


LONG = Bounds(processes=4, sends=6)
"""d2 reset finds something only in runs longer than the others here, and not where extra messages do its work."""


@pytest.mark.parametrize("bounds", [Bounds(processes=3, sends=5), Bounds(processes=4, sends=4), LONG], ids=str)
@pytest.mark.parametrize("settings", [(), ("K=4",), ("K=2",)], ids=str)
def test_every_step_of_a_random_run_is_the_same(bounds, settings):
    difference, seen = first_difference(bounds, 10, settings=settings)
    assert difference is None and min(seen["user send"], seen["user receive"], seen["waits"]) > 20
    assert min(seen["extra send"], seen["extra receive"]) > 10 or settings != ("K=2",)


@pytest.mark.parametrize("label", sa.LABELS)
def test_a_step_that_is_left_out_makes_a_difference(label):
    difference, _ = first_difference(LONG, 15, Steps(frozenset({label})), ("K=4",))
    assert difference is not None
