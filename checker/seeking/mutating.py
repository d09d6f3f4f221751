"""Changes of a run that was worth keeping: the next run follows the changed script and then goes on as it likes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ..bounds import Bounds
from ..result import ReceiveEvent, SendEvent
from .intents import Intent, Script
from .preferring import Preference, destinations

Mutation = Callable[[Script, Bounds, Preference, Random], Script]

MOST_CHANGES = 3


def mutated(script: Script, bounds: Bounds, wanted: Preference, choose: Random) -> Script:
    """The script after one to `MOST_CHANGES` random changes."""
    for _ in range(choose.randint(1, MOST_CHANGES)):
        if script:
            script = choose.choice(MUTATIONS)(script, bounds, wanted, choose)
    return script


def _cut(script: Script, bounds: Bounds, wanted: Preference, choose: Random) -> Script:
    """Only the beginning."""
    return script[: choose.randrange(len(script))]


def _drop(script: Script, bounds: Bounds, wanted: Preference, choose: Random) -> Script:
    """One event less."""
    place = choose.randrange(len(script))
    return (*script[:place], *script[place + 1 :])


def _delay(script: Script, bounds: Bounds, wanted: Preference, choose: Random) -> Script:
    """One receipt later."""
    receipts = [place for place, intent in enumerate(script) if isinstance(intent.event, ReceiveEvent)]
    if not receipts:
        return script
    place = choose.choice(receipts)
    rest = (*script[:place], *script[place + 1 :])
    later = choose.randint(place, len(rest))
    return (*rest[:later], script[place], *rest[later:])


def _readdress(script: Script, bounds: Bounds, wanted: Preference, choose: Random) -> Script:
    """One message to other destinations."""
    sends = [place for place, intent in enumerate(script) if isinstance(intent.event, SendEvent)]
    if not sends:
        return script
    place = choose.choice(sends)
    event = script[place].event
    assert isinstance(event, SendEvent)
    dests = destinations(bounds, event.process, wanted, choose) or event.dests
    return (*script[:place], script[place]._replace(event=event._replace(dests=dests)), *script[place + 1 :])


def _insert(script: Script, bounds: Bounds, wanted: Preference, choose: Random) -> Script:
    """One send more. Its packets are received when the script is over."""
    sender = choose.choice(wanted.members)
    dests = destinations(bounds, sender, wanted, choose)
    place = choose.randint(0, len(script))
    new = Intent(SendEvent(sender, dests), -1 - choose.randrange(2**32))
    return (*script[:place], new, *script[place:]) if dests else script


MUTATIONS: tuple[Mutation, ...] = (_cut, _drop, _delay, _delay, _readdress, _insert)
