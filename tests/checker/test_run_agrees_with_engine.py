"""Two independent executions of the same system: the compiled engine, and runs step by step."""

from __future__ import annotations

import pytest
from runs import SCENARIOS, calls_of, every_run, scripted

from precede.checker.bounds import Bounds
from precede.checker.engine import explore
from precede.checker.run import Run

NAMES = sorted(path.stem for path in SCENARIOS.glob("*.txt"))


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize("name", NAMES)
def test_a_script_leaves_the_engine_and_the_runs_the_same_states(name, model):
    scenario, bounds, run = scripted(name, model)
    result = explore(run.calls, bounds, ("CausalOrder", "Delivery", "NoNeedlessDelay"), scenario=scenario)
    assert (result.distinct_states, result.transitions) == every_run(run)
    assert result.verdict == "holds"


@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
def test_the_channels_leave_the_engine_and_the_runs_the_same_states(channel):
    bounds = Bounds(3, 2, channel=channel)
    calls = calls_of("ks", bounds)
    result = explore(calls, bounds, ("CausalOrder",))
    assert (result.distinct_states, result.transitions) == every_run(Run(calls, bounds))
