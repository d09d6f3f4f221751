"""Compiled process symmetry: of frontiers that differ only in the names of processes, one is kept.

Each send event gets a code under each renaming of the processes, made of what it is made of; the code of an event under
a renaming is that of the renamed event under none. A frontier stands for its orbit if it is one of process 1, the
others stand in the order of how many of their sends it knows, and no renaming with these properties gives it a smaller
code: so what stands for an orbit is alike in most orbits, and the model is asked the same questions. Only frontiers
that know as many sends as the bound allows are left out: what they can still receive is known to them, so that the
other members of an orbit lead nowhere else; all others are needed as partners. Of some orbits all are kept, to see
whether the model treats processes alike (`comparing.py`).
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from ..engine.bundles import Array, mix
from ..engine.compiled import kernel
from ..engine.weights import FULL, LIGHT, earlier_of
from .tables import COMPLETE

MOST_PROCESSES = 6


class Symmetry(NamedTuple):
    """The renamings, the identity first (row r says what process k is called), none without symmetry; the codes of the
    send events under each; a code of each event that is the same for all its renamings; how many sends the bound
    allows; and of how many orbits all members of one are kept."""

    names: Array
    codes: Array
    alike: Array
    most_sends: int
    one_in: int


def new_symmetry(processes: int, most_sends: int, one_in: int) -> Symmetry:
    """All renamings of so many processes, and of one orbit in `one_in` all members; no renamings with 0."""
    names = np.array(list(permutations(range(processes))) if one_in else [], np.int64).reshape(-1, processes)
    return Symmetry(names, np.zeros((len(names), 256), np.uint64), np.zeros(256, np.uint64), most_sends, one_in)


def with_room(symmetry: Symmetry, events: int) -> Symmetry:
    """Room for the codes of so many events."""
    old = symmetry.codes
    if len(symmetry.names) == 0 or events <= old.shape[1]:
        return symmetry
    codes = np.zeros((len(old), events + events // 2), np.uint64)
    codes[:, : old.shape[1]] = old
    alike = np.zeros(codes.shape[1], np.uint64)
    alike[: len(symmetry.alike)] = symmetry.alike
    return symmetry._replace(codes=codes, alike=alike)


@kernel
def renamed_set(bits, renaming):
    """A destination set with its members renamed."""
    result = np.uint64(0)
    for process in range(len(renaming)):
        if (bits >> np.uint64(process)) & np.uint64(1) != np.uint64(0):
            result |= np.uint64(1) << np.uint64(renaming[process])
    return result


@kernel
def code_of_messages(words, processes, per_process, renaming, salt):
    """A code of a set of messages, whatever their order."""
    total = np.uint64(0)
    for process in range(processes):
        for number in range(per_process):
            slot = process * per_process + number
            if (words[slot >> 6] >> np.uint64(slot & 63)) & np.uint64(1) != np.uint64(0):
                total += mix(mix(salt, renaming[process]), number)
    return total


@kernel
def code_of_event(pasts, sends, dest_bits, per_process, codes, which, renaming, event):
    """The code of an event under a renaming, from those of the events that it knows, as far as pasts remember them."""
    past = sends.past[event]
    code = mix(mix(np.uint64(21), renaming[sends.sender[event]]), renamed_set(dest_bits[sends.dests[event]], renaming))
    earlier = earlier_of(pasts, sends, event)
    code = mix(code, codes[which, earlier] if earlier > 0 else np.uint64(0))
    if sends.weight[0] == LIGHT:
        return code
    processes = len(renaming)
    code = mix(code, code_of_messages(pasts.own[past], processes, per_process, renaming, np.uint64(22)))
    for process in range(processes):
        if sends.weight[0] == FULL:
            newest = pasts.newest[past, process]
            if newest > 0 and process != sends.sender[event]:
                code += mix(mix(np.uint64(23), renaming[process]), codes[which, newest])
        elif (dest_bits[sends.dests[event]] >> np.uint64(process)) & np.uint64(1) != np.uint64(0):
            known = code_of_messages(pasts.known[past, process], processes, per_process, renaming, np.uint64(24))
            code += mix(mix(np.uint64(25), renaming[process]), known)
    return mix(np.uint64(26), code)


@kernel
def code_events(pasts, sends, dest_bits, per_process, symmetry, begin, end):
    """Enter the codes of the events begin to end - 1 that stand for themselves, under all renamings."""
    names, codes = symmetry.names, symmetry.codes
    if len(names) == 0:
        return
    for event in range(begin, end):
        if sends.known_as[event] == event:
            alike = np.uint64(0)
            for which in range(len(names)):
                codes[which, event] = code_of_event(
                    pasts, sends, dest_bits, per_process, codes, which, names[which], event
                )
                alike += mix(np.uint64(30), codes[which, event])
            symmetry.alike[event] = alike


@kernel
def code_of_frontier(codes, which, renaming, owner, newest):
    """The code of a frontier under a renaming."""
    code = mix(np.uint64(27), renaming[owner])
    for process in range(len(newest)):
        if newest[process] > 0:
            code += mix(mix(np.uint64(28), renaming[process]), codes[which, newest[process]])
    return code


@kernel
def rank_of_frontier(sends, renaming, owner, newest):
    """What is compared before codes: the new name of the owner, then how many sends of each process are known, most
    first, as one number of which the smallest wins."""
    rank = np.int64(renaming[owner])
    for name in range(len(newest)):
        for process in range(len(newest)):
            if renaming[process] == name and process != owner:
                rank = rank * 4096 + 4095 - sends.number[newest[process]]
    return rank


@kernel
def stands_for_orbit(symmetry, sends, owner, newest):
    """Whether no renaming gives a frontier a smaller rank, nor a smaller code with the same."""
    codes, names = symmetry.codes, symmetry.names
    if len(names) == 0:
        return True
    if owner != 0:
        return False
    rank = rank_of_frontier(sends, names[0], owner, newest)
    own = code_of_frontier(codes, 0, names[0], owner, newest)
    for which in range(1, len(names)):
        other = rank_of_frontier(sends, names[which], owner, newest)
        if other < rank:
            return False
        if other == rank and code_of_frontier(codes, which, names[which], owner, newest) < own:
            return False
    return True


@kernel
def code_alike(symmetry, owner, newest):
    """A code of a frontier that is the same for all members of its orbit."""
    code = mix(np.uint64(31), symmetry.alike[newest[owner]])
    for process in range(len(newest)):
        code += mix(np.uint64(32), symmetry.alike[newest[process]])
    return mix(np.uint64(33), code)


@kernel
def is_compared(symmetry, owner, newest):
    """Whether all members of the orbit of this frontier are kept."""
    return symmetry.one_in > 0 and code_alike(symmetry, owner, newest) % np.uint64(symmetry.one_in) == np.uint64(0)


@kernel
def is_left_out(symmetry, frontiers, frontier, other, event, sends, room):
    """Whether a receipt by a process with this frontier, of `event` that one with frontier `other` sends, leads to a
    frontier that knows all sends and does not stand for its orbit. `room` holds one number for each process."""
    if len(symmetry.names) == 0:
        return False
    total = 0
    for process in range(len(room)):
        mine, theirs = frontiers.newest[frontier, process], frontiers.newest[other, process]
        if process == sends.sender[event]:
            theirs = sends.known_as[event]
        room[process] = theirs if sends.number[theirs] > sends.number[mine] else mine
        total += sends.number[room[process]]
    owner = frontiers.owner[frontier]
    return (
        total == symmetry.most_sends
        and not stands_for_orbit(symmetry, sends, owner, room)
        and not is_compared(symmetry, owner, room)
    )


@kernel
def size_of_orbit(symmetry, owner, newest):
    """How many frontiers there are that differ from this one in names only, itself included."""
    names, codes = symmetry.names, symmetry.codes
    same = 0
    own = code_of_frontier(codes, 0, names[0], owner, newest)
    for which in range(len(names)):
        same += code_of_frontier(codes, which, names[which], owner, newest) == own
    return len(names) // same


@kernel
def number_stood_for(symmetry, frontiers, places, pasts, locals, end, counts):
    """How many local states those of the first `end` that are filed stand for; and under each renaming, in `counts`, a
    sum that is the same for all if the frontiers that are all kept, with their local states and verdicts, are closed
    under renaming."""
    names, codes = symmetry.names, symmetry.codes
    total = 0
    for local in range(end):
        if places.frontier[local] == COMPLETE:
            past = locals.past[local]
            total += size_of_orbit(symmetry, pasts.owner[past], pasts.newest[past])
        elif places.frontier[local] > 0:
            total += 1
    for frontier in range(1, frontiers.size[0]):
        here = 0
        verdicts = 0
        local = frontiers.locals[frontier]
        while local > 0:
            here += 1
            verdicts |= locals.flags[local - 1]
            local = places.rest[local - 1]
        for which in range(len(names)):
            code = code_of_frontier(codes, which, names[which], frontiers.owner[frontier], frontiers.newest[frontier])
            counts[which] += mix(mix(mix(np.uint64(29), code), here), verdicts)
    return total
