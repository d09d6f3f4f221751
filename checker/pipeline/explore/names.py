"""Names of local objects and of global states: 128-bit hashes of their contents, alike in every run.

A name is two 64-bit lanes, computed with different seeds. That of a model state or of what a model transmits is
BLAKE2b of its JSON text; pasts, sends and local states mix the names of their parts; a global state adds up one mix
for each process and each packet, so that it does not depend on the order in which packets are kept.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from precede.models import Packet, Signal

from ...engine.bundles import Array, mix
from ...engine.compiled import kernel
from ...engine.space import StateSpace
from ...trace.values import encode
from .rows import Objects

SEEDS = np.array([0x243F6A8885A308D3, 0x13198A2E03707344], np.uint64)
"""One seed a lane: the first digits of pi."""


class Names(NamedTuple):
    """The names of entries 0 to size - 1 of one table, one row each: (high lane, low lane)."""

    lanes: Array
    size: Array


def no_names() -> Names:
    """An empty list of names."""
    return Names(np.zeros((64, 2), np.uint64), np.zeros(1, np.int64))


def make_room(names: Names, needed: int) -> None:
    """Make room for `needed` names in all."""
    if len(names.lanes) < needed:
        names.lanes.resize((max(needed, len(names.lanes) * 3 // 2), 2), refcheck=False)


class LocalNames:
    """The names of everything interned in a space; `update` names what is new, in the order of interning."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.states, self.copies = no_names(), no_names()
        self.pasts, self.sends, self.timelines, self.held = (no_names() for _ in range(4))
        self.locals, self.packets = no_names(), no_names()
        self.state_texts: list[str] = []
        self._copy_texts: list[str] = []
        self._seen: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def update(self) -> None:
        """Name all entries that have no name yet."""
        space = self.space
        states = space.model.states[len(self.state_texts) :]
        self._name_texts(self.states, (text_of(state) for state in states), self.state_texts, self._seen[0])
        copies = space.model.copies[len(self._copy_texts) :]
        self._name_texts(self.copies, map(text_of_copy, copies), self._copy_texts, self._seen[1])
        for names, bundle in (
            (self.pasts, space.pasts), (self.sends, space.sends), (self.timelines, space.timelines),
            (self.held, space.held), (self.locals, space.locals), (self.packets, space.packets),
        ):  # fmt: skip
            make_room(names, int(bundle.size[0]))  # type: ignore[attr-defined]
        name_histories(
            SEEDS, space.pasts, space.sends, space.timelines, space.rules.dest_bits, space.per_process, self.pasts,
            self.sends, self.timelines,
        )  # fmt: skip
        name_locals(SEEDS, space.held, space.locals, self.states, self.pasts, self.sends, self.held, self.locals)
        name_packets(SEEDS, space.packets, self.copies, self.sends, self.packets)

    def digest(self) -> str:
        """What tells these local states and packets from those of another model or version, in hexadecimal."""
        total = hashlib.blake2b(digest_size=16)
        for names in (self.locals, self.packets):
            total.update(names.lanes[: names.size[0]].tobytes())
        return total.hexdigest()

    @staticmethod
    def _name_texts(names: Names, texts: Iterable[str], kept: list[str], seen: Counter[str]) -> None:
        """Name values by their texts; of different values with one text each has its own name."""
        for text in texts:
            digest = hashlib.blake2b(f"{text}#{seen[text]}".encode(), digest_size=16).digest()
            seen[text] += 1
            make_room(names, int(names.size[0]) + 1)
            names.lanes[names.size[0]] = np.frombuffer(digest, np.uint64)
            names.size[0] += 1
            kept.append(text)


def text_of(value: Any) -> str:
    """A model's value as JSON text, encoded as traces encode it (`checker.trace.values`)."""
    return json.dumps(encode(value), separators=(",", ":"))


def text_of_copy(copy: Packet | Signal) -> str:
    """What a model transmits, as JSON text."""
    message = encode(copy.message) if isinstance(copy, Packet) else None
    return json.dumps([copy.sender, copy.to, message, encode(copy.control)], separators=(",", ":"))


def name_text(high: int, low: int) -> str:
    """A name in hexadecimal; the lanes may be signed, as in tables."""
    return f"{high & (2**64 - 1):016x}{low & (2**64 - 1):016x}"


def collision_probability(states: int) -> float:
    """An upper bound of the probability that any two of so many different states have one name."""
    return min(1.0, states * (states - 1) / 2 / 2**128)


def names_of_rows(rows: Array, space: Objects, local_names: Names, packet_names: Names) -> Array:
    """The names (k, 2) of global states (k, width) of a space, or of what a worker knows of it."""
    names = np.zeros((len(rows), 2), np.uint64)
    system = space.system
    name_rows(
        SEEDS, rows, len(rows), system.processes, system.head, system.queued, space.packets.channel,
        local_names.lanes, packet_names.lanes, names,
    )  # fmt: skip
    return names


@kernel
def mix_name(hash, lanes, entry):
    """One round for both lanes of a name."""
    return mix(mix(hash, lanes[entry, 0]), lanes[entry, 1])


@kernel
def mix_messages(seed, words, per_process):
    """A hash of a set of messages, by their senders and numbers: slots depend on the bounds."""
    total = np.uint64(0)
    for word in range(len(words)):
        rest = words[word]
        slot = 64 * word
        while rest != np.uint64(0):
            if rest & np.uint64(1) != np.uint64(0):
                total += mix(mix(mix(seed, 9), slot // per_process), slot % per_process)
            rest >>= np.uint64(1)
            slot += 1
    return total


@kernel
def name_histories(seeds, pasts, sends, timelines, dest_bits, per_process, past_names, send_names, timeline_names):
    """Name pasts, sends and timelines. Each entry refers only to entries that were interned before it, so whichever of
    the three has its parts named goes next."""
    moved = True
    while moved:
        moved = False
        while timeline_names.size[0] < timelines.size[0]:
            new = timeline_names.size[0]
            if new > 0 and timelines.event[new] >= send_names.size[0]:
                break
            for lane in range(2):
                hash = mix(seeds[lane], 1)
                if new > 0:
                    hash = mix_name(hash, timeline_names.lanes, timelines.earlier[new])
                    hash = mix_name(hash, send_names.lanes, timelines.event[new])
                    hash = mix(mix(hash, timelines.delivery[new]), timelines.depends[new])
                timeline_names.lanes[new, lane] = hash
            timeline_names.size[0] = new + 1
            moved = True
        while send_names.size[0] < sends.size[0]:
            new = send_names.size[0]
            if new > 0 and sends.past[new] >= past_names.size[0]:
                break
            for lane in range(2):
                hash = mix(seeds[lane], 2)
                if new > 0:
                    hash = mix_name(hash, past_names.lanes, sends.past[new])
                    hash = mix(mix(hash, dest_bits[sends.dests[new]]), sends.depends[new])
                    hash = mix(mix(mix(hash, sends.earlier[new]), sends.sender[new]), sends.number[new])
                send_names.lanes[new, lane] = hash
            send_names.size[0] = new + 1
            moved = True
        while past_names.size[0] < pasts.size[0]:
            new = past_names.size[0]
            ready = pasts.timeline[new] < timeline_names.size[0]
            for process in range(pasts.newest.shape[1]):
                ready = ready and pasts.newest[new, process] < send_names.size[0]
            if not ready:
                break
            for lane in range(2):
                hash = mix(mix(seeds[lane], 3), pasts.owner[new])
                hash = mix_name(hash, timeline_names.lanes, pasts.timeline[new])
                for process in range(pasts.newest.shape[1]):
                    hash = mix_name(hash, send_names.lanes, pasts.newest[new, process])
                past_names.lanes[new, lane] = mix(hash, mix_messages(seeds[lane], pasts.own[new], per_process))
            past_names.size[0] = new + 1
            moved = True


@kernel
def name_locals(seeds, held, locals, state_names, past_names, send_names, held_names, local_names):
    """Name lists of held messages, then local states."""
    for new in range(held_names.size[0], held.size[0]):
        for lane in range(2):
            hash = mix(seeds[lane], 4)
            if new > 0:
                hash = mix_name(hash, send_names.lanes, held.event[new])
                hash = mix_name(hash, held_names.lanes, held.rest[new])
            held_names.lanes[new, lane] = hash
    held_names.size[0] = held.size[0]
    for new in range(local_names.size[0], locals.size[0]):
        for lane in range(2):
            hash = mix_name(mix(seeds[lane], 5), state_names.lanes, locals.model[new])
            hash = mix_name(hash, past_names.lanes, locals.past[new])
            hash = mix_name(hash, held_names.lanes, locals.held[new])
            local_names.lanes[new, lane] = mix(hash, locals.earlier[new])
    local_names.size[0] = locals.size[0]


@kernel
def name_packets(seeds, packets, copy_names, send_names, packet_names):
    """Name packets and signals; entry 0 stands for none."""
    for new in range(packet_names.size[0], packets.size[0]):
        for lane in range(2):
            hash = mix(seeds[lane], 6)
            if new > 0:
                hash = mix_name(hash, copy_names.lanes, packets.copy[new])
                hash = mix_name(hash, send_names.lanes, packets.event[new])
            packet_names.lanes[new, lane] = hash
    packet_names.size[0] = packets.size[0]


@kernel
def name_rows(seeds, rows, count, processes, head, queued, channels, local_names, packet_names, out):
    """The names of the first `count` rows, into `out` (count, 2). Where channels have an order, a packet counts with
    its place in its channel."""
    for index in range(count):
        row = rows[index]
        for lane in range(2):
            total = np.uint64(0)
            for process in range(processes):
                total += mix_name(mix(seeds[lane], 16 + process), local_names, row[process])
            if head > processes:
                total += mix(mix(seeds[lane], 7), row[processes])
            place = 0
            for item in range(head, len(row)):
                packet = row[item]
                if packet == 0:
                    break
                if queued and item > head and channels[row[item - 1]] == channels[packet]:
                    place += 1
                else:
                    place = 0
                total += mix_name(mix(mix(seeds[lane], 8), place), packet_names, packet)
            out[index, lane] = mix(seeds[lane], total)
