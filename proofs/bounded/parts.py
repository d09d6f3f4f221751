"""What runs are made of: their bounds, steps and copies, as formulas."""

from __future__ import annotations

from dataclasses import dataclass, field

from .booleans import Bit, Bits, but, either


@dataclass(frozen=True)
class Bounds:
    """Processes, the most sends of a run (None: as many as it has steps), whom a message may address (unicast,
    multicast or broadcast), and what the channels promise (unordered, fifo or fifo-delivery)."""

    processes: int = 3
    sends: int | None = None
    dests: str = "multicast"
    channel: str = "unordered"


@dataclass
class Copy:
    """A packet to one process: the step that transmits it, whether it does, what is in it, whether it is received."""

    slot: int
    to: int
    is_signal: bool
    exists: Bit
    contents: Bits
    received: Bit = False

    @property
    def in_transit(self) -> Bit:
        """Transmitted and not received."""
        return but(self.exists, self.received)


@dataclass
class Taken:
    """One step: whose it is, whether it sends, what it receives (copies with the condition), and who is addressed."""

    at: dict[int, Bit]
    sends: Bit
    dests: dict[int, Bit]
    receives: dict[int, Bit]
    takes_signal: dict[int, Bit]
    depends_on: dict[int, Bit] = field(default_factory=dict)

    def takes_from(self, slot: int) -> Bit:
        """Whether it receives what this step has transmitted."""
        return either(self.receives.get(slot, False), self.takes_signal.get(slot, False))
