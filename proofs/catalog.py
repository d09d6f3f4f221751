"""All claims, by paper, and what is open or stays on paper."""

from __future__ import annotations

from . import (
    bss_groups_theorems,
    bss_theorems,
    gk_definitions,
    gk_theorems,
    jang_sizes,
    jang_theorems,
    kimkim_theorems,
    ks_constraints,
    ks_fixed_points,
    ks_hardware,
    ks_paths,
    ks_readings,
    ks_safety,
    ks_sizes,
    prs_theorems,
    rst_theorems,
    sa_size,
    sa_theorems,
    ses_theorems,
)
from .claims import Claim

FILES = (
    ks_constraints,
    ks_safety,
    ks_paths,
    ks_fixed_points,
    ks_sizes,
    ks_hardware,
    ks_readings,
    jang_theorems,
    jang_sizes,
    gk_definitions,
    gk_theorems,
    sa_theorems,
    sa_size,
    rst_theorems,
    ses_theorems,
    bss_theorems,
    bss_groups_theorems,
    prs_theorems,
    kimkim_theorems,
)

CLAIMS: tuple[Claim, ...] = tuple(claim for file in FILES for claim in file.CLAIMS)

ON_PAPER = {
    "minimal": "a finite, non-empty set of messages has one that no other of them happened before",
    "fairness": "a copy that can be received from some point on is received (weak fairness)",
    "paths": "what holds along every edge of the computation graph holds along every path",
    "injection": "a set whose elements can be given different elements of another set is no larger than it",
    "cut": "the past of an event is itself a run",
}
"""What the solver is not asked, by the names that claims use. With "minimal" and "fairness", a copy that is ready
whenever its predecessors are delivered is delivered in the end: the undelivered copies of a run with finitely many
sends have a minimal one."""

OPEN: tuple[tuple[str, str], ...] = (
    ("C-GK-FC", "counts of pairs of events: functions of the checker (checker/claims/gk_events.py) only"),
    ("C-GK-SZ", "a count of the fields of a copy; sizes are measured by `precede sizes`"),
    ("C-KS-T8", "the construction of Theorem 8 is not formalised"),
    ("C-KS-C2", "rests on C-KS-T8"),
    ("C-KS-V4", "no duplicate information: the reconstruction of O_M under FIFO is not formalised"),
    ("C-KS-L8", "chains of length two: not formalised"),
    ("C-KS-SC", "the special cases of Section 7.1: not formalised"),
    ("C-B-5", "Psync: not formalised"),
)
"""Claims about all n that are neither proved nor refuted here, with the reason."""


def by_id(ids: tuple[str, ...]) -> tuple[Claim, ...]:
    """The claims with these ids, all of them if none is named. Raises KeyError for an id that is not known."""
    known = {claim.id.lower(): claim for claim in CLAIMS}
    return tuple(known[id.lower()] for id in ids) if ids else CLAIMS
