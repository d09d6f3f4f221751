"""Shortest runs after which a reading keeps information that Kshemkalyani and Singhal's constraints do not require."""

from __future__ import annotations

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import Event, ReceiveEvent, SendEvent
from precede.checker.run import Run


def redundant_at_the_end(model: str, readings: tuple[str, ...], schedule: tuple[Event, ...]) -> list[set[object]]:
    """The redundant facts in the state of the last event's process, for each alternative of that event."""
    *first, last = schedule
    bounds = Bounds(processes=3, sends=5)
    found = []
    for alternative in (0, 1):
        run = Run(ModelCalls(load_model(model, readings), bounds), bounds)
        for event in first:
            run.apply(event)
        if last._replace(alternative=alternative) in run.enabled():
            run.apply(last._replace(alternative=alternative))
            facts = run.calls.facts_of_state(run.states[last.process]) or frozenset()
            found.append(set(facts - run.pasts[last.process].required()))
    return found


def send(process: int, *dests: int) -> SendEvent:
    return SendEvent(process, frozenset(dests))


KS_2A = (send(1, 2, 3), send(1, 2, 3), ReceiveEvent(3, (1, 1)), send(3, 1), ReceiveEvent(1, (3, 1)))
"""1.2 to 2 covers 1.1 to 2, and 1 knows it; the copy of 3.1 still names 1.1, and the printed guard lets it in again."""

KS_16B = (send(3, 2), send(3, 1), ReceiveEvent(1, (3, 2)), send(1, 2, 3), send(3, 1), ReceiveEvent(3, (1, 1)))
"""1.1 to 2 covers 3.1 to 2. The entry 3.2 on the copy of 1.1 shows it, unless some order deletes 3.2 first."""

J_3A = (send(3, 1), send(3, 2), ReceiveEvent(2, (3, 2)), send(3, 2), send(3, 2), send(2, 1, 3), ReceiveEvent(3, (2, 1)))
"""The same for Jang: 2.1 to 1 covers 3.1 to 1, and some order deletes tuple 3.2, which shows it, first."""


@pytest.mark.parametrize(
    ("model", "reading", "schedule", "fact"),
    [
        ("ks", "KS-2a", KS_2A, ((1, 1), 2)),
        ("ks", "KS-16b", KS_16B, ((3, 1), 2)),
        ("jang", "J-3a", J_3A, ((3, 1), 1)),
    ],
)
def test_a_redundant_fact(model: str, reading: str, schedule: tuple[Event, ...], fact: object) -> None:
    assert {fact} in redundant_at_the_end(model, (reading,), schedule)
    assert redundant_at_the_end(model, (), schedule) == [set()]


def test_only_some_orders_of_the_pairs_lead_to_it() -> None:
    assert redundant_at_the_end("ks", ("KS-16b",), KS_16B) == [set(), {((3, 1), 2)}]
    assert redundant_at_the_end("jang", ("J-3a",), J_3A) == [set(), {((3, 1), 1)}]
