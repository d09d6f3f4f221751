"""Traces: one run, recorded so that it can be read, drawn, replayed and checked again years later.

Rooms: `data` (a trace), `journeys` (the way of its packets), `recording` (how a schedule becomes one), `file`,
`document`, `reading`, `version1`, `fields` and `story` (writing and reading it, in the format `checker.formats.TRACE`),
`values` and `settings` (a model's values in it), `text` (for people), `replay`, `comparing` and `rejudge` (executing it
again). The same run always gives the same bytes.
"""

from .data import MOST_STEPS, Trace, TracePacket, TraceStep, Violation
from .file import read_trace, write_trace
from .recording import record, record_step

__all__ = [
    "MOST_STEPS",
    "Trace",
    "TracePacket",
    "TraceStep",
    "Violation",
    "read_trace",
    "record",
    "record_step",
    "write_trace",
]
