"""Deciding claims: every condition with every seed, every witness once; what several claims rest on is decided once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from .claims import Claim, Induction
from .conditions import SECONDS, SEEDS, Answer, Condition, decide, satisfiable
from .steps import ALL_STEPS


@dataclass(frozen=True)
class Proof:
    """What was found of a claim: proved, refuted (false as printed; the repaired statement, if there is one, is proved)
    or open. `conditions` counts those decided, with every seed; `unproved` names those that are not proved, conditions
    of a refutation that are not refuted with every seed, and witnesses without a model; `seconds` is the time of its
    own conditions and of what it rests on, each counted once in a run."""

    claim: Claim
    verdict: str
    conditions: int
    unproved: tuple[str, ...]
    seconds: float


@dataclass
class Prover:
    """Decides claims with these seeds. `on_condition` is told the name of each condition before it is decided."""

    seeds: Sequence[int] = SEEDS
    seconds: float = SECONDS
    on_condition: Callable[[str], None] = lambda name: None
    _inductions: dict[str, list[Condition]] = field(default_factory=dict)
    _answers: dict[str, tuple[Answer, ...]] = field(default_factory=dict)
    _seen: dict[str, list[tuple[str, tuple[z3.BoolRef, ...]]]] = field(default_factory=dict)
    _witnesses: dict[str, bool] = field(default_factory=dict)

    def prove(self, claim: Claim) -> Proof:
        """Decide a claim."""
        started = time.perf_counter()
        conditions = [*(c for one in claim.rests_on for c in self._conditions(one)), *claim.conditions(ALL_STEPS)]
        printed = [] if claim.refutation is None else list(claim.refutation.conditions())
        unproved = [c.name for c in conditions if not self._all(c, "proved")]
        unproved += [c.name for c in printed if not self._all(c, "refuted")]
        unproved += [name for name, formulas in self._witnessed(claim) if not self._has_model(name, formulas)]
        decided = "refuted" if claim.refutation else "proved"
        to_decide = printed if claim.refutation else conditions
        verdict = "open" if unproved or not to_decide else decided
        count = len(conditions) + len(printed)
        return Proof(claim, verdict, count, tuple(unproved), time.perf_counter() - started)

    def _conditions(self, induction: Induction[Any]) -> list[Condition]:
        """The conditions of an induction, stated once."""
        if induction.name not in self._inductions:
            self._inductions[induction.name] = induction.conditions()
        return self._inductions[induction.name]

    def _witnessed(self, claim: Claim) -> Iterator[tuple[str, tuple[z3.BoolRef, ...]]]:
        """What must have a model: of each induction once."""
        for one in claim.rests_on:
            if one.name not in self._seen:
                self._seen[one.name] = one.witnesses()
            yield from self._seen[one.name]
        yield from claim.witness()

    def _all(self, condition: Condition, verdict: str) -> bool:
        """Whether the answer is this one with every seed."""
        return all(answer.verdict == verdict for answer in self._decided(condition))

    def _decided(self, condition: Condition) -> tuple[Answer, ...]:
        """The answers with every seed; conditions of the same name are the same."""
        if condition.name not in self._answers:
            self.on_condition(condition.name)
            self._answers[condition.name] = tuple(decide(condition, seed, self.seconds) for seed in self.seeds)
        return self._answers[condition.name]

    def _has_model(self, name: str, formulas: Iterable[z3.BoolRef]) -> bool:
        if name not in self._witnesses:
            self.on_condition(name)
            found = satisfiable(formulas, self.seeds[0], self.seconds)
            self._witnesses[name] = found is not None
        return self._witnesses[name]
