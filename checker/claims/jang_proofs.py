"""The steps of the proofs of Jang et al.: Theorem 1 by the length of the chain (J-17), Theorem 2 (J-18)."""

from __future__ import annotations

from typing import Any

from precede.checker.history import Past
from precede.models import Packet
from precede.models.jang import has_reached

from .chains import in_order
from .registry import claim


@claim("C-J-T1-0", "jang", statement="a message is delivered after those that its sender has sent before it")
def case_i(process: int, past: Past) -> bool:
    """Theorem 1, case (i)."""
    return in_order(process, past, 1)


@claim(
    "C-J-T1-1",
    "jang",
    statement="deliveries respect chains of two messages: m_1 and m_y, where m_x is m_1 or before it",
)
def base_step(process: int, past: Past) -> bool:
    """Theorem 1, case (ii), base step."""
    return in_order(process, past, 2)


@claim("C-J-T1-2", "jang", statement="deliveries respect chains of three messages")
def one_message_inserted(process: int, past: Past) -> bool:
    """Theorem 1, case (ii), induction step: m_z, which may be at any place of the chain."""
    return in_order(process, past, 3)


@claim("C-J-T1-3", "jang", statement="deliveries respect chains of four messages")
def two_messages_inserted(process: int, past: Past) -> bool:
    """Theorem 1, case (ii), the induction step once more."""
    return in_order(process, past, 4)


@claim("C-J-T1-4", "jang", statement="deliveries respect chains of five messages")
def three_messages_inserted(process: int, past: Past) -> bool:
    """Theorem 1, case (ii), the induction step once more."""
    return in_order(process, past, 5)


@claim("C-J-T2-DC", "jang", statement="DC of a copy to i names only messages to i that are sent before that copy")
def constraints_are_predecessors(model: Any, packet: Packet, past: Past) -> bool:
    """Theorem 2: what m_x waits for precedes it. It is addressed to i, so it is in the set of the proof whether that
    holds the messages undelivered at i (J-18a) or all that are undelivered anywhere (J-18b)."""
    named: frozenset[Any] = model.tested(packet)
    return named <= past.to(packet.to)


@claim("C-J-T2-DLV", "jang", statement="where DLV_i[k] < t, message t of k is not delivered at i")
def waited_for_is_undelivered(process: int, state: Any, past: Past) -> bool:
    """Theorem 2: what m_x waits for is one of the undelivered messages."""
    numbers = {s.id: s.shown.number for s in past.sent}
    here = past.delivered_at(process)
    return all(has_reached(state.DLV[id[0] - 1], numbers[id]) for id in here if id in numbers)
