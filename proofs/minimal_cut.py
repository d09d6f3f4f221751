"""What the observer of Theorem 2 knows: the facts of Kshemkalyani and Singhal, with nothing else about an algorithm.

A fact (m, d) says that d must still get m. The *observer* is the algorithm that stores and sends facts, and the names
of the messages that it knows of, and nothing else. It delivers a copy at d when all messages m of facts (m, d) on it
are delivered at d. Where two know of a message, a fact about it lasts if both have it: what is not said of a message
that is known is no longer needed (Section 4.2). If every state and copy has just the facts that the Propagation
Constraints require, then so it stays, whatever happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

Name = tuple[int, int]
"""A message: (sender, number)."""
Fact = tuple[Name, int]
"""(message, destination)."""
Copy = tuple[Name, int]
"""A copy in transit: (message, destination)."""
Facts = frozenset[Fact]


@dataclass(frozen=True)
class Sending:
    """A message: its destinations, and the messages and deliveries in the past of its send."""

    dests: frozenset[int]
    known: frozenset[Name]
    delivered: frozenset[Fact]


@dataclass(frozen=True)
class Cut:
    """The past of one state or copy as a run of its own, which it is: `sends` are its messages, `delivered` who has
    delivered which. The holder is process `at`, or, if there is one, the copy `copy`, whose message is among them."""

    processes: int
    at: int
    sends: frozenset[tuple[Name, Sending]]
    delivered: frozenset[Fact]
    copy: Copy | None = None

    @cached_property
    def sent(self) -> Mapping[Name, Sending]:
        """The messages."""
        return dict(self.sends)

    @property
    def everyone(self) -> range:
        """All processes."""
        return range(1, self.processes + 1)

    @property
    def in_transit(self) -> list[Copy]:
        """The copies that are not delivered."""
        copies = [(name, d) for name, sending in sorted(self.sent.items()) for d in sorted(sending.dests)]
        return [copy for copy in copies if copy not in self.delivered]

    def known_at(self, process: int) -> frozenset[Name]:
        """The messages in the past of a process."""
        own = {name for name in self.sent if name[0] == process}
        got = {name for name, d in self.delivered if d == process}
        return frozenset(own | got | {known for name in own | got for known in self.sent[name].known})

    def delivered_known_at(self, process: int) -> frozenset[Fact]:
        """The deliveries in the past of a process."""
        own = {name for name in self.sent if name[0] == process}
        got = {(name, d) for name, d in self.delivered if d == process}
        learned = {one for name in own | {name for name, _ in got} for one in self.sent[name].delivered}
        return frozenset(got | learned)

    @property
    def possible(self) -> list[Fact]:
        """The facts that the holder may have: all about the messages that it knows of."""
        known = self.known_at(self.at) if self.copy is None else self.sent[self.copy[0]].known
        return [(name, d) for name in sorted(known) for d in sorted(self.sent[name].dests)]

    @property
    def required(self) -> Facts:
        """The facts that the Propagation Constraints require of the holder."""
        return self.required_at(self.at) if self.copy is None else self.required_on(self.copy)

    def required_at(self, process: int) -> Facts:
        """The facts required in the state of a process."""
        return self._required(self.known_at(process), self.delivered_known_at(process))

    def required_on(self, copy: Copy) -> Facts:
        """The facts required on a copy: those before the send, less those about other destinations of its message."""
        sending = self.sent[copy[0]]
        others = sending.dests - {copy[1]}
        return frozenset(f for f in self._required(sending.known, sending.delivered) if f[1] not in others)

    def _required(self, known: frozenset[Name], delivered: frozenset[Fact]) -> Facts:
        """Addressed, not known to be delivered, not before a known message to the same destination."""
        covered = {(before, d) for name in known for d in self.sent[name].dests for before in self.sent[name].known}
        addressed = {(name, d) for name in known for d in self.sent[name].dests}
        return frozenset(addressed - delivered - covered)


@dataclass(frozen=True)
class Move:
    """A step of a continuation: `process` sends a message to `dests`, or receives the copy of `taken` if there is
    one."""

    process: int
    dests: frozenset[int] = frozenset()
    taken: Name | None = None


@dataclass(frozen=True)
class Knowledge:
    """What a process or a copy has."""

    known: frozenset[Name] = frozenset()
    facts: Facts = frozenset()


@dataclass
class Observer:
    """The observer after a cut, and then after each step: the holder with `facts`, all others with what is required."""

    cut: Cut
    facts: Facts
    states: dict[int, Knowledge] = field(init=False)
    copies: dict[Copy, Knowledge] = field(init=False)
    dests: dict[Name, frozenset[int]] = field(init=False)
    delivered: set[Fact] = field(init=False)

    def __post_init__(self) -> None:
        cut = self.cut
        self.states = {p: Knowledge(cut.known_at(p), cut.required_at(p)) for p in cut.everyone}
        self.copies = {c: Knowledge(cut.sent[c[0]].known, cut.required_on(c)) for c in cut.in_transit}
        self.dests = {name: sending.dests for name, sending in cut.sent.items()}
        self.delivered = set(cut.delivered)
        if cut.copy is None:
            self.states[cut.at] = replace(self.states[cut.at], facts=self.facts)
        else:
            self.copies[cut.copy] = replace(self.copies[cut.copy], facts=self.facts)

    def send(self, process: int, dests: frozenset[int]) -> Name:
        """SND: the next message of a process."""
        name = (process, 1 + sum(sender == process for sender, _ in self.dests))
        known, facts = self.states[process].known, self.states[process].facts
        for d in dests:
            self.copies[name, d] = Knowledge(known, frozenset(f for f in facts if f[1] not in dests - {d}))
        kept = {f for f in facts if f[1] not in dests} | {(name, d) for d in dests}
        self.states[process] = Knowledge(known | {name}, frozenset(kept))
        self.dests[name] = dests
        return name

    def is_ready(self, copy: Copy) -> bool:
        """The Delivery Condition."""
        return all((m, d) in self.delivered for m, d in self.copies[copy].facts if d == copy[1])

    def is_right(self, copy: Copy) -> bool:
        """Whether all messages to the destination that were sent before this one are delivered there."""
        d = copy[1]
        return all((m, d) in self.delivered for m in self.copies[copy].known if d in self.dests[m])

    def receive(self, copy: Copy) -> None:
        """RCV, of a copy that is ready."""
        (name, at), carried, here = copy, self.copies.pop(copy), self.states[copy[1]]
        known, own = carried.known | {name}, {(name, d) for d in self.dests[name]}
        there = {f for f in carried.facts | own if f[1] != at}
        kept = {f for f in there | here.facts if self._lasts(f, here.known, here.facts, known, there)}
        self.states[at] = Knowledge(here.known | known, frozenset(kept))
        self.delivered.add(copy)

    @staticmethod
    def _lasts(f: Fact, known: Iterable[Name], facts: Iterable[Fact], other: Iterable[Name],
               there: Iterable[Fact]) -> bool:  # fmt: skip
        return (f in facts or f[0] not in known) and (f in there or f[0] not in other)

    def violates(self, moves: Iterable[Move]) -> bool | None:
        """Whether a continuation is possible and its last step, and no other, is against causal order; None where a
        copy is not ready, so that it is no continuation."""
        wrong = False
        for move in moves:
            if wrong:
                raise ValueError("a continuation ends with its violation")
            if move.taken is None:
                self.send(move.process, move.dests)
                continue
            copy = move.taken, move.process
            if not self.is_ready(copy):
                return None
            wrong = not self.is_right(copy)
            self.receive(copy)
        return wrong
