"""Broken readings: TLC's counterexample is as short as ours, and it is a run of the Python model.

One broken reading of each algorithm by default, the others with `pytest -m sweep`.
"""

from __future__ import annotations

import pytest
from sweeping import quick
from tla_runs import calls_of, engine, needs_java, tlc

from precede.checker.bounds import Bounds
from precede.checker.errors import SpecificationError
from precede.checker.run import Run
from precede.checker.tlc import compare, schedule_of

pytestmark = needs_java

THREE = Bounds(processes=3, sends=3)
TO_ITSELF = Bounds(processes=2, sends=3, self_addressed="network")

BROKEN = [
    ("rst", "RST-1b", THREE, "CausalOrder", 4),
    ("rst", "RST-1c", THREE, "CausalOrder", 4),
    ("rst", "RST-2b", THREE, "CausalOrder", 6),
    ("ks", "KS-2a", THREE, "Minimality", 5),
    ("ks", "KS-10b", THREE, "Minimality", 4),
    ("jang", "J-1b", THREE, "Minimality", 2),
    ("jang", "J-2c", THREE, "Minimality", 2),
    ("jang", "J-7b", THREE, "Minimality", 4),
]


def is_quick(broken):
    return broken[1] in ("RST-2b", "KS-10b", "J-7b")


@pytest.mark.parametrize(("model", "readings", "bounds", "property", "length"), quick(BROKEN, is_quick))
def test_both_find_the_same_violation_after_as_many_steps(model, readings, bounds, property, length):
    theirs, ours = tlc(model, bounds, readings), engine(model, bounds, readings)
    assert (theirs.violated_property, theirs.trace_length) == (property, length)
    rows = {row.what: row for row in compare(ours, theirs)}
    assert rows["trace length"].equal and rows["violated first"].equal and rows["verdict"].equal


@pytest.mark.parametrize(("model", "readings", "bounds", "property", "length"), quick(BROKEN, is_quick))
def test_the_counterexample_of_tlc_is_a_run_of_the_python_model(model, readings, bounds, property, length):
    calls = calls_of(model, readings, bounds)
    schedule = schedule_of(calls, bounds, tlc(model, bounds, readings).trace)
    run = Run(calls, bounds)
    for event in schedule:
        run.apply(event)
    assert len(schedule) == length


def test_a_trace_of_another_reading_is_no_run_of_the_model():
    trace = tlc("jang", THREE, "J-7b").trace
    with pytest.raises(SpecificationError, match=r"step \d of TLC's counterexample is no step of the Python model"):
        schedule_of(calls_of("jang", "J-7c", THREE), THREE, trace)
