"""Compiled compatibility: can these be parts of one global state?

What a past knows of the events of one process is a chain: the newest send and, through that, the earlier ones.
Two pasts *agree* on a process if one of the two chains is a part of the other. Here `previous` leads from each event
to the one before it, and `numbers` are their places in their chains, from 1; event 0 is none.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from ..engine.compiled import kernel


@kernel
def lies_in(previous, numbers, event, newest):
    """Whether an event (0 for none) is on the chain that ends with `newest`."""
    number = numbers[event]
    while numbers[newest] > number:
        newest = previous[newest]
    return newest == event


@kernel
def agree(previous, numbers, one, other):
    """Whether one of two chains of one process is a part of the other."""
    if numbers[one] > numbers[other]:
        return lies_in(previous, numbers, other, one)
    return lies_in(previous, numbers, one, other)


@kernel
def sends_together(newest, sent, one, other):
    """How many sends are known to two frontiers together, if they agree; `sent` counts those up to each event."""
    total = 0
    for process in range(newest.shape[1]):
        total += max(sent[newest[one, process]], sent[newest[other, process]])
    return total


@kernel
def can_coexist(owners, newest, previous, numbers, sent, one, other, most):
    """Whether two processes with these frontiers can be in one global state in which at most `most` messages are sent:
    they agree, and neither knows an event of the other that has not happened there."""
    first, second = owners[one], owners[other]
    if first == second or sends_together(newest, sent, one, other) > most:
        return False
    if not lies_in(previous, numbers, newest[other, first], newest[one, first]):
        return False
    if not lies_in(previous, numbers, newest[one, second], newest[other, second]):
        return False
    for process in range(newest.shape[1]):
        mine, theirs = newest[one, process], newest[other, process]
        if process != first and process != second and not agree(previous, numbers, mine, theirs):
            return False
    return True


@kernel
def is_within(previous, numbers, newest, past, other):
    """Whether the past `other` knows everything that `past` knows of sends."""
    for process in range(newest.shape[1]):
        if not lies_in(previous, numbers, newest[past, process], newest[other, process]):
            return False
    return True
