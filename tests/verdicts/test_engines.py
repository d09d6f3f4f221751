"""Every engine that the registry can name: what it answers, about which bound."""

from __future__ import annotations

import shutil

import pytest

from precede.checker.errors import ConfigurationError
from precede.checker.verdicts import Session
from precede.checker.verdicts.asking import task_of
from precede.checker.verdicts.loading import parse_rows
from precede.checker.verdicts.rows import ENGINES

THREE = "3 processes with at most {} multicasts, unordered channels, no self-addressed messages"
RUNS = {
    "check": ("check rst --reading RST-1b --sends 2", {"CausalOrder": "violated 4", "Delivery": "holds"}, 2),
    "walks": (
        "check rst --search random --walks 20 --sends 2", {"CausalOrder": "incomplete"}, "20 random walks, seed 0, of ",
    ),
    "seek": ("seek rst --reading RST-1b --sends 3 --runs 200", {"CausalOrder": "violated 4"}, "200 directed runs, "),
    "compare": ("compare rst rst --reading-b RST-2c --sends 2", {"deliveries": "same", "bytes": "same"}, 2),
    "two": ("compare ks jang --sends 2", {"facts": "holds", "bytes": "violated 1"}, 2),
    "behaviour": ("behaviour rst --reading RST-1b --sends 2", {"behaviour": "differs"}, 2),
    "sizes": ("sizes rst --sends 2", {"units": "9", "bytes": "36", "signal units": "not applicable"}, 2),
    "prove": ("prove", {"C-SA-P1": "proved"}, None),
    "bounded": ("bounded rst --reading RST-1b --steps 4", {"CausalOrder": "violated 4"}, "runs of at most 4 steps of "),
    "minimal": ("minimal ks --sends 1", {"minimal": "holds"}, None),
}  # fmt: skip


def row_of(run, expect, more=""):
    asked = ", ".join(f'"{name}" = "{text}"' for name, text in expect.items())
    text = '[[row]]\nid = "C-X"\nabout = "ks"\nstatement = "."\nverdict = "open"\n'
    (row,) = parse_rows(f'{text}[[row.evidence]]\nrun = "{run}"\nexpect = {{ {asked} }}\n{more}', "x.toml")
    return row


@pytest.mark.parametrize("name", RUNS)
def test_an_engine_answers_about_the_bound_that_is_known_before(name):
    run, expect, bound = RUNS[name]
    row = row_of(run, expect)
    known = task_of(row, row.evidence[0]).bound
    if isinstance(bound, int):
        assert known == THREE.format(bound)
    elif isinstance(bound, str):
        assert known.startswith(bound)
    (found,) = Session([row]).decide()
    assert {name: outcome.text for name, outcome in found.carried[0].outcomes.items()} == expect
    assert found.carried[0].ran.bound == known


def test_every_engine_is_tried_here():
    assert {run.split()[0] for run, _, _ in RUNS.values()} | {"tlc", "study"} == set(ENGINES)


def test_a_session_refuses_what_proves_nothing_that_is_known():
    with pytest.raises(ConfigurationError, match="C-X, `prove`: c-ks-l99 is not among the claims"):
        list(Session([row_of("prove", {"C-KS-L99": "proved"})]).decide())


def test_a_run_that_fails_is_told_and_does_not_take_the_others_with_it():
    rows = [row_of("compare gk rst", {"deliveries": "holds"}), row_of("check rst --sends 1", {"Delivery": "holds"})]
    failed, decided = Session(rows).decide()
    assert failed.differences() == [("`compare gk rst`, deliveries", "holds", "failed")]
    assert "semantic dependencies" in failed.carried[0].outcomes["deliveries"].explanation
    assert (failed.verdict, decided.verdict) == ("open", "holds up to")


def test_the_other_side_of_behaviour_can_be_named():
    same = row_of("behaviour rst --reading RST-1b --sends 2", {"behaviour": "same"},
                  'against = "rst --reading RST-1c --sends 2"')  # fmt: skip
    (found,) = Session([same]).decide()
    assert found.carried[0].outcomes["behaviour"].text == "same"
    two = row_of("behaviour rst --sends 2", {"behaviour": "holds"}, 'against = "oracle --sends 2"')
    (found,) = Session([two]).decide()
    assert (found.carried[0].outcomes["behaviour"].text, found.verdict) == ("holds", "holds up to")
    with pytest.raises(ConfigurationError, match="the two sides are the same"):
        list(Session([row_of("behaviour rst --sends 2", {"behaviour": "same"})]).decide())
    with pytest.raises(ConfigurationError, match="the two sides have different bounds"):
        list(Session([row_of("behaviour rst --sends 2", {"behaviour": "same"}, 'against = "rst --sends 1"')]).decide())


def test_a_scenario_is_found_from_wherever_precede_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = "check chains-two --scenario proofs/scripts/chain_of_three.txt"
    (found,) = Session([row_of(run, {"CausalOrder": "violated 6"})]).decide()
    assert found.differences()[0][0] == "verdict"
    assert found.carried[0].ran.bound.startswith("scenario chain_of_three: ")


@pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")
def test_tlc_answers_by_the_manifest():
    (found,) = Session([row_of("tlc --all SES-3c", {"Delivery": "violated 1"})]).decide()
    assert found.carried[0].outcomes["Delivery"].text == "violated 1"


def test_without_java_tlc_decides_nothing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    (found,) = Session([row_of("tlc --all SES-3c", {"Delivery": "violated 1"})]).decide()
    assert (found.verdict, found.carried[0].outcomes["Delivery"].text) == ("open", "incomplete")
    assert "Java" in found.carried[0].ran.stopped


@pytest.mark.sweep
def test_a_study_is_simulated_and_judged():
    """About two minutes, with Spark."""
    row = row_of("study jang --scale 0.001 --seeds 2", {"C-J-F1": "holds", "C-J-F6": "violated"})
    (found,) = Session([row]).decide()
    assert {name: outcome.verdict for name, outcome in found.carried[0].outcomes.items()} == {
        "C-J-F1": "holds", "C-J-F6": "violated",
    }  # fmt: skip
