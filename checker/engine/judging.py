"""Which bits stand for which property, a user's own properties on new local objects, and what a bit means in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from precede.models import Message

from ..errors import UsageError
from ..properties import UserProperty
from .bundles import DOWN, Array, pair_key, place_of
from .decoding import Decoder
from .enabling import Missing
from .local_verdicts import (
    CAUSAL_ORDER,
    NEEDLESS_DELAY,
    PACKET_MISSING,
    PACKET_REDUNDANT,
    STATE_MISSING,
    STATE_REDUNDANT,
    STUCK,
    TWICE,
    USER,
)

MINIMALITY_PARTS = {
    "missing in states": STATE_MISSING,
    "redundant in states": STATE_REDUNDANT,
    "missing in packets": PACKET_MISSING,
    "redundant in packets": PACKET_REDUNDANT,
}
MOST_OWN = 23
"""Properties of the user in one search: the bits from USER up to the last of `flags`."""

BUILT_IN_BITS = {
    "CausalOrder": CAUSAL_ORDER,
    "Delivery": STUCK,
    "Integrity": TWICE,
    "NoNeedlessDelay": NEEDLESS_DELAY,
    "Minimality": STATE_MISSING | STATE_REDUNDANT | PACKET_MISSING | PACKET_REDUNDANT,
}


def bits_of(properties: tuple[str | UserProperty, ...]) -> dict[str, int]:
    """Property name -> the bits of `flags` that mean it is violated. Raises UsageError for too many of the user's."""
    if sum(isinstance(item, UserProperty) for item in properties) > MOST_OWN:
        raise UsageError(f"--property: at most {MOST_OWN} properties of your own in one search")
    bits = {}
    own = 0
    for item in properties:
        if isinstance(item, UserProperty):
            bits[item.name] = USER << own
            own += 1
        else:
            bits[item] = BUILT_IN_BITS[item]
    return bits


class UserJudge:
    """Asks a user's properties about every new local object, once per distinct combination of what each one names."""

    def __init__(self, decoder: Decoder, properties: tuple[str | UserProperty, ...]) -> None:
        self.decoder = decoder
        self.space = decoder.space
        bits = bits_of(properties)
        own = [p for p in properties if isinstance(p, UserProperty)]
        self.by_kind = {
            kind: [(p, bits[p.name]) for p in own if p.kind == kind] for kind in ("state", "packet", "step")
        }
        self.active = bool(own)
        self._answers: dict[tuple[Any, ...], bool] = {}
        self._locals = 0
        self._packets = 1

    def _violates(self, item: UserProperty, values: dict[str, Callable[[], Any]], key: dict[str, Any]) -> bool:
        needed = (item.name, *(key[name] for name in sorted(item.needs)))
        if needed not in self._answers:
            self._answers[needed] = not item.judge(**{name: values[name]() for name in item.needs})
        return self._answers[needed]

    def judge_objects(self) -> None:
        """Judge the local states and packets that are new since the last call."""
        space = self.space
        for number in range(self._locals, int(space.locals.size[0])):
            if space.locals.model[number] == DOWN:
                continue
            for item, bit in self.by_kind["state"]:
                if self._violates(item, *self._state_values(number)):
                    space.locals.flags[number] |= bit
        self._locals = int(space.locals.size[0])
        for number in range(self._packets, int(space.packets.size[0])):
            if not space.packets.event[number]:
                continue
            for item, bit in self.by_kind["packet"]:
                if self._violates(item, *self._packet_values(number)):
                    space.packets.flags[number] |= bit
        self._packets = int(space.packets.size[0])

    def judge_new(self, missing: Missing) -> None:
        """Judge everything that came with the local steps that were missing."""
        self.judge_objects()
        known = self.space.known_steps
        for local, packet in missing.pairs[: missing.pair_count[0]].tolist():
            self._judge_steps(local, packet, int(known.values[place_of(known.keys, pair_key(local, packet))]))
        self.judge_own(missing.locals[: missing.local_count[0]], missing.others[: missing.other_count[0]])

    def judge_own(self, senders: Array, others: Array) -> None:
        """Judge everything that came with the sends of local states, and with the internal steps of others."""
        self.judge_objects()
        space = self.space
        for local in others.tolist():
            self._judge_steps(local, None, int(space.locals.internal[local]))
        for local in senders.tolist():
            process = int(space.pasts.owner[space.locals.past[local]])
            for choice, dests in enumerate(space.choices[process].tolist()):
                if dests >= 0:
                    message = Message(
                        process + 1, int(space.locals.sent[local] - space.locals.earlier[local]) + 1, space.sets[dests]
                    )
                    self._judge_steps(local, message, int(space.send_steps.items[space.locals.sends[local] + choice]))

    def judge_receipts(self, pairs: Array, results: Array) -> None:
        """Judge everything that came with receipts, given the first step of each pair."""
        self.judge_objects()
        for (local, packet), step in zip(pairs.tolist(), results.tolist(), strict=True):
            self._judge_steps(local, packet, step)

    def _judge_steps(self, before: int, event: Message | int | None, step: int) -> None:
        """Judge one local step and its alternatives; `event` is the message sent, the number of the packet or signal,
        or None for an internal step."""
        space = self.space
        while step >= 0:
            flags = int(space.locals.flags[space.steps.next[step]])
            first = int(space.steps.first[step])
            for packet in space.local_packets.items[first : first + space.steps.length[step]]:
                flags |= int(space.packets.flags[packet])
            for item, bit in self.by_kind["step"]:
                if self._violates(item, *self._step_values(before, event, int(space.steps.next[step]))):
                    flags |= bit
            space.steps.flags[step] |= flags
            step = int(space.steps.alternative[step])

    def _state_values(self, number: int) -> tuple[dict[str, Callable[[], Any]], dict[str, Any]]:
        locals_, pasts = self.space.locals, self.space.pasts
        model, past = int(locals_.model[number]), int(locals_.past[number])
        process = int(pasts.owner[past]) + 1
        values: dict[str, Callable[[], Any]] = {
            "model": lambda: self.space.calls.model,
            "process": lambda: process,
            "state": lambda: self.space.model.states[model],
            "past": lambda: self.decoder.past(past),
        }
        return values, {"model": 0, "process": process, "state": model, "past": past}

    def _packet_values(self, number: int) -> tuple[dict[str, Callable[[], Any]], dict[str, Any]]:
        packets = self.space.packets
        copy, past = int(packets.copy[number]), int(self.space.sends.past[packets.event[number]])
        values: dict[str, Callable[[], Any]] = {
            "model": lambda: self.space.calls.model,
            "packet": lambda: self.space.model.copies[copy],
            "past": lambda: self.decoder.past(past),
        }
        return values, {"model": 0, "packet": copy, "past": past}

    def _step_values(
        self, before: int, event: Message | int | None, after: int
    ) -> tuple[dict[str, Callable[[], Any]], dict[str, Any]]:
        values, key = self._state_values(after)
        model = int(self.space.locals.model[before])
        values["before"] = lambda: self.space.model.states[model]
        values["after"] = values["state"]
        if isinstance(event, int):
            copy = int(self.space.packets.copy[event])
            values["event"] = lambda: self.space.model.copies[copy]
            return values, key | {"before": model, "after": key["state"], "event": copy}
        values["event"] = lambda: event
        return values, key | {"before": model, "after": key["state"], "event": event}
