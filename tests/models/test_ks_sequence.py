"""KS with sequence numbers (KS-31, KS-1c): what they add where channels are not FIFO."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from naively import explored
from precede.models import Message, Step
from precede.models.ks_sequence import KSSequence


def alternatives(steps: Step | Iterable[Step] | None) -> list[Step]:
    return [] if steps is None else [steps] if isinstance(steps, Step) else list(steps)


def sent(model: KSSequence) -> list[Any]:
    """1.1 to 2 and 3, 1.2 to 3, 1.3 to 2 and 3: the copies."""
    state, copies = model.start(1, 3), []
    for number, dests in enumerate([{2, 3}, {3}, {2, 3}], 1):
        (step,) = alternatives(model.send(state, Message(1, number, frozenset(dests))))
        state = step.state
        copies += step.packets
    return copies


def test_each_channel_is_numbered() -> None:
    numbers = [(copy.message.number, copy.to, copy.control.seq) for copy in sent(KSSequence())]
    assert numbers == [(1, 2, 1), (1, 3, 1), (2, 3, 2), (3, 2, 2), (3, 3, 3)]
    assert KSSequence().control_bytes(sent(KSSequence())[0]) == 3 * 6 + 4


@pytest.mark.parametrize("letter", "bc")
def test_a_copy_is_taken_in_sequence(letter: str) -> None:
    model = KSSequence(in_sequence=letter)
    first, second = [copy for copy in sent(model) if copy.to == 2]
    state = model.start(2, 3)
    assert alternatives(model.receive(state, second)) == []
    (step,) = alternatives(model.receive(state, first))
    assert (step.delivered, step.state.last) == ((first.message,), (1, 0, 0))  # type: ignore[attr-defined]
    (step,) = alternatives(model.receive(step.state, second))
    assert (step.delivered, step.state.last) == ((second.message,), (2, 0, 0))  # type: ignore[attr-defined]


@pytest.mark.parametrize("letter", "bc")
def test_a_copy_in_sequence_that_waits_for_another_sender_arrives_only_with_b(letter: str) -> None:
    model = KSSequence(in_sequence=letter)
    (copy,) = [copy for copy in sent(model) if copy.to == 2 and copy.control.seq == 1]
    copy = copy._replace(control=copy.control._replace(O_M=frozenset({((3, 1), frozenset({2}))})))
    steps = alternatives(model.receive(model.start(2, 3), copy))
    assert [(step.delivered, step.state.last) for step in steps] == ([((), (1, 0, 0))] if letter == "b" else [])  # type: ignore[attr-defined]


@pytest.mark.parametrize(("letter", "counts"), [("b", (10521, 21750)), ("c", (8757, 17634))])
def test_sequence_numbers_only_order_arrivals(letter: str, counts: tuple[int, int]) -> None:
    """3 multicasts, unordered: with b the runs are those of KS with arrivals on FIFO channels, with c those of KS."""
    found = explored(KSSequence(in_sequence=letter))
    assert (len(found.states), found.transitions, found.violated) == (*counts, {})
