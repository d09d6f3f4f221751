"""Compiled comparison of local steps with those of renamed calls: does a model treat all processes alike?"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bundles import FULL, Array, pair_key, place_of
from .compiled import kernel
from .fingerprints import place_of_name
from .naming import join, name_orbit, scramble

ROOM = 1 << 20
"""Places for calls and their answers; calls beyond that are compared with these only."""


class Agreed(NamedTuple):
    """The names of calls, whatever the numbering, and of their answers."""

    calls: Array
    answers: Array
    size: Array


def new_agreed() -> Agreed:
    """No call yet."""
    return Agreed(np.zeros(ROOM, np.uint64), np.zeros(ROOM, np.uint64), np.zeros(1, np.int64))


@kernel
def name_answer(first, call, locals, steps, names, images):
    """The name of an answer: the local states that its alternatives lead to, each with the call, and their flags.
    `images` is room for a name under each renaming."""
    if first < 0:
        return scramble(np.uint64(1 - first))
    total = np.uint64(0)
    step = np.int64(first)
    while step >= 0:
        past = locals.past[steps.next[step]]
        for renaming in range(len(call)):
            images[renaming] = join(call[renaming], names.past[past, renaming])
        name, _ = name_orbit(images)
        total += join(join(name, steps.flags[step]), steps.length[step])
        step = np.int64(steps.alternative[step])
    return total


@kernel
def agrees(agreed, call, answer):
    """Whether the answer is that of the renamed calls met before; it is kept if there is none and room."""
    name, _ = name_orbit(call)
    place = place_of_name(agreed.calls, name)
    if agreed.calls[place] != np.uint64(0):
        return agreed.answers[place] == answer
    if agreed.size[0] < len(agreed.calls) * FULL:
        agreed.calls[place] = name
        agreed.answers[place] = answer
        agreed.size[0] += 1
    return True


@kernel
def first_disagreement(
    pairs, pair_count, wanted, local_count, pasts, locals, packets, steps, known_steps, send_steps, choices, names,
    renamings, agreed, call, images,
):  # fmt: skip
    """Whether one of these receipts and sends is answered otherwise than a renaming of it: 1 + its number, else 0.
    `call` and `images` are room for a name under each renaming."""
    for index in range(pair_count):
        local, packet = pairs[index, 0], pairs[index, 1]
        for renaming in range(len(call)):
            call[renaming] = join(names.past[locals.past[local], renaming], names.packet[packet, renaming])
        first = known_steps.values[place_of(known_steps.keys, pair_key(local, packet))]
        if not agrees(agreed, call, name_answer(first, call, locals, steps, names, images)):
            return index + 1
    for index in range(local_count):
        local = wanted[index]
        past = locals.past[local]
        for choice in range(choices.shape[1]):
            dests = choices[pasts.owner[past], choice]
            if dests < 0:
                continue
            for renaming in range(len(call)):
                call[renaming] = join(scramble(renamings.dests[dests, renaming]), names.past[past, renaming])
            first = send_steps.items[locals.sends[local] + choice]
            if not agrees(agreed, call, name_answer(first, call, locals, steps, names, images)):
                return index + 1
    return 0
