"""All claims, by paper, those that the engine of histories rests on, and what is open or stays on paper."""

from __future__ import annotations

from . import (
    acknowledged,
    bss_groups_theorems,
    bss_theorems,
    centralised,
    gk_definitions,
    gk_liveness,
    gk_theorems,
    hierarchical_theorems,
    histories_exact_theorems,
    histories_theorems,
    jang_sizes,
    jang_theorems,
    kimkim_theorems,
    ks_broadcast,
    ks_chains_theorems,
    ks_constraints,
    ks_differences,
    ks_fixed_points,
    ks_hardware,
    ks_paths,
    ks_readings,
    ks_safety,
    ks_sequence,
    ks_serialised_broadcast,
    ks_serialised_multicast,
    ks_short_chains_theorems,
    ks_sizes,
    prs_theorems,
    psync,
    rst_theorems,
    sa_size,
    sa_theorems,
    ses_theorems,
    synchronous,
)
from .claims import Claim

FILES = (
    ks_constraints,
    ks_safety,
    ks_paths,
    ks_fixed_points,
    ks_sizes,
    ks_hardware,
    ks_chains_theorems,
    ks_short_chains_theorems,
    ks_readings,
    jang_theorems,
    jang_sizes,
    gk_definitions,
    gk_theorems,
    gk_liveness,
    sa_theorems,
    sa_size,
    rst_theorems,
    ses_theorems,
    bss_theorems,
    bss_groups_theorems,
    prs_theorems,
    kimkim_theorems,
    psync,
    ks_broadcast,
    ks_serialised_broadcast,
    ks_serialised_multicast,
    synchronous,
    acknowledged,
    centralised,
    hierarchical_theorems,
    ks_sequence,
    ks_differences,
    histories_theorems,
    histories_exact_theorems,
)

CLAIMS: tuple[Claim, ...] = tuple(claim for file in FILES for claim in file.CLAIMS)

ON_PAPER = {
    "minimal": "a finite, non-empty set of messages has one that no other of them happened before",
    "fairness": "a copy that can be received from some point on is received (weak fairness)",
    "paths": "what holds along every edge of the computation graph holds along every path",
    "injection": "a set whose elements can be given different elements of another set is no larger than it",
    "cut": "the past of an event is itself a run",
    "script": "a run can take finitely many steps one after another if each is possible when its turn comes",
    "subsets": "k things have 2^k subsets, and to tell so many apart takes k bits",
}
"""What the solver is not asked, by the names that claims use. With "minimal" and "fairness", a copy that is ready
whenever its predecessors are delivered is delivered in the end: the undelivered copies of a run with finitely many
sends have a minimal one."""

OPEN: tuple[tuple[str, str], ...] = (
    ("C-GK-FC", "counts of pairs of events: functions of the checker (checker/claims/gk_events.py) only"),
    ("C-GK-SZ", "a count of the fields of a copy; sizes are measured by `precede sizes`"),
    (
        "C-KS-T8-any",
        "Theorem 8 for protocols that do not name the messages a copy waits for: the runs of its proof need one number "
        "for each destination",
    ),
    (
        "C-KS-V4-storage",
        "not storing what went out once on every channel: KS-8d is violated in the Python model (7 steps); no reading "
        "that works is known",
    ),
)
"""Claims about all n that are neither proved nor refuted here, with the reason."""


def by_id(ids: tuple[str, ...]) -> tuple[Claim, ...]:
    """The claims with these ids, all of them if none is named. Raises KeyError for an id that is not known."""
    known = {claim.id.lower(): claim for claim in CLAIMS}
    return tuple(known[id.lower()] for id in ids) if ids else CLAIMS
