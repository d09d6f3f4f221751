"""Bounded symbolic checks: Z3 looks for a shortest run that violates a property, without enumerating states.

Rooms: `booleans` (formulas), `algorithm` (what an algorithm is), `rst`, `ks`, `jang`, `gk`, `sa`, `parts` and
`unrolling` (runs), `history` (their pasts), `properties`, `search`.
"""

from __future__ import annotations

from collections.abc import Mapping

from .algorithm import Algorithm
from .gk import GK
from .jang import Jang
from .ks import KS
from .parts import Bounds
from .properties import PROPERTIES
from .rst import RST
from .sa import SA
from .search import Finding, FoundStep, search

ALGORITHMS: Mapping[str, type[Algorithm]] = {cls.name: cls for cls in (RST, KS, Jang, GK, SA)}

__all__ = ["ALGORITHMS", "PROPERTIES", "Algorithm", "Bounds", "Finding", "FoundStep", "search"]
