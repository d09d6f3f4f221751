"""A symbolic transition system executed beside the Python model: its state is computed by its own actions alone, and
what it then allows and stores must be what the model does. For models of which a step is several actions, or that have
steps of their own, signals and relays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import z3
from histories import history_of, pasts
from translating import State, evaluable, functions_of, part, places, translated

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import SendEvent
from precede.checker.run import Run, StepTaken
from precede.models import Signal
from precede.proofs.pasts import Message, Process
from precede.proofs.steps import ALL_STEPS, Action, Steps

Id = tuple[int, int]
Taken = tuple[str, tuple[Any, ...]]
"""An action by its name, and its processes and messages."""
LONGEST = 40
"""Steps of a run: a token may move for ever."""
DEFAULTS = {"Bool": False, "Int": 0, "Process": 0, "Message": (0, 0)}
PASTS = ("sent", "past", "delivered", "covered")
BEFORE = {"hb": "past", **{f"{of}_before": of for of in ("delivered", "covered", "newest", "latest")}}
"""What the send of a message fixes: those functions of its sender."""


@dataclass(frozen=True)
class Stepwise:
    """A symbolic system and the Python model that it is held against.

    observed[field], carried[field]: what the field is in a run, of (follower, ...), or (follower, control, ...) where a
    copy carries it (`per_copy`: its destination is the second argument); where[field]: for which arguments that is
    compared. actions[name]: the sorts of the arguments of an action, and the action; `sends`: those that send their
    last argument. meaning: the actions that a step of the model is. enabled: of some actions, the arguments for which
    the model can take them; senders: who can send. given: what is known of messages; constants, starts: processes by
    name, and what is true at first. fixed[action]: function -> its values that the action fixes; in the guard of an
    action that may be taken, what speaks of them is left out.
    """

    model: str
    state: Any
    observed: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    carried: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    per_copy: tuple[str, ...] = ()
    where: Mapping[str, Callable[..., bool]] = field(default_factory=dict)
    actions: Mapping[str, tuple[tuple[z3.SortRef, ...], Callable[..., Action]]] = field(default_factory=dict)
    sends: tuple[str, ...] = ("send",)
    meaning: Callable[[Follower, StepTaken], Iterable[Taken]] = lambda follower, taken: ()
    enabled: Callable[[Run], Mapping[str, set[tuple[Any, ...]]]] = lambda run: {}
    senders: Callable[[Run], set[int]] | None = None
    given: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    constants: Mapping[str, int] = field(default_factory=dict)
    starts: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    fixed: Mapping[str, Mapping[str, Callable[..., Mapping[Any, Any]]]] = field(default_factory=dict)
    readings: tuple[str, ...] = ()


class System:
    """The actions as functions of a state, without the steps left out."""

    def __init__(self, tie: Stepwise, steps: Steps = ALL_STEPS) -> None:
        self.functions = {function.name(): (of, function) for of, function in functions_of(tie.state).items()}
        self.guards: dict[str, Callable[[State], bool]] = {}
        self.may: dict[str, Callable[[State], bool]] = {}
        self.after: dict[str, dict[str, Callable[[State], Any]]] = {}
        for name, (sorts, action) in tie.actions.items():
            taken = action(tie.state, *(z3.Const(f"a{k}", sort) for k, sort in enumerate(sorts)), steps)
            self.guards[name] = translated(taken.guard)
            self.may[name] = translated(evaluable(taken.guard, tie.fixed.get(name, ())))
            self.after[name] = {
                function.name(): translated(part(taken.after, of)(*places(function)))
                for of, function in self.functions.values()
                if part(taken.after, of) is not part(tie.state, of)
            }


class Follower:
    """The symbolic state in a run: `tables` are its functions, and those that are fixed, by their names; `dests` the
    messages sent, in their order; `before` the states of the processes before the step that is followed."""

    def __init__(self, tie: Stepwise, system: System, run: Run) -> None:
        self.tie, self.system, self.run = tie, system, run
        self.tables: dict[str, dict[Any, Any]] = {name: dict(values) for name, values in tie.starts.items()}
        self.dests: dict[Id, frozenset[int]] = {}
        self.before = run.states

    @property
    def value(self) -> State:
        """The symbolic state."""
        known: dict[str, Callable[..., Any]] = {
            "sender": lambda m: m[0],
            "dest": lambda m, d: d in self.dests.get(m, ()),
            "before": lambda m, n: m[0] == n[0] and m[1] < n[1],
        }
        ranges = {name: function.range().name() for name, (_, function) in self.system.functions.items()}
        ranges |= {name: ranges.get(of, "Bool") for name, of in BEFORE.items()}
        fixed = {name: "Message" if "latest" in name or "above" in name else "Bool" for name in self._fixed_names()}
        tables = {name: self._table(name, DEFAULTS[sort]) for name, sort in (fixed | ranges).items()}
        given = {name: self._with(value) for name, value in self.tie.given.items()}
        elements = {
            "Process": list(self.run.processes),
            "Message": list(self.dests),
            "Int": list(range(len(self.dests) + 1)),
        }
        return State(elements, tables | known | given, {})

    def possible(self, name: str) -> set[tuple[Any, ...]]:
        """The arguments for which an action may be taken."""
        state = self.value
        domains = product(*(state.elements[sort.name()] for sort in self.tie.actions[name][0]))
        return {args for args in domains if self._holds(self.system.may[name], state, args)}

    def take(self, name: str, args: tuple[Any, ...], dests: frozenset[int] | None) -> bool:
        """Take an action; whether it was possible."""
        self._fix(name, args, dests)
        state = self.value
        if not self._holds(self.system.guards[name], state, args):
            return False
        new_tables = {}
        for of, after in self.system.after[name].items():
            function = self.system.functions[of][1]
            domains = [state.elements[function.domain(k).name()] for k in range(function.arity())]
            new_tables[of] = {
                at: self._holds(after, state, args, {f"x{k}": arg for k, arg in enumerate(at)})
                for at in product(*domains)
            }
        self.tables |= new_tables
        return True

    def may_send(self, p: int) -> bool:
        """Whether p may send its next message."""
        kept = dict(self.dests), {name: dict(table) for name, table in self.tables.items()}
        others = frozenset(self.run.processes) - {p}
        to = frozenset({min(others)}) if self.run.bounds.dests == "unicast" else others
        args = p, (p, 1 + sum(m[0] == p for m in self.dests))
        self._fix("send", args, to)
        found = self._holds(self.system.guards["send"], self.value, args)
        self.dests, self.tables = kept
        return found

    def _fix(self, name: str, args: tuple[Any, ...], dests: frozenset[int] | None) -> None:
        """What an action fixes for ever."""
        i, M = args[0], args[-1]
        if name in self.tie.sends:
            self.dests[M] = dests or frozenset()
            for function, of in BEFORE.items():
                own = {at[1:]: value for at, value in self.tables.get(of, {}).items() if at[0] == i}
                new = {(*at, M) if function == "hb" else (M, *at): value for at, value in own.items()}
                self.tables.setdefault(function, {}).update(new)
        for function, values in self.tie.fixed.get(name, {}).items():
            self.tables.setdefault(function, {}).update(values(self, *args))

    def difference(self) -> str | None:
        """The first field that is not what it is in the run, or action that is not possible just where it is there."""
        state, known = self.value, pasts(history_of(self.run, self.run))
        observed = {of: known[of] for of in PASTS if of in self.system.functions}
        observed |= {of: self._with(value) for of, value in self.tie.observed.items()}
        for of, value in observed.items():
            if self._differs(state, of, (), value):
                return of
        for transit in self.run.in_transit.values():
            for of, value in self.tie.carried.items() if not isinstance(transit.packet, Signal) else ():
                first = (transit.message, transit.packet.to)[: 2 if of in self.tie.per_copy else 1]
                if self._differs(state, of, first, self._carried(value, transit.packet.control, len(first))):
                    return of
        if self.tie.senders and {p for p in self.run.processes if self.may_send(p)} != self.tie.senders(self.run):
            return "guard of send"
        enabled = self.tie.enabled(self.run).items()
        return next((f"guard of {name}" for name, expected in enabled if self.possible(name) != expected), None)

    def _differs(self, state: State, of: str, first: tuple[Any, ...], value: Callable[..., Any]) -> bool:
        function = self.system.functions[of][1]
        where = self.tie.where.get(of, lambda follower, *args: True)
        rest = product(*(state.elements[function.domain(k).name()] for k in range(len(first), function.arity())))
        compared = [(*first, *at) for at in rest if where(self, *first, *at)]
        return any(state.relations[of](*at) != value(*at) for at in compared)

    def _holds(self, formula: Callable[[State], Any], state: State, args: Any, places: Any = ()) -> Any:
        state.constants = {f"a{k}": arg for k, arg in enumerate(args)} | dict(self.tie.constants) | dict(places)
        return formula(state)

    def _carried(self, value: Callable[..., Any], control: Any, first: int) -> Callable[..., Any]:
        return lambda *args: value(self, control, *args[first:])

    def _fixed_names(self) -> set[str]:
        return {function for values in self.tie.fixed.values() for function in values}

    def _table(self, name: str, default: Any) -> Callable[..., Any]:
        table = self.tables.get(name, {})
        return lambda *args: table.get(args, default)

    def _with(self, value: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: value(self, *args)


def first_difference(tie: Stepwise, bounds: Bounds, runs: int, steps: Steps = ALL_STEPS) -> tuple[str | None, int]:
    """What differs first in random runs, if anything does, and how many actions were compared."""
    system, chance, compared = System(tie, steps), random.Random(0), 0
    calls = ModelCalls(load_model(tie.model, tie.readings), bounds)
    for _ in range(runs):
        run = Run(calls, bounds)
        follower = Follower(tie, system, run)
        for _ in range(LONGEST):
            if not (events := run.enabled()):
                break
            follower.before = run.states
            taken = run.apply(chance.choice(events))
            for name, args in tie.meaning(follower, taken):
                if not follower.take(name, args, taken.message.dests if taken.message else None):
                    return f"{name} is not possible", compared
                compared += 1
            if difference := follower.difference():
                return difference, compared
    return None, compared


def direct(tie: Stepwise, send: Callable[..., Action], receive: Callable[..., Action]) -> Stepwise:
    """The tie of a model of which a step is one action: (state, process, message, steps) -> action."""

    def meaning(follower: Follower, taken: StepTaken) -> Iterable[Taken]:
        assert taken.message
        yield "send" if isinstance(taken.event, SendEvent) else "receive", (taken.event.process, taken.message[:2])

    sorts = (Process, Message)
    actions = {"send": (sorts, send), "receive": (sorts, receive)}
    return replace(tie, actions=actions, meaning=meaning, enabled=lambda run: {"receive": receivable(run)})


def receivable(run: Run) -> set[tuple[int, Id]]:
    """(p, m): p can take the copy of m now."""
    copies = [t for t in run.in_transit.values() if not isinstance(t.packet, Signal)]
    return {(t.packet.to, t.message) for t in copies if run.receivable(t)}
