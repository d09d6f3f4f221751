"""Traces: one run, recorded so that it can be read, drawn, replayed and checked again years later.

Rooms: `data` (a trace), `recording` (how a schedule becomes one), `file` and `fields` (reading and writing it, in the
format `checker.formats.TRACE`), `values` (a model's values in it), `text` (for people), `replay` and `rejudge`
(executing it again). The same run always gives the same bytes.
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
