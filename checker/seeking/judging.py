"""The properties judged while a run goes on: at every step, only what the step changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from precede.models import Packet

from ..local import Local, Transit
from ..properties import UserProperty
from ..result import JointEvent
from ..run import Run, StepTaken
from ..trace.rejudge import (
    AT_DELIVERIES,
    holds_needlessly,
    inexact_packet,
    inexact_state,
    waits_needlessly,
)

Locals = Mapping[int, Local]


class Judge:
    """Says after each step of a run which of `properties` it violates.

    Delivery is judged where asked (`is_stuck`): nothing else can happen, which a search knows before we do. A run that
    goes on for ever is no violation here.
    """

    def __init__(self, properties: tuple[str | UserProperty, ...]) -> None:
        self.names = frozenset(p if isinstance(p, str) else p.name for p in properties)
        self._own = tuple(p for p in properties if isinstance(p, UserProperty))

    def wrong_at_start(self, run: Run) -> frozenset[str]:
        """What the initial states violate."""
        return frozenset(self._wrong_in_states(run, list(run.processes)))

    def wrong_after(self, run: Run, before: Locals, taken: StepTaken) -> frozenset[str]:
        """What the step violates that led from the processes `before` to where `run` is now."""
        changed = [p for p, _ in taken.states]
        wrong = {name for name in AT_DELIVERIES if name in self.names and name in taken.wrong}
        wrong.update(self._wrong_in_states(run, changed))
        wrong.update(self._wrong_in_packets(run, [t for t in taken.transmitted if t.number in run.in_transit]))
        wrong.update(self._wrong_in_step(run, before, taken))
        return frozenset(wrong)

    def is_stuck(self, run: Run) -> bool:
        """Whether Delivery is among the properties and the state reached violates it."""
        return "Delivery" in self.names and bool(run.undelivered()) and not run.moves()

    def _wrong_in_states(self, run: Run, processes: list[int]) -> Iterator[str]:
        up = [p for p in processes if not run.locals[p].down]
        if "Minimality" in self.names and any(inexact_state(run, p) for p in up):
            yield "Minimality"
        if "NoNeedlessDelay" in self.names and self._has_needless_delay(run, up):
            yield "NoNeedlessDelay"
        for item in self._own:
            if item.kind == "state" and not all(self._state_is_right(item, run, p) for p in up):
                yield item.name

    def _has_needless_delay(self, run: Run, processes: list[int]) -> bool:
        waiting = [t for t in run.in_transit.values() if t.packet.to in processes and not run.offers(t)]
        return any(waits_needlessly(run, t) for t in waiting) or any(holds_needlessly(run, p) for p in processes)

    def _wrong_in_packets(self, run: Run, transmitted: list[Transit]) -> Iterator[str]:
        if "Minimality" in self.names and any(inexact_packet(run, t) for t in transmitted):
            yield "Minimality"
        if "NoNeedlessDelay" in self.names:
            left = [t for t in transmitted if not run.locals[t.packet.to].down]
            if any(waits_needlessly(run, t) for t in left if not run.offers(t)):
                yield "NoNeedlessDelay"
        for item in self._own:
            if item.kind == "packet" and not all(self._packet_is_right(item, run, t) for t in transmitted):
                yield item.name

    def _wrong_in_step(self, run: Run, before: Locals, taken: StepTaken) -> Iterator[str]:
        if isinstance(taken.event, JointEvent) or len(taken.states) != 1:
            return
        ((p, after),) = taken.states
        if run.locals[p].down or before[p].down:
            return
        event = taken.taken.packet if taken.taken else taken.message
        values = {"process": p, "before": before[p].state, "event": event, "after": after, "past": run.locals[p].past}
        for item in self._own:
            if item.kind == "step" and not _asked(item.judge, item, values | {"model": run.calls.model}):
                yield item.name

    def _state_is_right(self, item: UserProperty, run: Run, process: int) -> bool:
        local = run.locals[process]
        values = {"model": run.calls.model, "process": process, "state": local.state, "past": local.past}
        return _asked(item.judge, item, values)

    def _packet_is_right(self, item: UserProperty, run: Run, transit: Transit) -> bool:
        if transit.sent is None or not isinstance(transit.packet, Packet):
            return True
        values = {"model": run.calls.model, "packet": transit.packet, "past": transit.sent.past}
        return _asked(item.judge, item, values)


def _asked(judge: Callable[..., bool], item: UserProperty, values: Mapping[str, object]) -> bool:
    return judge(**{name: value for name, value in values.items() if name in item.needs})
