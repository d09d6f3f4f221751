"""Random models for tests that compare engines: their states are small numbers, and tables say what happens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from precede.models import Fact, Message, Model, Packet, Step


@dataclass(frozen=True)
class Tables(Model):
    """A model without sense: its state is a small number, and tables say what happens. It waits, loses information and
    has several alternatives in every way that the tables allow."""

    sends: tuple[tuple[int, ...], ...] = ()
    receives: tuple[tuple[int, ...], ...] = ()
    asserted: tuple[int, ...] = ()

    def start(self, me: int, processes: int) -> int:
        return me % len(self.asserted)

    def send(self, state: int, message: Message) -> Any:
        size = len(self.asserted)
        for after in self.sends[state]:
            control = (state + after) % size
            copies = tuple(Packet(message.sender, d, message, (control + d) % size) for d in sorted(message.dests))
            yield Step((after + len(message.dests)) % size, copies)

    def receive(self, state: int, packet: Packet) -> Any:
        size = len(self.asserted)
        for after in self.receives[(state + packet.control) % size]:
            yield Step((after + packet.message.number) % size, delivered=(packet.message,))

    def state_facts(self, state: int) -> frozenset[Fact]:
        code = self.asserted[state]
        return frozenset({((1 + code // 2 % 2, 1 + code // 4 % 2), 1 + code // 8 % 2)} if code % 2 else ())

    def packet_facts(self, packet: Packet) -> frozenset[Fact]:
        return self.state_facts(packet.control)


@st.composite
def tables(draw: st.DrawFn) -> Tables:
    size = draw(st.integers(1, 4))
    answers = st.lists(st.integers(0, size - 1), max_size=2).map(tuple)
    every = st.lists(answers, min_size=size, max_size=size).map(tuple)
    codes = st.lists(st.integers(0, 15), min_size=size, max_size=size).map(tuple)
    return Tables(draw(every), draw(every), draw(codes))
