"""Causal order for relations that take in more than deliveries, arrivals (X-1a) and extra messages (SA-12b); and chains
of extra messages that wait for each other (SA-18).

The models keep the record that a past, which is closed over deliveries, does not have.
"""

from __future__ import annotations

from typing import Any

from precede.models import Packet
from precede.models.sa_witness import carried_column, longest_chain

from .registry import claim

SA_WITNESS = "models/sa_witness.py"


@claim("C-X-1a", "MODEL@arrivals", statement="deliveries respect happens-before with Send(M) -> Arrive(M)")
def no_message_overtakes_by_arrivals(state: Any) -> bool:
    """Jang et al., Definition 1; Gambhire and Kshemkalyani, Section 1 (models/arrivals.py)."""
    return not state.overtaken


@claim("C-SA-12b", SA_WITNESS, statement="deliveries respect happens-before with extra messages in it")
def no_message_overtakes_by_extras(state: Any) -> bool:
    """Sanchez and Alvarez, Section 3, of a relation that they exclude (models/sa_witness.py)."""
    return not state.overtaken


def chain_asked_for(packet: Packet) -> int:
    """The extra messages of the longest chain, each asking for the next one, that a copy asks for."""
    control, counted, _ = packet.control
    return longest_chain(carried_column(control, packet.to), packet.to, counted)


@claim("C-SA-18-0", SA_WITNESS, statement="a copy asks for no extra message")
def no_chain(packet: Packet) -> bool:
    """SA-18: it can wait for one alone where this is false."""
    return chain_asked_for(packet) == 0


@claim("C-SA-18-1", SA_WITNESS, statement="a copy asks for no extra message that asks for another one")
def chains_of_one(packet: Packet) -> bool:
    """SA-18."""
    return chain_asked_for(packet) <= 1


@claim("C-SA-18-2", SA_WITNESS, statement="a copy asks for no chain of three extra messages")
def chains_of_two(packet: Packet) -> bool:
    """SA-18."""
    return chain_asked_for(packet) <= 2


@claim("C-SA-18-3", SA_WITNESS, statement="a copy asks for no chain of four extra messages")
def chains_of_three(packet: Packet) -> bool:
    """SA-18."""
    return chain_asked_for(packet) <= 3
