"""Which bits stand for which property, a user's own properties on new local objects, and what a bit means in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from precede.models import Message

from ..errors import UsageError
from ..history import MessageId, Past, required_on_copy
from ..properties import UserProperty
from ..result import Schedule, SendEvent, Witness
from .bundles import Array, pair_key, place_of
from .completing import (
    CAUSAL_ORDER,
    NEEDLESS_DELAY,
    PACKET_MISSING,
    PACKET_REDUNDANT,
    STATE_MISSING,
    STATE_REDUNDANT,
    STUCK,
    USER,
)
from .decoding import Decoder
from .enabling import Missing

MINIMALITY_PARTS = {
    "missing in states": STATE_MISSING,
    "redundant in states": STATE_REDUNDANT,
    "missing in packets": PACKET_MISSING,
    "redundant in packets": PACKET_REDUNDANT,
}
MOST_OWN = 24
"""Properties of the user in one search: the bits from USER up to the last of `flags`."""

BUILT_IN_BITS = {
    "CausalOrder": CAUSAL_ORDER,
    "Delivery": STUCK,
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
            for item, bit in self.by_kind["state"]:
                if self._violates(item, *self._state_values(number)):
                    space.locals.flags[number] |= bit
        self._locals = int(space.locals.size[0])
        for number in range(self._packets, int(space.packets.size[0])):
            for item, bit in self.by_kind["packet"]:
                if self._violates(item, *self._packet_values(number)):
                    space.packets.flags[number] |= bit
        self._packets = int(space.packets.size[0])

    def judge_new(self, missing: Missing) -> None:
        """Judge everything that came with the local steps that were missing."""
        self.judge_objects()
        space = self.space
        known = space.known_steps
        for local, packet in missing.pairs[: missing.pair_count[0]].tolist():
            self._judge_steps(local, packet, int(known.values[place_of(known.keys, pair_key(local, packet))]))
        for local in missing.locals[: missing.local_count[0]].tolist():
            process = int(space.pasts.owner[space.locals.past[local]])
            for choice, dests in enumerate(space.choices[process].tolist()):
                if dests >= 0:
                    message = Message(process + 1, int(space.locals.sent[local]) + 1, space.sets[dests])
                    self._judge_steps(local, message, int(space.send_steps.items[space.locals.sends[local] + choice]))

    def _judge_steps(self, before: int, event: Message | int, step: int) -> None:
        """Judge one local step and its alternatives; `event` is the message sent, or the number of the packet."""
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
        self, before: int, event: Message | int, after: int
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


def explain(decoder: Decoder, bit: int, name: str, schedule: Schedule, before: Array, after: Array) -> Witness:
    """What is wrong at the end of a run. `before` and `after` are the rows around its last event; for what is wrong in
    a state rather than in a step they are the same row."""
    last = schedule[-1] if schedule else None
    if bit == CAUSAL_ORDER:
        assert last is not None
        past = decoder.local(int(before[last.process - 1]))[1]
        message = _identity(decoder, last.process, after, last)
        earlier = _past_of(decoder, before, after, last)
        first = min(earlier.to(last.process) - past.delivered_at(last.process))
        text = (
            f"process {last.process} delivers {show(message)} although {show(first)}, sent to it in the causal past of "
            f"{show(message)}, is not delivered there"
        )
        return Witness(schedule, text, last.process, message, first)
    if bit == NEEDLESS_DELAY:
        packet = _needless_packet(decoder, after)
        message = packet.message.sender, packet.message.number
        text = (
            f"process {packet.to} holds {show(message)} back although every message to it in the causal past of "
            f"{show(message)} is delivered there"
        )
        return Witness(schedule, text, packet.to, message)
    if bit == STUCK:
        waiting = sorted(
            (packet.to, (packet.message.sender, packet.message.number)) for packet, _ in decoder.state(after)[1]
        )
        listed = ", ".join(f"{show(message)} to {to}" for to, message in waiting)
        return Witness(schedule, f"no packet can be received any more: {listed}", waiting[0][0], waiting[0][1])
    if bit in MINIMALITY_PARTS.values():
        return _explain_fact(decoder, bit, schedule, after, last)
    process = last.process if last else None
    return Witness(schedule, f"{name} does not hold", process)


def _explain_fact(decoder: Decoder, bit: int, schedule: Schedule, after: Array, last: Any) -> Witness:
    """The smallest fact that is missing or redundant in the acting process's state, or in a packet it has just sent."""
    kind = "missing" if bit in (STATE_MISSING, PACKET_MISSING) else "redundant"
    calls = decoder.space.calls
    if bit in (STATE_MISSING, STATE_REDUNDANT):
        for process in [last.process] if last else range(1, decoder.space.processes + 1):
            state, past = decoder.local(int(after[process - 1]))
            asserted, required = calls.facts_of_state(state) or frozenset(), past.required()
            wrong = required - asserted if kind == "missing" else asserted - required
            if wrong:
                fact = min(wrong)
                text = _claim(f"process {process}", kind, "store", fact)
                return Witness(schedule, text, process, fact[0])
    for number in after[decoder.space.processes :].tolist():
        if not number or not int(decoder.space.packets.flags[number]) & bit:
            continue
        packet = decoder.packet(number)[0]
        sent = decoder.sent(int(decoder.space.packets.event[number]))
        asserted, required = calls.facts_of_packet(packet) or frozenset(), required_on_copy(sent, packet.to)
        wrong = required - asserted if kind == "missing" else asserted - required
        fact = min(wrong)
        own = packet.message.sender, packet.message.number
        text = _claim(f"the copy of {show(own)} to {packet.to}", kind, "mention", fact)
        return Witness(schedule, text, packet.sender, fact[0])
    raise AssertionError("a flagged fact must be found again")


def _claim(holder: str, kind: str, verb: str, fact: tuple[MessageId, int]) -> str:
    claim = f"fact that {show(fact[0])} must still reach {fact[1]}"
    if kind == "missing":
        return f"{holder} does not {verb} the required {claim}"
    return f"{holder} {verb}s the redundant {claim}"


def _past_of(decoder: Decoder, before: Array, after: Array, last: Any) -> Past:
    """The past before the send of the message that the last event delivers."""
    if isinstance(last, SendEvent):
        return decoder.local(int(before[last.process - 1]))[1]
    for packet, past in decoder.state(before)[1]:
        if packet.to == last.process and (packet.message.sender, packet.message.number) == last.message:
            return past
    raise AssertionError("the received packet must be in transit before")


def _identity(decoder: Decoder, process: int, after: Array, last: Any) -> MessageId:
    if isinstance(last, SendEvent):
        return process, int(decoder.space.locals.sent[after[process - 1]])
    message: MessageId = last.message
    return message


def _needless_packet(decoder: Decoder, row: Array) -> Any:
    """The first packet in transit that the model holds back although all that must precede it is delivered."""
    locals_, packets = decoder.state(row)
    for packet, past in sorted(packets, key=lambda item: (item[0].to, item[0].sender, item[0].message.number)):
        state, own = locals_[packet.to - 1]
        if past.to(packet.to) <= own.delivered_at(packet.to) and not decoder.space.calls.receive(state, packet):
            return packet
    raise AssertionError("the packet held back must be found again")


def show(message: MessageId) -> str:
    """A message as "sender.number"."""
    return f"{message[0]}.{message[1]}"
