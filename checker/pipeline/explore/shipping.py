"""What workers know of local objects: the arrays that expansion reads, sent to them as additions, level by level.

The driver interns local objects; a worker only looks them up. An addition holds the new entries of every array and the
entries that changed since the last one; a worker applies those that it has not applied yet, in their order.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...engine.bundles import FULL, Array, Map, new_table, pair_key, place_of, refill, reserve_map
from ...engine.compiled import kernel
from ...engine.enabling import Script, System
from ...engine.space import StateSpace
from ...engine.storage import Storage
from .names import LocalNames, Names

SENT = {
    "pasts": ("owner", "own", "known"),
    "sends": ("sender", "number"),
    "held": ("event", "rest"),
    "locals": ("model", "past", "held", "sent", "sends", "internal", "fault", "flags"),
    "packets": ("event", "to", "slot", "channel"),
    "steps": ("next", "flags", "alternative", "first", "length"),
    "send_steps": ("items",),
    "local_packets": ("items",),
    "joints": ("locals", "first", "hash"),
    "joint_steps": ("next", "more", "flags"),
}
"""The arrays that kernels of expansion read, by bundle; the others stay empty at workers."""

CHANGING = ("sends", "internal", "fault", "flags")
"""Arrays of `locals` whose entries change when their steps are computed."""


class Addition(NamedTuple):
    """What came since the last addition. `pairs` (k, 2) and `steps_of` are (local state, packet) and its first step;
    `changed` numbers older local states, and `changes` holds their arrays of `CHANGING`."""

    columns: dict[str, dict[str, Array]]
    pairs: Array
    steps_of: Array
    changed: Array
    changes: dict[str, Array]
    local_names: Array
    packet_names: Array
    reached: tuple[Array, Array]
    """Local states and packets that were reached for the first time."""


class Setting(NamedTuple):
    """What a worker must know from the beginning: processes, words of a mask, and the rules of the system."""

    processes: int
    words: int
    system: System
    script: Script


class Shipper:
    """Makes the additions of one space."""

    def __init__(self, space: StateSpace, names: LocalNames) -> None:
        self.space = space
        self.names = names
        self._sizes = dict.fromkeys(SENT, 0)
        self._named = (0, 0)

    def addition(self, pairs: Array, asked: Array, reached: tuple[Array, Array]) -> Addition:
        """The next addition. Since the last one the steps of `pairs` (local state, packet) were computed, and others of
        the local states `asked`, and local states and packets were `reached` for the first time."""
        space = self.space
        known = self._sizes["locals"]
        columns: dict[str, dict[str, Array]] = {}
        for name, fields in SENT.items():
            bundle: Any = getattr(space, name)
            begin, end = self._sizes[name], int(bundle.size[0])
            columns[name] = {field: getattr(bundle, field)[begin:end].copy() for field in fields}
            self._sizes[name] = end
        changed = np.unique(asked[asked < known]).astype(np.int32)
        steps_of = np.zeros(len(pairs), np.int32)
        look_up(space.known_steps.keys, space.known_steps.values, pairs, steps_of)
        self.names.update()
        first, second = self._named
        self._named = int(self.names.locals.size[0]), int(self.names.packets.size[0])
        return Addition(
            columns, pairs, steps_of, changed,
            {field: getattr(space.locals, field)[changed] for field in CHANGING},
            self.names.locals.lanes[first : self._named[0]].copy(),
            self.names.packets.lanes[second : self._named[1]].copy(),
            reached,
        )  # fmt: skip


class Known(Storage):
    """The local objects that a worker knows."""

    def __init__(self, setting: Setting) -> None:
        """Nothing is known but the rules."""
        super().__init__(setting.processes, setting.words)
        self.processes, self.system, self.script = setting.processes, setting.system, setting.script
        self.local_names = Names(np.zeros((0, 2), np.uint64), np.zeros(1, np.int64))
        self.packet_names = Names(np.zeros((0, 2), np.uint64), np.zeros(1, np.int64))
        self.reached = np.zeros(0, np.uint8), np.zeros(0, np.uint8)
        self.applied = 0
        for name in SENT:
            bundle: Any = getattr(self, name)
            bundle.size[0] = 0

    def apply(self, addition: Addition) -> None:
        """Add what an addition holds."""
        for name, columns in addition.columns.items():
            bundle: Any = getattr(self, name)
            begin = int(bundle.size[0])
            for field, column in columns.items():
                put(getattr(bundle, field), begin, column)
            bundle.size[0] = begin + len(next(iter(columns.values())))
        for marks, bundle, new in zip(self.reached, (self.locals, self.packets), addition.reached, strict=True):
            size = int(bundle.size[0])  # type: ignore[attr-defined]
            put(bundle.reached, size, np.zeros(0, np.uint8))  # type: ignore[attr-defined]
            put(marks, size, np.zeros(0, np.uint8))
            marks[new] = 1
        for field, column in addition.changes.items():
            getattr(self.locals, field)[addition.changed] = column
        self.known_steps: Map = reserve_map(self.known_steps, len(addition.pairs))
        enter(self.known_steps.keys, self.known_steps.values, addition.pairs, addition.steps_of)
        self.known_steps.size[0] += len(addition.pairs)
        if len(addition.columns["joints"]["first"]):
            size = int(self.joints.size[0])
            table = new_table(int(size / FULL) + 1)
            refill(table, self.joints.hash, size)
            self.joints = self.joints._replace(table=table)
        for names, more in (
            (self.local_names, addition.local_names), (self.packet_names, addition.packet_names)
        ):  # fmt: skip
            put(names.lanes, int(names.size[0]), more)
            names.size[0] += len(more)
        self.applied += 1

    def tables(self, worker: Any) -> tuple[Any, ...]:
        """The arguments that all kernels of expansion share, with the arrays of one worker (`engine.search`)."""
        return (
            self.pasts, self.sends, self.held, self.locals, self.packets, self.steps, self.known_steps,
            self.send_steps, self.local_packets, self.joints, self.joint_steps, self.system, self.script,
            worker.missing, worker.found, worker.scratch, worker.successors,
        )  # fmt: skip


class Here:
    """A level as the driver sees it (`worker.Level`): it knows everything."""

    def __init__(self, space: StateSpace, names: LocalNames, room: Any) -> None:
        self._space, self._names = space, names
        self.room = room

    def open(self) -> Seen:
        """The local objects."""
        return Seen(self._space, self._names)


class Seen:
    """All local objects of a space, as `Known`; what is reached is marked apart."""

    def __init__(self, space: StateSpace, names: LocalNames) -> None:
        self.space = space
        self.processes, self.system, self.script = space.processes, space.system, space.script
        self.pasts = space.pasts
        self.reached = space.locals.reached, space.packets.reached
        self.locals = space.locals._replace(reached=np.zeros_like(space.locals.reached))
        self.packets = space.packets._replace(reached=np.zeros_like(space.packets.reached))
        self.local_names, self.packet_names = names.locals, names.packets

    def tables(self, worker: Any) -> tuple[Any, ...]:
        """As those of `Known`."""
        space = self.space
        return (
            space.pasts, space.sends, space.held, self.locals, self.packets, space.steps, space.known_steps,
            space.send_steps, space.local_packets, space.joints, space.joint_steps, space.system, space.script,
            worker.missing, worker.found, worker.scratch, worker.successors,
        )  # fmt: skip


def put(array: Array, begin: int, column: Array) -> None:
    """Write a column into an array that is enlarged in place."""
    end = begin + len(column)
    if len(array) < end:
        array.resize((max(end, len(array) * 3 // 2), *array.shape[1:]), refcheck=False)
    array[begin:end] = column


@kernel
def look_up(keys, values, pairs, found):
    """The first step of every (local state, packet), which must be known."""
    for index in range(len(pairs)):
        found[index] = values[place_of(keys, pair_key(pairs[index, 0], pairs[index, 1]))]


@kernel
def enter(keys, values, pairs, found):
    """Enter the first step of every (local state, packet) into a map with room."""
    for index in range(len(pairs)):
        key = pair_key(pairs[index, 0], pairs[index, 1])
        place = place_of(keys, key)
        keys[place] = key
        values[place] = found[index]
