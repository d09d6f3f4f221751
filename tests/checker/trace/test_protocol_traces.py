"""Traces of models with signals, buffers, joint steps and faults: kept whole, replayed, judged again, untrusted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import toys
from toys import random_trace, send, trace_of

from precede.checker.errors import ConfigurationError, EnvironmentProblem, ModelError, SpecificationError
from precede.checker.formats import TRACE
from precede.checker.result import FaultEvent, InternalEvent, JointEvent, ReceiveEvent
from precede.checker.trace import read_trace, write_trace
from precede.checker.trace.file import as_text
from precede.checker.trace.replay import replay

VERSION_1 = Path(__file__).parent / "version1"
FAULTY = {"duplicates": 1, "losses": 1, "crashes": 1, "restarts": 1}
SYSTEMS = [
    (toys.Ack(), {"channel": "fifo", **FAULTY}),
    (toys.Buffer(), {"crashes": 1}),
    (toys.Buffer(eager=0), {"dests": "broadcast"}),
    (toys.TokenRing(), {"losses": 1}),
    (toys.Meeting(most=1), {"crashes": 1}),
    (toys.Relay(), {"duplicates": 2}),
    (toys.Views(), FAULTY),
    (toys.Counting(), {"dests": "groups", "groups": (frozenset({1, 2}), frozenset({2, 3})), **FAULTY}),
    (toys.Choosing(), {}),
]


@pytest.mark.parametrize(("model", "bounds"), SYSTEMS, ids=lambda v: type(v).__name__)
def test_a_trace_survives_its_file_and_replays_the_same(tmp_path, model, bounds):
    kinds = set()
    for seed in range(6):
        trace = random_trace(model, seed, **{"sends": 4, **bounds})
        write_trace(trace, tmp_path / "t.json")
        again = read_trace(tmp_path / "t.json")
        assert again == trace
        result = replay(again, again.model)
        assert (result.same, result.exit_code) == (True, 0), result.explanation
        kinds |= {step.kind for step in trace.steps}
    assert kinds >= {kind for kind, name in zip(("duplicate", "lose", "crash"), FAULTY, strict=False) if name in bounds}


def test_a_step_says_what_was_transmitted_received_held_and_who_took_part():
    trace = trace_of(toys.Ack(), send(1, 2), ReceiveEvent(2, (1, 1), 0, 1, 0), ReceiveEvent(1, None, 0, 2, 0))
    _, delivery, signal = json.loads(as_text(trace))["steps"]
    assert delivery["label"] == "receive 1.1 at 2" and delivery["delivered"] == [{"message": "1.1", "at": 2}]
    assert delivery["packets"] == [
        {
            "number": 2,
            "sender": 2,
            "to": 1,
            "message": None,
            "control": "ack",
            "units": None,
            "bytes": None,
            "met": False,
        }
    ]
    assert signal["label"] == "receive signal from 2 at 1" and signal["message"] is None
    assert (signal["packet"], signal["sender"], signal["place"]) == (2, 2, 0)
    meeting = json.loads(as_text(trace_of(toys.Meeting(), send(1, 2, 3))))
    (step,) = meeting["steps"]
    assert [new["process"] for new in step["states"]] == [1, 2, 3] and meeting["settings"] == {"most": 2}
    assert [(p["sender"], p["to"], p["met"]) for p in step["packets"]] == [
        (1, 2, True), (1, 3, True), (2, 1, False), (3, 1, False)
    ]  # fmt: skip
    fields = {path.removeprefix("steps[].") for path in TRACE.fields if path.startswith("steps[].")}
    assert set(step) == {path for path in fields if path.isidentifier()}
    assert {f"packets[].{name}" for name in step["packets"][0]} == {path for path in fields if "packets[]" in path}
    faults = trace_of(toys.Counting(), send(1, 2), FaultEvent("duplicate", 2, 1, 0), FaultEvent("crash", 2), **FAULTY)
    _, duplicate, crash = json.loads(as_text(faults))["steps"]
    assert (duplicate["label"], duplicate["packet"], duplicate["packets"][0]["number"]) == ("duplicate 1.1 to 2", 1, 2)
    assert crash["states"] == [{"process": 2, "state": None, "down": True}]


@pytest.mark.parametrize("name", ["order", "wait"])
def test_a_trace_of_version_1_is_still_read_and_replays_the_same(name):
    trace = read_trace(VERSION_1 / f"{name}.json")
    result = replay(trace)
    assert result.exit_code == 0 and result.violation == ("there" if name == "order" else "none recorded")
    assert json.loads(as_text(trace))["version"] == 2
    if name == "wait":
        assert trace.steps[3].waiting == ((3, (2, 1), 3),)
        assert [step.taken for step in trace.steps] == [None, None, 2, None, 1, 3]


@pytest.mark.parametrize(
    ("number", "field", "value", "reason"),
    [
        (2, "message", "3.1", "step 3 (receive 3.1 at 2): no such packet is in transit"),
        (2, "kind", "duplicate", "steps[2].kind: must be 'send' or 'receive'"),
        (3, "waiting", [{"message": "1.2", "at": 2}], "a waiting packet is not in transit"),
        (2, "delivered", ["1.1"], "1.1 is no message to 2"),
        (
            0,
            "packets",
            [{"to": 3, "control": 0, "units": None, "bytes": None}] * 2,
            "the next packet must have the number",
        ),
    ],
)
def test_version_1_is_no_way_around_the_checks(tmp_path, number, field, value, reason):
    found = json.loads((VERSION_1 / "wait.json").read_text())
    found["steps"][number][field] = value
    (tmp_path / "bad.json").write_text(json.dumps(found))
    with pytest.raises(EnvironmentProblem) as error:
        read_trace(tmp_path / "bad.json")
    assert reason in str(error.value)


STORY = (
    send(1, 2),
    FaultEvent("duplicate", 2, 1, 0),
    FaultEvent("lose", 2, 1, 1),
    FaultEvent("crash", 3),
    FaultEvent("restart", 3),
    JointEvent(),
)


@pytest.mark.parametrize(
    ("number", "changes", "reason"),
    [
        (2, {"packets": []}, "a duplicate is one packet like the other"),
        (2, {"packet": 7}, "step 2 (duplicate 1.1 to 2): no such packet is in transit"),
        (2, {"message": None}, "no such packet is in transit"),
        (2, {"dests": [2, 3]}, "the message has other destinations"),
        (3, {"place": 0}, "the packet is at place 1 of those from 1"),
        (3, {"states": [{"process": 2, "state": 0, "down": False}]}, "states must hold the processes that take part"),
        (4, {"kind": "restart"}, "step 4 (restart process 3): process 3 is up"),
        (4, {"message": "1.1"}, "steps[3].message: must be null in such a step"),
        (4, {"states": [{"process": 3, "state": None, "down": False}]}, "process 3 is up"),
        (5, {"kind": "internal"}, "step 5 (process 3: internal step): process 3 is down"),
        (5, {"kind": "joint"}, "states must hold the processes that take part"),
        (6, {"states": [{"process": p, "state": 0, "down": False} for p in (2, 1, 3)]}, "each process once, in order"),
        (6, {"kind": "internal", "process": 1}, "states must hold the processes that take part"),
        (6, {"packets": [{"number": 3, "sender": 1, "to": 2, "message": None, "control": 0, "units": None,
                          "bytes": None, "met": False}]}, "such a step transmits nothing"),
        (6, {"held": [{"message": "1.1", "at": 3}]}, "1.1 is no message to 3"),
        (6, {"name": "\x1b[31m", "held": [{"message": "1.1", "at": 3}]}, "6 (all processes: \ufffd[31m): 1.1 is no"),
    ],
)  # fmt: skip
def test_a_trace_whose_steps_do_not_fit_together_is_refused(tmp_path, number, changes, reason):
    found = json.loads(as_text(trace_of(toys.Views(), *STORY, **FAULTY)))
    found["steps"][number - 1].update(changes)
    (tmp_path / "bad.json").write_text(json.dumps(found))
    with pytest.raises(EnvironmentProblem) as error:
        read_trace(tmp_path / "bad.json")
    assert reason in str(error.value) and str(error.value).isprintable()


@pytest.mark.parametrize(
    ("step", "changes", "reason"),
    [
        (3, {"called": "nap"}, "the step is called 'deliver from 1', in the trace 'nap'"),
        (3, {"delivered": (((1, 2), 2),)}, "it delivers 1.1, 1.2, in the trace 1.2"),
        (2, {"held": ()}, "it leaves held 1.1 at 2, 1.2 at 2, in the trace nothing"),
        (0, {"states": ()}, "other processes take part than in the trace"),
    ],
)
def test_a_replay_finds_what_differs(step, changes, reason):
    arrive = (ReceiveEvent(2, (1, 1), 0, 1, 0), ReceiveEvent(2, (1, 2), 0, 1, 0))
    trace = trace_of(toys.Buffer(eager=0), send(1, 2), send(1, 2), *arrive, InternalEvent(2))
    assert replay(trace, trace.model).same
    at = step + 1
    steps = (*trace.steps[:at], replace(trace.steps[at], **changes), *trace.steps[at + 1 :])
    result = replay(replace(trace, steps=steps), trace.model)
    assert (result.step, result.exit_code) == (at + 1, 12) and result.difference == reason


def test_a_trace_is_replayed_with_its_settings():
    trace = trace_of(toys.Buffer(eager=0), send(1, 2), send(1, 2), ReceiveEvent(2, (1, 1)), ReceiveEvent(2, (1, 2)))
    assert replay(trace, trace.model).same
    assert "it delivers 1.1, 1.2" in replay(replace(trace, settings={"eager": 1}), trace.model).difference
    with pytest.raises(ConfigurationError, match="has no parameter 'lazy'; it has eager"):
        replay(replace(trace, settings={"lazy": 1}), trace.model)
    ring = trace_of(toys.TokenRing())
    with pytest.raises(ConfigurationError, match="it has none"):
        replay(replace(ring, settings={"load": 1}), ring.model)


PICKY = """
from dataclasses import dataclass
from precede.models import Model, Sets, parameter


@dataclass(frozen=True)
class Picky(Model):
    zones: Sets = parameter((frozenset({1, 2}),), "the zones")

    def __post_init__(self):
        if not all(isinstance(zone, frozenset) for zone in self.zones):
            raise ValueError("no zones")

    def start(self, me, processes):
        return self.zones

    def send(self, state, message):
        return None

    def receive(self, state, packet):
        return None
"""


def test_settings_may_be_sets_of_processes_and_are_not_believed(tmp_path):
    (tmp_path / "picky.py").write_text(PICKY)
    trace = replace(trace_of(toys.TokenRing()), settings={"zones": [{"set": [1, 3]}]})
    name = f"{tmp_path / 'picky.py'}:Picky"
    assert replay(trace, name).difference.endswith("state: new: ({1,3})")
    with pytest.raises(SpecificationError, match="refuses the settings of the trace"):
        replay(replace(trace, settings={"zones": 3}), name)


def test_a_step_whose_name_is_no_text_is_the_models_mistake():
    class Nameless(toys.TokenRing):
        def internal(self, state):
            step = super().internal(state)
            return step and step._replace(name=7)

    with pytest.raises(ModelError, match="calls a step 7: give a text as its name"):
        trace_of(Nameless(), InternalEvent(1))
