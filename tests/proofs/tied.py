"""A symbolic transition system evaluated on the states of real runs, so that it can be held against the Python model.

A formula of Z3 is translated once into a Python function over a state: the names of processes and messages that it
quantifies over, and a function for each of its relations.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import z3

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.history import Past, Sent
from precede.checker.loading import load_model
from precede.checker.result import Event, ReceiveEvent, SendEvent
from precede.checker.run import Run
from precede.models import Message as Text
from precede.proofs.pasts import Process

Id = tuple[int, int]
INFIX = {
    z3.Z3_OP_AND: " and ", z3.Z3_OP_OR: " or ", z3.Z3_OP_EQ: " == ", z3.Z3_OP_LE: " <= ", z3.Z3_OP_GE: " >= ",
    z3.Z3_OP_LT: " < ", z3.Z3_OP_GT: " > ", z3.Z3_OP_ADD: " + ", z3.Z3_OP_SUB: " - ", z3.Z3_OP_DISTINCT: " != ",
}  # fmt: skip


@dataclass
class State:
    """What formulas are about: the processes, the messages, the relations by name and the constants by name."""

    processes: list[int]
    messages: list[Id]
    relations: dict[str, Callable[..., Any]]
    constants: dict[str, Any]


def translated(formula: z3.ExprRef) -> Callable[[State], Any]:
    """The formula as a function of a state."""
    source = _source(formula, {}, count())
    return eval(f"lambda S: {source}", {})


def _source(formula: z3.ExprRef, bound: Mapping[int, str], fresh: Iterator[int]) -> str:
    if z3.is_quantifier(formula):
        names = [f"v{next(fresh)}" for _ in range(formula.num_vars())]
        constants = [z3.Const(name, formula.var_sort(place)) for place, name in enumerate(names)]
        body = z3.substitute_vars(formula.body(), *reversed(constants))
        inner = _source(body, {**bound, **{c.get_id(): name for c, name in zip(constants, names, strict=True)}}, fresh)
        loops = " ".join(f"for {name} in {_domain(c)}" for name, c in zip(names, constants, strict=True))
        return f"{'all' if formula.is_forall() else 'any'}({inner} {loops})"
    parts = [_source(part, bound, fresh) for part in formula.children()]
    kind = formula.decl().kind()
    if kind in INFIX:
        return f"({INFIX[kind].join(parts)})"
    if kind == z3.Z3_OP_NOT:
        return f"(not {parts[0]})"
    if kind == z3.Z3_OP_IMPLIES:
        return f"(not {parts[0]} or {parts[1]})"
    if kind == z3.Z3_OP_ITE:
        return f"({parts[1]} if {parts[0]} else {parts[2]})"
    if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_ANUM):
        return str(formula)
    assert kind == z3.Z3_OP_UNINTERPRETED, formula
    if parts:
        return f"S.relations[{formula.decl().name()!r}]({', '.join(parts)})"
    return bound.get(formula.get_id()) or f"S.constants[{formula.decl().name()!r}]"


def _domain(constant: z3.ExprRef) -> str:
    return "S.processes" if constant.sort() == Process else "S.messages"


def walks(model: str, bounds: Bounds, runs: int, seed: int = 0) -> Iterator[tuple[Run, Event]]:
    """Random runs, step by step: a run in some state, and the event that it takes next."""
    chance = random.Random(seed)
    for _ in range(runs):
        run = Run(ModelCalls(load_model(model), bounds), bounds)
        while events := [e for e in run.enabled() if isinstance(e, SendEvent | ReceiveEvent)]:
            event = chance.choice(events)
            yield run, event
            run.apply(event)


def state_of(run: Run, event: Event) -> tuple[State, dict[Id, Sent], Id]:
    """The theory of pasts in the state of a run, all messages with the one that `event` sends, and the one it is about.

    The functions that choose, `newest` and `latest`, are not there: transitions of algorithms do not use them.
    """
    past = run.pasts
    sends = {s.id: s for p in run.processes for s in past[p].sent if s.message.sender == p}
    is_sent = set(sends)
    if isinstance(event, SendEvent):
        about = event.process, 1 + sum(id[0] == event.process for id in sends)
        sends[about] = Sent(Text(*about, event.dests), past[event.process])
    else:
        assert isinstance(event, ReceiveEvent) and event.message
        about = event.message
    known = {p: {s.id for s in past[p].sent} for p in run.processes}
    earlier = {x: {s.id for s in sent.past.sent} for x, sent in sends.items()}
    relations = {
        "sender": lambda m: m[0],
        "dest": lambda m, d: d in sends[m].message.dests,
        "before": lambda m, n: m[0] == n[0] and m[1] < n[1],
        "hb": lambda m, x: m in earlier[x],
        "delivered_before": lambda x, m, d: (m, d) in sends[x].past.delivered,
        "covered_before": lambda x, m, d: covered(sends[x].past, m, d),
        "sent": lambda m: m in is_sent,
        "past": lambda p, m: m in known[p],
        "delivered": lambda p, m, d: (m, d) in past[p].delivered,
        "covered": lambda p, m, d: covered(past[p], m, d),
    }
    return State(list(run.processes), list(sends), relations, {}), sends, about


def covered(past: Past, m: Id, d: int) -> bool:
    """Whether the past has a send to d that follows that of m."""
    return any(d in s.message.dests and m in {t.id for t in s.past.sent} for s in past.sent)


def step_of(run: Run, event: Event, sends: dict[Id, Sent], about: Id):
    """The step of the Python model, and its packet if it takes one."""
    local = run.states[event.process]
    if isinstance(event, SendEvent):
        return run.calls.send(local, sends[about].message)[event.alternative], None
    taken = next(t for t in run.in_transit.values() if (t.message, t.packet.to) == (about, event.process))
    return run.calls.receive(local, taken.packet)[event.alternative], taken.packet
