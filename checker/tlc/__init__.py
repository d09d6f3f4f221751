"""TLC on the matching TLA+ specification: run, read, and compared with our own exploration.

Rooms: `declared` (what a specification can say), `configuration` (what TLC reads), `tools` (Java and the jar),
`running` (one run), `child` (the process), `endings` (why it gave no verdict), `output` and `values` (what it prints),
`mapping` (our states as TLA+ values), `comparing`, `schedule` (its counterexample as a run of ours).
"""

from .comparing import Row, StateSets, compare, compare_states
from .configuration import require_specification
from .declared import require_counterpart
from .result import TlcResult
from .running import run_tlc
from .schedule import schedule_of
from .values import show

__all__ = [
    "Row",
    "StateSets",
    "TlcResult",
    "compare",
    "compare_states",
    "require_counterpart",
    "require_specification",
    "run_tlc",
    "schedule_of",
    "show",
]
