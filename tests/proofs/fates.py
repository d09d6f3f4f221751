"""What a mutant of a transition system breaks: only conditions whose formulas differ from those of the module as it is
are decided."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import z3
from mutating import PACKAGE, Mutant, loaded

from precede.proofs.claims import Claim, Induction
from precede.proofs.conditions import Condition, decide, satisfiable
from precede.proofs.pasts import facts_of_pasts, some_pasts
from precede.proofs.steps import ALL_STEPS


@dataclass(frozen=True)
class Fate:
    """What a mutant breaks: the kind (condition, refutation, witness; "invalid" if it is no formula, "unchanged" if it
    changes none, "survives" if all is proved), and the name."""

    kind: str
    name: str = ""


THEOREMS = {
    "ks": ("ks_safety",),
    "ks_hardware": ("ks_hardware",),
    "gk": ("gk_theorems", "gk_liveness"),
    "sa": ("sa_theorems", "sa_size"),
}
"""The files with the claims about a system, where they are not X_theorems alone."""


@dataclass(frozen=True)
class Stated:
    """What the claims about a module state."""

    conditions: dict[str, Condition]
    printed: Callable[[], dict[str, list[Condition]]]
    witnesses: Callable[[], dict[str, tuple[z3.BoolRef, ...]]]


def stated(module: str) -> Stated:
    """What is stated by the claims about a module, as it is loaded now."""
    files = [importlib.import_module(f"{PACKAGE}.{name}") for name in THEOREMS.get(module, (f"{module}_theorems",))]
    claims = [claim for file in files for claim in file.CLAIMS]
    inductions = {one.name: one for claim in claims for one in claim.rests_on}
    conditions = {c.name: c for one in inductions.values() for c in one.conditions()}
    conditions |= {c.name: c for claim in claims for c in claim.conditions(ALL_STEPS)}
    return Stated(
        conditions,
        cache(lambda: {c.id: list(c.refutation.conditions()) for c in claims if c.refutation}),
        cache(lambda: dict(w for some in (*inductions.values(), *claims) for w in _own(some))),
    )


def _own(some: Claim | Induction) -> Iterable[tuple[str, tuple[z3.BoolRef, ...]]]:
    return some.witness() if isinstance(some, Claim) else some.witnesses()


AS_IT_IS = cache(stated)


def fate(mutant: Mutant, seconds: float = 5.0) -> Fate:
    """What the mutant breaks first; conditions come first, then refutations, then witnesses."""
    before = AS_IT_IS(mutant.module)
    try:
        with loaded(mutant):
            after = stated(mutant.module)
            changed = [one for name, one in after.conditions.items() if not _same(before.conditions.get(name), one)]
            changed.sort(key=lambda one: _theory(one.name))
            for one in changed:
                if decide(one, seconds=seconds).verdict != "proved":
                    return Fate("condition", one.name)
            for id, ones in after.printed().items():
                same = all(_same(x, y) for x, y in zip(before.printed()[id], ones, strict=True))
                if not same and not any(decide(one, seconds=seconds).verdict == "refuted" for one in ones):
                    return Fate("refutation", id)
            for name, some in after.witnesses().items():
                if not _equal(before.witnesses()[name], some) and satisfiable(some, seconds=seconds) is None:
                    return Fate("witness", name)
    except (z3.Z3Exception, TypeError, AttributeError, AssertionError, NameError, IndexError, ValueError):
        return Fate("invalid")
    return Fate("survives" if changed else "unchanged")


THEORY = frozenset(name for name, _ in facts_of_pasts(some_pasts()))


def _theory(name: str) -> bool:
    """Whether the condition is about pasts, and not about the algorithm: these come last."""
    return name.rpartition(", ")[2] in THEORY


def _same(before: Condition | None, after: Condition) -> bool:
    return before is not None and _equal((*before.hypotheses, before.goal), (*after.hypotheses, after.goal))


def _equal(before: tuple[z3.BoolRef, ...], after: tuple[z3.BoolRef, ...]) -> bool:
    return len(before) == len(after) and all(one.eq(other) for one, other in zip(before, after, strict=True))
