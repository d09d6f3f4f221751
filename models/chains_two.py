"""Causal order over chains of two messages: Kshemkalyani, Singhal, Distributed Computing 11(2):91-111, 1998, Lemma 8.

A chain goes from the send of a message to the delivery of a later one to the same process; its length counts the
messages on it, the later one included, not the earlier one unless the chain begins with another copy of it. The steps
are those of the proof of the lemma, and their labels those of this page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .interface import Message, Model, Packet, Step, Steps, reading

Ids = tuple[int, ...]
"""Numbers of messages, 0 for none: of one process to each, or of each to one process."""


class ChainsTwoState(NamedTuple):
    """Process `i`. SR[k-1]: number of the last message of k delivered here; latest[k-1][d-1]: number of the latest
    message of k to d known here."""

    i: int
    SR: Ids
    latest: tuple[Ids, ...]


class Identifiers(NamedTuple):
    """What the copy to j carries: sent[d-1], the sender's latest message to d; to_j[k-1], the latest message of k to j
    that the sender knows of."""

    sent: Ids
    to_j: Ids


@dataclass(frozen=True)
class ChainsTwo(Model):
    """A copy tells what its sender has sent to each, and what each has sent to the receiver, as far as it knows."""

    title = "Kshemkalyani-Singhal, Lemma 8: causal order over chains of two messages"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 7.1, Lemma 8"
    status = "read in full"
    size = "2n identifiers"
    claims = ("Delivery", "NoNeedlessDelay")

    recorded: str = reading(
        "KS-23",
        "what does j record at a delivery?",
        default="a",
        a="(1): the sender's row",
        b="(1) and (2): the sender's row and its own column, by maximum",
    )
    own_send: str = reading(
        "KS-23send",
        "does (1) count the message that carries it?",
        default="b",
        a="no: what was sent before",
        b="yes",
    )
    own_pair: str = reading(
        "KS-23own",
        "does (2) name the sender's own latest message to j?",
        default="a",
        a="yes",
        b="no: the latest message of each other process",
    )

    def start(self, me: int, processes: int) -> ChainsTwoState:
        """Nothing is sent."""
        nothing = (0,) * processes
        return ChainsTwoState(me, nothing, (nothing,) * processes)

    def send(self, state: ChainsTwoState, message: Message) -> Steps:
        """Attach (1) and (2)."""
        i, SR, latest = state
        before = latest
        latest = with_row(latest, i, with_each(latest[i - 1], message.dests, message.number))  # s1
        sent = (latest if self.own_send == "b" else before)[i - 1]  # s2
        packets: tuple[Packet, ...] = ()
        for j in sorted(message.dests):
            to_j = tuple(row[j - 1] for row in before)  # s3
            if self.own_pair == "b":
                to_j = with_each(to_j, frozenset({i}), 0)  # s3
            packets += (Packet(i, j, message, Identifiers(sent, to_j)),)  # s4
        return Step(ChainsTwoState(i, SR, latest), packets)

    def receive(self, state: ChainsTwoState, packet: Packet) -> Steps:
        """Wait for all of (2), and record."""
        j, SR, latest = state
        i, number, _ = packet.message
        sent, to_j = packet.control
        if any(t > known for t, known in zip(to_j, SR, strict=True)):
            return None  # d1
        delivered = (packet.message,)  # d2
        SR = maximum(SR, with_each((0,) * len(SR), frozenset({i}), number))  # d3
        row = sent if self.recorded == "a" else maximum(latest[i - 1], sent)
        latest = with_row(latest, i, row) if i != j else latest  # d4
        if self.recorded == "b":
            latest = with_column(latest, j, to_j)  # d5
        return Step(ChainsTwoState(j, SR, latest), delivered=delivered)

    def control_units(self, packet: Packet) -> int:
        """Identifiers: 2n."""
        return sum(map(len, packet.control))

    def control_bytes(self, packet: Packet) -> int:
        """4 bytes an identifier; the position tells whose it is."""
        return 4 * self.control_units(packet)


def maximum(v: Ids, w: Ids) -> Ids:
    """The componentwise maximum."""
    return tuple(map(max, v, w))


def with_each(v: Ids, processes: frozenset[int], number: int) -> Ids:
    """v with `number` for each of `processes`."""
    return tuple(number if k in processes else known for k, known in enumerate(v, 1))


def with_row(latest: tuple[Ids, ...], k: int, row: Ids) -> tuple[Ids, ...]:
    """The matrix with another row k."""
    return (*latest[: k - 1], row, *latest[k:])


def with_column(latest: tuple[Ids, ...], j: int, column: Ids) -> tuple[Ids, ...]:
    """The matrix with the maximum of `column` and column j."""
    return tuple(with_each(row, frozenset({j}), max(row[j - 1], t)) for row, t in zip(latest, column, strict=True))
