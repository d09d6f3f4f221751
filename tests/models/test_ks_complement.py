"""KS with complement encoding (KS-4, Section 6.2): the same algorithm in other words."""

from __future__ import annotations

import pytest

from naively import explored
from precede.models import Message, Packet, Step
from precede.models.ks import FrozenEntries, KSState
from precede.models.ks_complement import Encoded, Encoding, KSComplement, KSComplementChanging, decoded, encoded

O_M: FrozenEntries = frozenset(
    {((1, 1), frozenset({2})), ((1, 2), frozenset({1, 3, 4, 5})), ((2, 1), frozenset({1, 2, 3})), ((3, 1), frozenset())}
)
ENCODED = Encoding(
    5,
    frozenset(
        {
            Encoded((1, 1), False, frozenset({2})),
            Encoded((1, 2), True, frozenset({2})),
            Encoded((2, 1), True, frozenset({4, 5})),
            Encoded((3, 1), False, frozenset()),
        }
    ),
)
COPY = Packet(4, 5, Message(4, 1, frozenset({5})), ENCODED)


def test_the_smaller_of_dests_and_its_complement_is_transmitted() -> None:
    assert encoded(O_M, 5) == ENCODED
    assert decoded(ENCODED.entries, 5) == O_M
    assert encoded(frozenset({((1, 1), frozenset({1, 2}))}), 4).entries == {Encoded((1, 1), False, frozenset({1, 2}))}


def test_copies_are_encoded_and_decoded() -> None:
    model = KSComplement()
    step = model.send(KSState(4, 0, (0,) * 5, O_M), COPY.message)
    assert isinstance(step, Step)
    assert decoded(step.packets[0].control.entries, 5) == O_M
    assert model.packet_facts(COPY) == {(st, d) for st, D in O_M for d in D}
    assert model.receive(KSState(5, 0, (1, 0, 0, 0, 0), O_M), COPY) is None
    assert model.receive(KSState(5, 0, (2, 0, 0, 0, 0), O_M), COPY) is not None


@pytest.mark.parametrize(
    ("letter", "sizes"), [("a", {1: 1, 2: 2, 3: 0}), ("b", {1: 2, 2: 2, 3: 0}), ("c", {1: 1, 2: 2, 3: 0})]
)
def test_what_nd_counts(letter: str, sizes: dict[int, int]) -> None:
    model = KSComplement(counted=letter)
    assert model.nd(COPY) == sizes
    assert model.control_units(COPY) == sum(sizes.values())
    assert model.control_bytes(COPY) == 4 * 6 + 2 * 4 + 1


def test_a_process_that_proc_lacks_is_lost_from_a_complement() -> None:
    model = KSComplementChanging()
    state = model.start(1, 3)
    assert (state.known, model.start(3, 3).known) == (2, 3)
    assert model.send(state, Message(1, 1, frozenset({2, 3}))) is None
    (step,) = [model.internal(state)]
    assert isinstance(step, Step) and step.name == "hear of process 3"
    assert model.internal(step.state) is None


def test_the_encoding_changes_no_run() -> None:
    found = explored(KSComplement())
    assert (len(found.states), found.transitions, found.violated) == (8757, 17634, {})


def test_proc_must_not_change() -> None:
    """3 multicasts: the shortest run that is not causal has 8 steps."""
    found = explored(KSComplementChanging())
    assert (len(found.states), found.transitions, found.violated) == (18899, 47463, {"CausalOrder": 8})
