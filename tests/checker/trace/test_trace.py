"""Trace files: complete, deterministic, written whole or not at all, and read as if they came from a stranger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from runs import TRIANGLE, calls_of, own_model, random_trace, scripted, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.errors import ConfigurationError, EnvironmentProblem, ModelError
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import ImpossibleStep
from precede.checker.trace import MOST_STEPS, read_trace, record, write_trace


@pytest.fixture
def good(tmp_path):
    """A trace file's JSON, to be spoiled by a test."""
    path = tmp_path / "good.json"
    write_trace(triangle_trace(tmp_path), path)
    return json.loads(path.read_text())


def refused(tmp_path, content, reason):
    """`content` is refused with one clear line that names the file."""
    path = tmp_path / "bad.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(EnvironmentProblem) as error:
        read_trace(path)
    message = str(error.value)
    assert message.startswith(str(path)) and reason in message, message
    assert "\n" not in message and len(message) < 400


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize("channel", ["unordered", "fifo"])
def test_a_trace_survives_its_file(tmp_path, model, channel):
    trace = random_trace(model, Bounds(4, 6, channel=channel), 25)
    path = tmp_path / "t.json"
    write_trace(trace, path)
    assert read_trace(path) == trace


def test_a_trace_of_a_scenario_keeps_its_text(tmp_path):
    scenario, bounds, run = scripted("triangle", "ks")
    trace = record(run.calls, bounds, run.enabled(), scenario=scenario)
    write_trace(trace, tmp_path / "t.json")
    assert read_trace(tmp_path / "t.json").scenario == ("triangle", scenario.text)


def test_a_trace_holds_every_step_with_packets_waits_and_the_whole_new_state(tmp_path, good):
    assert good["format"] == "precede-trace" and good["version"] == 2
    assert good["source"] == "precede check" and good["tool"].startswith("precede")
    assert [step["label"] for step in good["steps"]] == [
        "send 1.1 to 3",
        "send 1.2 to 2",
        "receive 1.2 at 2",
        "send 2.1 to 3",
        "receive 2.1 at 3",
    ]
    assert good["violation"]["message"] == "2.1" and good["violation"]["before"] == "1.1"
    assert good["steps"][4]["delivered"] == [{"message": "2.1", "at": 3}]
    assert good["steps"][4]["states"] == [{"process": 3, "state": {"me": 3, "seen": {"set": [[2, 1]]}}, "down": False}]


def test_sizes_and_waits_are_those_of_the_model():
    bounds = Bounds(3, 3)
    trace = record(calls_of("rst", bounds), bounds, TRIANGLE)
    (packet,) = trace.steps[3].packets
    assert (packet.units, packet.bytes) == (9, 36)
    assert trace.steps[3].waiting == ((3, (2, 1), 3),)
    assert [step.waiting for step in trace.steps[:3]] == [(), (), ()]


def test_the_same_run_gives_the_same_bytes_under_every_hash_seed(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from runs import random_trace; from precede.checker.bounds import Bounds\n"
        "from precede.checker.trace import write_trace; from precede.checker.diagram import draw\n"
        "t = random_trace('ks', Bounds(4, 6), 25); write_trace(t, sys.argv[2]); print(draw(t))"
    )
    found = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.json"
        command = [sys.executable, "-c", program, str(Path(__file__).parents[1]), str(path)]
        drawn = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        found.append((path.read_bytes(), drawn.stdout))
    assert found[0] == found[1]


def test_a_schedule_that_is_no_run_is_not_recorded():
    bounds = Bounds(3, 3)
    with pytest.raises(ImpossibleStep, match=r"receive 1.1 at 2 is not possible"):
        record(calls_of("rst", bounds), bounds, (ReceiveEvent(2, (1, 1)),))
    with pytest.raises(ConfigurationError, match="too long for a trace"):
        record(calls_of("rst", bounds), bounds, (SendEvent(1, frozenset({2})),) * (MOST_STEPS + 1))


def test_a_size_that_is_no_number_is_the_models_mistake(tmp_path):
    from runs import NO_ORDER

    own = own_model(tmp_path, NO_ORDER + "\n    def control_units(self, packet):\n        return 'many'\n")
    bounds = Bounds(3, 3)
    with pytest.raises(ModelError, match="control_units returned 'many'"):
        record(calls_of(own, bounds), bounds, TRIANGLE)


def test_a_full_disk_leaves_the_old_file_and_nothing_half_written(tmp_path, monkeypatch):
    path = tmp_path / "t.json"
    path.write_text("old")
    trace = random_trace("rst", Bounds(3, 3), 4)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(EnvironmentProblem, match="No space left"):
        write_trace(trace, path)
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["t.json"]


def test_a_device_that_is_full_is_one_line():
    with pytest.raises(EnvironmentProblem, match="No space left"):
        write_trace(random_trace("rst", Bounds(3, 3), 4), "/dev/full")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a trace: JSON ends or breaks in line 1"),
        (b"\x89PNG\r\n\x1a\n\xff", "binary"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"format": "precede-trace", "version": ' + b"9" * 10_000 + b"}", "a number that no trace holds"),
        (b'{"format": "precede-trace", "version": NaN}', "a number that no trace holds"),
        (b"[]", "not a precede trace"),
        (b"null", "not a precede trace"),
        (b'{"format": "precede-result", "version": 1}', "not a precede trace"),
        (b'{"format": "precede-trace"}', "version: missing"),
        (b'{"format": "precede-trace", "version": "1"}', "version: must be an integer"),
        (b'{"format": "precede-trace", "version": 3}', "newer than this precede reads"),
        (b'{"format": "precede-trace", "version": 2}', "bounds: missing"),
        (b'{"format": "precede-trace", "version": 1}', "bounds: missing"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path, content, reason):
    refused(tmp_path, content, reason)


def test_every_truncation_of_a_trace_is_refused(tmp_path):
    path = tmp_path / "t.json"
    write_trace(triangle_trace(tmp_path), path)
    data = path.read_bytes()
    for length in range(0, len(data) - 2, 97):
        refused(tmp_path, data[:length], "JSON ends or breaks")


def spoil(found, where, value):
    *path, last = where
    for key in path:
        found = found[key]
    found[last] = value


RECEIVED_TWICE = {
    "process": 2, "kind": "receive", "message": "1.2", "dests": [2], "packet": 2, "sender": None, "place": 0,
    "alternative": 0, "name": "", "packets": [], "delivered": [], "waiting": [], "held": [],
    "states": [{"process": 2, "state": 0, "down": False}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("where", "value", "reason"),
    [
        (("bounds",), [], "bounds: must be an object"),
        (("bounds", "processes"), 10**30, "processes: must be an integer from 2 to 62"),
        (("bounds", "processes"), True, "processes: must be an integer"),
        (("bounds", "processes"), 3.0, "processes: must be an integer"),
        (("bounds", "sends"), 0, "sends: must be an integer"),
        (("bounds", "channel"), "carrier pigeon", "bounds: --channel carrier pigeon"),
        (("bounds", "sends_per_process"), "1", "sends_per_process"),
        (("title",), None, "title: must be a text"),
        (("model",), 7, "model: must be a text"),
        (("readings",), {"RST-1": 1}, "readings.RST-1: must be a text"),
        (("scenario",), "x", "scenario: must be an object"),
        (("violation", "process"), 4, "violation.process: must be an integer from 1 to 3"),
        (("violation", "message"), [2, 1], "violation.message: must be a message"),
        (("violation", "message"), "2.1.3", "violation.message: must be a message"),
        (("violation", "message"), "9.1", "violation.message: must be a message"),
        (("initial",), [], "initial: must hold the processes 1 to 3"),
        (("initial", 0, "process"), 2, "initial: must hold the processes"),
        (("steps",), {}, "steps: must be a list"),
        (("steps", 0), None, "steps[0]: must be an object"),
        (("steps", 0, "process"), 0, "steps[0].process: must be an integer from 1 to 3"),
        (("steps", 0, "process"), 2, "step 1 (send 1.1 to 3): states must hold the processes that take part"),
        (("steps", 0, "kind"), "teleport", "steps[0].kind: must be one of send, receive, internal"),
        (("steps", 0, "kind"), "receive", "steps[0].packet: must name the packet"),
        (("steps", 0, "kind"), "internal", "steps[0].message: must be null"),
        (("steps", 0, "name"), 3, "steps[0].name: must be a text"),
        (("steps", 0, "packet"), 1, "steps[0].packet: must name the packet of a step that takes one, and else be null"),
        (("steps", 0, "message"), "1.7", "must send its message 1 next"),
        (("steps", 0, "dests"), [], "must send its message 1 next, to someone"),
        (("steps", 0, "dests"), [3, 3], "names a number twice"),
        (("steps", 0, "message"), None, "steps[0].message: missing in a send"),
        (("steps", 0, "alternative"), -1, "steps[0].alternative: must be an integer"),
        (("steps", 0, "packets", 0, "number"), 2, "the next packet must have the number 1"),
        (("steps", 0, "packets", 0, "sender"), 2, "a packet must come from a process that takes part"),
        (("steps", 0, "packets", 0, "message"), "2.1", "carries a message that was not sent"),
        (("steps", 0, "packets", 0, "met"), True, "states must hold the processes that take part"),
        (("steps", 0, "packets", 0, "met"), 0, "met: must be true or false"),
        (("steps", 0, "packets", 0, "bytes"), -4, "bytes: must be an integer"),
        (("steps", 2, "message"), "2.1", "no such packet is in transit"),
        (("steps", 2, "dests"), [2, 3], "no such packet is in transit"),
        (("steps", 2, "packet"), 1, "no such packet is in transit"),
        (("steps", 2, "sender"), 2, "the packet is at place 0 of those from 1"),
        (("steps", 4), RECEIVED_TWICE, "step 5 (receive 1.2 at 2): no such packet is in transit"),
        (("steps", 2, "delivered"), [{"message": "1.1", "at": 2}], "1.1 is no message to 2"),
        (("steps", 2, "delivered"), [{"message": "1.1", "at": 3}], "only a process that takes part can deliver"),
        (("steps", 2, "held"), [{"message": "1.3", "at": 3}], "1.3 is no message to 3"),
        (("steps", 2, "waiting"), [{"packet": 9, "message": "1.1", "at": 3}], "a waiting packet is not in transit"),
        (("steps", 2, "waiting"), [{"packet": 1, "message": None, "at": 3}], "a waiting packet is not in transit"),
        (("steps", 2, "waiting"), [{"packet": 1, "message": "1.1"}], "at: missing"),
        (("steps", 2, "states"), [], "states must hold the processes that take part"),
        (("steps", 2, "states", 0, "down"), True, "process 2 is up"),
        (("settings",), {"k": "1"}, "settings.k: must be a whole number, or sets of processes"),
        (("settings",), {"k": [{"set": [True]}]}, "settings.k: must be a whole number"),
        (("bounds", "losses"), 10**9, "losses: must be an integer from 0 to 100"),
        (("bounds", "groups"), [[1, 9]], "bounds.groups[0]: must be an integer from 1 to 3"),
        (("bounds", "groups"), [1], "bounds.groups[0]: must be a list"),
        (("bounds", "groups"), [[1, 2]], "bounds: --dests groups"),
        (("violation", "loop"), 5, "violation.loop: must be less than the number of steps"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(tmp_path, good, where, value, reason):
    spoil(good, where, value)
    refused(tmp_path, good, reason)


def test_a_state_that_is_too_deep_or_too_large_is_refused(tmp_path, good):
    deep = 0
    for _ in range(400):
        deep = [deep]
    spoil(good, ("steps", 0, "states", 0, "state"), deep)
    refused(tmp_path, good, "nested deeper")
    spoil(good, ("steps", 0, "states", 0, "state"), [[0] * 1000] * 1001)
    refused(tmp_path, good, "more than 1000000 parts")


def test_too_many_steps_and_a_huge_file_are_refused(tmp_path, good):
    good["steps"] = [good["steps"][0]] * (MOST_STEPS + 1)
    refused(tmp_path, good, f"steps: must be a list of at most {MOST_STEPS}")
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(65 * 2**20)
    with pytest.raises(EnvironmentProblem, match="larger than 64 MiB"):
        read_trace(path)


@pytest.mark.parametrize("name", ["none.json", ".", "a\0b"])
def test_a_path_that_is_no_file_is_refused(tmp_path, name):
    with pytest.raises(EnvironmentProblem):
        read_trace(tmp_path / name)
