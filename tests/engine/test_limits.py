"""A search that is cut short says so, with all that it knows; and its results depend on nothing but its question."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import Limits, Progress, explore
from precede.checker.engine.compiled import kernel
from precede.checker.engine.limits import BrokenOff, Watch, no_call
from precede.checker.errors import ModelError
from precede.checker.loading import LoadedModel, load_model
from precede.checker.properties import UserProperty
from precede.checker.result import Result
from precede.models import Message, Model, Step

LARGE = Bounds(processes=3, sends=7)


def searched(search: str, limits: Limits, on_progress: Any = None, bounds: Bounds = LARGE) -> Result:
    calls = ModelCalls(load_model("rst"), bounds)
    return explore(calls, bounds, ("CausalOrder", "Delivery"), search=search, limits=limits, on_progress=on_progress)


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_the_limit_of_states_ends_in_incomplete_with_the_counts_so_far(search: str) -> None:
    result = searched(search, Limits(states=5000))
    assert (result.verdict, result.complete, result.exit_code) == ("incomplete", False, 3)
    assert result.stopped == "the limit of 5,000 states was reached"
    assert result.distinct_states is not None and 5000 <= result.distinct_states < 6000
    assert {p.verdict for p in result.properties} == {"incomplete"}


@pytest.mark.parametrize("search", ["bfs", "dfs", "random"])
def test_the_time_limit_ends_in_incomplete(search: str) -> None:
    searched(search, Limits(states=100), bounds=Bounds(processes=2, sends=1))  # compiles the kernels
    result = searched(search, Limits(seconds=1.0))
    assert result.verdict == "incomplete"
    assert 1.0 <= result.seconds < 6.0
    assert result.stopped is not None and ("time limit" in result.stopped or "walks" in result.stopped)


@pytest.mark.parametrize("search", ["bfs", "dfs"])
def test_the_memory_limit_ends_in_incomplete(search: str) -> None:
    result = searched(search, Limits(memory_bytes=1))
    assert result.verdict == "incomplete"
    assert result.stopped is not None and "memory limit" in result.stopped


def test_an_interrupt_ends_in_incomplete_and_restores_the_handler() -> None:
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = searched("bfs", Limits())
    assert (result.verdict, result.stopped) == ("incomplete", "interrupted")
    assert result.distinct_states is not None and result.distinct_states > 1
    assert signal.getsignal(signal.SIGINT) is before


def test_lack_of_memory_ends_in_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(progress: Progress) -> None:
        if progress.depth >= 2:
            raise MemoryError

    result = searched("bfs", Limits(), exhausted)
    assert (result.verdict, result.stopped) == ("incomplete", "memory is exhausted")
    assert result.distinct_states is not None and result.distinct_states > 1


def test_progress_tells_growing_counts() -> None:
    seen: list[Progress] = []
    result = searched("bfs", Limits(states=20_000), seen.append)
    assert [p.states for p in seen] == sorted(p.states for p in seen)
    assert seen[-1].states == result.distinct_states
    assert all(p.memory_bytes > 0 and p.seconds >= 0 for p in seen)


def test_a_violation_beats_incomplete() -> None:
    calls = ModelCalls(load_model("rst", ["RST-1b"]), LARGE)
    result = explore(calls, LARGE, ("CausalOrder", "Delivery"), limits=Limits(states=20_000))
    assert (result.verdict, result.exit_code) == ("violated", 12)
    assert {p.name: p.verdict for p in result.properties} == {"CausalOrder": "violated", "Delivery": "incomplete"}


def test_the_search_ends_when_every_property_is_decided() -> None:
    calls = ModelCalls(load_model("rst", ["RST-1b"]), LARGE)
    result = explore(calls, LARGE, ("CausalOrder",))
    assert (result.verdict, result.complete) == ("violated", False)
    assert result.stopped == "every requested property is decided"


@pytest.mark.parametrize("kind", ["start", "property"])
def test_what_never_answers_before_the_first_step_is_broken_off_as_well(kind: str) -> None:
    def forever(**values: Any) -> Any:
        while True:
            pass

    bounds = Bounds(processes=2, sends=1)
    calls = ModelCalls(load_model("rst"), bounds)
    properties: tuple[str | UserProperty, ...] = ("CausalOrder",)
    if kind == "property":
        properties = (UserProperty("forever", "state", frozenset({"state"}), forever),)
        result = explore(calls, bounds, properties, limits=Limits(seconds=0.5))
        assert (result.verdict, result.distinct_states) == ("incomplete", 1)
    else:
        never = ModelCalls(LoadedModel("never", NeverStarts(), {}, False), bounds)
        with pytest.raises(ModelError, match="never: start does not return"):
            explore(never, bounds, properties, limits=Limits(seconds=0.5))


def test_without_properties_everything_is_explored() -> None:
    bounds = Bounds(processes=2, sends=2)
    result = explore(ModelCalls(load_model("rst"), bounds), bounds, ())
    assert (result.complete, result.distinct_states) == (True, 19)


PROGRAM = """
import json
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.errors import ModelError
from precede.checker.loading import LoadedModel, load_model
bounds = Bounds(processes=3, sends=3)
calls = ModelCalls(load_model("ks", ["KS-10b"]), bounds)
result = explore(calls, bounds, calls.model.claims)
shown = result.as_json() | {"schedules": [repr(p.witness and p.witness.schedule) for p in result.properties]}
for key in ("seconds", "peak_memory_bytes"):
    del shown[key]
print(json.dumps(shown))
"""


def run_program(**environment: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return json.loads(done.stdout)


def test_results_do_not_depend_on_the_hash_seed() -> None:
    assert run_program(PYTHONHASHSEED="1") == run_program(PYTHONHASHSEED="2")


@pytest.mark.sweep
def test_without_a_writable_cache_folder_the_result_is_the_same_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    result = run_program(NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert len(result["notes"]) == 1 and "compiled kernels are not kept" in result["notes"][0]
    assert result["distinct_states"] == run_program()["distinct_states"]


@dataclass(frozen=True)
class NeverStarts(Model):
    def start(self, me: int, processes: int) -> int:
        while True:
            pass


@dataclass(frozen=True)
class NeverAnswers(Model):
    def start(self, me: int, processes: int) -> int:
        return me

    def send(self, state: int, message: Message) -> Step:
        while True:
            pass


def test_a_model_that_never_answers_is_broken_off_at_the_time_limit() -> None:
    bounds = Bounds(processes=2, sends=1)
    calls = ModelCalls(LoadedModel("never", NeverAnswers(), {}, False), bounds)
    result = explore(calls, bounds, ("CausalOrder",), limits=Limits(seconds=0.5))
    assert (result.verdict, result.distinct_states) == ("incomplete", 1)
    assert result.stopped == "the time limit of 0.5 s was reached; the last call of the model was broken off"


def test_what_is_no_call_of_the_model_is_not_broken_off_at_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("precede.checker.engine.limits.GRACE", 0.1)
    reasons = []
    broken_off = pytest.raises(BrokenOff, match="the last call of the model was broken off")
    with broken_off, Watch(Limits(seconds=0.1), None) as watch:
        with no_call("the compilation of a kernel"):
            time.sleep(0.5)
            reasons.append(watch.reason)
        time.sleep(5)
    assert reasons == ["the time limit of 0.1 s was reached"]


def test_a_second_interrupt_says_what_it_broke_off() -> None:
    with Watch(Limits(), None):
        signal.raise_signal(signal.SIGINT)
        with no_call("the compilation of a kernel"), pytest.raises(BrokenOff, match="of a kernel was broken off"):
            signal.raise_signal(signal.SIGINT)


def test_kernels_are_compiled_as_what_is_no_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled_now(*_: Any) -> None:
        raise BrokenOff

    monkeypatch.setattr("precede.checker.engine.compiled.CACHE", tmp_path)
    monkeypatch.setattr("precede.checker.engine.compiler.compiled", compiled_now)
    with pytest.raises(BrokenOff, match="the compilation of a kernel was broken off"):
        kernel(lambda number: number)(1)
