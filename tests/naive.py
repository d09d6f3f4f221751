"""The naive explorer: sets and dicts over plain values, straight from design.md, section 5; the engine's oracle."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from precede.checker.calls import ModelCalls
from precede.checker.history import Past, Sent, required_on_copy
from precede.models import Message, Packet, State

InTransit = tuple[Packet, Past]
GlobalState = tuple[tuple[tuple[State, Past], ...], frozenset[InTransit]]


@dataclass
class Found:
    """Every reachable state, the transitions, the depth, and per violated property the steps of a shortest run."""

    states: set[GlobalState] = field(default_factory=set)
    transitions: int = 0
    depth: int = 0
    violated: dict[str, int] = field(default_factory=dict)


class Naive:
    def __init__(self, calls: ModelCalls) -> None:
        self.calls, self.bounds = calls, calls.bounds
        self.send, self.receive = cache(calls.send), cache(calls.receive)

    def explore(self) -> Found:
        starts = map(self.calls.start, range(1, self.bounds.processes + 1))
        level: set[GlobalState] = {(tuple((start, Past()) for start in starts), frozenset())}
        found = Found(set(level))
        while level:
            following = set()
            for state in level:
                for name in self.wrong_in(state):
                    found.violated.setdefault(name, found.depth)
                for successor, in_order in self.steps(state):
                    found.transitions += 1
                    following.add(successor)
                    if not in_order:
                        found.violated.setdefault("CausalOrder", found.depth + 1)
            level = following - found.states
            found.states |= level
            found.depth += bool(level)
        return found

    def steps(self, state: GlobalState) -> Iterator[tuple[GlobalState, bool]]:
        """Every transition: the state it leads to, and whether its delivery, if any, is in causal order."""
        numbers = [sum(s.message.sender == p for s in past.sent) for p, (_, past) in enumerate(state[0], 1)]
        for p, (local, past) in enumerate(state[0], 1):
            may_send = sum(numbers) < self.bounds.sends and numbers[p - 1] < self.bounds.per_process
            for dests in self.bounds.destination_sets(p) if may_send else ():
                message = Message(p, numbers[p - 1] + 1, dests)
                for step in self.send(local, message):
                    after, in_order = past.after_send(message), True
                    if step.delivered:
                        after, in_order = after.after_delivery(Sent(message, past), p), due(past, past, p)
                    yield moved(state, p, (step.state, after), state[1] | {(q, past) for q in step.packets}), in_order
        for packet, sent_past in self.receivable(state):
            p, (local, past) = packet.to, state[0][packet.to - 1]
            after, rest = past.after_delivery(Sent(packet.message, sent_past), p), state[1] - {(packet, sent_past)}
            for step in self.receive(local, packet):
                yield moved(state, p, (step.state, after), rest), due(sent_past, past, p)

    def receivable(self, state: GlobalState) -> list[InTransit]:
        """The packets in transit that the model takes now and that the channel lets through."""
        enabled = [(packet, past) for packet, past in state[1] if self.receive(state[0][packet.to - 1][0], packet)]
        if self.bounds.channel in ("unordered", "fifo-arrival"):
            return enabled
        queue = state[1] if self.bounds.channel == "fifo-delivery" else enabled
        oldest = {(q.sender, q.to): q for q, _ in sorted(queue, key=lambda item: -item[0].message.number)}
        return [(packet, past) for packet, past in enabled if oldest[packet.sender, packet.to] == packet]

    def wrong_in(self, state: GlobalState) -> Iterator[str]:
        """The names of the properties that the state violates."""
        if state[1] and not self.receivable(state):
            yield "Delivery"
        judged = [("InState", self.calls.facts_of_state(local), past.required()) for local, past in state[0]]
        for packet, past in state[1]:
            local, here = state[0][packet.to - 1]
            if due(past, here, packet.to) and not self.receive(local, packet):
                yield "NoNeedlessDelay"
            required = required_on_copy(Sent(packet.message, past), packet.to)
            judged.append(("InPacket", self.calls.facts_of_packet(packet), required))
        for place, facts, required in judged:
            if facts is not None and facts != required:
                yield "Minimality"
                yield from ["Missing" + place] * bool(required - facts) + ["Redundant" + place] * bool(facts - required)


def due(sent_past: Past, here: Past, p: int) -> bool:
    """Whether all messages to `p` in the past of a send are delivered at `p`, whose own past is `here`."""
    return sent_past.to(p) <= here.delivered_at(p)


def moved(state: GlobalState, p: int, local: tuple[State, Past], packets: frozenset[InTransit]) -> GlobalState:
    return (*state[0][: p - 1], local, *state[0][p:]), packets
