"""The manifest is true: its files are those in `tla/`, precede finds what it says, and so does TLC.

By default precede does all runs but the large ones and a slow one, and TLC the small runs of `OF_EVERY_TEST`: its
states are those of precede, one by one. The other small runs of TLC, and all other runs: `precede tlc --all`, or
`pytest -m sweep tests/tla/test_manifest.py`.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest
from sweeping import quick
from tla_runs import needs_java

from precede.checker.calls import ModelCalls
from precede.checker.engine import explore, whole_states
from precede.checker.properties import select_properties
from precede.checker.tlc import compare_states, run_tlc
from precede.checker.tlc.declared import MODULES
from precede.checker.tlc.listed import carry_out
from precede.checker.tlc.manifest import manifest

FOLDER = Path(str(resources.files("precede.tla")))
README = (Path(__file__).parent.parent.parent / "README.md").read_text()
RUNS = {run.name: run for run in manifest()}
SMALL = [name for name, run in RUNS.items() if run.size == "small"]
LARGE = [name for name, run in RUNS.items() if run.size == "large"]
FAILS = [name for name, run in RUNS.items() if run.size == "fails"]
OF_EVERY_TEST = ("RST", "SES", "BSS", "KS", "Jang", "GK", "SA", "PRS", "KimKim", "SerialisedBroadcast")
"""The small runs that TLC does by default."""


def test_every_run_has_a_name_of_its_own_and_every_specification_a_small_and_a_large_one():
    assert len(RUNS) == len(manifest())
    for size in ("small", "large"):
        assert {run.model for run in manifest() if run.size == size} == set(MODULES)
    assert all(run.name == run.module for run in manifest() if run.size == "small")


def test_the_configurations_in_the_folder_are_those_of_the_manifest():
    found = {str(path.relative_to(FOLDER)): path.read_text() for path in FOLDER.rglob("*.cfg")}
    assert found == {run.path: run.configuration for run in manifest()}


def test_every_module_is_there_and_no_other():
    shared = {"CausalHistory", "CausalMulticast", "CausalSystem", "CausalTransport", "CausalWorkload", "KSArrival",
              "KSLog", "SemanticHistory", "SemanticMulticast"}  # fmt: skip
    assert {path.stem for path in FOLDER.glob("*.tla")} == set(MODULES.values()) | shared


@pytest.mark.parametrize("name", quick([*SMALL, *FAILS], lambda name: name != "Synchronous"))
def test_precede_finds_what_the_manifest_says(name):
    check_with_precede(name)


@pytest.mark.sweep
@pytest.mark.parametrize("name", LARGE)
def test_precede_finds_what_the_manifest_says_of_a_large_run(name):
    check_with_precede(name)


def check_with_precede(name):
    run = RUNS[name]
    loaded = run.loaded
    properties = select_properties(run.properties, loaded.model, run.model)
    found = explore(ModelCalls(loaded, run.bounds), run.bounds, properties)
    assert found.verdict == run.verdict
    if run.verdict == "holds":
        assert (found.distinct_states, found.transitions, found.depth) == (run.states, run.transitions, run.depth)
    else:
        lengths = {p.name: p.trace_length for p in found.properties if p.trace_length is not None}
        assert lengths[run.violated] == run.length == min(lengths.values())


@needs_java
@pytest.mark.parametrize("name", quick(SMALL, OF_EVERY_TEST))
def test_tlc_finds_what_the_manifest_says_and_the_states_of_precede(name, tmp_path):
    run = RUNS[name]
    loaded, dump = run.loaded, tmp_path / "states.dump"
    found = run_tlc(
        run.model, loaded.readings, run.bounds, run.properties,
        settings=loaded.settings, temporal=run.temporal, dump=dump,
    )  # fmt: skip
    assert (found.verdict, found.distinct_states) == ("holds", run.states)
    assert (found.transitions, found.depth) == (run.transitions, run.depth)
    calls = ModelCalls(loaded, run.bounds)
    sets = compare_states(run.model, whole_states(calls, run.bounds), dump, run.bounds.channel)
    assert (sets.common, sets.only_ours, sets.only_tlc) == (run.states, 0, 0)


@needs_java
@pytest.mark.sweep
@pytest.mark.parametrize("name", [*LARGE, *FAILS])
def test_tlc_and_precede_find_what_the_manifest_says(name):
    assert carry_out(RUNS[name]).differences == ()


def test_the_table_of_the_readme_is_that_of_the_manifest():
    rows = re.findall(r"^\| `(\w+)\.tla` \| (\S+) \| ([\d,]+) \| ([\d,]+) \| (\d+) \|", README, re.MULTILINE)
    assert rows == [
        (run.module, run.model, f"{run.states:,}", f"{run.transitions:,}", str(run.depth))
        for run in manifest()
        if run.size == "small"
    ]
