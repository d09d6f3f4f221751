"""A symbolic transition system evaluated on the states of real runs, so that it can be held against the Python model.

A formula of Z3 is translated once into a Python function over a state: the names of processes and messages that it
quantifies over, and a function for each of its relations.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count, product
from typing import Any

import z3

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.history import Past, Sent
from precede.checker.loading import load_model
from precede.checker.result import Event, ReceiveEvent, SendEvent
from precede.checker.run import Run
from precede.models import Message as Text
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import ALL_STEPS, Action, Steps

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
    chance, calls = random.Random(seed), ModelCalls(load_model(model), bounds)
    for _ in range(runs):
        run = Run(calls, bounds)
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


Value = Callable[..., Any]
CHOSEN = ("newest_before", "latest_before")
"""The functions that choose, which states do not have."""


@dataclass(frozen=True)
class Tie:
    """A symbolic system and the Python model that it is held against.

    send, receive: (state, process, message, steps) -> action. stored, carried: fields of the symbolic state, as
    functions of the state of a process, or of what a packet carries, and the arguments after the first. Fields of
    `per_copy` are carried by one copy: its destination is the second argument. where[field]: the field that says
    where `field` says something. given: more relations of a state, from it and all messages. Conjuncts of guards that
    speak of one of `unknown` are left out. sort: that of messages; a system of events names them by their sends.
    """

    model: str
    state: Any
    send: Callable[..., Action]
    receive: Callable[..., Action]
    stored: Mapping[str, Value]
    carried: Mapping[str, Value]
    per_copy: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    given: Callable[[State, dict[Id, Sent]], dict[str, Value]] = lambda state, sends: {}
    unknown: tuple[str, ...] = CHOSEN
    sort: z3.SortRef = Message


class Symbolic:
    """The guards of a system and its fields after a step, as functions of a state, without the steps left out."""

    def __init__(self, tie: Tie, steps: Steps) -> None:
        self.tie = tie
        j, M = z3.Const("j", Process), z3.Const("M", tie.sort)
        actions = {"send": tie.send(tie.state, j, M, steps), "receive": tie.receive(tie.state, j, M, steps)}
        self.guards = {name: translated(evaluable(action.guard, tie.unknown)) for name, action in actions.items()}
        self.after = {
            (name, of): translated(getattr(action.after, of)(*places(self.function(of))))
            for name, action in actions.items()
            for of in (*tie.stored, *tie.carried)
        }

    def function(self, of: str) -> z3.FuncDeclRef:
        """The function that a field is."""
        return getattr(self.tie.state, of)

    def is_possible(self, name: str, state: State, j: int, M: Id) -> bool:
        """Whether j may send or receive M."""
        state.constants = {"j": j, "M": M}
        return self.guards[name](state)

    def differs(self, name: str, of: str, state: State, j: int, M: Id, first: tuple[Any, ...], found: Any) -> bool:
        """Whether the field is not what it is in `found`, for these first arguments and any others."""
        values = self.tie.stored | self.tie.carried
        function, there = self.function(of), self.tie.where.get(of)
        for rest in product(*(_all(function.domain(k), state) for k in range(len(first), function.arity()))):
            if there and not values[there](found, *rest[: self.function(there).arity() - len(first)]):
                continue
            state.constants = {"j": j, "M": M, **{f"x{k}": arg for k, arg in enumerate((*first, *rest))}}
            if self.after[name, of](state) != values[of](found, *rest):
                return True
        return False


def places(function: z3.FuncDeclRef) -> list[z3.ExprRef]:
    """Constants for the arguments of a function."""
    return [z3.Const(f"x{k}", function.domain(k)) for k in range(function.arity())]


def _all(sort: z3.SortRef, state: State) -> list[Any]:
    return state.processes if sort == Process else state.messages


def evaluable(guard: z3.BoolRef, unknown: tuple[str, ...]) -> z3.BoolRef:
    """The conjuncts of a guard that speak of nothing unknown."""
    return z3.And(*(part for part in conjuncts(guard) if not functions_of(part) & set(unknown)))


def functions_of(formula: z3.ExprRef) -> set[str]:
    """The names of the functions and constants in a formula."""
    if z3.is_quantifier(formula):
        return functions_of(formula.body())
    own = {formula.decl().name()} if z3.is_app(formula) else set()
    return own.union(*map(functions_of, formula.children()))


def conjuncts(formula: z3.BoolRef) -> Iterable[z3.BoolRef]:
    """Those of nested conjunctions, in their order."""
    return [c for part in formula.children() for c in conjuncts(part)] if z3.is_and(formula) else [formula]


def first_difference(tie: Tie, bounds: Bounds, runs: int, steps: Steps = ALL_STEPS) -> tuple[str | None, Counter[str]]:
    """The first guard or field in which a step of random runs differs from that of the symbolic system, and how many
    sends, receives and waits were compared."""
    symbolic = Symbolic(tie, steps)
    seen: Counter[str] = Counter()
    for run, event in walks(tie.model, bounds, runs):
        state, sends, about = state_of(run, event)
        step, _ = step_of(run, event, sends, about)
        if isinstance(event, SendEvent):
            sends[about] = sends[about]._replace(depends_on=step.depends_on)
        state.relations |= tie.given(state, sends) | _python_fields(tie, run)
        copies = product(run.processes, sent_messages(state))
        possible = {t.copy for t in run.in_transit.values() if run.receivable(t)}
        seen["waits"] += len(run.waiting())
        if any(symbolic.is_possible("receive", state, p, x) != ((x, p) in possible) for p, x in copies):
            return "guard of receive", seen
        name = "send" if isinstance(event, SendEvent) else "receive"
        seen[name] += 1
        if name == "send" and not symbolic.is_possible(name, state, event.process, about):
            return "guard of send", seen
        to, delivered = (sends[about].message.dests, []) if name == "send" else (set(), [about])
        if {packet.to for packet in step.packets} != to or [m[:2] for m in step.delivered] != delivered:
            return "copies or deliveries", seen
        here = (state, event.process, about)
        for p, local in {**run.states, event.process: step.state}.items():
            for of in tie.stored:
                if symbolic.differs(name, of, *here, (p,), local):
                    return of, seen
        for packet in step.packets:
            for of in tie.carried:
                first = (about, packet.to) if of in tie.per_copy else (about,)
                if symbolic.differs(name, of, *here, first, packet.control):
                    return of, seen
    return None, seen


def _python_fields(tie: Tie, run: Run) -> dict[str, Value]:
    """The fields of the symbolic state as they are in a run."""
    locals_ = run.states
    copies = {t.copy: t.packet.control for t in run.in_transit.values()}
    any_copy = {x: control for (x, _), control in copies.items()}
    fields = {of: lambda p, *args, value=value: value(locals_[p], *args) for of, value in tie.stored.items()}
    for of, value in tie.carried.items():
        if of in tie.per_copy:
            fields[of] = lambda x, e, *args, value=value: value(copies[x, e], *args)
        else:
            fields[of] = lambda x, *args, value=value: value(any_copy[x], *args)
    return {getattr(tie.state, of).name(): value for of, value in fields.items()}


def sent_messages(state: State) -> list[Id]:
    """The messages that are sent."""
    return [m for m in state.messages if state.relations["sent"](m)]


def numbers(state: State, sends: dict[Id, Sent]) -> dict[str, Value]:
    """Numbers of messages, and the ghosts `Senders`."""
    sent = sent_messages(state)
    return {
        "number": lambda m: m[1],
        "sends": lambda a: sum(m[0] == a for m in sent),
        "nth_of": lambda a, v: (a, v),
    }


def indices(state: State, sends: dict[Id, Sent]) -> dict[str, Value]:
    """Places of messages in channels, and the ghosts `Channels`."""
    sent = sent_messages(state)

    def channel(of: Iterable[Id], a: int, d: int) -> list[Id]:
        return sorted(m for m in of if m[0] == a and d in sends[m].message.dests)

    return {
        "index": lambda m, d: channel(sends, m[0], d).index(m) + 1,
        "count": lambda a, d: len(channel(sent, a, d)),
        "nth": lambda a, d, v: channel(sent, a, d)[v - 1],
    }
