"""Theorem 2 of Kshemkalyani and Singhal fact by fact (KS-33), over every state and every copy reachable at a bound.

For each past the smallest set of facts that is enough is found by optimisation (`precede.proofs.minimal_facts`), which
knows nothing of the model and nothing of the definition of what is required; then it is compared with both.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from precede.models import Fact, Packet, State

from .bounds import Bounds
from .calls import ModelCalls
from .engine import Limits, explore
from .errors import HOLDS, INCOMPLETE, VIOLATED, UsageError
from .event_text import name
from .formats import MINIMAL
from .history import Past
from .minimal_cuts import Names, cut_of, cut_of_copy, holder_text, is_ordered, moves_text, renamed, up_to_names
from .progress import Progress
from .properties import UserProperty

if TYPE_CHECKING:
    from precede.proofs.minimal_cut import Cut, Move
    from precede.proofs.minimal_facts import Optimum

Facts = frozenset[Fact]
MISSING, REDUNDANT = "missing", "redundant"
KINDS = ("states", "copies")


@dataclass(frozen=True)
class Held:
    """The facts of a state or copy: what the model has, with the past as a run of its own."""

    cut: Cut
    facts: Facts

    @property
    def kind(self) -> str:
        """states | copies."""
        return "states" if self.cut.copy is None else "copies"


@dataclass(frozen=True)
class Wrong:
    """A fact that the model has in vain, or lacks: then `continuation` ends against causal order for want of it."""

    held: Held
    what: str
    """missing | redundant."""
    fact: Fact
    continuation: tuple[Move, ...] = ()

    @property
    def explanation(self) -> str:
        """One sentence."""
        message, d = self.fact
        fact = f"that {name(message)} must still reach {d}"
        if self.what == REDUNDANT:
            return f"{holder_text(self.held.cut)} holds the fact {fact}; without it nothing goes wrong"
        return (
            f"{holder_text(self.held.cut)} lacks the fact {fact}; then {moves_text(self.held.cut, self.continuation)}"
        )


@dataclass
class Minimal:
    """What was found. Counts are of distinct states or copies with their pasts, by kind where there is a dict."""

    calls: ModelCalls
    bounds: Bounds
    more: int
    """Sends of a continuation, at most."""
    held: Counter[str] = field(default_factory=Counter)
    disordered: int = 0
    """States and copies whose past is itself against causal order: left out."""
    decided: Counter[str] = field(default_factory=Counter)
    pasts: int = 0
    """Distinct pasts up to the names of the processes."""
    pasts_decided: int = 0
    needed: Counter[str] = field(default_factory=Counter)
    """Facts of the smallest sets: each has a continuation that goes wrong without it."""
    indistinguishable: Counter[str] = field(default_factory=Counter)
    """Those of them without which no algorithm at all does what is right."""
    lengths: Counter[int] = field(default_factory=Counter)
    """Steps of the shortest continuations."""
    sizes: Counter[int] = field(default_factory=Counter)
    """Facts of the smallest sets, by how many states and copies."""
    not_unique: int = 0
    not_required: int = 0
    """Smallest sets that are not what the Propagation Constraints require."""
    wrong: dict[str, Wrong] = field(default_factory=dict)
    """missing, redundant -> the one with the smallest past."""
    wrong_holders: Counter[str] = field(default_factory=Counter)
    questions: int = 0
    stopped: str | None = None
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        """violated: the model has other facts than the smallest set, or the theorem is false; else holds, or
        incomplete."""
        if self.wrong or self.not_unique or self.not_required:
            return "violated"
        return "incomplete" if self.stopped else "holds"

    @property
    def exit_code(self) -> int:
        """As that of `precede check`."""
        return {"violated": VIOLATED, "incomplete": INCOMPLETE, "holds": HOLDS}[self.verdict]

    def as_json(self) -> dict[str, Any]:
        """The versioned JSON object of `--json`."""
        return MINIMAL.document(
            model=self.calls.loaded.name,
            readings=self.calls.loaded.readings,
            settings={key: str(value) for key, value in self.calls.loaded.settings.items()},
            bounds=self.bounds.as_json(),
            more_sends=self.more,
            complete=self.stopped is None,
            stopped=self.stopped,
            verdict=self.verdict,
            exit_code=self.exit_code,
            pasts=self.pasts,
            pasts_decided=self.pasts_decided,
            disordered=self.disordered,
            **{kind: {"count": self.held[kind], "decided": self.decided[kind], "facts": self.needed[kind],
                      "indistinguishable": self.indistinguishable[kind]} for kind in KINDS},
            sizes=counted(self.sizes),
            continuations=counted(self.lengths),
            not_unique=self.not_unique,
            not_required=self.not_required,
            **{what: {"count": self.wrong_holders[what],
                      "explanation": self.wrong[what].explanation if what in self.wrong else None}
               for what in (MISSING, REDUNDANT)},
            questions=self.questions,
            seconds=round(self.seconds, 3),
        )  # fmt: skip


class Recorder:
    """Properties that always hold, and record every state and copy with its past."""

    def __init__(self, calls: ModelCalls) -> None:
        self.calls = calls
        self.found: dict[Held, None] = {}
        """In the order in which they are reached."""
        self.disordered = 0
        state, packet = frozenset({"process", "state", "past"}), frozenset({"packet", "past"})
        self.properties = (
            UserProperty("every state", "state", state, self._state),
            UserProperty("every copy", "packet", packet, self._copy),
        )

    def _state(self, process: int, state: State, past: Past) -> bool:
        return self._keep(cut_of(self.calls.bounds.processes, process, past), self.calls.facts_of_state(state))

    def _copy(self, packet: Packet, past: Past) -> bool:
        cut = cut_of_copy(self.calls.bounds.processes, packet, past)
        return self._keep(cut, self.calls.facts_of_packet(packet))

    def _keep(self, cut: Cut, facts: Facts | None) -> bool:
        if not is_ordered(cut):
            self.disordered += 1
        else:
            self.found[Held(cut, facts or frozenset())] = None
        return True


def minimal(
    calls: ModelCalls,
    bounds: Bounds,
    *,
    more: int = 1,
    sample: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_text: Callable[[str], None] = lambda text: None,
) -> Minimal:
    """Look at every state and copy of all runs within the bounds, or at those of `sample` pasts selected by `seed`.

    Raises UsageError where the model says nothing of facts, or they are not about the order that is looked at here.
    """
    require_facts(calls)
    started = time.monotonic()
    recorder = Recorder(calls)
    explored = explore(
        calls, bounds, recorder.properties, limits=Limits(None, time_limit, None), on_progress=on_progress
    )
    found = Minimal(calls, bounds, more, disordered=recorder.disordered)
    found.stopped = None if explored.complete else explored.stopped
    found.held = Counter(held.kind for held in recorder.found)
    groups = by_past(recorder.found)
    found.pasts = len(groups)
    chosen = list(groups)
    if sample is not None and sample < len(groups):
        places = random.Random(seed).sample(range(len(groups)), sample)
        chosen = [chosen[place] for place in sorted(places)]
        found.stopped = found.stopped or f"only {sample:,} of {len(groups):,} pasts were looked at"
    try:
        for past in chosen:
            on_text(f"{found.pasts_decided:,} of {len(chosen):,} pasts, {found.questions:,} questions")
            if time_limit is not None and time.monotonic() - started > time_limit:
                found.stopped = "the time limit"
                break
            _look(found, groups[past])
    except KeyboardInterrupt:
        found.stopped = "an interrupt"
    found.seconds = time.monotonic() - started
    return found


def require_facts(calls: ModelCalls) -> None:
    """Raises UsageError where facts of the model cannot be looked at."""
    loaded = calls.loaded
    if not calls.has_facts():
        raise UsageError(f"{loaded.name} does not say what its control information asserts (state_facts, packet_facts)")
    if not loaded.model.direct or loaded.model.semantic:
        raise UsageError(f"{loaded.name}: only algorithms that carry each message straight to its destinations, in "
                         "causal order, are looked at")  # fmt: skip


def by_past(found: Iterable[Held]) -> dict[Any, list[tuple[Held, Names]]]:
    """Those with the same past, but for the names of the processes, together, with the names that make it the same; the
    smallest past first."""
    groups: dict[Any, list[tuple[Held, Names]]] = {}
    for held in found:
        past, names = up_to_names(held.cut)
        groups.setdefault(past, []).append((held, names))
    return dict(sorted(groups.items(), key=lambda item: (len(item[0][0]), len(item[0][1]), item[0])))


def _look(found: Minimal, group: list[tuple[Held, Names]]) -> None:
    """Find the smallest set of one past, and compare those of the model with it."""
    from precede.proofs.minimal_facts import Holder

    first, names = group[0]
    optimum: Optimum = Holder(first.cut, found.more).optimum()
    found.questions += optimum.questions
    found.pasts_decided += 1
    size = len(group)
    found.decided[first.kind] += size
    found.sizes[len(optimum.facts)] += size
    found.needed[first.kind] += size * len(optimum.facts)
    found.not_unique += size * (not optimum.is_unique)
    for dropped in optimum.dropped:
        found.lengths[len(dropped.continuation)] += size
        found.indistinguishable[first.kind] += size * dropped.indistinguishable
    smallest = {renamed(fact, names) for fact in optimum.facts}
    for held, names in group:
        expected = frozenset(fact for fact in held.cut.possible if renamed(fact, names) in smallest)
        found.not_required += expected != held.cut.required
        for what, some in ((MISSING, expected - held.facts), (REDUNDANT, held.facts - expected)):
            found.wrong_holders[what] += bool(some)
            if some and what not in found.wrong:
                found.wrong[what] = _wrong(found, held, what, min(some))


def _wrong(found: Minimal, held: Held, what: str, fact: Fact) -> Wrong:
    """Asked of Z3 once more, of the model's own facts: without the missing one it goes wrong, without the redundant one
    no more than before."""
    from precede.proofs.minimal_facts import Holder

    holder, own = Holder(held.cut, found.more), held.facts & frozenset(held.cut.possible)
    if what == REDUNDANT:
        if holder.violating((own | held.cut.required) - {fact}) is not None:
            raise AssertionError(f"{fact} is not redundant in {held}")
        return Wrong(held, what, fact)
    continuation = holder.violating((own | held.cut.required) - {fact}, shortest=True)
    if continuation is None:
        raise AssertionError(f"{fact} is not missed in {held}")
    return Wrong(held, what, fact, continuation)


def counted(counts: Counter[int]) -> dict[str, int]:
    """Counts by number, for JSON."""
    return {str(number): counts[number] for number in sorted(counts)}
