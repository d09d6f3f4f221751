"""Serialised broadcast: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1.

The source gives two sentences: broadcasts are serialised by some mutual exclusion algorithm, and it suffices to track
(sender, timestamp) of the most recent broadcast in the system. Here mutual exclusion is a token; it also numbers the
broadcasts, and these numbers are the timestamps. The step labels are those of this page: s1 to s4 send, d1 to d3
deliver, m1 and m2 move the token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Signal, Step, Steps, reading

Pair = tuple[int, int]
"""(s, t): the broadcast of s with timestamp t."""
NONE: Pair = (0, 0)


class SerialisedBroadcastState(NamedTuple):
    """Process `i`. turn: the number of broadcasts so far, at the holder of the token; SR[k-1]: the largest timestamp
    of a broadcast of k that counts as delivered here; last: the tracked pair; own: own copies that wait (KS-25own)."""

    i: int
    turn: int | None
    SR: tuple[int, ...]
    last: Pair
    own: frozenset[Packet]


class Attached(NamedTuple):
    """What all copies of a broadcast carry: its timestamp, and the pair that must be delivered before."""

    t: int
    last: Pair


@dataclass(frozen=True)
class SerialisedBroadcast(Model):
    """A copy names one broadcast before it; only the holder of the token broadcasts."""

    title = "Kshemkalyani-Singhal, serialised broadcast: one pair"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1"
    status = "read in full; two sentences, the steps are ours"
    assumes = "reliable, asynchronous channels, FIFO or not; broadcasts under mutual exclusion"
    load = "broadcast"
    size = "one pair"
    direct = False

    identity: str = reading(
        "KS-25",
        "which broadcast is attached?",
        default="c",
        a="the last that the sender has sent or delivered",
        b="of those, the latest in the order of the mutual exclusion",
        c="the last of the system, handed over with the token",
    )
    own_copy: str = reading(
        "KS-25own",
        "when does a broadcast count as delivered at its own sender?",
        default="y",
        x="at the send",
        y="when the attached broadcast is delivered there",
        z="when its copy through the network passes d1",
    )

    def start(self, me: int, processes: int) -> SerialisedBroadcastState:
        """The token is at process 1; no broadcast is tracked."""
        return SerialisedBroadcastState(me, 0 if me == 1 else None, (0,) * processes, NONE, frozenset())

    def send(self, state: SerialisedBroadcastState, message: Message) -> Steps:
        """At the holder of the token: attach the tracked pair, and track the new one."""
        i, turn, _, last, _ = state
        if turn is None:
            return None  # s1
        attached = Attached(turn + 1, last)  # s2
        packets = tuple(Packet(i, d, message, attached) for d in sorted(message.dests))  # s3
        last = (i, attached.t)  # s4
        after = state._replace(turn=attached.t, last=last)
        if i in message.dests:
            return Step(after, packets)
        if self.own_copy == "z":
            return Step(after, (*packets, Signal(i, i, attached)))
        return self.with_own(after, Packet(i, i, message, attached))._replace(packets=packets)

    def receive(self, state: SerialisedBroadcastState, packet: Packet) -> Steps:
        """Wait until the attached broadcast is delivered."""
        if packet.sender == state.i and self.own_copy != "z":
            return self.with_own(state, packet)
        if not counts(state.SR, packet.control.last):
            return None  # d1
        return self.delivered(state._replace(last=self.tracked(state.last, packet)), packet)

    def tracked(self, last: Pair, packet: Packet) -> Pair:
        """The pair to track after a delivery."""
        pair = packet.sender, packet.control.t
        latest = max(last, pair, key=lambda known: known[1])
        last = {"a": pair, "b": latest}.get(self.identity, last)  # d3
        return last

    def with_own(self, state: SerialisedBroadcastState, packet: Packet) -> Step:
        """The step that takes the own copy: it counts at once, or waits here."""
        if self.own_copy == "x":
            packet = packet._replace(control=Attached(packet.control.t, NONE))
        return self.delivered(state, packet)

    def delivered(self, state: SerialisedBroadcastState, packet: Packet) -> Step:
        """The step that takes `packet` and delivers what need not wait: it, and the own copies that waited for it."""
        i, turn, SR, last, own = state
        waiting = own | {packet}
        messages: tuple[Message, ...] = ()
        while ready := [p for p in waiting if counts(SR, p.control.last)]:
            packet = min(ready, key=lambda p: p.control.t)
            waiting -= {packet}
            messages += (packet.message,) if i in packet.message.dests else ()  # d2
            SR = with_timestamp(SR, packet.sender, packet.control.t)
        return Step(SerialisedBroadcastState(i, turn, SR, last, waiting), (), messages)

    def internal(self, state: SerialisedBroadcastState) -> Iterator[Step]:
        """The holder of the token passes it on."""
        i, turn, SR, last, _ = state
        if turn is None:
            return
        handed_over, kept = (last, NONE) if self.identity == "c" else (NONE, last)
        after = state._replace(turn=None, last=kept)
        for d in range(1, len(SR) + 1):
            if d != i:
                token = Signal(i, d, (turn, handed_over))  # m1
                yield Step(after, (token,), name=f"pass the token to {d}")

    def signal(self, state: SerialisedBroadcastState, signal: Signal) -> Steps:
        """Take the token; or, from the process itself, its own copy, where the broadcast is not addressed to it."""
        if signal.sender == signal.to:
            if not counts(state.SR, signal.control.last):
                return None  # d1
            return Step(state._replace(SR=with_timestamp(state.SR, state.i, signal.control.t)))
        turn, handed_over = signal.control
        last = handed_over if self.identity == "c" else state.last  # m2
        return Step(state._replace(turn=turn, last=last))

    def control_units(self, packet: Packet) -> int:
        """Pairs: one."""
        return 1

    def control_bytes(self, packet: Packet) -> int:
        """A process id and a timestamp."""
        return 2 + 4


def counts(SR: tuple[int, ...], pair: Pair) -> bool:
    """Whether the broadcast counts as delivered."""
    s, t = pair
    return pair == NONE or t <= SR[s - 1]


def with_timestamp(SR: tuple[int, ...], k: int, t: int) -> tuple[int, ...]:
    """SR with t for k, unless it is larger."""
    return (*SR[: k - 1], max(t, SR[k - 1]), *SR[k:])
