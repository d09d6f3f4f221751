"""What the merge of Sanchez and Alvarez brings back (SA-10)."""

from __future__ import annotations

from typing import Any

from precede.checker.history import Past
from precede.models import Packet
from precede.models.sa import SA, SAState

from .ks_sets import known_before
from .registry import claim
from .sa import extras_possible, user_messages


@claim("C-SA-back", "sa", statement="a cell that is zero and then is not counts a message that was not known before")
def zeroed_cells_stay_zero(model: SA, process: int, before: SAState, event: Any, after: SAState, past: Past) -> bool:
    """Judged as long as extra messages, which a past does not show, cannot have been sent."""
    if not isinstance(event, Packet) or extras_possible(model, past, len(before.M)):
        return True
    known = known_before(process, event, past)
    for k, (old, new) in enumerate(zip(before.M, after.M, strict=True), 1):
        for d, (was, x) in enumerate(zip(old, new, strict=True), 1):
            if x and not was and user_messages(past, k, d)[x - 1] in known:
                return False
    return True
