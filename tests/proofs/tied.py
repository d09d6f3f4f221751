"""A symbolic transition system held against the Python model, step by step: its guards, its fields, and its pasts and
ghosts after each step, which must be what the checker's histories say."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import z3
from histories import CHOSEN, History, Id, elements, history_of, pasts
from translating import State, Value, evaluable, functions_of, part, places, translated

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import Run, StepTaken
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import ALL_STEPS, Action, Steps


class Move(NamedTuple):
    """A step of a run. Without one, only what may happen before it is looked at."""

    before: Run
    taken: StepTaken | None
    after: Run


def start(model: str, bounds: Bounds, settings: tuple[str, ...] = (), kind: type[Run] = Run) -> Run:
    """The run without steps. What the model answers is kept: its states are met more than once."""
    calls = ModelCalls(load_model(model, settings=settings), bounds)
    calls.send, calls.receive, calls.signal = cache(calls.send), cache(calls.receive), cache(calls.signal)
    return kind(calls, bounds)


def walks(start: Run, runs: int) -> Iterator[Move]:
    """The steps of random runs."""
    chance = random.Random(0)
    for _ in range(runs):
        run = start
        while events := run.enabled():
            move = moved(run, chance.choice(events))
            yield move
            run = move.after


def all_moves(start: Run) -> Iterator[Move]:
    """All steps of all reachable states. Of steps of a process that are alike, with its past, what is in transit to it
    and what it does the same, there is one."""
    todo, reached, seen = [start], set(), set()
    while todo:
        run = todo.pop()
        if (state := run.global_state()) in reached:
            continue
        reached.add(state)
        moves = [moved(run, event) for event in run.enabled()]
        todo += [move.after for move in moves]
        around = {p: _around(run, p) for p in run.processes}
        new = [m for m in moves if (around[m.taken.event.process], m.taken.event) not in seen]
        yield from new or [Move(run, None, run)] * (not seen.issuperset(around.values()))
        seen |= {(around[m.taken.event.process], m.taken.event) for m in new} | set(around.values())


SMALL = {Bounds(processes=3, sends=2): (108, 216), Bounds(processes=3, sends=3, dests="unicast"): (270, 486)}
"""Bounds for `all_moves`, with the numbers of sends and receives that differ. Models that keep causal order and hold
back nothing else have the same ones: the pasts of all of them are the same."""


def _around(run: Run, p: int) -> tuple[object, ...]:
    """The process with its past and what is in transit to it."""
    return run.locals[p], tuple(tuple(t.content for t in run.on_channel(q, p)) for q in run.processes)


def moved(run: Run, event: Any) -> Move:
    """The step, which leaves the run as it is."""
    after = copy(run)
    after.locals, after.in_transit, after.faults = dict(run.locals), dict(run.in_transit), dict(run.faults)
    return Move(run, after.apply(event), after)


@dataclass(frozen=True)
class Tie:
    """A symbolic system and the Python model that it is held against.

    send, receive: (state, process, message, steps) -> action. stored, carried: fields of the symbolic state, as
    functions of the state of a process, or of what a packet carries, and the arguments after the first. Fields of
    `per_copy` are carried by one copy: its destination is the second argument. where[field]: the field that says
    where `field` says something. All other fields are ghosts: `given` are their values, and those of what is given, in
    a history, and `chosen` says whether values are right that are not the only ones. Conjuncts of guards that speak of
    one of `unknown` are left out, and where a receive is not taken, those that speak of one of `untaken`. sorts:
    elements of further sorts. A system of events, whose sort is `sort`, has names of its own for messages.
    """

    model: str
    state: Any
    send: Callable[..., Action]
    receive: Callable[..., Action]
    stored: Mapping[str, Value]
    carried: Mapping[str, Value]
    per_copy: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    given: Callable[[History], Mapping[str, Value]] = lambda history: {}
    chosen: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    sorts: Callable[[History], Mapping[str, list[Any]]] = lambda history: {}
    unknown: tuple[str, ...] = ()
    untaken: tuple[str, ...] = ()
    sort: z3.SortRef = Message
    named: Callable[[History], Callable[[Id], Id]] = lambda history: lambda m: m

    @property
    def functions(self) -> dict[str, z3.FuncDeclRef]:
        """All fields."""
        return functions_of(self.state)

    @property
    def ghosts(self) -> list[str]:
        """The fields that the model does not have."""
        return [name for name in self.functions if name not in self.stored and name not in self.carried]

    def relations(self, history: History) -> dict[str, Value]:
        """All that a history says."""
        return pasts(history) | self.given(history)

    def fields(self, run: Run, named: Callable[[Id], Id]) -> dict[str, Value]:
        """The fields that are stored and carried, by the names of their functions, as they are in a run."""
        states = run.states
        copies = {(named(t.message), t.packet.to): t.packet.control for t in run.in_transit.values() if t.message}
        any_copy = {x: control for (x, _), control in copies.items()}
        found = {of: lambda p, *args, value=value: value(states[p], *args) for of, value in self.stored.items()}
        for of, value in self.carried.items():
            if of in self.per_copy:
                found[of] = lambda x, e, *args, value=value: value(copies[x, e], *args)
            else:
                found[of] = lambda x, *args, value=value: value(any_copy[x], *args)
        return {self.functions[of].name(): value for of, value in found.items()}


class Symbolic:
    """The guards of a system and its fields after a step, as functions of a state, without the steps left out."""

    def __init__(self, tie: Tie, steps: Steps) -> None:
        self.tie = tie
        self.functions = {of: function.name() for of, function in tie.functions.items()}
        self.domains = {
            of: [function.domain(k).name() for k in range(function.arity())] for of, function in tie.functions.items()
        }
        actions = actions_of(tie, steps)
        self.guards = {name: translated(evaluable(action.guard, tie.unknown)) for name, action in actions.items()}
        self.guards["receive?"] = translated(evaluable(actions["receive"].guard, (*tie.unknown, *tie.untaken)))
        self.after = {
            (name, of): translated(part(action.after, of)(*places(function)))
            for name, action in actions.items()
            for of, function in tie.functions.items()
        }

    def is_possible(self, name: str, state: State, j: int, M: Id) -> bool:
        """Whether j may send or receive M; "receive?": as far as is known where that is not what happens."""
        state.constants = {"j": j, "M": M}
        return self.guards[name](state)

    def values(
        self, of: str, name: str, state: State, j: int, M: Id, first: tuple[Any, ...] = ()
    ) -> Iterator[tuple[tuple[Any, ...], Callable[[], Any]]]:
        """Each list of arguments that starts with `first`, and the value of the field for it after the step."""
        after, names = self.after[name, of], [f"x{k}" for k in range(len(self.domains[of]))]
        domains = [state.elements[sort] for sort in self.domains[of][len(first) :]]
        state.constants = {"j": j, "M": M}
        for args in product(*((arg,) for arg in first), *domains):
            state.constants.update(zip(names, args, strict=True))
            yield args, lambda: after(state)

    def differs(self, of: str, name: str, state: State, j: int, M: Id, first: tuple[Any, ...], found: Any) -> bool:
        """Whether the field is not what it is in `found`, for these first arguments and any others."""
        fields, there = self.tie.stored | self.tie.carried, self.tie.where.get(of)
        for args, value in self.values(of, name, state, j, M, first):
            rest = args[len(first) :]
            if there and not fields[there](found, *rest[: len(self.domains[there]) - len(first)]):
                continue
            if value() != fields[of](found, *rest):
                return True
        return False

    def is_right(self, of: str, name: str, state: State, j: int, M: Id, after: Mapping[str, Value]) -> bool:
        """Whether the ghost is what it must be after the step."""
        function = self.functions[of]
        chosen = (CHOSEN | self.tie.chosen).get(function)
        if chosen:
            return all(chosen(after, value(), *args) for args, value in self.values(of, name, state, j, M))
        return all(value() == after[function](*args) for args, value in self.values(of, name, state, j, M))


def first_difference(tie: Tie, moves: Iterable[Move], steps: Steps = ALL_STEPS) -> tuple[str | None, Counter[str]]:
    """The first guard or field in which a step differs from that of the symbolic system, and how many sends, receives
    and waits were compared."""
    symbolic = Symbolic(tie, steps)
    seen: Counter[str] = Counter()
    for move in moves:
        if difference := difference_in(symbolic, move, seen):
            return difference, seen
    return None, seen


def difference_in(symbolic: Symbolic, move: Move, seen: Counter[str]) -> str | None:
    """What differs in one step, if anything does."""
    tie, (run, taken, after) = symbolic.tie, move
    history = history_of(run, after)
    named = tie.named(history)
    known = elements(run, history.sends) | tie.sorts(history)
    state = State(known, tie.relations(history) | tie.fields(run, named), {})
    copies = product(run.processes, map(named, history.sent))
    possible = {(named(t.message), t.packet.to) for t in run.in_transit.values() if run.receivable(t)}
    seen["waits"] += len(run.waiting())
    if any(symbolic.is_possible("receive?", state, p, x) != ((x, p) in possible) for p, x in copies):
        return "guard of receive"
    if taken is None:
        return None
    assert isinstance(taken.event, SendEvent | ReceiveEvent) and taken.message
    p, message, is_send = taken.event.process, taken.message[:2], isinstance(taken.event, SendEvent)
    to, delivered = (taken.message.dests, []) if is_send else (set(), [message])
    if {t.packet.to for t in taken.transmitted} != to or [m[:2] for m in taken.delivered] != delivered:
        return "copies or deliveries"
    here = name, *_ = "send" if is_send else "receive", state, p, named(message)
    seen[name] += 1
    if not symbolic.is_possible(*here):
        return f"guard of {name}"
    for q, local in after.states.items():
        for of in tie.stored:
            if symbolic.differs(of, *here, (q,), local):
                return of
    for transit in taken.transmitted:
        for of in tie.carried:
            first = (named(message), transit.packet.to) if of in tie.per_copy else (named(message),)
            if symbolic.differs(of, *here, first, transit.packet.control):
                return of
    then = tie.relations(history_of(after, after))
    return next((of for of in tie.ghosts if not symbolic.is_right(of, *here, then)), None)


def actions_of(tie: Tie, steps: Steps = ALL_STEPS) -> dict[str, Action]:
    """The send and the receive of M at j."""
    j, M = z3.Const("j", Process), z3.Const("M", tie.sort)
    return {"send": tie.send(tie.state, j, M, steps), "receive": tie.receive(tie.state, j, M, steps)}


def updates(tie: Tie) -> list[tuple[str, str]]:
    """(action, ghost): the ghosts that an action gives a value of their own."""
    return [
        (name, of)
        for name, action in actions_of(tie).items()
        for of in tie.ghosts
        if part(action.after, of) is not part(tie.state, of)
    ]


def forgetful(tie: Tie, action: str, ghost: str) -> Tie:
    """The tie with a system of which an action leaves a ghost as it was."""
    step = getattr(tie, action)

    def forgets(s: Any, j: z3.ExprRef, M: z3.ExprRef, steps: Steps = ALL_STEPS) -> Action:
        taken = step(s, j, M, steps)
        return replace(taken, after=_with(taken.after, ghost.split("."), part(s, ghost)))

    return replace(tie, **{action: forgets})


def _with(state: Any, path: list[str], value: Any) -> Any:
    name, *rest = path
    return replace(state, **{name: _with(getattr(state, name), rest, value) if rest else value})
