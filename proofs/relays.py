"""Messages that pass other processes on their way: steps in which a process may be one of the destinations or not."""

from __future__ import annotations

import z3
from z3 import If

from .pasts import Pasts


def either(condition: z3.BoolRef, one: Pasts, other: Pasts) -> Pasts:
    """`one` if the condition holds, else `other`."""
    return Pasts(
        sent=lambda m: If(condition, one.sent(m), other.sent(m)),
        past=lambda p, m: If(condition, one.past(p, m), other.past(p, m)),
        delivered=lambda p, m, d: If(condition, one.delivered(p, m, d), other.delivered(p, m, d)),
        covered=lambda p, m, d: If(condition, one.covered(p, m, d), other.covered(p, m, d)),
        newest=lambda p, q: If(condition, one.newest(p, q), other.newest(p, q)),
        latest=lambda p, m, d: If(condition, one.latest(p, m, d), other.latest(p, m, d)),
    )
