"""Small models that use what a direct model does not: signals, buffers, relays, tokens, joint steps, semantic order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from precede.models import Joint, Message, Model, Packet, Signal, Step


@dataclass(frozen=True)
class Acknowledged(Model):
    """One unacknowledged packet at a time from OUT; IN is emptied by internal steps, in order or in any."""

    direct = False
    in_order: bool = True

    def start(self, me: int, processes: int) -> Any:
        return me, (), (), False

    def send(self, state: Any, message: Message) -> Any:
        me, out, received, waits = state
        return transmitted(me, (*out, *((message, d) for d in sorted(message.dests))), received, waits)

    def receive(self, state: Any, packet: Packet) -> Any:
        me, out, received, waits = state
        return Step((me, out, (*received, packet.message), waits), (Signal(me, packet.sender, "ack"),))

    def signal(self, state: Any, signal: Signal) -> Any:
        me, out, received, _ = state
        return transmitted(me, out, received, False)

    def internal(self, state: Any) -> Any:
        me, out, received, waits = state
        for place, message in enumerate(received[:1] if self.in_order else received):
            rest = (*received[:place], *received[place + 1 :])
            yield Step((me, out, rest, waits), (), (message,), name="deliver")


def transmitted(me: int, out: Any, received: Any, waits: bool) -> Step:
    """The state with the head of OUT on its way, unless it has to wait."""
    if waits or not out:
        return Step((me, out, received, waits))
    message, d = out[0]
    return Step((me, out[1:], received, True), (Packet(me, d, message, None),))


@dataclass(frozen=True)
class Token(Model):
    """Only the holder of a circulating token sends; or only it receives."""

    direct = False
    held_to: str = "send"
    ring: bool = False

    def start(self, me: int, processes: int) -> Any:
        return me, processes, me == 1

    def send(self, state: Any, message: Message) -> Any:
        me, _, holds = state
        if self.held_to == "send" and not holds:
            return None
        return Step(state, tuple(Packet(me, d, message, None) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        if self.held_to == "receive" and not state[2]:
            return None
        return Step(state, (), (packet.message,))

    def signal(self, state: Any, signal: Signal) -> Any:
        return Step((state[0], state[1], True))

    def internal(self, state: Any) -> Any:
        me, n, holds = state
        targets = [me % n + 1] if self.ring else [p for p in range(1, n + 1) if p != me]
        for target in targets if holds else ():
            yield Step((me, n, False), (Signal(me, target, "token"),), name=f"pass to {target}")


@dataclass(frozen=True)
class Relay(Model):
    """Every message goes through process 1, which passes it on."""

    direct = False

    def start(self, me: int, processes: int) -> Any:
        return me

    def send(self, state: Any, message: Message) -> Any:
        if state == 1:
            return Step(1, tuple(Packet(1, d, message, "passed on") for d in sorted(message.dests)))
        return Step(state, (Packet(state, 1, message, "to pass on"),))

    def receive(self, state: Any, packet: Packet) -> Any:
        message = packet.message
        if packet.control == "passed on":
            return Step(state, (), (message,))
        copies = tuple(Packet(1, d, message, "passed on") for d in sorted(message.dests - {1}))
        return Step(state, copies, (message,) if 1 in message.dests else ())


@dataclass(frozen=True)
class Views(Model):
    """All processes change the view together; packets of a later view wait."""

    direct = False

    def start(self, me: int, processes: int) -> Any:
        return me, 0

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(state[0], d, message, state[1]) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, (), (packet.message,)) if packet.control <= state[1] else None

    def joint(self, states: Any) -> Any:
        if states[0][1] < 2:
            yield Joint("change the view", tuple((me, view + 1) for me, view in states))


@dataclass(frozen=True)
class Dependent(Model):
    """No control information, and every choice of semantic dependencies; some internal events."""

    semantic = True
    events: int = 1

    def start(self, me: int, processes: int) -> Any:
        return me, 0, 0

    def send(self, state: Any, message: Message) -> Any:
        me, count, taken = state
        for earlier in range(count + 1):
            packets = tuple(Packet(me, d, message, None) for d in sorted(message.dests))
            yield Step((me, count + 1, taken), packets, (), earlier)

    def receive(self, state: Any, packet: Packet) -> Any:
        me, count, taken = state
        return Step((me, count + 1, taken), (), (packet.message,), 0)

    def internal(self, state: Any) -> Any:
        me, count, taken = state
        for earlier in range(count + 1) if taken < self.events else ():
            yield Step((me, count + 1, taken + 1), (), (), earlier, "internal event")


@dataclass(frozen=True)
class Flood(Model):
    """An acknowledgement is answered by two more, without end."""

    direct = False

    def start(self, me: int, processes: int) -> Any:
        return me

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(state, d, message, None) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step(state, (Signal(state, packet.sender, "ack"),), (packet.message,))

    def signal(self, state: Any, signal: Signal) -> Any:
        return Step(state, (Signal(state, signal.sender, "ack"),) * 2)
