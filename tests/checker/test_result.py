"""What the verdicts on single properties make of the whole."""

import pytest
from runs import calls_of

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.engine import explore
from precede.checker.errors import HOLDS, INCOMPLETE, STUCK, VIOLATED
from precede.checker.report import verdict_sentence
from precede.checker.result import PropertyResult, Result


def result_of(complete: bool, **verdicts: str) -> Result:
    properties = tuple(PropertyResult(name, verdict) for name, verdict in verdicts.items())
    return Result("states", "bfs", "m", {}, Bounds(2, 1), complete, None, properties, 1, 0, 0, 1, 0, 0.0, 1)


@pytest.mark.parametrize(
    ("complete", "verdicts", "verdict", "code"),
    [
        (True, {"CausalOrder": "holds", "Delivery": "holds"}, "holds", HOLDS),
        (True, {"CausalOrder": "holds", "Minimality": "not applicable"}, "holds", HOLDS),
        (False, {"CausalOrder": "incomplete", "Minimality": "not applicable"}, "incomplete", INCOMPLETE),
        (False, {"CausalOrder": "violated", "Delivery": "incomplete"}, "violated", VIOLATED),
        (True, {"CausalOrder": "violated", "Delivery": "violated"}, "violated", VIOLATED),
        (True, {"Delivery": "violated", "Minimality": "not applicable"}, "violated", STUCK),
        (False, {"Minimality": "not applicable"}, "not applicable", INCOMPLETE),
        (True, {"Minimality": "not applicable"}, "not applicable", INCOMPLETE),
    ],
)
def test_a_violation_beats_incomplete_and_what_is_not_applicable_decides_nothing(complete, verdicts, verdict, code):
    result = result_of(complete, **verdicts)
    assert (result.verdict, result.exit_code) == (verdict, code)


def test_a_model_without_facts_has_no_verdict_on_minimality_alone():
    bounds = Bounds(2, 1)
    alone = explore(calls_of("rst", bounds), bounds, ("Minimality",))
    assert alone.verdict == "not applicable" and verdict_sentence(alone).startswith("not applicable: no property")
    assert explore(calls_of("rst", bounds), bounds, ("Minimality", "Delivery")).verdict == "holds"


@pytest.mark.parametrize("command", ["check", "tlc"])
def test_the_command_line_refuses_a_question_that_nothing_can_answer(command, capsys):
    assert run([command, "rst", "--property", "Minimality"]) == 2
    assert "nothing to judge" in capsys.readouterr().err
