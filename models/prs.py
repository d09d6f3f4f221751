"""PRS: Prakash, Raynal, Singhal, "An efficient causal ordering algorithm for mobile computing environments", ICDCS
1996.

The form of algorithms.md, B7; the step labels s1 to d6 are those of that page. *Reconstructed*: only abstracts of the
paper and of its journal form (JPDC, March 1997) were available.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from .interface import Fact, Message, Model, Packet, Step, Steps, reading

Pairs = frozenset[tuple[int, int]]
"""Pairs (k, y): message number y of process k."""
Barriers = tuple[Pairs, ...]
"""CB: CB[d-1] is what must precede, at d, the next message to d."""
Cell = int | frozenset[int]
Matrix = tuple[tuple[Cell, ...], ...]


class PRSState(NamedTuple):
    """Process `j`. DELIV[k-1][l-1]: number of the last message of k known to be delivered at l or, under X-5b, the
    numbers of all of them; CB[j-1]: pairs that are delivered here."""

    j: int
    sent: int
    DELIV: Matrix
    CB: Barriers


@dataclass(frozen=True)
class PRS(Model):
    """A copy carries, for each destination, the messages that directly precede the sender's next one to it."""

    title = "Prakash-Raynal-Singhal: direct dependencies per destination"
    source = "R. Prakash, M. Raynal, M. Singhal, ICDCS 1996, 744-751; JPDC, March 1997"
    status = "reconstructed"
    assumes = "reliable, asynchronous channels, FIFO or not; no self-addressed messages (PRS-1)"
    size = "the sum over destinations d of the pairs of CB[d]: 0 to n^2"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")

    own_pairs: str = reading(
        "PRS-1",
        "self-addressed messages: does CB[i] of the sender i prove delivery at i?",
        default="a",
        a="self-addressed messages are forbidden",
        b="allowed; it does (d3)",
        c="allowed; it does not: d3 is not carried out",
        d="as b, and i itself reads its CB[i] as delivered",
    )
    barrier: str = reading(
        "PRS-2",
        "what do s3 and d4 do with the pairs that CB[d] has?",
        default="a",
        a="replace them by the pair of the message",
        b="unite them with it",
    )
    steps: str = reading(
        "PRS-3",
        "are learning (d3) and pruning (d6) carried out?",
        default="a",
        a="both",
        b="pruning only",
        c="learning only",
        d="neither",
    )
    carried: str = reading(
        "PRS-4",
        "what does a copy to d carry; do the pairs in CB[i] of process i count as facts?",
        default="a",
        a="all of CB; no",
        b="CB[d] and what is not about Dests; no",
        c="as a; yes",
        d="as b; yes",
    )

    compared: str = reading(
        "X-5",
        "what do d1 and d6 compare?",
        default="a",
        a="counts: the last message of k that is delivered is no earlier than the pair's",
        b="identities: the pair's message is delivered",
    )

    @property
    def self_addressed(self) -> bool:
        """Reading PRS-1a forbids self-addressed messages."""
        return self.own_pairs != "a"

    def start(self, me: int, processes: int) -> PRSState:
        """All counts are 0 and CB is empty."""
        nothing: Cell = 0 if self.compared == "a" else frozenset()
        return PRSState(me, 0, ((nothing,) * processes,) * processes, (frozenset(),) * processes)

    def send(self, state: PRSState, message: Message) -> Steps:
        """Attach CB as it was before this message, which then precedes all that follows."""
        i, sent, DELIV, CB = state
        Dests = message.dests
        sent = sent + 1  # s1
        packets = tuple(Packet(i, d, message, self.part_for(d, Dests, CB)) for d in sorted(Dests))  # s2
        CB = self.preceded(CB, Dests, (i, sent))  # s3
        return Step(PRSState(i, sent, DELIV, CB), packets)

    def receive(self, state: PRSState, packet: Packet) -> Steps:
        """Wait for the pairs of CBM[j]; then record what is now known."""
        j, sent, DELIV, CB = state
        i, x, Dests = packet.message
        CBM = packet.control
        if self.own_pairs == "d":
            DELIV = learned(DELIV, j, CB[j - 1])
        if not all(reached(DELIV, k, j, y) for k, y in CBM[j - 1]):  # d1
            return None
        delivered = (packet.message,)  # d2
        DELIV = with_count(DELIV, i, j, x)  # d2 count
        if self.steps in ("a", "c") and self.own_pairs != "c":
            DELIV = learned(DELIV, i, CBM[i - 1])  # d3
        CBM = self.preceded(CBM, Dests, (i, x))  # d4
        CB = tuple(map(united, CB, CBM))  # d5
        if self.steps in ("a", "b"):
            CB = pruned(CB, DELIV, j)  # d6
        return Step(PRSState(j, sent, DELIV, CB), delivered=delivered)

    def part_for(self, d: int, Dests: frozenset[int], CB: Barriers) -> Barriers:
        """What the copy to d carries of CB."""
        if self.carried in ("a", "c"):
            return CB
        return tuple(frozenset() if other in Dests - {d} else pairs for other, pairs in enumerate(CB, 1))

    def preceded(self, CB: Barriers, Dests: frozenset[int], pair: tuple[int, int]) -> Barriers:
        """s3 and d4: CB after the message `pair` to Dests."""
        new = frozenset({pair})
        kept = CB if self.barrier == "b" else (frozenset[tuple[int, int]](),) * len(CB)
        return tuple(united(kept[d - 1], new) if d in Dests else pairs for d, pairs in enumerate(CB, 1))

    def state_facts(self, state: PRSState) -> frozenset[Fact]:
        """The pairs of CB; those of CB[j] are delivered at j, and count by PRS-4."""
        return self.facts(state.CB, state.j)

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        """The pairs of CBM; those of CBM[i] are delivered at the sender i, and count by PRS-4."""
        return self.facts(packet.control, packet.sender)

    def facts(self, CB: Barriers, owner: int) -> frozenset[Fact]:
        """The pairs of the CB of `owner`."""
        counted = self.carried in ("c", "d")
        return frozenset((pair, d) for d, pairs in enumerate(CB, 1) if d != owner or counted for pair in pairs)

    def control_units(self, packet: Packet) -> int:
        """Pairs."""
        return sum(map(len, packet.control))

    def control_bytes(self, packet: Packet) -> int:
        """6 bytes a pair; its destination is its position."""
        return 6 * self.control_units(packet)


def reached(DELIV: Matrix, k: int, d: int, y: int) -> bool:
    """Whether message y of k is known to be delivered at d."""
    cell = DELIV[k - 1][d - 1]
    return y <= cell if isinstance(cell, int) else y in cell


def with_count(DELIV: Matrix, k: int, d: int, y: int) -> Matrix:
    """DELIV with y as the last message of k delivered at d, or as one more."""
    row = DELIV[k - 1]
    cell = row[d - 1]
    return (*DELIV[: k - 1], (*row[: d - 1], y if isinstance(cell, int) else cell | {y}, *row[d:]), *DELIV[k:])


def learned(DELIV: Matrix, d: int, pairs: Iterable[tuple[int, int]]) -> Matrix:
    """DELIV when `pairs` are known to be delivered at d."""
    for k, y in pairs:
        if not reached(DELIV, k, d, y):
            DELIV = with_count(DELIV, k, d, y)
    return DELIV


def united(left: Pairs, right: Pairs) -> Pairs:
    """Both, with one pair for a process: the larger count is kept."""
    counts: dict[int, int] = {}
    for k, y in left | right:
        counts[k] = max(y, counts.get(k, 0))
    return frozenset(counts.items())


def pruned(CB: Barriers, DELIV: Matrix, j: int) -> Barriers:
    """CB without what is known to be delivered; CB[j] is kept, since others learn from it."""
    return tuple(
        frozenset((k, y) for k, y in pairs if d == j or not reached(DELIV, k, d, y)) for d, pairs in enumerate(CB, 1)
    )
