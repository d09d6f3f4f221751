"""TLC on the matching TLA+ specification: run, read, and compared with our own exploration.

Rooms: `declared` (what a specification can say), `configuration` (what TLC reads), `tools` (Java and the jar),
`running` (one run), `child` (the process), `endings` (why it gave no verdict), `output`, `coverage` and `values`
(what it prints), `result`, `mapping` (our states as TLA+ values), `comparing`, `symmetry` (states up to renaming),
`schedule` (its counterexample as a run of ours), `text`.
"""

from .comparing import Row, StateSets, compare, compare_states
from .configuration import require_specification
from .declared import require_counterpart
from .result import Simulation, TlcResult
from .running import run_tlc, temporal_of
from .schedule import schedule_of
from .symmetry import compare_orbits, require_symmetry
from .values import show

__all__ = [
    "Row",
    "Simulation",
    "StateSets",
    "TlcResult",
    "compare",
    "compare_orbits",
    "compare_states",
    "require_counterpart",
    "require_specification",
    "require_symmetry",
    "run_tlc",
    "schedule_of",
    "show",
    "temporal_of",
]
