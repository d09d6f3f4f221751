"""Lemma 8 of Kshemkalyani and Singhal: causal order over chains of messages of bounded length."""

from __future__ import annotations

from collections.abc import Iterator

from precede.checker.history import Past, Sent

from .registry import claim


def before(sent: Sent, length: int) -> Iterator[Sent]:
    """The messages from whose send a chain of at most `length` messages ends in `sent`, which is the last on it."""
    past, sender = sent.past, sent.message.sender
    yield from (m for m in past.sent if m.message.sender == sender)
    if length > 1:
        for link in past.sent:
            if (link.id, sender) in past.delivered:
                yield link
                yield from before(link, length - 1)


def in_order(process: int, past: Past, length: int) -> bool:
    """Whether the deliveries at `process` respect the chains of at most `length` messages."""
    here = past.delivered_at(process)
    return all(
        m.id in here
        for sent in past.sent
        if sent.id in here
        for m in before(sent, length)
        if process in m.message.dests
    )


@claim("C-KS-L8", "chains-two", statement="deliveries respect chains of one and of two messages")
def chains_of_two(process: int, past: Past) -> bool:
    """Lemma 8."""
    return in_order(process, past, 2)
