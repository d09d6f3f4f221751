"""Compiled compatibility: can these be parts of one global state?

What a past knows of the sends of one process is a chain: its newest send event and, through that, the earlier ones.
Two pasts *agree* on a process if one of the two chains is a part of the other.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..engine.compiled import kernel
from ..engine.weights import earlier_of


@kernel
def lies_in(pasts, sends, event, newest):
    """Whether an event (0 for none) is on the chain that ends with `newest`."""
    number = sends.number[event]
    while sends.number[newest] > number:
        newest = earlier_of(pasts, sends, newest)
    return newest == event


@kernel
def agree(pasts, sends, one, other):
    """Whether one of two chains of one process is a part of the other."""
    if sends.number[one] > sends.number[other]:
        return lies_in(pasts, sends, other, one)
    return lies_in(pasts, sends, one, other)


@kernel
def can_coexist(frontiers, pasts, sends, one, other, most):
    """Whether processes with these frontiers can be in one global state in which at most `most` messages are sent:
    they agree, and neither knows a send of the other that the other has not made."""
    first, second = frontiers.owner[one], frontiers.owner[other]
    total = 0
    for process in range(frontiers.newest.shape[1]):
        known = max(sends.number[frontiers.newest[one, process]], sends.number[frontiers.newest[other, process]])
        total += known
    if total > most:
        return False
    if not lies_in(pasts, sends, frontiers.newest[other, first], frontiers.newest[one, first]):
        return False
    if not lies_in(pasts, sends, frontiers.newest[one, second], frontiers.newest[other, second]):
        return False
    for process in range(frontiers.newest.shape[1]):
        mine, theirs = frontiers.newest[one, process], frontiers.newest[other, process]
        if process != first and process != second and not agree(pasts, sends, mine, theirs):
            return False
    return True


@kernel
def is_within(pasts, sends, past, frontiers, frontier):
    """Whether a frontier knows everything that a past knows of sends."""
    for process in range(frontiers.newest.shape[1]):
        if not lies_in(pasts, sends, pasts.newest[past, process], frontiers.newest[frontier, process]):
            return False
    return True
