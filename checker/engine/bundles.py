"""The arrays that hold interned objects: structures of arrays that compiled code reads and Python enlarges.

Each bundle has `size` (shape (1,): how many entries are in use), and those that are looked up by content have `hash`
(one 64-bit hash per entry) and `table` (open addressing, entry number + 1, 0 for a free place). Sizes in the comments:
n processes, w words of 64 message slots, each slot one (sender, number).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiled import kernel

Array = NDArray[Any]
FULL = 0.6

NO_COLUMNS = ("table", "kinds", "weight", "size")
"""The arrays of a bundle that do not have one place for each entry."""

DOWN = 0
"""The number of the model state that stands for a crashed process."""


class Pasts(NamedTuple):
    """Causal pasts. Within one run a past is known from its newest send of each process and the deliveries at its
    owner: older sends, and deliveries elsewhere, lie in the pasts of those sends."""

    owner: Array  # process index 0..n-1
    newest: Array  # (n): newest send event of each process, 0 for none
    own: Array  # (w): messages delivered at the owner
    known: Array  # (n, w): messages of this past addressed to each destination
    cover: Array  # (n, w): those of them that an even later message to the same destination has in its past
    timeline: Array  # the owner's own events in their order, where the order is semantic; else 0
    hash: Array
    table: Array
    size: Array


class Timelines(NamedTuple):
    """The own events of a process, where the order is semantic: the last one, and those before. Entry 0 is "none"."""

    earlier: Array
    event: Array  # the send event sent or delivered, 0 for an internal event
    delivery: Array
    depends: Array  # number of the event it depends on
    length: Array
    behind: Array  # (w): the messages whose send it depends on, its own included
    hash: Array
    table: Array
    size: Array


class Sends(NamedTuple):
    """Send events: one past, one destination set, what it depends on. Event 0 is "none"."""

    past: Array
    dests: Array  # number of the destination set
    depends: Array  # -1 where the order is causal
    earlier: Array  # messages that the sender sent before its last restart: models count from there
    sender: Array
    number: Array
    before: Array  # (w): the messages that must precede it, whatever their destinations; all bits for causal order
    known_as: Array  # the event that stands for it in the pasts of others: itself, unless pasts are light (`weights`)
    kind_hash: Array  # of what pasts remember of it
    weight: Array  # (1): how much pasts remember of an event
    hash: Array
    table: Array
    kinds: Array  # as `table`, of the events that stand for others
    size: Array


class Held(NamedTuple):
    """Messages received and not delivered, as lists with the youngest event first. Entry 0 is the empty list."""

    event: Array
    rest: Array
    hash: Array
    table: Array
    size: Array


class Locals(NamedTuple):
    """Local states: a model state with a past, the messages held, and how many were sent before the last restart."""

    model: Array
    past: Array
    held: Array
    earlier: Array
    sent: Array  # how many messages this process has sent
    sends: Array  # first of its send steps, one for each destination set; negative while not computed
    internal: Array  # its first internal step, NONE, or UNKNOWN
    fault: Array  # the step in which it crashes, or comes back; NONE, or UNKNOWN
    flags: Array  # properties that this local state violates
    reached: Array
    hash: Array
    table: Array
    size: Array


class Packets(NamedTuple):
    """Packets in transit: a send event (0 for a signal) and what the model put on the copy. Packet 0 is "none"."""

    event: Array
    copy: Array
    to: Array
    slot: Array  # -1 for a signal
    channel: Array
    flags: Array
    reached: Array
    hash: Array
    table: Array
    size: Array


class LocalSteps(NamedTuple):
    """Local steps: the resulting local state, and the packets transmitted as a slice of `LocalPackets`."""

    next: Array
    flags: Array  # properties that this step, its new local state or its new packets violate
    alternative: Array  # the next alternative of the same action, -1 at the last
    first: Array
    length: Array
    size: Array


class Pool(NamedTuple):
    """A growing list of numbers of which others hold slices."""

    items: Array
    size: Array


class Map(NamedTuple):
    """An exact map from 64-bit keys (never 0) to 32-bit values."""

    keys: Array
    values: Array
    size: Array


class Joints(NamedTuple):
    """The local states of all processes that were asked for joint steps, and the first of them, or NONE."""

    locals: Array  # (n)
    first: Array
    hash: Array
    table: Array
    size: Array


class JointSteps(NamedTuple):
    """Steps of all processes together: their new local states, and whether another alternative follows."""

    next: Array  # (n)
    more: Array
    flags: Array
    size: Array


class Answers(NamedTuple):
    """What the model answered, one entry per alternative: the new model state, and slices of the pools of copies that
    it transmits and of messages that it delivers."""

    state: Array
    more: Array  # whether another alternative follows
    depends: Array  # number of the event it depends on; -1 where the order is causal
    first: Array
    length: Array
    first_delivered: Array
    delivered: Array
    size: Array


class Messages(NamedTuple):
    """Messages as models name them: sender index, number, and the number of the destination set, -1 for none of the
    sets that can be chosen."""

    sender: Array
    number: Array
    dests: Array
    size: Array


class Facts(NamedTuple):
    """What a model state or a copy asserts to be outstanding: messages per destination; `strange` when it names one
    that cannot exist within the bounds."""

    asserted: Array  # (n, w)
    strange: Array
    size: Array


class Rows(NamedTuple):
    """Global states: n local states, what faults were used where there can be any, and the packets in transit; with
    their first parents and its action."""

    row: Array
    parent: Array
    action: Array
    table: Array  # high half of the row's hash, and its number + 1
    size: Array


def new_table(capacity: int, dtype: Any = np.int32) -> Array:
    """A free open-addressing table with room for `capacity` entries."""
    length = 64
    while length * FULL < capacity:
        length *= 2
    return np.zeros(length, dtype)


def reserve(bundle: Any, extra: int) -> None:
    """Make room for `extra` more entries; arrays are enlarged in place, so that no copy lives beside them."""
    needed = int(bundle.size[0]) + extra
    for name, array in zip(bundle._fields, bundle, strict=True):
        if name in NO_COLUMNS or len(array) >= needed:
            continue
        length = max(needed, len(array) + len(array) // 2)
        array.resize((length, *array.shape[1:]), refcheck=False)


def append(bundle: Any, *columns: Array) -> None:
    """Append entries given as one column for each array of a bundle without table."""
    size, extra = int(bundle.size[0]), len(columns[0])
    reserve(bundle, extra)
    for array, column in zip(bundle[:-1], columns, strict=True):
        array[size : size + extra] = column
    bundle.size[0] += extra


def reserve_hashed(bundle: Any, extra: int) -> Any:
    """`reserve` for a bundle with a table by content; returns the bundle, with a larger table where needed."""
    reserve(bundle, extra)
    needed = int(bundle.size[0]) + extra
    if needed <= len(bundle.table) * FULL:
        return bundle
    table = new_table(needed)
    refill(table, bundle.hash, int(bundle.size[0]))
    if not isinstance(bundle, Sends) or bundle.weight[0] == 0:  # with full weight every event stands for itself
        return bundle._replace(table=table)
    kinds = new_table(needed)
    refill_kinds(kinds, bundle.kind_hash, bundle.known_as, int(bundle.size[0]))
    return bundle._replace(table=table, kinds=kinds)


def reserve_map(bundle: Map, extra: int) -> Map:
    """A map with room for `extra` more keys."""
    needed = int(bundle.size[0]) + extra
    if needed <= len(bundle.keys) * FULL:
        return bundle
    keys = new_table(needed, np.uint64)
    values = np.zeros(len(keys), np.int32)
    refill_map(keys, values, bundle.keys, bundle.values)
    return Map(keys, values, bundle.size)


@kernel
def mix(hash, value):  # type: ignore[no-untyped-def]
    """One round of a multiplicative 64-bit hash."""
    h = (hash ^ np.uint64(value)) * np.uint64(0x9E3779B97F4A7C15)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@kernel
def refill(table, hashes, size):  # type: ignore[no-untyped-def]
    """Enter all entries into an empty table."""
    mask = np.uint64(len(table) - 1)
    for entry in range(size):
        place = hashes[entry] & mask
        while table[place] != 0:
            place = (place + np.uint64(1)) & mask
        table[place] = entry + 1


@kernel
def place_of(keys, key):  # type: ignore[no-untyped-def]
    """Where `key` is, or the free place where it belongs."""
    mask = np.uint64(len(keys) - 1)
    place = mix(np.uint64(0), key) & mask
    while keys[place] != np.uint64(0) and keys[place] != key:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def refill_kinds(table, hashes, known_as, size):  # type: ignore[no-untyped-def]
    """Enter the events that stand for themselves into an empty table."""
    mask = np.uint64(len(table) - 1)
    for entry in range(1, size):
        if known_as[entry] == entry:
            place = hashes[entry] & mask
            while table[place] != 0:
                place = (place + np.uint64(1)) & mask
            table[place] = entry + 1


@kernel
def refill_map(keys, values, old_keys, old_values):  # type: ignore[no-untyped-def]
    """Enter all keys of an old map into an empty one."""
    for old in range(len(old_keys)):
        if old_keys[old] != np.uint64(0):
            place = place_of(keys, old_keys[old])
            keys[place] = old_keys[old]
            values[place] = old_values[old]


@kernel
def pair_key(first, second):  # type: ignore[no-untyped-def]
    """A key for two 31-bit numbers; never 0."""
    return (np.uint64(first + 1) << np.uint64(32)) | np.uint64(second)
