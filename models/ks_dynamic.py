"""KS with processes that join and leave: Kshemkalyani, Singhal, Distributed Computing 11(2), 1998, Section 4.5.

"A new process starts with its local clock set to 0. A departed process appears to other processes as though it never
sends messages, until it is removed from their view." (The last note.) How views change is left open; KS-5 lists forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from .interface import Joint, Message, Model, Packet, Step, Steps, parameter, reading
from .ks import KS, KSState

INCARNATION = 1 << 16
"""With KS-5d a timestamp is the incarnation times this number, and the clock."""


class DynamicState(NamedTuple):
    """The state of KS, which knows processes by their ids; the process; how many have joined, as it knows."""

    ks: KSState
    me: int
    view: int


@dataclass(frozen=True)
class KSDynamic(KS):
    """KS; the last processes join one after the other, and each takes the place of one that leaves.

    A process that has left delivers what is under way to it. No message is addressed to it by a process that knows.
    """

    title = "Kshemkalyani-Singhal with processes that join and leave"
    source = "A. Kshemkalyani, M. Singhal, Distributed Computing 11(2):91-111, 1998, Section 4.5"
    claims = ("CausalOrder", "Delivery", "NoNeedlessDelay")
    direct = False
    state_facts = Model.state_facts
    packet_facts = Model.packet_facts

    identity: str = reading(
        "KS-5",
        "which id has a new process, and what do the others do with what they hold under that id?",
        default="c",
        a="the id of the one that has left; they keep it",
        b="the id of the one that has left; they reset SR and drop the entries and destinations of that id",
        c="a new one",
        d="the id of the one that has left, and an incarnation number in its timestamps; they keep it",
    )
    joins: int = parameter(1, "how many processes, the last ones, join during the run")
    together: int = parameter(1, "whether a view changes at all processes in one step (1) or at each by itself (0)")
    announced: int = parameter(1, "whether the others add an empty entry of the new process to LOG (1) or not (0)")

    def start(self, me: int, processes: int) -> Any:
        """Nothing is known of the processes that have not joined."""
        members = processes - self.joins
        ks = KSState(self.id(me, processes), self.base(me, processes), (0,) * processes, frozenset())
        LOG = {} if self.null_entries == "d" else {(s, 0): frozenset[int]() for s in range(1, members + 1)}
        return DynamicState(ks._replace(LOG=frozenset(LOG.items())), me, 0)

    def id(self, process: int, processes: int) -> int:
        """The id under which the algorithm knows a process of 1..processes."""
        joins = process > processes - self.joins
        return process - self.joins if joins and self.identity != "c" else process

    def base(self, process: int, processes: int) -> int:
        """The clock with which a process of 1..processes starts."""
        joins = process > processes - self.joins
        return INCARNATION if joins and self.identity == "d" else 0

    def in_view(self, state: DynamicState, process: int) -> bool:
        """Whether, as `state` knows, the process has joined and has not left."""
        members = len(state.ks.SR) - self.joins
        replaced = members < process + self.joins <= members + state.view
        return process <= members + state.view and not replaced

    def send(self, state: Any, message: Message) -> Steps:
        """Procedure SND at j, to processes in its view."""
        if not all(self.in_view(state, p) for p in {state.me, *message.dests}):
            return None
        n = len(state.ks.SR)
        ks, copies = self.sent(state.ks, self.named(message, n))
        process = {self.id(d, n): d for d in message.dests}
        packets = [Packet(state.me, process[d], message, O_M) for _, d, _, O_M in copies]
        return Step(state._replace(ks=ks), tuple(packets))

    def receive(self, state: Any, packet: Packet) -> Steps:
        """Procedure RCV at j."""
        if self.waits(state.ks, packet.control):
            return None
        named = packet._replace(message=self.named(packet.message, len(state.ks.SR)))
        return [Step(state._replace(ks=ks), (), (packet.message,)) for ks in self.delivered(state.ks, named)]

    def named(self, message: Message, processes: int) -> Message:
        """The message with the ids and the timestamp that the algorithm gives it."""
        i, number, Dests = message
        ids = frozenset(self.id(d, processes) for d in Dests)
        return Message(self.id(i, processes), self.base(i, processes) + number, ids)

    def joint(self, states: tuple[Any, ...]) -> Iterator[Joint]:
        """The changes of the view."""
        members = len(states) - self.joins
        if self.together:
            view = states[0].view + 1
            if view <= self.joins:
                yield Joint(f"{members + view} joins", tuple(self.changed(state, members + view) for state in states))
            return
        for p, state in enumerate(states, 1):
            q = members + state.view + 1
            if q <= len(states) and (p == q or states[q - 1].view > state.view):
                after = self.changed(state, q)
                yield Joint(f"{q} joins in the view of {p}", (*states[: p - 1], after, *states[p:]))

    def changed(self, state: DynamicState, q: int) -> DynamicState:
        """The state of a process in whose view q now joins."""
        ks, me, view = state
        i, t = self.id(q, len(ks.SR)), self.base(q, len(ks.SR))
        SR, LOG = ks.SR, dict(ks.LOG)
        if self.identity == "b" and me != q:
            SR = (*SR[: i - 1], 0, *SR[i:])
            LOG = {(s, u): D - {i} for (s, u), D in LOG.items() if s != i}
        if self.identity != "a" and (self.null_entries != "d" if me == q else self.announced):
            LOG = {(i, t): frozenset[int](), **LOG}
        return DynamicState(ks._replace(SR=SR, LOG=frozenset(LOG.items())), me, view + 1)
