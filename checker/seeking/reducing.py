"""The ways to make a script smaller, each on its own; whether what remains still violates is asked elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, permutations

from ..bounds import Bounds
from ..result import Event, FaultEvent, JointEvent, SendEvent
from .intents import Intent, Script

Smaller = tuple[Bounds, Script]
Reduction = Callable[[Bounds, Script], Iterator[Smaller]]

FEW = 24
"""Events of a run of which pairs are tried."""


def without_a_process(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """One process less: what it does and what is sent to it goes. The last process first."""
    if bounds.processes > 2 and not bounds.groups:
        fewer = replace(bounds, processes=bounds.processes - 1)
        yield from ((fewer, _renamed(script, gone, None)) for gone in range(bounds.processes, 0, -1))


def with_two_processes_as_one(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """One process less: another does what it does."""
    if bounds.processes > 2 and not bounds.groups:
        fewer = replace(bounds, processes=bounds.processes - 1)
        pairs = permutations(range(bounds.processes, 0, -1), 2)
        yield from ((fewer, _renamed(script, gone, other)) for gone, other in pairs)


def without_messages(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """Some of the sends left out, and the receipts of their packets: half of them, a quarter, ... one."""
    sends = [intent.send for intent in script if isinstance(intent.event, SendEvent)]
    for gone in _chunks(sends):
        yield bounds, tuple(intent for intent in script if intent.send not in gone)


def without_events(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """Some of the events left out, neighbours together: half of them, a quarter, ... one."""
    for gone in _chunks(list(range(len(script)))):
        yield bounds, tuple(intent for place, intent in enumerate(script) if place not in gone)


def without_an_event_that_others_count(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """One event left out where later ones of its process choose an earlier event by its number: those after it are one
    less."""
    if any(_alternative(intent) for intent in script):
        yield from ((bounds, _uncounted(script, place)) for place in reversed(range(len(script))))


def without_two_events(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """Two events left out that need not be neighbours, where there are few; with a send go the receipts of it."""
    if len(script) <= FEW:
        for pair in combinations(range(len(script)), 2):
            gone = {script[place].send for place in pair if isinstance(script[place].event, SendEvent)}
            yield bounds, tuple(i for place, i in enumerate(script) if place not in pair and i.send not in gone)


def with_two_messages_as_one(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """Two messages of one process made one, to the destinations of both, at the place of either send."""
    sends = [(place, i.event) for place, i in enumerate(script) if isinstance(i.event, SendEvent)]
    for (first, one), (second, other) in combinations(sends, 2):
        if one.process == other.process:
            event = one._replace(dests=one.dests | other.dests)
            for kept, gone in ((first, second), (second, first)):
                renamed = _with(script, kept, event)
                old, new = script[gone].send, script[kept].send
                rest = [i._replace(send=new) if i.send == old else i for i in renamed]
                yield bounds, (*rest[:gone], *rest[gone + 1 :])


def with_fewer_destinations(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """One message to one destination less."""
    for place, intent in enumerate(script):
        event = intent.event
        if isinstance(event, SendEvent) and len(event.dests) > 1:
            for d in sorted(event.dests, reverse=True):
                yield bounds, _with(script, place, event._replace(dests=event.dests - {d}))


def with_the_first_alternative(bounds: Bounds, script: Script) -> Iterator[Smaller]:
    """One event takes the first alternative of the model, or the one before its own."""
    for place, intent in enumerate(script):
        own = _alternative(intent)
        for alternative in dict.fromkeys((0, own - 1)) if own else ():
            yield bounds, _with(script, place, _choosing(intent.event, alternative))


REDUCTIONS: tuple[Reduction, ...] = (
    without_messages,
    without_events,
    without_a_process,
    with_two_processes_as_one,
    with_fewer_destinations,
    with_two_messages_as_one,
    without_two_events,
    without_an_event_that_others_count,
    with_the_first_alternative,
)
"""In the order in which they are tried."""


def renumbered(bounds: Bounds, script: Script) -> Smaller:
    """The processes numbered in the order of their first steps; then those that are only addressed, then the rest."""
    acting = [p for intent in script for p in _actors(intent.event)]
    addressed = [p for intent in script for p in _addressed(intent.event)]
    order = dict.fromkeys((*acting, *addressed, *range(1, bounds.processes + 1)))
    names = {p: number for number, p in enumerate(order, 1)}
    return bounds, tuple(_named(intent, names) for intent in script)


def _with(script: Script, place: int, event: Event) -> Script:
    return (*script[:place], script[place]._replace(event=event), *script[place + 1 :])


def _alternative(intent: Intent) -> int:
    return 0 if isinstance(intent.event, FaultEvent) else intent.event.alternative


def _choosing(event: Event, alternative: int) -> Event:
    return event if isinstance(event, FaultEvent) else event._replace(alternative=alternative)


def _actors(event: Event) -> list[int]:
    return [] if isinstance(event, JointEvent) else [event.process]


def _addressed(event: Event) -> list[int]:
    return sorted(event.dests) if isinstance(event, SendEvent) else []


def _renamed(script: Script, gone: int, other: int | None) -> Script:
    """Process `gone` is no more; `other`, if there is one, does what it did. Later processes move up."""
    kept = [p for p in range(1, 1 + _most(script)) if p != gone]
    names = {p: p - (p > gone) for p in kept}
    if other is not None:
        names[gone] = names.get(other, other - (other > gone))
    lost = {i.send for i in script if isinstance(i.event, SendEvent) and not _remains(i.event, names)}
    return tuple(_named(i, names) for i in script if i.send not in lost and _is_there(i, names))


def _most(script: Script) -> int:
    actors = [p for i in script for p in (*_actors(i.event), *_addressed(i.event), i.sender or 0)]
    return max(actors, default=1)


def _remains(event: SendEvent, names: dict[int, int]) -> bool:
    """Whether a send still has a sender and a destination that is not the sender itself, unless it was."""
    return event.process in names and bool(_dests(event, names))


def _is_there(intent: Intent, names: dict[int, int]) -> bool:
    return all(p in names for p in _actors(intent.event)) and (intent.sender is None or intent.sender in names)


def _dests(event: SendEvent, names: dict[int, int]) -> frozenset[int]:
    own = {names[event.process]} if event.process in event.dests else set()
    others = {names[d] for d in event.dests if d in names} - {names[event.process]}
    return frozenset(own | others)


def _named(intent: Intent, names: dict[int, int]) -> Intent:
    event = intent.event
    if isinstance(event, SendEvent):
        event = event._replace(process=names[event.process], dests=_dests(event, names))
    elif not isinstance(event, JointEvent):
        event = event._replace(process=names[event.process])
    return intent._replace(event=event, sender=None if intent.sender is None else names[intent.sender])


def _uncounted(script: Script, place: int) -> Script:
    actors = _actors(script[place].event)
    number = 1 + sum(_actors(intent.event) == actors for intent in script[:place])
    later = []
    for intent in script[place + 1 :]:
        chosen = _alternative(intent)
        is_counted = _actors(intent.event) == actors and chosen >= number
        later.append(intent._replace(event=_choosing(intent.event, chosen - 1)) if is_counted else intent)
    return (*script[:place], *later)


def _chunks(items: list[int | None] | list[int]) -> Iterator[frozenset[int | None]]:
    """Neighbours, from the end on: halves, quarters, ... single ones."""
    size = (len(items) + 1) // 2
    while size:
        for end in range(len(items), 0, -size):
            yield frozenset(items[max(0, end - size) : end])
        size = 0 if size == 1 else (size + 1) // 2
