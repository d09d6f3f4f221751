"""The bundles that hold all interned objects of one exploration, and the room made in them."""

from __future__ import annotations

import numpy as np

from .bundles import (
    Array,
    Held,
    Joints,
    JointSteps,
    Locals,
    LocalSteps,
    Map,
    Packets,
    Pasts,
    Pool,
    Sends,
    Timelines,
    new_table,
    reserve,
    reserve_hashed,
)


class Storage:
    """All bundles, small at first."""

    def __init__(self, processes: int, words: int) -> None:
        """Nothing is interned yet but the entries that stand for "none"."""
        n, w, room = processes, words, 256

        def ints(*shape: int) -> Array:
            return np.zeros((room, *shape), np.int32)

        def hashes() -> Array:
            return np.zeros(room, np.uint64)

        def masks(*shape: int) -> Array:
            return np.zeros((room, *shape, w), np.uint64)

        def bytes_() -> Array:
            return np.zeros(room, np.uint8)

        def size(start: int = 0) -> Array:
            return np.array([start], np.int64)

        def table() -> Array:
            return new_table(room)

        def new_map() -> Map:
            keys = new_table(room, np.uint64)
            return Map(keys, np.zeros(len(keys), np.int32), size())

        self.pasts = Pasts(ints(), ints(n), masks(), masks(n), masks(n), ints(), hashes(), table(), size())
        self.timelines = Timelines(ints(), ints(), ints(), ints(), ints(), masks(), hashes(), table(), size(1))
        self.sends = Sends(
            ints(), ints(), ints(), ints(), ints(), ints(), masks(), ints(), hashes(), np.zeros(1, np.int32), hashes(),
            table(), table(), size(1),
        )  # fmt: skip
        self.sends.past[0] = -1
        self.held = Held(ints(), ints(), hashes(), table(), size(1))
        self.locals = Locals(
            ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), ints(), bytes_(), hashes(), table(), size()
        )
        self.packets = Packets(ints(), ints(), ints(), ints(), ints(), ints(), bytes_(), hashes(), table(), size(1))
        self.packets.copy[0] = -1
        self.packets.channel[0] = -1
        self.steps = LocalSteps(ints(), ints(), ints(), ints(), ints(), size())
        self.send_steps = Pool(ints(), size())
        self.local_packets = Pool(ints(), size())
        self.joints = Joints(ints(n), ints(), hashes(), table(), size())
        self.joint_steps = JointSteps(ints(n), ints(), ints(), size())
        self.known_steps, self.receive_answers, self.send_answers = new_map(), new_map(), new_map()

    def make_room(self, steps: int, delivered: int, transmitted: int, held: int) -> None:
        """Make room for so many local steps, with the most deliveries and packets of one step, and messages held."""
        pasts = steps * (delivered + 1) + 1
        self.pasts = reserve_hashed(self.pasts, pasts)
        self.timelines = reserve_hashed(self.timelines, pasts)
        self.held = reserve_hashed(self.held, steps * held + 1)
        self.sends = reserve_hashed(self.sends, steps + 1)
        self.locals = reserve_hashed(self.locals, steps + 1)
        self.packets = reserve_hashed(self.packets, steps * transmitted + 1)
        reserve(self.steps, steps)
        reserve(self.local_packets, steps * transmitted)
