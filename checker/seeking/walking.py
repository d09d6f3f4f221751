"""One random run with preferences: some packets are kept in transit as long as anything else can happen.

After probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): random priorities, and few packets or
processes that lose theirs, reach orders of events that need few delays much more often than a uniform choice of the
next event.
"""

from __future__ import annotations

from random import Random

from ..bounds import Bounds
from ..calls import ModelCalls
from ..history import Past
from ..local import Transit
from ..result import Event, FaultEvent, ReceiveEvent, SendEvent
from ..run import ImpossibleStep, Run, StepTaken
from .intents import Follower, Script
from .judging import Judge
from .preferring import Preference, destinations

LONGEST = 300
"""Steps of one run where it need not end."""

TRIES = 4
"""Destination sets tried for one send that the model does not do now."""

LEFT_LATE = 0.5
"""The chance that a packet is late that is in transit when a script has been followed."""

ALONE = 0.7
"""The chance of a step that a process takes by itself, where nothing prompt can be received."""

FAULTY = 0.1
"""The chance of a fault, while there may be one, before each step."""


class Walk:
    """A run that goes on by preference, after it has followed `script` as far as possible.

    `schedule` is what it did; `wrong` the properties that it violates, each with the number of steps up to there;
    `reached` how far its processes got ahead of messages that are late (`overtaken`).
    """

    def __init__(self, calls: ModelCalls, bounds: Bounds, judge: Judge, wanted: Preference, choose: Random) -> None:
        self.run = Run(calls, bounds)
        self.schedule: list[Event] = []
        self.wrong: dict[str, int] = dict.fromkeys(judge.wrong_at_start(self.run), 0)
        self._bounds, self._judge, self._wanted, self._choose = bounds, judge, wanted, choose
        self._priority: dict[int, float] = {}
        self._late: set[int] = set()
        self.reached: set[tuple[int, int]] = set()
        self._waited: set[int] = set()
        self._sender: int | None = None
        self._deliverer: int | None = None

    @property
    def waits(self) -> int:
        """How many packets were not taken when their turn came."""
        return len(self._waited)

    def go(self, script: Script = ()) -> None:
        """Follow the script, then the preferences, to the end of the run."""
        follower = Follower(self.run)
        for intent in script:
            event = follower.event(intent)
            if event is not None and self._take(event):
                follower.note(intent)
        if script:
            self._late.update(number for number in self.run.in_transit if self._choose.random() < LEFT_LATE)
        while len(self.schedule) < LONGEST:
            if not self._go_on():
                if self._judge.is_stuck(self.run):
                    self._note(frozenset({"Delivery"}))
                return

    def _go_on(self) -> bool:
        """One step more; whether there is one."""
        choose, wanted = self._choose, self._wanted
        if any(self._bounds.faults) and choose.random() < FAULTY and self._fail():
            return True
        if choose.random() < wanted.sending and self._send():
            return True
        if self._receive(late=False) or (choose.random() < ALONE and self._step_alone()):
            return True
        if self._late and choose.random() < wanted.released and self._receive(late=True):
            return True
        if self._judge.is_stuck(self.run):
            self._note(frozenset({"Delivery"}))
        return self._send() or self._receive(late=True) or self._step_alone()

    def _take(self, event: Event) -> bool:
        before = dict(self.run.locals)
        try:
            taken = self.run.take(event)
        except ImpossibleStep:
            return False
        self.schedule.append(event)
        self._rank(taken)
        if isinstance(event, SendEvent):
            self._sender = event.process
        for _, process in taken.deliveries:
            self._deliverer = process
        self._note(self._judge.wrong_after(self.run, before, taken))
        self.reached.update(overtaken(self.run.locals[p].past) for p, _ in taken.states)
        return True

    def _note(self, wrong: frozenset[str]) -> None:
        for name in wrong:
            self.wrong.setdefault(name, len(self.schedule))

    def _rank(self, taken: StepTaken) -> None:
        for transit in taken.transmitted:
            self._priority[transit.number] = self._choose.random()
            is_slow = transit.packet.to == self._wanted.target and self._choose.random() < self._wanted.slow
            if is_slow or self._choose.random() < self._wanted.late:
                self._late.add(transit.number)

    def _send(self) -> bool:
        choose, wanted, locals_ = self._choose, self._wanted, self.run.locals
        if sum(local.sent for local in locals_.values()) >= wanted.sends:
            return False
        senders = choose.sample(wanted.members, len(wanted.members))
        if self._sender is not None and choose.random() < wanted.again:
            senders.insert(0, self._sender)
        elif self._deliverer is not None and choose.random() < wanted.chained:
            senders.insert(0, self._deliverer)
        return any(self._send_from(p) for p in senders for _ in range(TRIES))

    def _send_from(self, process: int) -> bool:
        dests = destinations(self._bounds, process, self._wanted, self._choose)
        return bool(dests) and self._take(SendEvent(process, dests, self._alternative(process, dests)))

    def _alternative(self, process: int, dests: frozenset[int]) -> int:
        return self._choose.randrange(self.run.ways_to_send(process, dests) or 1)

    def _receive(self, late: bool) -> bool:
        """Receive the packet of the highest priority that can be received, of those that are late or are not."""
        ready = [t for t in self.run.in_transit.values() if (t.number in self._late) == late]
        ready.sort(key=lambda t: self._priority[t.number])
        for transit in ready:
            if self.run.receivable(transit):
                return self._take(self._receipt(transit))
            self._waited.add(transit.number)
        return False

    def _receipt(self, transit: Transit) -> ReceiveEvent:
        alternative = self._choose.randrange(self.run.offers(transit))
        if self.run.is_short:
            return ReceiveEvent(transit.packet.to, transit.message, alternative)
        place = self.run.place_of(transit)
        return ReceiveEvent(transit.packet.to, transit.message, alternative, transit.packet.sender, place)

    def _step_alone(self) -> bool:
        """A step of one process, or of all together, with nothing received."""
        events: tuple[Event, ...] = (*self.run.enabled_internals(), *self.run.enabled_joints())
        return bool(events) and self._take(self._choose.choice(events))

    def _fail(self) -> bool:
        faults = self.run.enabled_faults()
        if not faults:
            return False
        fault = self._choose.choice(faults)
        return isinstance(fault, FaultEvent) and self._take(fault)


def overtaken(past: Past) -> tuple[int, int]:
    """Of the copies that are sent in this past and not delivered in it, how many there are; and the most processes that
    have sent something after one of them."""
    copies = [(s, d) for s in past.sent for d in s.message.dests if (s.id, d) not in past.delivered]
    late = {s for s, _ in copies}
    after = [len({other.message.sender for other in past.sent if s in other.past.sent}) for s in late]
    return len(copies), max(after, default=0)
