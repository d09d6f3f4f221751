"""KS with a clock that ticks at deliveries or at all events (KS-15)."""

from __future__ import annotations

from typing import Any

from naively import explored
from precede.checker.history import Past, Sent
from precede.models import Message, Packet, Step
from precede.models.ks_clock import KSClock, Stamped


def test_messages_are_named_by_the_clock() -> None:
    model = KSClock()
    copy = Packet(2, 1, Message(2, 1, frozenset({1, 3})), Stamped(4, frozenset()))
    (step,) = list(model.receive(model.start(1, 3), copy) or ())  # type: ignore[call-overload]
    after: Any = step.state
    assert step.delivered == (copy.message,)
    assert (after.ks.clock, after.ks.SR) == (1, (0, 4, 0))
    assert ((2, 4), frozenset({3})) in after.ks.LOG
    sent = model.send(after, Message(1, 1, frozenset({2})))
    assert isinstance(sent, Step)
    assert sent.packets[0].control.t == 2
    assert model.internal(after) is None


def test_internal_events_tick_with_c() -> None:
    model = KSClock(ticks="c", events=2)
    state = model.start(1, 3)
    for clock in (1, 2):
        step = model.internal(state)
        assert isinstance(step, Step)
        state = step.state
        assert state.ks.clock == clock
    assert model.internal(state) is None


def clock_of(sent: Sent) -> int:
    """The clock of a send under KS-15b: the sends and deliveries of its process up to it."""
    p = sent.message.sender
    return 1 + sum(s.message.sender == p for s in sent.past.sent) + len(sent.past.delivered_at(p))


def facts(state: Any, past: Past) -> set[Any]:
    number = {(s.message.sender, clock_of(s)): s.id for s in past.sent}
    return {(number[st], d) for st, D in state.ks.LOG for d in D}


def test_ticks_at_deliveries_change_names_only() -> None:
    """KS-15b, 3 multicasts: as many states as KS has, and LOG holds exactly the required facts."""
    found = explored(KSClock())
    assert (len(found.states), found.transitions, found.violated) == (8757, 17634, {})
    locals_ = {local for state in found.states for local in state.locals}
    assert all(facts(local.state, local.past) == local.past.required() for local in locals_)
    assert any(clock_of(sent) != sent.message.number for local in locals_ for sent in local.past.sent)


def test_ticks_at_every_event_change_nothing_either() -> None:
    """KS-15c, 2 multicasts and an internal event of each process."""
    found = explored(KSClock(ticks="c"), sends=2)
    assert (len(found.states), found.transitions, found.violated) == (8216, 22446, {})
