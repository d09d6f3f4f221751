"""What a violation means in words: the bit of a property at the end of a run, as a witness."""

from __future__ import annotations

from typing import Any

from precede.models import Packet

from ..history import MessageId, Past, Sent, required_on_copy
from ..result import Event, FaultEvent, JointEvent, Schedule, Witness
from .bundles import Array
from .decoding import Decoder, WholeState
from .judging import MINIMALITY_PARTS
from .local_verdicts import (
    CAUSAL_ORDER,
    NEEDLESS_DELAY,
    PACKET_MISSING,
    STATE_MISSING,
    STATE_REDUNDANT,
    STUCK,
    TWICE,
)


def explain(decoder: Decoder, bit: int, name: str, schedule: Schedule, before: Array, after: Array) -> Witness:
    """What is wrong at the end of a run. `before` and `after` are the rows around its last event; for what is wrong in
    a state rather than in a step they are the same row."""
    last = schedule[-1] if schedule else None
    if bit == CAUSAL_ORDER:
        return _too_early(schedule, decoder.whole_state(before), decoder.whole_state(after))
    if bit == TWICE:
        process = getattr(last, "process", None)
        text = f"process {process} delivers a message that it has delivered before"
        return Witness(schedule, text, process, getattr(last, "message", None))
    if bit == NEEDLESS_DELAY:
        process, sent = _needless(decoder, after)
        text = (
            f"process {process} holds {show(sent.id)} back although every message to it that must precede "
            f"{show(sent.id)} is delivered there"
        )
        return Witness(schedule, text, process, sent.id)
    if bit == STUCK:
        waiting = sorted(undelivered(decoder.whole_state(after)))
        listed = ", ".join(f"{show(message)} to {to}" for to, message in waiting)
        text = f"nothing can happen any more, and these are not delivered: {listed}"
        return Witness(schedule, text, waiting[0][0], waiting[0][1])
    if bit in MINIMALITY_PARTS.values():
        return _explain_fact(decoder, bit, schedule, after, last)
    return Witness(schedule, f"{name} does not hold", getattr(last, "process", None))


def undelivered(state: WholeState) -> set[tuple[int, MessageId]]:
    """(destination, message): sent, and not delivered at a destination that has not crashed."""
    from .answers import CRASHED

    found = set()
    for _, past, _, _ in state.locals:
        for sent in past.sent:
            for d in sent.message.dests:
                there = state.locals[d - 1]
                if there[0] != CRASHED and (sent.id, d) not in there[1].delivered:
                    found.add((d, sent.id))
    return found


def _too_early(schedule: Schedule, before: WholeState, after: WholeState) -> Witness:
    """The first message that a process delivers although one that must precede it is not delivered there."""
    for process, (old, new) in enumerate(zip(before.locals, after.locals, strict=True), 1):
        earlier, now = old[1].delivered_at(process), new[1].delivered_at(process)
        for sent in sorted((s for s in new[1].sent if s.id in now - earlier), key=lambda s: s.id):
            needed = sent.must_precede() & sent.past.to(process)
            missing = sorted(needed - now) or sorted(needed - earlier)
            if missing:
                behind = "in the causal past of" if sent.depends_on is None else "on which depends"
                text = (
                    f"process {process} delivers {show(sent.id)} although {show(missing[0])}, sent to it {behind} "
                    f"{show(sent.id)}, is not delivered there"
                )
                return Witness(schedule, text, process, sent.id, missing[0])
    raise AssertionError("the message delivered too early must be found again")


def _explain_fact(decoder: Decoder, bit: int, schedule: Schedule, after: Array, last: Event | None) -> Witness:
    """The smallest fact that is missing or redundant in a state, the acting process's first, or in a packet."""
    kind = "missing" if bit in (STATE_MISSING, PACKET_MISSING) else "redundant"
    calls = decoder.space.calls
    processes = list(range(1, decoder.space.processes + 1))
    if last is not None and not isinstance(last, JointEvent | FaultEvent):
        processes.sort(key=lambda process: process != last.process)
    if bit in (STATE_MISSING, STATE_REDUNDANT):
        for process in processes:
            number = int(after[process - 1])
            if not int(decoder.space.locals.flags[number]) & bit:
                continue
            state, past = decoder.local(number)
            asserted, required = calls.facts_of_state(state) or frozenset(), past.required()
            fact = min(required - asserted if kind == "missing" else asserted - required)
            text = _claim(f"process {process}", kind, "store", fact)
            return Witness(schedule, text, process, fact[0])
    for number in decoder.in_transit(after):
        packet, sent = decoder.transit(number)
        if not int(decoder.space.packets.flags[number]) & bit or not isinstance(packet, Packet) or sent is None:
            continue
        asserted, required = calls.facts_of_packet(packet) or frozenset(), required_on_copy(sent, packet.to)
        fact = min(required - asserted if kind == "missing" else asserted - required)
        text = _claim(f"the copy of {show(sent.id)} to {packet.to}", kind, "mention", fact)
        return Witness(schedule, text, packet.sender, fact[0])
    raise AssertionError("a flagged fact must be found again")


def _claim(holder: str, kind: str, verb: str, fact: tuple[MessageId, int]) -> str:
    claim = f"fact that {show(fact[0])} must still reach {fact[1]}"
    if kind == "missing":
        return f"{holder} does not {verb} the required {claim}"
    return f"{holder} {verb}s the redundant {claim}"


def _needless(decoder: Decoder, row: Array) -> tuple[int, Sent]:
    """The first message that is held back although all that must precede it is delivered, and where."""
    state = decoder.whole_state(row)
    found: list[tuple[int, Sent]] = []
    for packet, sent in state.transit:
        if isinstance(packet, Packet) and sent is not None and packet.to in sent.message.dests:
            local, past, _, _ = state.locals[packet.to - 1]
            if _is_ready(sent, past, packet.to) and not decoder.space.calls.receive(local, packet):
                found.append((packet.to, sent))
    for process, (local, past, held, _) in enumerate(state.locals, 1):
        if held:
            ready: set[Any] = {m for step in decoder.space.calls.internal(process, local) for m in step.delivered}
            found += [(process, s) for s in held if _is_ready(s, past, process) and s.shown not in ready]
    return min(found, key=lambda item: (item[0], item[1].id))


def _is_ready(sent: Sent, past: Past, process: int) -> bool:
    here = past.delivered_at(process)
    return sent.id not in here and sent.must_precede() & sent.past.to(process) <= here


def show(message: MessageId) -> str:
    """A message as "sender.number"."""
    return f"{message[0]}.{message[1]}"
