"""What one random run prefers. Each run draws its own preferences, so that some runs are what a violation needs."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from ..bounds import Bounds

LATE = (0.0, 0.0, 0.03, 0.06, 0.12, 0.3)
SLOW = (0.0, 0.5, 1.0)
AGAIN = (0.0, 0.5, 0.8)
CHAINED = (0.0, 0.5, 0.8, 0.95)
SINGLE = (0.1, 0.5, 0.9)
SENDING = (0.05, 0.2, 0.5, 0.8)


class Preference(NamedTuple):
    """`members` are the processes that send and are addressed, as far as the load allows. Shares are chances, 0 to 1.

    `late`: that a packet is kept in transit as long as anything else can happen; `slow`: the same for packets to
    `target`, a process that is addressed with chance `aimed`, besides others. `again`: that the next sender is the last
    one; `chained`: otherwise, that it is the process that delivered last, which makes chains of causality. `single`:
    that a multicast has one destination. `sending`: that a send comes before the receipts that are possible.
    `released`: that a packet that is late is received before the next send.
    """

    sends: int
    members: tuple[int, ...]
    late: float
    slow: float
    chained: float
    again: float
    single: float
    target: int
    aimed: float
    sending: float
    released: float


def preference(bounds: Bounds, choose: Random) -> Preference:
    """The preferences of one run."""
    n = bounds.processes
    few = choose.randint(min(2, bounds.sends), bounds.sends)
    members = tuple(sorted(choose.sample(range(1, n + 1), choose.randint(2, n))))
    return Preference(
        sends=bounds.sends if choose.random() < 0.5 else few,
        members=members,
        late=choose.choice(LATE),
        slow=choose.choice(SLOW),
        chained=choose.choice(CHAINED),
        again=choose.choice(AGAIN),
        single=choose.choice(SINGLE),
        target=choose.choice(members),
        aimed=choose.choice((0.0, 0.5, 0.9)),
        sending=choose.choice(SENDING),
        released=choose.choice((0.0, 0.1, 0.4)),
    )


def destinations(bounds: Bounds, sender: int, wanted: Preference, choose: Random) -> frozenset[int]:
    """Whom a message of `sender` addresses; empty where it may address nobody."""
    if bounds.dests in ("broadcast", "groups"):
        sets = bounds.destination_sets(sender)
        return choose.choice(sets) if sets else frozenset()
    others = [p for p in wanted.members if p != sender or bounds.self_addressed != "forbidden"]
    if not others:
        return frozenset()
    aimed = wanted.target in others and choose.random() < wanted.aimed
    if bounds.dests == "unicast" or choose.random() < wanted.single:
        return frozenset({wanted.target if aimed else choose.choice(others)})
    dests = frozenset(choose.sample(others, choose.randint(2, len(others)) if len(others) > 1 else 1))
    return dests | {wanted.target} if aimed else dests
