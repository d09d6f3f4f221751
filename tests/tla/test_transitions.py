"""TLC's labelled transition relation is that of precede, step by step."""

from __future__ import annotations

import pytest
from sweeping import quick
from tla_runs import calls_of, needs_java

from precede.checker.bounds import Bounds
from precede.checker.tlc import run_tlc
from precede.checker.tlc.declared import MODULES
from precede.checker.tlc.transitions import compare_transitions

pytestmark = needs_java
FIVE = [("rst", ""), ("ks", ""), ("jang", ""), ("gk", ""), ("sa", "K=1")]


def relations(model, sends, folder, readings="", settings="", other=None):
    """TLC's graph of the model's widest load against our transitions, with the same readings or with `other`."""
    calls = calls_of(model, readings, Bounds(), settings)
    bounds = Bounds(processes=3, sends=sends, dests=calls.model.load, channel=calls.model.channel)
    graph = folder / "graph.dot"
    found = run_tlc(model, calls.loaded.readings, bounds, (), settings=calls.loaded.settings, graph=graph)
    ours = calls_of(model, readings if other is None else other, bounds, settings)
    return found, compare_transitions(ours, bounds, graph)


@pytest.mark.parametrize(("model", "settings"), quick(FIVE, lambda case: case[0] in ("rst", "ks", "gk")))
def test_every_labelled_transition_is_the_same(model, settings, tmp_path):
    found, sets = relations(model, 2, tmp_path, settings=settings)
    assert (sets.common, sets.only_ours, sets.only_tlc) == (found.transitions, 0, 0)


@pytest.mark.sweep
@pytest.mark.parametrize(("model", "settings"), FIVE)
def test_every_labelled_transition_of_three_sends_is_the_same(model, settings, tmp_path):
    found, sets = relations(model, 3, tmp_path, settings=settings)
    assert sets.common == found.transitions and sets.equal


@pytest.mark.sweep
@pytest.mark.parametrize("model", [model for model in MODULES if model not in dict(FIVE)])
def test_every_labelled_transition_of_any_specification_is_the_same(model, tmp_path):
    found, sets = relations(model, 2, tmp_path)
    assert sets.common == found.transitions and sets.equal


def test_another_reading_has_other_transitions_and_an_example_says_which(tmp_path):
    _, sets = relations("jang", 2, tmp_path, readings="J-7b", other="J-7a")
    assert sets.only_ours and sets.only_tlc
    assert sets.examples[0].startswith("only in precede: ") and "CI becomes" in " ".join(sets.examples)
