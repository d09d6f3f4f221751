"""A user's own properties are asked about every local object once, and their shortest counterexamples are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import all_states, explore
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.checker.properties import UserProperty
from precede.checker.result import PropertyResult
from precede.models import Message

BOUNDS = Bounds(processes=3, sends=3)


def judged(kind: str, needs: set[str], judge: Callable[..., bool]) -> tuple[PropertyResult, int]:
    """The verdict on KS, and how often the property was asked."""
    asked: list[Any] = []

    def counted(**values: Any) -> bool:
        asked.append(values)
        return judge(**values)

    calls = ModelCalls(load_model("ks"), BOUNDS)
    item = UserProperty("own", kind, frozenset(needs), counted)
    (result,) = explore(calls, BOUNDS, (item,)).properties
    return result, len(asked)


def test_a_property_of_states_holds_and_is_asked_once_for_each_distinct_value() -> None:
    result, asked = judged("state", {"state"}, lambda state: state.clock <= 3)
    assert result.verdict == "holds"
    reached = all_states(ModelCalls(load_model("ks"), BOUNDS), BOUNDS)
    assert asked == len({local for locals_, _ in reached for local, _ in locals_})


def test_a_property_of_states_is_violated_after_the_shortest_run() -> None:
    result, _ = judged("state", {"state", "process"}, lambda state, process: state.clock < 2 or process != 3)
    assert (result.verdict, result.trace_length) == ("violated", 2)
    assert result.witness is not None
    assert [event.process for event in result.witness.schedule] == [3, 3]


def test_a_property_of_the_initial_state_is_violated_after_no_step() -> None:
    result, _ = judged("state", {"state"}, lambda state: state.clock > 0)
    assert (result.verdict, result.trace_length) == ("violated", 0)


def test_a_property_of_pasts_sees_the_causal_past() -> None:
    result, _ = judged("state", {"past"}, lambda past: len(past.sent) < 3 or len(past.delivered) < 2)
    assert (result.verdict, result.trace_length) == ("violated", 5)


def test_a_property_of_packets_is_violated_when_the_packet_is_sent() -> None:
    result, _ = judged("packet", {"packet", "past"}, lambda packet, past: not past.delivered or packet.to != 1)
    assert (result.verdict, result.trace_length) == ("violated", 3)


def test_a_property_of_steps_sees_both_states_and_the_event() -> None:
    def shrinks_only_at_sends(before: Any, event: Any, after: Any) -> bool:
        return isinstance(event, Message) or len(after.LOG) >= len(before.LOG)

    result, _ = judged("step", {"before", "event", "after"}, shrinks_only_at_sends)
    assert (result.verdict, result.trace_length) == ("violated", 5)


def properties_that_hold(number: int) -> tuple[UserProperty, ...]:
    return tuple(UserProperty(f"p{i}", "state", frozenset({"state"}), lambda state: True) for i in range(number))


def test_the_last_of_many_properties_is_judged_like_the_first() -> None:
    bounds = Bounds(processes=2, sends=1)
    last = UserProperty("last", "state", frozenset({"state"}), lambda state: state.clock < 1)
    result = explore(ModelCalls(load_model("ks"), bounds), bounds, (*properties_that_hold(22), last))
    assert [p.name for p in result.properties if p.verdict == "violated"] == ["last"]


def test_more_properties_than_a_search_can_tell_apart_are_refused() -> None:
    bounds = Bounds(processes=2, sends=1)
    with pytest.raises(UsageError, match="at most 23 properties"):
        explore(ModelCalls(load_model("ks"), bounds), bounds, properties_that_hold(24))
