"""What a page says of control information is what the history requires."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from runs import TRIANGLE, calls_of, random_trace

from precede.checker.bounds import Bounds
from precede.checker.page import executing
from precede.checker.page.executing import Execution, execute
from precede.checker.page.histories import Histories
from precede.checker.result import ReceiveEvent
from precede.checker.run import Run
from precede.checker.trace import read_trace, record

REFUTATIONS = Path(__file__).parents[2] / "proofs" / "refutations"


@pytest.fixture(autouse=True)
def without_looking_ahead(monkeypatch):
    monkeypatch.setattr(executing, "LONGEST_JUDGED", 0)


def statuses(told: Execution) -> Counter[str]:
    items = [*told.state_items.values(), *told.packet_items.values()]
    return Counter(item.status for own in items for item in own)


@pytest.mark.parametrize("model", ["rst", "ks-lookahead", "sa"])
@pytest.mark.parametrize("seed", range(3))
def test_the_facts_required_are_those_of_the_past_after_every_step(model, seed):
    trace = random_trace(model, Bounds(4, 12), 40, seed)
    run = Run(calls_of(model, trace.bounds), trace.bounds)
    pasts = []
    for event in trace.schedule:
        run.apply(event)
        pasts += run.pasts.values()
    histories = Histories(trace, {sent for past in run.pasts.values() for sent in past.sent})
    assert all(histories.required(past) == past.required() for past in pasts)


@pytest.mark.parametrize("model", ["ks", "jang"])
def test_a_minimal_algorithm_has_required_items_only(model):
    found = statuses(execute(random_trace(model, Bounds(4, 12), 40, 2)))
    assert found["required"] > 100 and set(found) == {"required"}


def test_the_wrong_guard_of_ks_leaves_an_item_that_is_redundant():
    told = execute(read_trace(REFUTATIONS / "KS-2a.json"))
    assert statuses(told)["redundant"] == 1 and "missing" not in statuses(told)


def test_a_model_that_does_not_say_what_it_asserts_has_needed_items_only():
    assert set(statuses(execute(random_trace("rst", Bounds(3, 6), 15, 1)))) == {"needed"}


def test_every_item_says_what_ends_the_need_for_it():
    bounds = Bounds(3, 3)
    schedule = (*TRIANGLE, ReceiveEvent(3, (1, 1)), ReceiveEvent(3, (2, 1)))
    told = execute(record(calls_of("ks", bounds), bounds, schedule))
    (to_2,) = told.packet_items[2]
    assert (to_2.message, to_2.at, to_2.status) == ((1, 1), 3, "required")
    assert to_2.why == (
        "sent to 3 in step 1, and nothing in the past here shows it delivered there; "
        "needed until that is known: 2.1, sent to 3 in step 4, stands for it, or step 5 delivers it at 3"
    )
    assert [item.message for item in told.state_items[4, 2]] == [(2, 1)]
