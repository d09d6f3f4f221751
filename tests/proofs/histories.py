"""The relations of the theory of pasts, and the ghosts of the symbolic systems, as the checker's histories have them.

A ghost that chooses (`newest`, `latest`, the n-th message) is defined by what it must be. Before a step, one value that
is right is taken; after it, the symbolic value must be right, whichever it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from translating import Value

from precede.checker.history import MessageId as Id
from precede.checker.history import Past, Sent
from precede.checker.run import Run

NONE = (0, 0)
"""What a function that chooses is where there is nothing to choose: no message."""


@dataclass(frozen=True)
class History:
    """The pasts of all processes at some point of a run, and at a later one: what is given of messages is given of
    those that are not sent yet as well."""

    pasts: Mapping[int, Past]
    later: Mapping[int, Past]

    @cached_property
    def sends(self) -> dict[Id, Sent]:
        """All messages, later ones included."""
        return {s.id: s for p, past in self.later.items() for s in past.sent if s.message.sender == p}

    @cached_property
    def sent(self) -> list[Id]:
        """The messages sent so far, each sender's in order."""
        return sorted(s.id for p, past in self.pasts.items() for s in past.sent if s.message.sender == p)


def history_of(run: Run, later: Run) -> History:
    """That of a run, which goes on to `later`."""
    return History(run.pasts, later.pasts)


@cache
def known(past: Past) -> frozenset[Id]:
    """The messages sent in a past."""
    return frozenset(s.id for s in past.sent)


@cache
def covered(past: Past) -> frozenset[tuple[Id, int]]:
    """(m, d): the past has a send to d that follows that of m."""
    return frozenset((m, d) for s in past.sent for m in known(s.past) for d in s.message.dests)


@cache
def newest(past: Past, q: int) -> Id:
    """The newest message of q in a past."""
    return max((m for m in known(past) if m[0] == q), default=NONE)


@cache
def latest(past: Past, m: Id, d: int) -> Id:
    """A message of the past that is sent to d, is m or follows it, and is not covered."""
    follows = {s.id for s in past.sent if d in s.message.dests and (s.id == m or m in known(s.past))}
    return min((n for n in follows if (n, d) not in covered(past)), default=NONE)


def pasts(history: History) -> dict[str, Value]:
    """The relations of pasts.py."""
    here, sends, sent = history.pasts, history.sends, set(history.sent)
    return {
        "sender": lambda m: m[0],
        "dest": lambda m, d: d in sends[m].message.dests,
        "before": lambda m, n: m[0] == n[0] and m[1] < n[1],
        "hb": lambda m, x: m in known(sends[x].past),
        "delivered_before": lambda x, m, d: (m, d) in sends[x].past.delivered,
        "covered_before": lambda x, m, d: (m, d) in covered(sends[x].past),
        "newest_before": lambda x, q: newest(sends[x].past, q),
        "latest_before": lambda x, m, d: latest(sends[x].past, m, d),
        "sent": lambda m: m in sent,
        "past": lambda p, m: m in known(here[p]),
        "delivered": lambda p, m, d: (m, d) in here[p].delivered,
        "covered": lambda p, m, d: (m, d) in covered(here[p]),
        "newest": lambda p, q: newest(here[p], q),
        "latest": lambda p, m, d: latest(here[p], m, d),
    }


def numbers(history: History) -> dict[str, Value]:
    """Numbers of messages, and the ghosts `Senders`."""
    sent = set(history.sent)
    return {
        "number": lambda m: m[1],
        "sends": lambda a: sum(m[0] == a for m in sent),
        "nth_of": lambda a, v: (a, v) if (a, v) in sent else NONE,
    }


def indices(history: History) -> dict[str, Value]:
    """Places of messages in channels, and the ghosts `Channels`."""
    sent, sends = history.sent, history.sends

    def channel(messages: Iterable[Id], a: int, d: int) -> list[Id]:
        return sorted(m for m in messages if m[0] == a and d in sends[m].message.dests)

    return {
        "index": lambda m, d: channel(sends, m[0], d).index(m) + 1,
        "count": lambda a, d: len(channel(sent, a, d)),
        "nth": lambda a, d, v: nth(channel(sent, a, d), v),
    }


def nth(messages: list[Id], v: int) -> Id:
    """The v-th, if there is one."""
    return messages[v - 1] if v <= len(messages) else NONE


Relations = Mapping[str, Value]


def is_latest(after: Relations, found: Id, p: int, m: Id, d: int) -> bool:
    """Whether it is a latest message to d in the past of p for m, if m is in it and goes to d."""
    if not (after["past"](p, m) and after["dest"](m, d)):
        return True
    right = after["past"](p, found) and after["dest"](found, d) and not after["covered"](p, found, d)
    return right and (m == found or after["hb"](m, found))


def is_the(of: str) -> Callable[..., bool]:
    """Whether it is the message that a function names, if that names one."""
    return lambda after, found, *args: after[of](*args) in (found, NONE)


CHOSEN: dict[str, Callable[..., bool]] = {
    "newest": is_the("newest"),
    "latest": is_latest,
    **{name: is_the(name) for name in ("nth_of", "nth", "nth_in")},
}
"""Whether the value of a function that chooses is right after a step; others are what the history says."""


def leaves(past: Past) -> frozenset[Id]:
    """The messages of a past that no other one in it follows."""
    return known(past) - {m for s in past.sent for m in known(s.past)}


def elements(run: Run, messages: Iterable[object]) -> dict[str, list[object]]:
    """The elements of the sorts: processes, messages, and the numbers of messages."""
    found = list(messages)
    return {"Process": list(run.processes), "Message": found, "Int": list(range(1, len(found) + 1))}
