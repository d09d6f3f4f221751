"""The built-in properties judged on one run: at a delivery, and at the end."""

from __future__ import annotations

from ..history import Past, required_on_copy
from ..result import Event, SendEvent
from ..run import Run, Transit


def delivers_too_early(run: Run, event: Event) -> bool:
    """Whether the delivery that `event` is about to make breaks CausalOrder: a message to this process, in the causal
    past of the delivered one, has not been delivered here. `event` must be possible and deliver its message."""
    process = event.process
    here = run.pasts[process]
    past = here if isinstance(event, SendEvent) else run.in_transit[(event.message, process)].sent.past
    return not past.to(process) <= here.delivered_at(process)


def broken_at_end(run: Run, property: str) -> bool | None:
    """Whether the state reached violates Delivery, NoNeedlessDelay or Minimality; None for any other property."""
    if property == "Delivery":
        return bool(run.in_transit) and not any(run.receivable(copy) for copy in run.in_transit)
    if property == "NoNeedlessDelay":
        return any(_needlessly_held(run.in_transit[copy], run.pasts[copy[1]]) for copy in run.waiting())
    if property == "Minimality":
        return any(_inexact_state(run, p) for p in run.processes) or any(
            _inexact_packet(run, transit) for transit in run.in_transit.values()
        )
    return None


def _needlessly_held(transit: Transit, past: Past) -> bool:
    at = transit.packet.to
    return transit.sent.past.to(at) <= past.delivered_at(at)


def _inexact_state(run: Run, process: int) -> bool:
    facts = run.calls.facts_of_state(run.states[process])
    return facts is not None and facts != run.pasts[process].required()


def _inexact_packet(run: Run, transit: Transit) -> bool:
    facts = run.calls.facts_of_packet(transit.packet)
    return facts is not None and facts != required_on_copy(transit.sent, transit.packet.to)
