"""TLC and the engine reach the same set of states, one by one."""

from __future__ import annotations

import pytest
from sweeping import quick
from tla_runs import MODELS, counts, needs_java, properties_of, state_sets

from precede.checker.bounds import Bounds
from precede.checker.loading import load_model
from precede.checker.tlc.declared import MODULES as ALL

pytestmark = needs_java


@pytest.mark.parametrize("model", quick(MODELS, ("jang",)))
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (Bounds(processes=3, sends=3), ("holds", 8757, 17634, 9)),
        pytest.param(Bounds(processes=4, sends=2), ("holds", 8193, 17328, 8), marks=pytest.mark.sweep),
    ],
    ids=["3 processes, 3 multicasts", "4 processes, 2 multicasts"],
)
def test_the_states_are_the_same_and_as_many_as_known(model, bounds, expected):
    tlc, sets = state_sets(model, bounds, properties=properties_of(model, ""))
    assert counts(tlc) == expected
    assert (sets.common, sets.only_ours, sets.only_tlc) == (expected[1], 0, 0)


@pytest.mark.sweep
@pytest.mark.parametrize("model", ALL)
def test_the_states_of_three_sends_of_the_widest_load_are_the_same(model):
    form = load_model(model).model
    bounds = Bounds(processes=3, sends=3, dests=form.load, channel=form.channel)
    tlc, sets = state_sets(model, bounds)
    assert sets.equal and sets.common == tlc.distinct_states


@pytest.mark.parametrize(
    ("model", "readings"),
    [
        ("ks", "KS-10b"),
        pytest.param("ks", "KS-10d", marks=pytest.mark.sweep),
        pytest.param("jang", "J-1b", marks=pytest.mark.sweep),
        ("jang", "J-2c"),
        pytest.param("jang", "J-4b J-7c", marks=pytest.mark.sweep),
        ("jang", "J-7d"),
    ],
)
def test_readings_that_change_the_stored_information_change_it_alike(model, readings):
    bounds = Bounds(processes=3, sends=2, dests="broadcast", self_addressed="network")
    _, sets = state_sets(model, bounds, readings)
    assert sets.equal and sets.common > 100


def test_two_readings_have_different_states_and_the_examples_say_how():
    _, sets = state_sets("ks", Bounds(processes=2, sends=2), "KS-10a", ours="KS-10c")
    assert not sets.equal and sets.only_ours == sets.only_tlc > 0
    ours, theirs = sets.examples_ours[0], sets.examples_tlc[0]
    assert set(ours) == {"clock", "SR", "LOG", "past", "network"}
    assert ours["past"] == theirs["past"] and max(map(len, ours["LOG"])) > max(map(len, theirs["LOG"]))
