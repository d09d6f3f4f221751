"""The tables of local states, model states, packets and local steps, written by the driver, which interns them."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from precede.models import Packet

from ...engine.bundles import DOWN, Array
from ...engine.compiled import kernel
from ...engine.completing import WAITS_NEEDLESSLY
from ...engine.local_verdicts import NEEDLESS_DELAY
from ...engine.pasts import past_of_deliveries
from ...engine.space import StateSpace
from ...packet_size import size_of
from .folder import Folder
from .journal import Asked, asked_columns
from .names import LocalNames, text_of
from .shipping import look_up
from .tables import schema_of


class LocalTables:
    """Writes what is new since the last level."""

    def __init__(self, space: StateSpace, names: LocalNames, bits: dict[str, int]) -> None:
        """`bits`: property -> the bits that stand for it in flags."""
        self.space = space
        self.names = names
        self.bits = bits
        self.sizes = {"locals": 0, "packets": 1, "model_states": 0}

    def skip(self) -> None:
        """Take everything that is there now as written."""
        space = self.space
        self.sizes = {
            "locals": int(space.locals.size[0]), "packets": int(space.packets.size[0]),
            "model_states": len(space.model.states),
        }  # fmt: skip

    def write(self, folder: Folder, asked: Asked) -> None:
        """Write all tables but the states, to be committed with the level."""
        for table, columns in (
            ("locals", self._locals()), ("model_states", self._model_states()), ("packets", self._packets()),
            ("steps", self._steps(asked)), ("asked", asked_columns(asked, self.space.processes)),
        ):  # fmt: skip
            schema = schema_of(table)
            data = pa.table([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
            if len(data):
                path = folder.writing(table)
                path.mkdir()
                pq.write_table(data, path / "part-0.parquet")
        self.skip()

    def _violations(self, flags: Array) -> pa.Array:
        """The names of the properties that the bits in `flags` mean."""
        values, places = np.unique(flags, return_inverse=True)
        texts = [", ".join(name for name, bits in self.bits.items() if bits & value) for value in values.tolist()]
        return pa.DictionaryArray.from_arrays(places.astype(np.int32), pa.array(texts, pa.string())).cast(pa.string())

    def _locals(self) -> list[Any]:
        space, begin, end = self.space, self.sizes["locals"], int(self.space.locals.size[0])
        new = np.arange(begin, end, dtype=np.int32)
        counts = np.zeros((len(new), 3), np.int32)
        count_facts(begin, end, space.pasts, space.sends, space.held, space.locals, counts)
        lanes = self.names.locals.lanes[begin:end].view(np.int64)
        return [
            new, lanes[:, 0], lanes[:, 1], space.pasts.owner[space.locals.past[begin:end]] + 1,
            space.locals.model[begin:end], space.locals.sent[begin:end], *counts.T,
            self._violations(space.locals.flags[begin:end]),
        ]  # fmt: skip

    def _model_states(self) -> list[Any]:
        space, begin = self.space, self.sizes["model_states"]
        states = space.model.states[begin:]
        facts = [None if n == DOWN else _count(space.calls.facts_of_state(s)) for n, s in enumerate(states, begin)]
        return [np.arange(begin, begin + len(states), dtype=np.int32), self.names.state_texts[begin:], facts]

    def _packets(self) -> list[Any]:
        space, begin, end = self.space, self.sizes["packets"], int(self.space.packets.size[0])
        lanes = self.names.packets.lanes[begin:end].view(np.int64)
        event, copy = space.packets.event[begin:end], space.packets.copy[begin:end]
        numbers, places = np.unique(copy, return_inverse=True)
        copies = [space.model.copies[number] for number in numbers.tolist()]
        model = space.calls.model

        def of_copy(values: Iterable[Any], type: pa.DataType) -> pa.Array:
            return pa.array(list(values), type).take(pa.array(places))

        facts = (_count(space.calls.facts_of_packet(c)) if isinstance(c, Packet) else None for c in copies)
        senders, counts = space.sends.sender[event] + 1, space.sends.number[event]
        messages = [f"{s}.{c}" if e else None
                    for s, c, e in zip(senders.tolist(), counts.tolist(), event.tolist(), strict=True)]  # fmt: skip
        return [
            np.arange(begin, end, dtype=np.int32), lanes[:, 0], lanes[:, 1],
            of_copy((c.sender for c in copies), pa.int32()), of_copy((c.to for c in copies), pa.int32()), messages,
            of_copy((text_of(c.control) for c in copies), pa.string()),
            of_copy((size_of(model, "units", c) for c in copies), pa.int32()),
            of_copy((size_of(model, "bytes", c) for c in copies), pa.int32()),
            of_copy(facts, pa.int32()), self._violations(space.packets.flags[begin:end]),
        ]  # fmt: skip

    def _steps(self, asked: Asked) -> list[Any]:
        space = self.space
        parts: list[pa.Table] = []
        pairs = asked.together("pairs", 2)
        if len(pairs):
            first = np.zeros(len(pairs), np.int32)
            look_up(space.known_steps.keys, space.known_steps.values, pairs, first)
            parts.append(self._steps_from("receive", pairs[:, 0], first, packets=pairs[:, 1]))
        senders, width = asked.together("locals", 0), space.choices.shape[1]
        if len(senders):
            choices = space.choices[space.pasts.owner[space.locals.past[senders]]].reshape(-1)
            items = space.locals.sends[senders][:, None] + np.arange(width)
            own = choices >= 0
            parts.append(
                self._steps_from(
                    "send", np.repeat(senders, width)[own], space.send_steps.items[items.reshape(-1)[own]],
                    choices=choices[own],
                )
            )  # fmt: skip
        others = asked.together("others", 0)
        for event, firsts in (("internal", space.locals.internal[others]), ("fault", space.locals.fault[others])):
            some = firsts >= 0
            if event == "internal" or space.bounds.crashes:
                parts.append(self._steps_from(event, others[some], firsts[some]))
        whole = pa.concat_tables([part for part in parts if len(part)] or [schema_of("steps").empty_table()])
        return [column.combine_chunks() if column.num_chunks else column for column in whole.columns]

    def _steps_from(
        self, event: str, before: Array, first: Array, packets: Array | None = None, choices: Array | None = None
    ) -> pa.Table:
        """The rows of steps of one kind, from the first step of each or what stands for none."""
        space = self.space
        index, step, alternative = all_alternatives(first, space.steps.alternative)
        there = step >= 0
        safe = np.where(there, step, 0)
        outcome = np.select(
            [there, (step == WAITS_NEEDLESSLY) & (event == "receive"), np.full(len(step), event == "receive")],
            ["step", "waits needlessly", "waits"], "disabled",
        )  # fmt: skip
        lengths = np.where(there, space.steps.length[safe], 0)
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        items = np.repeat(space.steps.first[safe] - offsets[:-1], lengths) + np.arange(offsets[-1])
        kinds = np.full(len(step), event, dtype=object)
        if event == "fault":
            kinds = np.where(space.locals.model[before[index]] == DOWN, "restart", "crash")
        dests = None
        if choices is not None:
            sets = pa.array([sorted(dests) for dests in space.sets], pa.list_(pa.int32()))
            dests = sets.take(pa.array(choices[index]))
        columns = [
            before[index], kinds, packets[index] if packets is not None else pa.nulls(len(step), pa.int32()),
            dests if dests is not None else pa.nulls(len(step), pa.list_(pa.int32())), alternative, outcome,
            pa.array(space.steps.next[safe], mask=~there),
            pa.ListArray.from_arrays(offsets, space.local_packets.items[items].astype(np.int32), mask=pa.array(~there)),
            self._violations(np.where(there, space.steps.flags[safe], (step == WAITS_NEEDLESSLY) * NEEDLESS_DELAY)),
        ]  # fmt: skip
        schema = schema_of("steps")
        return pa.table([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)


def _count(facts: Any) -> int | None:
    return None if facts is None else len(facts)


def all_alternatives(first: Array, following: Array) -> tuple[Array, Array, Array]:
    """For first steps, negative ones included, all alternatives: the index in `first`, the step, its place."""
    total = count_alternatives(first, following)
    index, step, place = (np.zeros(total, np.int32) for _ in range(3))
    list_alternatives(first, following, index, step, place)
    return index, step, place


@kernel
def count_alternatives(first, following):
    """How many rows `list_alternatives` makes."""
    total = 0
    for index in range(len(first)):
        step = first[index]
        total += 1
        while step >= 0 and following[step] >= 0:
            step = following[step]
            total += 1
    return total


@kernel
def list_alternatives(first, following, indices, steps, places):
    """Write all alternatives of each first step, one row each; a negative one has one row."""
    new = 0
    for index in range(len(first)):
        step = first[index]
        place = 0
        while True:
            indices[new], steps[new], places[new] = index, step, place
            new += 1
            place += 1
            if step < 0 or following[step] < 0:
                break
            step = following[step]


@kernel
def ones(word):
    """The number of bits that are set."""
    count = 0
    while word != np.uint64(0):
        word &= word - np.uint64(1)
        count += 1
    return count


@kernel
def count_facts(begin, end, pasts, sends, held, locals, counts):
    """For each local state the messages delivered, the messages held, and the facts that are required there."""
    for local in range(begin, end):
        past = locals.past[local]
        for word in range(pasts.own.shape[1]):
            counts[local - begin, 0] += ones(pasts.own[past, word])
        item = locals.held[local]
        while item > 0:
            counts[local - begin, 1] += 1
            item = held.rest[item]
        for destination in range(pasts.newest.shape[1]):
            there = past_of_deliveries(pasts, sends, past, destination)
            for word in range(pasts.own.shape[1]):
                settled = pasts.cover[past, destination, word] | pasts.own[there, word]
                counts[local - begin, 2] += ones(pasts.known[past, destination, word] & ~settled)
