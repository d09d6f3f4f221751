"""One check by histories, from bounds to result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..bounds import Bounds
from ..calls import ModelCalls
from ..engine.compiled import compilation_notes
from ..engine.decoding import Decoder
from ..engine.explore import MINIMALITY_NEEDS_FACTS
from ..engine.judging import MINIMALITY_PARTS, UserJudge, bits_of
from ..engine.limits import BrokenOff, Limits, Watch
from ..engine.local_verdicts import NEEDLESS_DELAY
from ..engine.memory import peak_memory
from ..engine.space import StateSpace
from ..engine.weights import FULL
from ..errors import ModelError, PropertyError, UsageError
from ..progress import Progress
from ..properties import UserProperty
from ..result import LabelCount, PropertyResult, Result, Witness
from .applying import weights_for, why_not, why_not_symmetric
from .closure import Closure
from .comparing import EVERY
from .confirming import AnyClosure, Confirmation, confirm, shorten
from .labelled import confirmed_labels
from .protocol import ProtocolClosure

WEIGHTS = ("full", "light", "settled")
BY_DELAY = "holds because no message is held back needlessly"
LIGHT_COVERS = "local states and packets with light pasts: every run is covered; some of them may be in no run"
ON_GLOBAL_STATES = "judged on global states (`--engine states`); it would follow from NoNeedlessDelay"
MAY_STAY_HELD = "a process may go on without delivering what it holds: judged on global states (`--engine states`)"
NOT_EXACT = (
    "a past may have several states, or a message several copies to one process: every run is covered; some local "
    "states and packets may be in no run, so that counts may be too large"
)
TRUSTED = (
    "that the model treats processes alike where all sends are known is looked for, not proved: of one orbit in {:,} "
    "all was compared"
)
CONFIRMING = 10.0
"""Seconds for runs of what a closure that was stopped has met."""
LABELS_OF_NO_RUN = "calls are those of the closure: each labelled step is taken in a run, but some calls may be in none"
LABELS_NOT_HELD = (
    "calls are those of the closure, of which some may be in no run: labelled steps were not held against runs"
)
IN_NO_RUN = "in steps of which no run was found, and not counted: {}"


class FailedCall(ModelError):
    """A model or a property failed in a call that may be in no run."""

    def __init__(self, failure: ModelError | PropertyError) -> None:
        super().__init__(f"{failure} - in a call that may be in no run: --engine states tells")
        self.exit_code = failure.exit_code


def explore_histories(
    calls: ModelCalls,
    bounds: Bounds,
    properties: tuple[str | UserProperty, ...],
    *,
    limits: Limits | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    weight: int | None = None,
    by_symmetry: bool = False,
) -> Result:
    """Judge the properties on all local states and packets that compatible parts of runs lead to.

    `weight` fixes how much pasts remember (`engine.weights`); without it the lightest that decides is found. With
    `by_symmetry` one is kept of those that differ in the names of processes and know all sends. Raises UsageError where
    the engine, or symmetry, does not apply, ModelError or PropertyError when the model or a property fails; that is
    FailedCall where no run may make the call.
    """
    if reason := why_not(calls, bounds):
        raise UsageError(f"--engine histories does not apply: {reason}; --engine states does")
    if by_symmetry and (reason := why_not_symmetric(calls, bounds)):
        raise UsageError(f"--symmetry does not apply: {reason}")
    judged = tuple(p for p in properties if p != "Minimality" or calls.has_facts())
    if weight is not None and weight != FULL and weights_for(calls, judged) == (FULL,):
        raise UsageError(f"{WEIGHTS[weight]} pasts do not decide what is asked: full ones do")
    notes = compilation_notes()
    with Watch(limits or Limits(), on_progress) as watch:
        check = _Check(calls, bounds, judged, watch, by_symmetry)
        for chosen in (weight,) if weight is not None else weights_for(calls, judged):
            if check.close(chosen):
                break
        check.raise_failure()
        is_shortest = check.shorten()
        labels, label_notes = check.labels()
        watch.finished = True
        results = tuple(
            PropertyResult("Minimality", "not applicable", note=MINIMALITY_NEEDS_FACTS)
            if item == "Minimality" and item not in judged
            else check.result_of(item)
            for item in properties
        )
        space = check.closure.space
        complete = check.closure.complete
        return Result(
            engine="histories",
            search="closure",
            model=calls.loaded.name,
            readings=calls.loaded.readings,
            bounds=bounds,
            complete=complete and all(result.verdict != "incomplete" for result in results),
            stopped=None if complete else watch.reason,
            properties=results,
            distinct_states=None,
            transitions=None,
            depth=None,
            local_states=check.closure.local_states,
            packets=int(space.packets.size[0]) - 1,
            seconds=watch.seconds,
            peak_memory_bytes=peak_memory(),
            labels=labels,
            pairs=check.closure.pairs,
            pasts=WEIGHTS[check.weight],
            shortest=is_shortest,
            notes=(*notes, *check.notes(), *label_notes),
        )


class _Check:
    """The closures of one check, and what was confirmed of the last."""

    def __init__(
        self,
        calls: ModelCalls,
        bounds: Bounds,
        properties: tuple[str | UserProperty, ...],
        watch: Watch,
        by_symmetry: bool,
    ) -> None:
        self.calls = calls
        self.bounds = bounds
        self.properties = properties
        self.watch = watch
        self.by_symmetry = by_symmetry
        self.stood_for: int | None = None
        self.bits = bits_of(properties)
        self.weight = FULL
        self.closure: AnyClosure
        self.confirmed: dict[int, Confirmation] = {}
        self.failure: ModelError | PropertyError | None = None

    def close(self, weight: int) -> bool:
        """One closure, and the confirmation of what it met; False where another weight should be tried."""
        self.weight = weight
        self._close()
        if self.failure is not None:
            return False
        if self.by_symmetry and self.closure.complete:
            self.stood_for = self.closure.stood_for()
            if self.stood_for is None:
                raise UsageError(
                    "--symmetry does not apply: what is met of one process is not what is met of the others, renamed"
                )
        self._confirm()
        real = all(found.witness is not None for found in self.confirmed.values())
        return weight == FULL or (real and not self._only_apparent_delays()) or not self.closure.complete

    def _confirm(self) -> None:
        """Look for runs of what was met; where the closure was stopped, for a few seconds."""
        watch = self.watch if self.watch.reason is None else Watch(Limits(seconds=CONFIRMING), None)
        self.confirmed = {bit: Confirmation(None, 0) for bit in self._items()}
        try:
            with self.calls.marks_apart():
                for bit, item in self._items().items():
                    self.confirmed[bit] = confirm(self.closure, bit, item, watch)
        except (BrokenOff, MemoryError):  # what was found so far stays
            self.watch.reason = self.watch.reason or "memory is exhausted"

    def raise_failure(self) -> None:
        """Raise what a model or a property raised, with a word on whether a run makes that call."""
        if self.failure is not None and not self._is_exact():
            raise FailedCall(self.failure)
        if self.failure is not None:
            raise self.failure

    def _close(self) -> None:
        self.failure = None
        judge_facts = "Minimality" in self.properties and self.weight == FULL
        try:
            space = StateSpace(self.calls, self.bounds, None, judge_facts)
        except BrokenOff:
            raise ModelError(f"{self.calls.loaded.name}: start does not return") from None
        judge = UserJudge(Decoder(space), self.properties)
        if self.calls.model.direct:
            self.closure = Closure(space, judge, self.watch, self.weight, self.by_symmetry)
        else:
            self.closure = ProtocolClosure(space, judge, self.watch)
        self.calls.forget_marks()
        try:
            self.closure.run()
        except MemoryError:
            self.watch.reason = "memory is exhausted"
        except BrokenOff as broken:
            self.watch.reason = f"{self.watch.reason}; {broken}"
        except (ModelError, PropertyError) as error:
            self.failure = error

    def _items(self) -> dict[int, str | UserProperty]:
        """The property of each bit of which a violation was met."""
        return {
            bit: item
            for item in self.properties
            for bit in self._met(self.bits[item if isinstance(item, str) else item.name])
        }

    def shorten(self) -> bool:
        """Replace counterexamples by shorter ones if there are; whether all are then the shortest."""
        found = {bit: c.witness for bit, c in self.confirmed.items() if c.witness is not None}
        at_send = self.bounds.self_addressed == "at-send"  # a send is then a delivery too, and counted twice
        exact = isinstance(self.closure, Closure) and self.weight == FULL and not self.calls.model.semantic
        if not found or (exact and not at_send):
            return True
        try:
            with self.calls.marks_apart():
                is_shortest = shorten(self.calls, self._items(), found, self.watch)
        except (MemoryError, BrokenOff):
            is_shortest = False
        self.confirmed |= {bit: replace(self.confirmed[bit], witness=witness) for bit, witness in found.items()}
        return is_shortest

    def labels(self) -> tuple[tuple[LabelCount, ...] | None, tuple[str, ...]]:
        """The labels in the calls of the last closure, and a note on those that no run was found to have."""
        labels = self.calls.labels()
        if not labels or not isinstance(self.closure, Closure) or not self.closure.complete or self._is_exact():
            return labels, ()
        try:
            labels, unreal = confirmed_labels(self.closure, self.watch)
        except (BrokenOff, MemoryError):
            return labels, (LABELS_NOT_HELD,)
        in_no_run = (IN_NO_RUN.format(", ".join(unreal)),) if unreal else ()
        return labels, (LABELS_OF_NO_RUN, *in_no_run)

    def _is_exact(self) -> bool:
        """Whether all that was met is met by runs. That needs of a direct model full pasts, each with one state, and of
        each message one copy to each destination."""
        space = self.closure.space
        if isinstance(self.closure, ProtocolClosure):
            return True
        if self.weight != FULL:
            return False
        pasts = np.bincount(space.locals.past[: int(space.locals.size[0])])
        size = int(space.packets.size[0])
        copies = space.packets.event[1:size].astype(np.int64) * space.processes + space.packets.to[1:size]
        return bool(pasts.max() == 1 and len(np.unique(copies)) == len(copies))

    def _met(self, bits: int) -> list[int]:
        return [1 << i for i, count in enumerate(self.closure.noted.met.tolist()) if count and bits >> i & 1]

    def _only_apparent_delays(self) -> bool:
        """Whether Delivery hangs on delays that are not known to be real."""
        return "Delivery" in self.bits and bool(self._met(NEEDLESS_DELAY)) and NEEDLESS_DELAY not in self.confirmed

    def result_of(self, item: str | UserProperty) -> PropertyResult:
        """The verdict on one property."""
        name = item if isinstance(item, str) else item.name
        if name == "Delivery":
            return self._delivery()
        counts = self._minimality_counts() if name == "Minimality" else {}
        found = {bit: self.confirmed[bit] for bit in self._met(self.bits[name]) if bit in self.confirmed}
        real: dict[int, Witness] = {bit: c.witness for bit, c in found.items() if c.witness is not None}
        if real:
            notes = [f"{part}: {real[bit].explanation} ({len(real[bit].schedule)} steps)"
                     for part, bit in MINIMALITY_PARTS.items() if bit in real]  # fmt: skip
            shortest = min(real.values(), key=lambda witness: len(witness.schedule))
            return PropertyResult(name, "violated", shortest, counts, "; ".join(notes))
        if found:
            met = sum(int(self.closure.noted.met[bit.bit_length() - 1]) for bit in found)
            searched = sum(c.searched for c in found.values())
            note = f"{met:,} apparent violations, of which no run was found (the sends of {searched} were searched)"
            if not searched:
                note = f"{met:,} apparent violations, of which no run was looked for"
            return PropertyResult(name, "incomplete", counts=counts, note=note)
        return PropertyResult(name, "holds" if self.closure.complete else "incomplete", counts=counts)

    def _delivery(self) -> PropertyResult:
        if self._met(NEEDLESS_DELAY) or self.closure.passes_on:
            return PropertyResult("Delivery", "incomplete", note=ON_GLOBAL_STATES)
        if self.closure.may_stay_held:
            return PropertyResult("Delivery", "incomplete", note=MAY_STAY_HELD)
        if not self.closure.complete:
            return PropertyResult("Delivery", "incomplete")
        return PropertyResult("Delivery", "holds", note=BY_DELAY)

    def _minimality_counts(self) -> dict[str, int | None]:
        space = self.closure.space
        counts: dict[str, int | None] = {}
        is_counted = self.closure.complete and not self.by_symmetry
        for part, bit in MINIMALITY_PARTS.items():
            objects: Any = space.locals if part.endswith("states") else space.packets
            flags = objects.flags[: int(objects.size[0])]
            counts[part] = int(np.count_nonzero(flags & bit)) if is_counted else None
        return counts

    def notes(self) -> tuple[str, ...]:
        """Whether what was found is exactly what runs reach."""
        if not self.closure.complete:
            return ()
        if isinstance(self.closure, ProtocolClosure):
            return (self.closure.note,)
        found: tuple[str, ...] = ()
        if self.stood_for is not None:
            found += (f"by symmetry: what is kept stands for {self.stood_for:,} process states",)
            one_in = self.closure.symmetry.one_in
            found += (TRUSTED.format(one_in),) if one_in > EVERY else ()
        if self.weight != FULL:
            return (*found, LIGHT_COVERS)
        return found if self._is_exact() else (*found, NOT_EXACT)
