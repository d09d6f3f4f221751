"""Destination sets as numbers, and scripted scenarios as the masks that the kernels read."""

from __future__ import annotations

import numpy as np

from ..bounds import Bounds
from ..history import MessageId
from ..scenario import Scenario, must_have_arrived
from .bundles import Array
from .enabling import Script


def destination_choices(bounds: Bounds, scenario: Scenario | None) -> tuple[list[frozenset[int]], Array]:
    """All destination sets that may occur, and per process the numbers of those it may choose (-1 beyond its last)."""
    if scenario is None:
        allowed = {p: list(bounds.destination_sets(p)) for p in range(1, bounds.processes + 1)}
    else:
        allowed = {p: [] for p in range(1, bounds.processes + 1)}
        for message in scenario.messages:
            if message.dests not in allowed[message.sender]:
                allowed[message.sender].append(message.dests)
    sets = sorted({dests for own in allowed.values() for dests in own}, key=lambda dests: (len(dests), sorted(dests)))
    choices = np.full((bounds.processes, max(len(own) for own in allowed.values())), -1, np.int32)
    for process, own in allowed.items():
        for choice, dests in enumerate(own):
            choices[process - 1, choice] = sets.index(dests)
    return sets, choices


def script_masks(bounds: Bounds, scenario: Scenario | None, sets: list[frozenset[int]], choices: Array) -> Script:
    """The masks of a scenario; `on` is empty without one."""
    slots = bounds.processes * bounds.per_process
    words = -(-slots // 64)
    if scenario is None:
        none = np.zeros((1, 1, words), np.uint64)
        return Script(np.zeros(0, np.uint8), np.zeros((1, 1), np.int32), none, none)
    choice = np.full((bounds.processes, bounds.per_process), -1, np.int32)
    after = np.zeros((bounds.processes, bounds.per_process, words), np.uint64)
    arrived = np.zeros((bounds.processes, slots, words), np.uint64)

    def slot_of(message: MessageId) -> int:
        return (message[0] - 1) * bounds.per_process + message[1] - 1

    def add(mask: Array, message: MessageId) -> None:
        slot = slot_of(message)
        mask[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)

    for message in scenario.messages:
        own = choices[message.sender - 1].tolist()
        choice[message.sender - 1, message.number - 1] = own.index(sets.index(message.dests))
        for earlier in message.after:
            add(after[message.sender - 1, message.number - 1], earlier)
    for message in scenario.messages:
        for process in message.dests:
            for earlier in must_have_arrived(scenario, process, message.id, bounds.channel):
                add(arrived[process - 1, slot_of(message.id)], earlier)
    return Script(np.ones(1, np.uint8), choice, after, arrived)
