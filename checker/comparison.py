"""How two algorithms compare over all runs that both allow (`side_by_side`): deliveries, facts, sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from precede.models import Fact, Packet

from .bounds import Bounds
from .calls import ModelCalls
from .engine import Limits, explore
from .errors import UsageError
from .history import Past
from .loading import LoadedModel
from .packet_size import size_of
from .progress import Progress
from .properties import UserProperty
from .result import Result, Schedule
from .run import Run
from .side_by_side import SIDES, Both, Parted, SideBySide, part

ON_COPIES = ("facts", "units", "bytes")
STORED = "state facts"
DELIVERIES = "deliveries"


@dataclass(frozen=True)
class Difference:
    """What is more on one side: in how many distinct cases, and a shortest run to one."""

    cases: int | None
    schedule: Schedule | None
    explanation: str


@dataclass(frozen=True)
class Compared:
    """One thing compared over `count` copies or, for state facts, process states with their pasts: `equal` says where
    both have the same, `means` the mean on each side. Counts are None where not all that was judged need be reached."""

    count: int | None
    equal: int | None
    means: tuple[float, float] | None
    more: dict[str, Difference]
    """Side -> where it has more: a fact that the other lacks, or a larger size."""


@dataclass(frozen=True)
class Comparison:
    """How two algorithms compare at a bound. `copies` counts the distinct packets (told apart by the past before their
    sends) in joint runs."""

    calls: ModelCalls
    """Those of the joint model, to record runs with."""
    copies: int
    takes: dict[str, Difference]
    """Side -> deliveries that it alone allows: distinct processes (states, past, packet). Counted without an order of
    the channels only; with one, a packet may be offered that the channel holds back."""
    compared: dict[str, Compared | None]
    """facts, units and bytes of copies, and state facts, in the order in which they matter; None where one of the two
    does not say."""
    distinct_states: int | None
    stopped: str | None
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether all joint runs within the bound were explored."""
        return self.stopped is None

    def differences(self) -> list[tuple[str, str, Difference]]:
        """(deliveries or a key of `compared`, the side that has more, where), only where there is a run to show."""
        found = [(DELIVERIES, side, self.takes[side]) for side in SIDES]
        found += [(what, side, c.more[side]) for what, c in self.compared.items() if c for side in SIDES]
        return [entry for entry in found if entry[2].schedule is not None]

    def first_difference(self) -> tuple[str, str, Difference] | None:
        """That of the first kind that differs, deliveries before facts before sizes; of its sides the shorter run."""
        found = self.differences()
        same_kind = [entry for entry in found if entry[0] == found[0][0]]
        return min(same_kind, key=lambda entry: len(entry[2].schedule or ()), default=None)


def compare(
    a: LoadedModel,
    b: LoadedModel,
    bounds: Bounds,
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Explore all joint runs of both within the bounds, and compare deliveries, facts and sizes.

    Raises UsageError where the two cannot be run side by side, ModelError when one of them fails.
    """
    _require_comparable(a, b, bounds)
    calls = joint_calls(a, b, bounds)
    recorder = Recorder(calls)
    result = explore(calls, bounds, recorder.properties(), limits=limits, on_progress=on_progress)
    return recorder.comparison(result)


def joint_calls(a: LoadedModel, b: LoadedModel, bounds: Bounds) -> ModelCalls:
    """Calls of both models side by side."""
    model = SideBySide(ModelCalls(a, bounds), ModelCalls(b, bounds))
    return ModelCalls(LoadedModel(f"{a.name} and {b.name}", model, {}, a.built_in and b.built_in), bounds)


def _require_comparable(a: LoadedModel, b: LoadedModel, bounds: Bounds) -> None:
    for loaded in (a, b):
        if not loaded.model.direct:
            raise UsageError(
                f"{loaded.name} sends signals, holds messages or passes them on: only algorithms that carry each "
                "message straight to its destinations, in one packet for each, can be compared step by step"
            )
        if loaded.model.semantic:
            raise UsageError(
                f"{loaded.name} orders messages by semantic dependencies, which are not part of a schedule: it cannot "
                "be compared step by step"
            )
    if any(bounds.faults) or bounds.channel == "rendezvous" or bounds.self_addressed == "at-send":
        raise UsageError("a comparison has no faults, no --channel rendezvous and no --self at-send")


class Tally:
    """One thing compared: sums over all that was judged."""

    def __init__(self, known: bool) -> None:
        self.known = known
        self.count = 0
        self.equal = 0
        self.totals = dict.fromkeys(SIDES, 0)
        self.more = dict.fromkeys(SIDES, 0)

    def add(self, values: Both | None) -> None:
        """One more; None: one of the two does not say."""
        self.known = self.known and values is not None
        if values is None:
            return
        self.count += 1
        self.equal += values.a == values.b
        for side, mine in zip(SIDES, values, strict=True):
            self.totals[side] += mine if isinstance(mine, int) else len(mine)
            self.more[side] += has_more(values, side)


class Recorder:
    """Properties that are asked about every copy, process state and receive of the joint runs, and what they saw.

    The engine judges each distinct one once. All copies occur. Process states and receives do, unless the channel has
    an order: then the engine also asks about receives that the channel does not allow.
    """

    def __init__(self, calls: ModelCalls) -> None:
        self.calls = calls
        assert isinstance(calls.model, SideBySide)
        self.sides = {"a": calls.model.a, "b": calls.model.b}
        has_facts = all(side.has_facts() for side in self.sides.values())
        self.tallies = {
            what: Tally(has_facts or what in ("units", "bytes")) for what in ("facts", STORED, "units", "bytes")
        }
        self.parted = dict.fromkeys(SIDES, 0)
        self.all_occur = calls.bounds.channel in ("unordered", "fifo-arrival")
        self._known: dict[tuple[str, Any], Both | None] = {}

    def properties(self) -> tuple[UserProperty, ...]:
        """Two that record and always hold, so that the search goes on to the end; then one for each question."""
        copies, states, steps = (frozenset({name}) for name in ("packet", "state", "after"))
        past = frozenset({"past"})
        found = [
            UserProperty("every copy", "packet", copies | past, self._record_copy),
            UserProperty("every state", "state", states | past, self._record_state),
        ]
        for side in SIDES:
            found.append(UserProperty(_name(DELIVERIES, side), "step", steps | past, self._not_parted(side)))
            found.append(UserProperty(_name(STORED, side), "state", states, self._stores_no_more(side)))
            for what in ON_COPIES:
                found.append(UserProperty(_name(what, side), "packet", copies, self._carries_no_more(what, side)))
        return tuple(found)

    def values(self, what: str, of: Packet | Both) -> Both | None:
        """What both sides have on a copy or in a process state; None where one of them does not say."""
        if not self.tallies[what].known:
            return None
        if (what, of) not in self._known:
            both = Both(*(self._value(what, side, of) for side in SIDES))
            self._known[what, of] = None if None in both else both
        return self._known[what, of]

    def _value(self, what: str, side: str, of: Packet | Both) -> frozenset[Fact] | int | None:
        calls = self.sides[side]
        if isinstance(of, Both):
            return calls.facts_of_state(getattr(of, side))
        if what == "facts":
            return calls.facts_of_packet(part(of, side))
        return size_of(calls.model, what, part(of, side))

    def _record_copy(self, packet: Packet, past: Past) -> bool:
        for what in ON_COPIES:
            self.tallies[what].add(self.values(what, packet))
        return True

    def _record_state(self, state: Both | Parted, past: Past) -> bool:
        if isinstance(state, Both):
            self.tallies[STORED].add(self.values(STORED, state))
        return True

    def _carries_no_more(self, what: str, side: str) -> Callable[..., bool]:
        return lambda packet: not has_more(self.values(what, packet), side)

    def _stores_no_more(self, side: str) -> Callable[..., bool]:
        return lambda state: isinstance(state, Parted) or not has_more(self.values(STORED, state), side)

    def _not_parted(self, side: str) -> Callable[..., bool]:
        def judge(after: Both | Parted, past: Past) -> bool:
            parted = isinstance(after, Parted) and after.taken_by == side
            self.parted[side] += parted
            return not parted

        return judge

    def comparison(self, result: Result) -> Comparison:
        """What was seen in the exploration that has ended with `result`."""
        runs = {p.name: p.witness.schedule for p in result.properties if p.witness}
        return Comparison(
            calls=self.calls,
            copies=result.packets or 0,
            takes={s: self._difference(DELIVERIES, s, self._counted(self.parted[s]), runs) for s in SIDES},
            compared={what: self._compared(what, runs) for what in self.tallies},
            distinct_states=result.distinct_states,
            stopped=None if result.complete else result.stopped,
            seconds=result.seconds,
        )

    def _counted(self, count: int) -> int | None:
        return count if self.all_occur or not count else None

    def _compared(self, what: str, runs: dict[str, Schedule]) -> Compared | None:
        tally = self.tallies[what]
        if not tally.known:
            return None
        counted = self.all_occur or what in ON_COPIES
        more = {s: self._difference(what, s, tally.more[s] if counted else None, runs) for s in SIDES}
        if not counted:
            return Compared(None, None, None, more)
        means = [tally.totals[side] / max(tally.count, 1) for side in SIDES]
        return Compared(tally.count, tally.equal, (means[0], means[1]), more)

    def _difference(self, what: str, side: str, cases: int | None, runs: dict[str, Schedule]) -> Difference:
        schedule = runs.get(_name(what, side))
        return Difference(cases, schedule, "" if schedule is None else self._explained(what, side, schedule))

    def _explained(self, what: str, side: str, schedule: Schedule) -> str:
        """What is more on this side at the end of the run, in words."""
        run = Run(self.calls, self.calls.bounds)
        taken = [run.apply(event) for event in schedule][-1]
        mine, other = self._names(side)
        if what == DELIVERIES:
            assert taken.taken is not None and isinstance(taken.taken.packet, Packet)
            return f"{mine} delivers {_copy(taken.taken.packet)}, {other} has it wait"
        subjects: list[Any] = [state for _, state in taken.states]
        if what in ON_COPIES:
            subjects = [transit.packet for transit in taken.transmitted]
        subject = next(found for found in subjects if has_more(self.values(what, found), side))
        values = self.values(what, subject)
        assert values is not None
        more, less = ordered(values, side)
        where = f"process {taken.states[0][0]}" if what == STORED else _copy(subject)
        if isinstance(more, frozenset):
            return f"{where} in {mine}, not in {other}: {_facts(more - less)}"
        return f"{where} has {more} {what} in {mine}, {less} in {other}"

    def _names(self, side: str) -> tuple[str, str]:
        """What to call this side and the other."""
        names = {s: calls.loaded.name for s, calls in self.sides.items()}
        if names["a"] == names["b"]:
            names = {s: f"{name} ({s.upper()})" for s, name in names.items()}
        return ordered(Both(names["a"], names["b"]), side)


def ordered(values: Both, side: str) -> tuple[Any, Any]:
    """The value of this side, and that of the other."""
    return (values.a, values.b) if side == "a" else (values.b, values.a)


def has_more(values: Both | None, side: str) -> bool:
    """Whether this side has a fact that the other lacks, or the larger size."""
    if values is None:
        return False
    mine, other = ordered(values, side)
    return bool(mine - other) if isinstance(mine, frozenset) else bool(mine > other)


def _name(what: str, side: str) -> str:
    return f"no more {what} in {side}"


def _copy(packet: Packet) -> str:
    return f"the copy of {packet.message.sender}.{packet.message.number} to {packet.to}"


def _facts(facts: Iterable[Fact]) -> str:
    return ", ".join(f"{sender}.{number} is outstanding at {d}" for (sender, number), d in sorted(facts))
