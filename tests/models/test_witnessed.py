"""X-8: what the counters of RST and SES assert, against the required set and against KS."""

from __future__ import annotations

import pytest

from naively import explored
from precede.checker.bounds import Bounds
from precede.checker.comparison import compare
from precede.checker.errors import UsageError
from precede.checker.loading import load_model
from precede.models import Message, Model
from precede.models.rst import RST
from precede.models.ses import SES
from precede.models.witnessed import newest_of_first, newest_up_to, witnessed


@pytest.mark.parametrize("inner", [RST(), SES()], ids=lambda inner: type(inner).__name__)
def test_nothing_is_missing_and_known_deliveries_stay(inner: Model) -> None:
    plain, found = explored(inner), explored(witnessed(inner))
    assert found.violated == {"Minimality": 2, "RedundantInPacket": 2, "RedundantInState": 3}
    assert (len(found.states), found.transitions) == (len(plain.states), plain.transitions)


@pytest.mark.parametrize(
    ("recorded", "broken"),
    [("a", {}), ("b", {"MissingInState": 2, "MissingInPacket": 3}), ("c", {"MissingInState": 2, "MissingInPacket": 3})],
)
def test_facts_that_a_receiver_does_not_record_are_missing(recorded: str, broken: dict[str, int]) -> None:
    """RST-1b and c."""
    violated = explored(witnessed(RST(recorded=recorded)), processes=3, sends=2).violated
    assert {name: steps for name, steps in violated.items() if name.startswith("Missing")} == broken


def test_rst_asserts_all_that_ks_asserts_and_more() -> None:
    bounds = Bounds(3, 3)
    for name in ("rst", "ses"):
        found = compare(load_model(f"{name}@facts"), load_model("ks"), bounds)
        for what in ("facts", "state facts"):
            compared = found.compared[what]
            assert compared and compared.more["a"].cases and compared.more["b"].cases == 0


M = (Message(1, 1, frozenset({2, 3})), Message(1, 2, frozenset({3})), Message(1, 3, frozenset({2})))


def test_a_counter_stands_for_the_newest_of_the_messages_that_it_counts() -> None:
    """RST counts the messages of a channel, SES those of a process."""
    assert set(newest_of_first(((0, 2, 1), (0, 0, 0), (0, 0, 0)), frozenset(M))) == {((1, 3), 2), ((1, 1), 3)}
    pairs = frozenset({(2, (2, 0, 0)), (3, (2, 0, 0))})
    assert set(newest_up_to(pairs, frozenset(M))) == {((1, 1), 2), ((1, 2), 3)}


def test_other_models_are_refused() -> None:
    with pytest.raises(UsageError, match="only the counters of rst and ses"):
        load_model("ks@facts")
