"""KS: what exhaustive exploration says of the readings of its steps, at 3 processes and 3 multicasts."""

from __future__ import annotations

from functools import cache

import pytest

from naive import Found
from naively import explored
from precede.models.ks import KS

CHANNELS = ("unordered", "fifo")
ORDERED = (8757, 17634)
"""States and transitions when every delivery is made exactly when causal order allows it."""


@cache
def found(channel: str = "unordered", self_addressed: str = "forbidden", **readings: str) -> Found:
    bounds = {"processes": 3 if self_addressed == "forbidden" else 2}
    return explored(KS(**readings), channel=channel, self_addressed=self_addressed, **bounds)


def counts(of: Found) -> tuple[int, int]:
    return len(of.states), of.transitions


@pytest.mark.parametrize(
    "readings", [{"copies": "b"}, {"copies": "d"}, {"last_delivered": "b"}, {"removal": "b"}], ids=str
)
def test_these_readings_make_no_difference(readings: dict[str, str]) -> None:
    """KS-6b, KS-6d, KS-14b, KS-34b."""
    assert (counts(found(**readings)), found(**readings).violated) == (ORDERED, {})


def test_one_copy_for_all_destinations_is_not_causal() -> None:
    """KS-6c: of two multicasts to 2 and 3, the second copy to 3 does not name the first."""
    unordered, fifo = found(copies="c"), found("fifo", copies="c")
    missing = {"Minimality": 2, "MissingInPacket": 2}
    assert counts(unordered) == (10925, 22270)
    assert unordered.violated == missing | {"CausalOrder": 3, "NoNeedlessDelay": 5, "Delivery": 6}
    assert (counts(fifo), fifo.violated) == ((9109, 18531), missing | {"CausalOrder": 4})


def test_with_the_maximum_in_sr_a_lost_order_leaves_no_message_stuck() -> None:
    """KS-6c with KS-14b: SR goes back only where causal order is already lost."""
    both = found(copies="c", last_delivered="b")
    assert both.violated == {"Minimality": 2, "MissingInPacket": 2, "CausalOrder": 3}


def test_with_its_own_entry_no_message_is_ever_delivered() -> None:
    """KS-32b."""
    stuck = found(own_entry="b")
    assert (counts(stuck), stuck.violated) == ((334, 576), {"Delivery": 1, "NoNeedlessDelay": 1})


def sr_goes_back(of: Found) -> bool:
    return any(
        later < earlier
        for before, edges in of.edges.items()
        for _, after in edges
        for was, now in zip(before.locals, after.locals, strict=True)
        for earlier, later in zip(was.state.SR, now.state.SR, strict=True)  # type: ignore[attr-defined]
    )


def test_sr_never_decreases_on_either_channel() -> None:
    """KS-1; so KS-14a and b, and the waits of KS-13a and b, come to the same."""
    assert not sr_goes_back(found()) and not sr_goes_back(found("fifo"))
    assert sr_goes_back(found(copies="c"))


@pytest.mark.parametrize(
    ("self_addressed", "states", "redundant"),
    [
        ("network", (4017, 7062), {"Minimality": 2, "RedundantInState": 2, "RedundantInPacket": 3}),
        ("at-send", (838, 1172), {"Minimality": 1, "RedundantInState": 1, "RedundantInPacket": 2}),
    ],
)
@pytest.mark.parametrize("channel", CHANNELS)
def test_self_addressed_messages(
    self_addressed: str, states: tuple[int, int], redundant: dict[str, int], channel: str
) -> None:
    """KS-7, 2 processes: b and d are exact; c keeps the own id, which is redundant, and orders all the same."""
    for letter, violated in (("b", {}), ("c", redundant), ("d", {})):
        of = found(channel, self_addressed, own_copy=letter)
        assert (counts(of), of.violated) == (states, violated)


def test_removing_the_receiver_from_log_loses_its_own_messages_to_itself() -> None:
    """KS-34b with self-addressed messages in the network: an outstanding own copy is no longer named."""
    missing = {"Minimality": 3, "MissingInState": 3, "MissingInPacket": 4}
    assert found("unordered", "network", removal="b").violated == missing | {"CausalOrder": 5}
    assert found("fifo", "network", removal="b").violated == missing
    assert found("unordered", "at-send", removal="b").violated == {}
