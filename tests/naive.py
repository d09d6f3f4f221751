"""The naive explorer: sets and dicts over plain values, straight from design.md, section 5; the engine's oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from precede.checker.calls import ModelCalls
from precede.checker.history import Past, Sent, required_on_copy
from precede.models import Message, Packet, Signal, State, Step

DOWN = "down"
"""The model state of a crashed process."""


class Local(NamedTuple):
    """A process: its model state, its past, the messages received and not delivered, the sends before its restart."""

    state: State
    past: Past
    held: frozenset[Sent] = frozenset()
    before: int = 0


class Transit(NamedTuple):
    """What is in transit: a packet with its message as the checker knows it, or a signal."""

    packet: Packet | Signal
    sent: Sent | None

    @property
    def channel(self) -> tuple[int, int]:
        return self.packet.sender, self.packet.to


class Global(NamedTuple):
    """Unordered channels are bags; the others are queues: (channel, what is in transit, the oldest first)."""

    locals: tuple[Local, ...]
    network: frozenset[tuple[object, object]] = frozenset()
    faults: tuple[int, int, int, int] = (0, 0, 0, 0)


@dataclass
class Found:
    """Every reachable state, the transitions, the depth, and per violated property the steps of a shortest run."""

    states: set[Global] = field(default_factory=set)
    transitions: int = 0
    depth: int = 0
    violated: dict[str, int] = field(default_factory=dict)
    edges: dict[Global, list[tuple[object, Global]]] = field(default_factory=dict)


class Naive:
    def __init__(self, calls: ModelCalls) -> None:
        self.calls, self.bounds, self.model = calls, calls.bounds, calls.model
        self.send, self.receive, self.signal = cache(calls.send), cache(calls.receive), cache(calls.signal)
        self.internal, self.joint = cache(calls.internal), cache(calls.joint)
        self.queued = calls.channel_rule in ("fifo", "fifo-delivery")

    def explore(self, most_states: int | None = None) -> Found:
        first = Global(tuple(Local(self.calls.start(p), Past()) for p in range(1, self.bounds.processes + 1)))
        level, found = {first}, Found({first})
        while level:
            following = set()
            for state in level:
                for name in self.wrong_in(state):
                    found.violated.setdefault(name, found.depth)
                edges = found.edges[state] = []
                for action, successor, wrong in self.steps(state):
                    found.transitions += 1
                    edges.append((action, successor))
                    following.add(successor)
                    for name in wrong:
                        found.violated.setdefault(name, found.depth + 1)
            level = following - found.states
            found.states |= level
            found.depth += bool(level)
            if most_states is not None and len(found.states) > most_states:
                raise AssertionError(f"more than {most_states} states")
        return found

    def steps(self, state: Global) -> Iterator[tuple[object, Global, set[str]]]:
        """Every transition: what happens, the state it leads to, and the properties it violates."""
        yield from self.sends(state)
        for transit in self.receivable(state):
            rest = self.without(state.network, transit)
            for number, step in enumerate(self.offered(state, transit)):
                p = transit.packet.to
                local, packets, wrong = self.after(state.locals[p - 1], p, step, transit.sent)
                after = Global(replaced(state.locals, p, local), self.with_all(rest, packets), state.faults)
                yield ("receive", transit, number), after, wrong
        for p, local in enumerate(state.locals, 1):
            for number, step in enumerate(() if local.state == DOWN else self.internal(p, local.state)):
                new, packets, wrong = self.after(local, p, step, None, internal=True)
                network = self.with_all(state.network, packets)
                yield ("internal", p, number), Global(replaced(state.locals, p, new), network, state.faults), wrong
        if all(local.state != DOWN for local in state.locals):
            for number, joint in enumerate(self.joint(tuple(local.state for local in state.locals))):
                locals_ = tuple(o._replace(state=s) for o, s in zip(state.locals, joint.states, strict=True))
                yield ("joint", number), state._replace(locals=locals_), set()
        yield from self.fault_steps(state)

    def fault_steps(self, state: Global) -> Iterator[tuple[object, Global, set[str]]]:
        used = state.faults
        for transit in self.in_transit(state.network):
            if used[0] < self.bounds.duplicates:
                twice = self.with_all(state.network, [transit])
                yield ("duplicate", transit), Global(state.locals, twice, plus(used, 0)), set()
            if used[1] < self.bounds.losses:
                rest = self.without(state.network, transit)
                yield ("lose", transit), Global(state.locals, rest, plus(used, 1)), set()
        for p, local in enumerate(state.locals, 1):
            if local.state != DOWN and used[2] < self.bounds.crashes:
                down = Local(DOWN, local.past, before=local.before)
                yield ("crash", p), Global(replaced(state.locals, p, down), state.network, plus(used, 2)), set()
            if local.state == DOWN and used[3] < self.bounds.restarts:
                new = Local(self.calls.start(p), local.past, before=number_sent(local, p))
                yield ("restart", p), Global(replaced(state.locals, p, new), state.network, plus(used, 3)), set()

    def sends(self, state: Global) -> Iterator[tuple[object, Global, set[str]]]:
        total = sum(number_sent(local, p) for p, local in enumerate(state.locals, 1))
        for p, local in enumerate(state.locals, 1):
            number = number_sent(local, p)
            if local.state == DOWN or total >= self.bounds.sends or number >= self.bounds.per_process:
                continue
            for dests in self.bounds.destination_sets(p):
                known = Message(p, number + 1, dests)
                shown = Message(p, number + 1 - local.before, dests)
                for alternative, step in enumerate(self.send(local.state, shown)):
                    sent = Sent(known, local.past, step.depends_on, local.before)
                    past = local.past.after_send(known, step.depends_on, local.before)
                    started = local._replace(past=past)
                    after, packets, wrong = self.after(started, p, step, sent, at_send=True)
                    new = Global(replaced(state.locals, p, after), self.with_all(state.network, packets), state.faults)
                    action = ("send", p, dests, alternative)
                    if self.bounds.channel == "rendezvous":
                        met = self.rendezvous(new, packets, wrong)
                        if met is not None:
                            yield action, *met
                    else:
                        yield action, new, wrong

    def rendezvous(self, state: Global, packets: list[Transit], wrong: set[str]) -> tuple[Global, set[str]] | None:
        """The state after all packets of a send were received in the same step; None if one has to wait."""
        for transit in packets:
            steps = self.offered(state, transit) if isinstance(transit.packet, Packet) else ()
            if isinstance(transit.packet, Packet):
                if not steps:
                    return None
                p = transit.packet.to
                local, more, also = self.after(state.locals[p - 1], p, steps[0], transit.sent)
                network = self.with_all(self.without(state.network, transit), more)
                state, wrong = Global(replaced(state.locals, p, local), network, state.faults), wrong | also
        return state, wrong

    def after(
        self, local: Local, p: int, step: Step, sent: Sent | None, at_send: bool = False, internal: bool = False
    ) -> tuple[Local, list[Transit], set[str]]:
        """The process after `step`, what it transmits, and the properties that its deliveries violate. `sent` is the
        message that it sends or whose packet it takes."""
        past, held, wrong = local.past, local.held, set()
        if internal and step.depends_on is not None:
            past = past.after_internal(step.depends_on)
        known = [sent] if sent else []
        for group in (held, past.sent, sent.past.sent if sent else ()):
            known += sorted(group, key=lambda s: s.id, reverse=True)
        for message in step.delivered:
            delivered = identified(message, known)
            if (delivered.id, p) in past.delivered:
                wrong.add("Integrity")
            elif not due(delivered, past, p):
                wrong.add("CausalOrder")
            past = past.after_delivery(delivered, p, None if at_send else step.depends_on)
        takes_own = not at_send or self.bounds.self_addressed == "at-send"
        if sent and takes_own and p in sent.message.dests:
            held |= {sent}
        held = frozenset(s for s in held if (s.id, p) not in past.delivered)
        transits = [Transit(q, identified(q.message, known) if isinstance(q, Packet) else None) for q in step.packets]
        return Local(step.state, past, held, local.before), transits, wrong

    def offered(self, state: Global, transit: Transit) -> tuple[Step, ...]:
        local = state.locals[transit.packet.to - 1]
        if local.state == DOWN:
            return ()
        if isinstance(transit.packet, Signal):
            return self.signal(local.state, transit.packet)
        return self.receive(local.state, transit.packet)

    def receivable(self, state: Global) -> list[Transit]:
        """What is in transit, the model takes now, and the channel lets through."""
        if not self.queued:
            return [t for t in self.in_transit(state.network) if self.offered(state, t)]
        found = []
        for _, queue in state.network:
            assert isinstance(queue, tuple)
            ready = [t for t in queue if self.offered(state, t)]
            first = queue[:1] if self.calls.channel_rule == "fifo-delivery" else ready[:1]
            found += [t for t in first if t in ready]
        return found

    def in_transit(self, network: frozenset[tuple[object, object]]) -> list[Transit]:
        """Everything in transit, equal ones once."""
        if not self.queued:
            return [item for item, _ in network]  # type: ignore[misc]
        return list(dict.fromkeys(t for _, queue in network for t in queue))  # type: ignore[attr-defined]

    def without(self, network: frozenset[tuple[object, object]], transit: Transit) -> frozenset[tuple[object, object]]:
        content = dict(network)
        if self.queued:
            queue = list(content.pop(transit.channel))  # type: ignore[call-overload]
            queue.remove(transit)
            return frozenset((content | ({transit.channel: tuple(queue)} if queue else {})).items())
        count = content.pop(transit)
        return frozenset((content | ({transit: count - 1} if count > 1 else {})).items())  # type: ignore[operator]

    def with_all(
        self, network: frozenset[tuple[object, object]], new: list[Transit]
    ) -> frozenset[tuple[object, object]]:
        content = dict(network)
        for transit in new:
            if self.queued:
                content[transit.channel] = (*content.get(transit.channel, ()), transit)  # type: ignore[misc]
            else:
                content[transit] = content.get(transit, 0) + 1  # type: ignore[operator]
        return frozenset(content.items())

    def wrong_in(self, state: Global) -> Iterator[str]:
        """The names of the properties that the state violates."""
        if self.undelivered(state) and not self.moves(state):
            yield "Delivery"
        judged = [
            ("InState", self.calls.facts_of_state(o.state), o.past.required()) for o in state.locals if o.state != DOWN
        ]
        for p, local in enumerate(state.locals, 1):
            if local.held and self.bounds.channel != "rendezvous":
                ready = {m for step in self.internal(p, local.state) for m in step.delivered}
                if any(due(sent, local.past, p) and sent.shown not in ready for sent in local.held):
                    yield "NoNeedlessDelay"
        for transit in self.in_transit(state.network):
            packet, sent, here = transit.packet, transit.sent, state.locals[transit.packet.to - 1]
            if not isinstance(packet, Packet) or sent is None or here.state == DOWN:
                continue
            waits = packet.to in packet.message.dests and (sent.id, packet.to) not in here.past.delivered
            if waits and due(sent, here.past, packet.to) and not self.receive(here.state, packet):
                yield "NoNeedlessDelay"
            judged.append(("InPacket", self.calls.facts_of_packet(packet), required_on_copy(sent, packet.to)))
        for place, facts, required in judged:
            if facts is not None and facts != required:
                yield "Minimality"
                yield from ["Missing" + place] * bool(required - facts) + ["Redundant" + place] * bool(facts - required)

    def undelivered(self, state: Global) -> bool:
        """Whether some message is not delivered at a destination that has not crashed."""
        for p, local in enumerate(state.locals, 1):
            mine = [s for s in local.past.sent if s.message.sender == p]
            for d in {d for s in mine for d in s.message.dests if state.locals[d - 1].state != DOWN}:
                here = state.locals[d - 1].past.delivered_at(d)
                if any(d in s.message.dests and s.id not in here for s in mine):
                    return True
        return False

    def moves(self, state: Global) -> bool:
        """Whether a receive, an internal or a joint step is enabled."""
        up = [(p, local.state) for p, local in enumerate(state.locals, 1) if local.state != DOWN]
        if self.receivable(state) or any(self.internal(p, s) for p, s in up):
            return True
        return len(up) == len(state.locals) and bool(self.joint(tuple(s for _, s in up)))


def identified(message: Message, known: list[Sent]) -> Sent:
    """The message as the checker knows it; after a restart several may be meant: the first known is."""
    return next(sent for sent in known if sent.shown == message)


def due(sent: Sent, here: Past, p: int) -> bool:
    """Whether all messages to `p` that must precede a message are delivered at `p`, whose own past is `here`."""
    return sent.must_precede() & (sent.past.to(p)) <= here.delivered_at(p)


def number_sent(local: Local, p: int) -> int:
    return max((s.message.number for s in local.past.sent if s.message.sender == p), default=0)


def plus(used: tuple[int, int, int, int], which: int) -> tuple[int, int, int, int]:
    new = list(used)
    new[which] += 1
    return tuple(new)  # type: ignore[return-value]


def replaced(locals_: tuple[Local, ...], p: int, local: Local) -> tuple[Local, ...]:
    return (*locals_[: p - 1], local, *locals_[p:])


def plain(state: Global) -> tuple[tuple[tuple[State, Past], ...], frozenset[tuple[Packet, Past]]]:
    """The state of a direct model without faults, as `all_states` gives it."""
    transits = set()
    for key, content in state.network:
        transits |= {key} if isinstance(key, Transit) else set(content)  # type: ignore[arg-type]
    return (
        tuple((local.state, local.past) for local in state.locals),
        frozenset((t.packet, t.sent.past) for t in transits),  # type: ignore[misc, union-attr]
    )
