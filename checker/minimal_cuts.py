"""Pasts of states and copies as runs of their own: what `precede.proofs.minimal_facts` is asked about, and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from typing import Any

from precede.models import Fact, Packet
from precede.proofs.minimal_cut import Cut, Move, Sending

from .event_text import name
from .history import Past

Names = tuple[int, ...]
"""New names of processes 1 to n."""


def cut_of(processes: int, at: int, past: Past) -> Cut:
    """The past of a state of process `at` as a run of its own."""
    sends = (
        (s.id, Sending(s.message.dests, frozenset(b.id for b in s.past.sent), s.past.delivered)) for s in past.sent
    )
    return Cut(processes, at, frozenset(sends), past.delivered)


def cut_of_copy(processes: int, packet: Packet, past: Past) -> Cut:
    """The past of a copy, with its send; `past` is the one before it."""
    sender = packet.message.sender
    number = 1 + max((s.message.number for s in past.sent if s.message.sender == sender), default=0)
    message = packet.message._replace(number=number)
    return replace(cut_of(processes, sender, past.after_send(message)), copy=((sender, number), packet.to))


def is_ordered(cut: Cut) -> bool:
    """Whether the deliveries of a past can be made in causal order."""
    return all(
        (before, d) in cut.delivered
        for message, d in cut.delivered
        for before in cut.sent[message].known
        if d in cut.sent[before].dests
    )


def up_to_names(cut: Cut) -> tuple[Any, Names]:
    """A value that is the same for pasts that differ by the names of processes alone, and the names that give it."""
    return min((_renamed(cut, names), names) for names in permutations(cut.everyone))


def _renamed(cut: Cut, names: Names) -> Any:
    def copies(some: Iterable[Fact]) -> tuple[Fact, ...]:
        return tuple(sorted(renamed(copy, names) for copy in some))

    sent = tuple(
        sorted(
            (copies((m, d) for d in s.dests), copies((b, m[0]) for b in s.known), copies(s.delivered))
            for m, s in cut.sends
        )
    )
    return sent, copies(cut.delivered), names[cut.at - 1], copies([cut.copy] if cut.copy else [])


def renamed(fact: Fact, names: Names) -> Fact:
    """The fact, or the copy, under other names."""
    (sender, number), d = fact
    return (names[sender - 1], number), names[d - 1]


def holder_text(cut: Cut) -> str:
    """The state or copy, with its past."""
    sent = []
    for message, sending in sorted(cut.sent.items()):
        at = [str(d) for d in sorted(sending.dests) if (message, d) in cut.delivered]
        got = f" (delivered at {', '.join(at)})" if at else ""
        sent.append(f"{name(message)} to {','.join(map(str, sorted(sending.dests)))}{got}")
    past = "; ".join(sent) or "nothing"
    if cut.copy is None:
        return f"process {cut.at}, in whose past are {past},"
    return f"the copy of {name(cut.copy[0])} to {cut.copy[1]}, with {past},"


def moves_text(cut: Cut, moves: Iterable[Move]) -> str:
    """A continuation in words."""
    count = Counter(message[0] for message in cut.sent)
    words = []
    for move in moves:
        if move.taken is None:
            count[move.process] += 1
            message = name((move.process, count[move.process]))
            words.append(f"{move.process} sends {message} to {','.join(map(str, sorted(move.dests)))}")
        else:
            words.append(f"{move.process} delivers {name(move.taken)}")
    return ", ".join(words) + ", against causal order"
