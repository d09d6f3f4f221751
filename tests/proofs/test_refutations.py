"""Every refuted claim has its run: a committed trace that the Python model takes again, and that is still wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest
from sweeping import quick

from precede.checker.cli import run
from precede.checker.cli.prove import asked
from precede.checker.refutations import FROM_Z3, committed, is_violated, trace_of
from precede.checker.trace import read_trace
from precede.checker.trace.file import as_text
from precede.checker.trace.replay import replay
from precede.proofs.catalog import CLAIMS

REFUTED = {claim.id: claim for claim in CLAIMS if claim.refutation and claim.refutation.check}
EXPLORED = "C-KS-V2 KS-23senda KS-23ownb KS-23three C-GK-PR1 C-SA-SZ C-KS-SC-KS-26a C-KS-SC-MF-1b"
"""Those of which Z3's model is not the run: it is of a state, or its run has steps that are no events."""
SLOW = (
    "C-KS-V2", "C-KS-V4", "C-KS-S4", "KS-2a", "KS-6c", "KS-23three", "C-KS-SC-KS-26a", "C-J-I4", "C-GK-T1-counts",
    "C-GK-T1-unordered", "C-B-1-RST-2b",
)  # fmt: skip
"""Those that the command writes in the sweep only: searching their runs takes seconds."""


@cache
def of(id):
    return read_trace(committed(id))


def with_tool(trace, tool):
    return replace(trace, tool=tool)


def shorter(trace):
    return replace(trace, steps=trace.steps[:-1])


def test_every_claim_that_is_refuted_by_a_run_has_its_trace_and_no_other_one_has():
    files = {file.stem for file in committed("KS-2a").parent.iterdir()}
    assert files == set(REFUTED)


@pytest.mark.parametrize("id", REFUTED)
def test_the_trace_is_taken_again_and_is_still_wrong(id):
    assert replay(of(id)).same
    assert is_violated(of(id))


@pytest.mark.parametrize("id", REFUTED)
def test_the_trace_is_a_shortest_one_and_not_wrong_before_its_last_step(id):
    assert len(of(id).steps) == REFUTED[id].refutation.steps
    assert not is_violated(shorter(of(id)))


@pytest.mark.parametrize("id", quick(REFUTED, lambda id: id not in SLOW))
def test_the_trace_is_what_the_command_writes(id):
    written = trace_of(REFUTED[id], asked(REFUTED[id].refutation.check))
    assert as_text(with_tool(written, "")) == as_text(with_tool(of(id), ""))


def test_wherever_z3_finds_a_run_the_trace_is_that_run():
    assert {id for id in REFUTED if of(id).source != FROM_Z3} == set(EXPLORED.split())


@pytest.mark.parametrize("id, reading, letter", [("KS-2a", "KS-2", "b"), ("KS-6c", "KS-6", "a"),
                                                 ("C-B-1-RST-1b", "RST-1", "a")])  # fmt: skip
def test_the_repaired_algorithm_does_not_take_the_run_or_it_is_right(id, reading, letter):
    assert not is_violated(replace(of(id), readings=of(id).readings | {reading: letter}))


def test_the_command_writes_a_trace_and_says_where(tmp_path, capsys):
    assert run(["prove", "KS-32b", "--seeds", "1", "--traces", str(tmp_path), "--json", "-"]) == 0
    (claim,) = json.loads(capsys.readouterr().out)["claims"]
    assert claim["witness"] == str(tmp_path / "KS-32b.json")
    assert as_text(read_trace(claim["witness"])) == as_text(with_tool(of("KS-32b"), read_trace(claim["witness"]).tool))
    assert run(["trace", "replay", claim["witness"]]) == 0


def test_without_a_folder_the_command_names_the_trace_that_comes_with_the_proofs(capsys):
    assert run(["prove", "KS-32b", "C-KS-L1", "--seeds", "1", "--json", "-"]) == 0
    refuted, proved = json.loads(capsys.readouterr().out)["claims"]
    assert refuted["witness"] == str(committed("KS-32b")) and proved["witness"] is None


def test_a_folder_that_is_not_there_is_refused_before_anything_is_decided(tmp_path, capsys):
    assert run(["prove", "--traces", str(tmp_path / "none")]) == 153
    assert "there is no such folder" in capsys.readouterr().err
