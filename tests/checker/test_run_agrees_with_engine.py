"""Two independent executions of the same system: the compiled engine, and runs step by step."""

from __future__ import annotations

import pytest
import toys
from runs import SCENARIOS, calls_of, every_run, scripted

from precede.checker.bounds import Bounds
from precede.checker.engine import explore
from precede.checker.run import Run
from precede.checker.trace import record
from precede.checker.trace.replay import replay

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


PROTOCOLS = [
    (toys.Ack(), {"losses": 1}),
    (toys.Ack(), {"channel": "fifo", "duplicates": 1}),
    (toys.Buffer(), {"crashes": 1}),
    (toys.TokenRing(), {}),
    (toys.Deaf(), {"sends": 1, "channel": "fifo-delivery"}),
    (toys.Meeting(most=1), {"dests": "multicast"}),
    (toys.Relay(), {"duplicates": 1}),
    (toys.Views(), {"crashes": 1, "restarts": 1, "sends": 1}),
    (toys.Counting(), {"crashes": 1, "restarts": 1}),
    (toys.Choosing(), {}),
]


@pytest.mark.parametrize(("model", "more"), PROTOCOLS, ids=lambda v: type(v).__name__)
def test_protocols_have_the_same_states_and_every_witness_of_the_engine_is_one(model, more):
    calls = toys.calls_of_toy(model, **{"sends": 2, "dests": "unicast", **more})
    result = explore(calls, calls.bounds, ("CausalOrder", "Delivery", "NoNeedlessDelay", "Integrity"))
    assert result.complete
    assert (result.distinct_states, result.transitions) == every_run(Run(calls, calls.bounds))
    for found in result.properties:
        if found.witness:
            trace = record(calls, calls.bounds, found.witness.schedule, property=found.name, witness=found.witness)
            again = replay(trace, trace.model)
            assert (again.same, again.violation) == (True, "there"), (found.name, again.explanation)
