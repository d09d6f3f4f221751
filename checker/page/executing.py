"""A trace taken again with the model of today, and everything that only this tells of its steps and states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from precede.models import Message, Packet, Signal
from precede.models.catalog import CATALOG

from ..errors import PrecedeError
from ..explained import explained
from ..history import MessageId, Sent
from ..local import Local
from ..properties import UserProperty, select_properties
from ..refutations import holds_at_end
from ..result import InternalEvent, ReceiveEvent, SendEvent, Witness
from ..run import Run, StepTaken, Transit
from ..scenario import parse_scenario
from ..trace.comparing import difference
from ..trace.data import Trace
from ..trace.recording import record_step
from ..trace.rejudge import AT_DELIVERIES, broken_at_end
from ..trace.replay import reload
from ..trace.values import encode, printable, same
from .histories import Histories, Item
from .others import STATES_OF_ALL, Other, Outlook, branch, enabled_but_sends, enabled_steps
from .statements import statement_texts
from .watching import Ran, RememberedCalls, WatchedCalls

MOST_OTHERS = 60
"""So many enabled steps are kept of one state."""
LONGEST_JUDGED = 60
"""Of longer runs it is not asked where else they could have led, nor what else could have been sent."""


@dataclass
class Execution:
    """What the model tells of a run. Lists of states have one entry more than those of steps: the initial state first.

    `truths`: of each state, by property, whether it holds; None where it cannot be judged. `others`: the enabled steps,
    sends only of short runs, and how many more there are. `ran` and `waits`: the labelled statements of
    each step, and those that make a packet wait after it, by the packet's number. `state_items` by step (0: the initial
    state) and process, `packet_items` by packet. `witness`: where the violation shows, if the trace does not say.
    """

    statements: dict[int, str]
    properties: dict[str, str]
    truths: list[dict[str, bool | None]] = field(default_factory=list)
    others: list[tuple[list[Other], int]] = field(default_factory=list)
    ran: list[tuple[Ran, ...]] = field(default_factory=list)
    waits: list[dict[int, tuple[Ran, ...]]] = field(default_factory=list)
    state_items: dict[tuple[int, int], tuple[Item, ...]] = field(default_factory=dict)
    packet_items: dict[int, tuple[Item, ...]] = field(default_factory=dict)
    witness: Witness | None = None


@dataclass(frozen=True)
class NotExecuted:
    """Why the model of today does not tell anything of a run, in one line. `ordered`: of each state, whether causal
    order holds, where that is told from the trace alone."""

    reason: str
    ordered: tuple[bool, ...] = ()


def execute(trace: Trace, model: str | None = None, ahead: int = STATES_OF_ALL) -> Execution | NotExecuted:
    """Take the run again, and look at so many states `ahead` to find out where other steps lead.

    Code is never loaded because a file says so: a user's own model is named in `model`.
    """
    if model is None and trace.model.partition("@")[0] not in CATALOG:
        return NotExecuted("the model is none of precede's own, so that only what the trace itself holds is shown")
    try:
        loaded = reload(trace, model)
        scenario = None if trace.scenario is None else parse_scenario(trace.scenario[1], printable(trace.scenario[0]))
        run = Run(WatchedCalls(loaded, trace.bounds), trace.bounds, scenario)
        return _Executing(trace, run, ahead).done()
    except PrecedeError as error:
        return NotExecuted(f"the model could not take this run again: {printable(str(error))}")


class _Executing:
    """One run being taken again."""

    def __init__(self, trace: Trace, run: Run, ahead: int) -> None:
        assert isinstance(run.calls, WatchedCalls)
        self.trace, self.run, self.calls, self.ahead = trace, run, run.calls, ahead
        self.claim = self._claim()
        names = [*self.calls.model.claims, "CausalOrder", "Delivery", "Integrity"]
        if trace.violation is not None:
            names.append(trace.violation.property)
        self.found = Execution(statement_texts(self.calls.model), dict.fromkeys(dict.fromkeys(names), ""))
        self.wrong: frozenset[str] = frozenset()
        self.pasts: dict[tuple[int, int], Local] = {}
        self.sent: dict[int, Transit] = {}
        self.states: list[Run] = []

    def _claim(self) -> UserProperty | None:
        """The violated property, where it is a claim of a paper."""
        if self.trace.violation is None:
            return None
        from ..claims import CLAIMS

        if self.trace.violation.property not in CLAIMS:
            return None
        (claim,) = select_properties([self.trace.violation.property], self.calls.model, self.trace.model)
        return claim if isinstance(claim, UserProperty) else None

    def done(self) -> Execution | NotExecuted:
        """Take all steps; what asks about the whole run comes after them."""
        for p, recorded in enumerate(self.trace.initial, 1):
            if not same(encode(self.run.locals[p].state), recorded):
                return NotExecuted(f"the model of today starts otherwise at process {p}")
            self.pasts[0, p] = self.run.locals[p]
        self._see(None, dict(self.run.locals))
        last: StepTaken | None = None
        for i, step in enumerate(self.trace.steps):
            self._others(i)
            before = dict(self.run.locals)
            taken = self.run.apply(step.event)
            self._statements(taken, before)
            if words := difference(step, record_step(self.calls.model, taken)):
                return NotExecuted(f"the model of today does otherwise in step {i + 1}: {printable(words)}")
            self.pasts.update({(i + 1, p): self.run.locals[p] for p, _ in taken.states})
            self.sent.update({t.number: t for t in taken.transmitted})
            self.wrong |= taken.wrong
            self._see(taken, before)
            last = taken
        self._others(len(self.trace.steps))
        if self._asks_outlook():
            self._look_ahead()
        self.found.witness = self._witness(last)
        self._items()
        return self.found

    def _witness(self, last: StepTaken | None) -> Witness | None:
        """Where the violation of a built-in property shows at the end, for a trace that does not say."""
        violation = self.trace.violation
        if last is None or violation is None or violation.message is not None or violation.loop is not None:
            return None
        property = violation.property
        is_built_in = property in AT_DELIVERIES or broken_at_end(self.run, property) is not None
        if not is_built_in or not self._is_broken(self.run, last):
            return None
        return explained(self.run, property, self.trace.schedule, last)

    @property
    def _is_short(self) -> bool:
        return len(self.trace.steps) <= LONGEST_JUDGED

    def _asks_outlook(self) -> bool:
        violation = self.trace.violation
        if violation is None or violation.loop is not None or not self._is_short or not self.ahead:
            return False
        return violation.property in AT_DELIVERIES or broken_at_end(self.run, violation.property) is not None

    def _is_broken(self, run: Run, taken: StepTaken) -> bool:
        assert self.trace.violation is not None
        property = self.trace.violation.property
        return property in taken.wrong if property in AT_DELIVERIES else bool(broken_at_end(run, property))

    def _others(self, i: int) -> None:
        """The other steps enabled in the state after `i` steps."""
        rest = [step.event for step in self.trace.steps[i:]]
        found = enabled_steps(self.run) if self._is_short else enabled_but_sends(self.run)
        others = [other for other in found if not rest or other.event != rest[0]]
        kept = others[:MOST_OTHERS]
        self.found.others.append((kept, len(others) - len(kept)))
        self.states.append(branch(self.run))

    def _look_ahead(self) -> None:
        """Ask of every other step whether the violation can still follow, near the end first: there it is decided."""
        outlook = Outlook(self._is_broken, self.ahead)
        calls = RememberedCalls(self.calls.loaded, self.trace.bounds)
        for i in reversed(range(len(self.trace.steps))):
            rest = self.trace.schedule[i:]
            others, more = self.found.others[i]
            self.states[i].calls = calls
            self.found.others[i] = [outlook.of(self.states[i], other, rest) for other in others], more

    def _see(self, taken: StepTaken | None, before: dict[int, Local]) -> None:
        """The truth of the properties in the state reached; Minimality is read off the items later."""
        truths: dict[str, bool | None] = {}
        for property in self.found.properties:
            if property in AT_DELIVERIES:
                truths[property] = property not in self.wrong
            elif self.claim is not None and property == self.claim.name:
                truths[property] = holds_at_end(self.claim, self.run, before, taken)
            elif property in ("Delivery", "NoNeedlessDelay"):
                truths[property] = not broken_at_end(self.run, property)
            else:
                truths[property] = None
        self.found.truths.append(truths)

    def _statements(self, taken: StepTaken, before: dict[int, Local]) -> None:
        ran: tuple[Ran, ...] = ()
        event = taken.event
        if isinstance(event, SendEvent):
            local = before[event.process]
            message = Message(event.process, local.sent + 1 - local.earlier, event.dests)
            ran = self.calls.ran_in_send(local.state, message)
            for transit in taken.transmitted:
                if transit.number in taken.met:
                    ran += self.calls.ran_in_receive(before[transit.packet.to].state, transit.packet)
        elif isinstance(event, ReceiveEvent) and taken.taken is not None:
            ran = self.calls.ran_in_receive(before[event.process].state, taken.taken.packet)
        elif isinstance(event, InternalEvent):
            ran = self.calls.ran_in_internal(before[event.process].state)
        self.found.ran.append(ran)
        self.found.waits.append({t.number: self._waits(t.packet) for t in taken.waiting})

    def _waits(self, packet: Packet | Signal) -> tuple[Ran, ...]:
        ran = self.calls.ran_in_receive(self.run.locals[packet.to].state, packet)
        return tuple(one for one in ran if one.waited)

    def _items(self) -> None:
        """Why every item of control information is there; for a semantic order nothing is required in this sense."""
        if self.calls.model.semantic:
            return
        histories = Histories(self.trace, _all_sent(self.pasts.values()))
        has_facts = self.calls.has_facts()
        for key, local in self.pasts.items():
            if not local.down:
                asserted = self.calls.facts_of_state(local.state) if has_facts else None
                self.found.state_items[key] = histories.items(asserted, local.past)
        for number, transit in self.sent.items():
            if isinstance(transit.packet, Packet) and transit.sent is not None:
                asserted = self.calls.facts_of_packet(transit.packet) if has_facts else None
                sent = transit.sent
                self.found.packet_items[number] = histories.items(asserted, sent.past, sent, transit.packet.to)
        if has_facts and "Minimality" in self.found.properties:
            self._judge_minimality()

    def _judge_minimality(self) -> None:
        """Minimality of each state: of the states of all processes, and of the copies in transit."""
        exact_state: dict[int, bool] = {}
        in_transit: dict[int, bool] = {}
        for i, truths in enumerate(self.found.truths):
            for p in range(1, self.trace.bounds.processes + 1):
                if (i, p) in self.pasts:
                    exact_state[p] = _exact(self.found.state_items.get((i, p), ()))
            if i:
                step = self.trace.steps[i - 1]
                if step.taken is not None and step.kind != "duplicate":
                    in_transit.pop(step.taken, None)
                for packet in step.packets:
                    if not packet.met:
                        in_transit[packet.number] = _exact(self.found.packet_items.get(packet.number, ()))
            truths["Minimality"] = all(exact_state.values()) and all(in_transit.values())


def _exact(items: Sequence[Item]) -> bool:
    return all(item.status == "required" for item in items)


def _all_sent(locals_: Iterable[Local]) -> list[Sent]:
    """Every message sent in these pasts, once."""
    found: dict[MessageId, Sent] = {}
    for local in locals_:
        for sent in local.past.sent:
            found.setdefault(sent.id, sent)
    return list(found.values())
