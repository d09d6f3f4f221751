"""TLC checks that the specification allows a run of ours, state by state, and says where it does not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tla_runs import calls_of, needs_java

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.tlc.validating import validate
from precede.models.ks import KS

pytestmark = needs_java
THREE = Bounds(processes=3, sends=3)
TRIANGLE = (
    SendEvent(1, frozenset({2, 3})),
    ReceiveEvent(3, (1, 1)),
    SendEvent(3, frozenset({2})),
    ReceiveEvent(2, (1, 1)),
    ReceiveEvent(2, (3, 1)),
)


@dataclass(frozen=True)
class ForgetsToPurge(KS):
    """KS whose SND(3) leaves the destinations of the message in the older entries."""

    def send(self, state, message):
        step = KS.send(self, state, message)
        before = dict(state.LOG)
        log = frozenset((mt, D | before.get(mt, D)) for mt, D in step.state.LOG)
        return step._replace(state=step.state._replace(LOG=log))


def test_a_run_of_the_model_is_one_of_the_specification():
    found = validate(calls_of("ks", "", THREE), THREE, TRIANGLE)
    assert (found.refused, found.exit_code, found.steps) == (None, 0, 5)
    assert found.explanation == "the specification allows the run: all 5 steps"


def test_a_wrong_edit_of_the_model_is_noticed_at_the_step_that_shows_it():
    calls = ModelCalls(replace(load_model("ks"), model=ForgetsToPurge()), THREE)
    found = validate(calls, THREE, TRIANGLE)
    assert (found.refused, found.exit_code) == (3, 1)
    assert found.explanation.startswith("the specification does not allow step 3 (send 3.1 to 2): LOG[3] has ")


def test_a_shortest_counterexample_is_one_of_the_specification(tmp_path, capsys):
    calls = calls_of("rst", "RST-2b", THREE)
    (broken,) = explore(calls, THREE, ("CausalOrder",)).properties
    assert validate(calls, THREE, broken.witness.schedule).refused is None


def test_the_command_validates_a_trace_and_refuses_one_of_another_model(tmp_path, capsys):
    trace = str(tmp_path / "x.json")
    assert run(["check", "rst", "--sends", "2", "--reading", "RST-1b", "--trace", trace]) == 12
    capsys.readouterr()
    assert run(["trace", "validate", trace]) == 0
    assert capsys.readouterr().out == "the specification allows the run: all 4 steps\n"
    text = (tmp_path / "x.json").read_text()
    (tmp_path / "y.json").write_text(text.replace('"RST-1": "b"', '"RST-1": "a"'))
    assert run(["trace", "validate", str(tmp_path / "y.json")]) == 2
    assert "is no run of the model of today" in capsys.readouterr().err


def test_a_model_without_a_specification_is_refused(tmp_path, capsys):
    trace = str(tmp_path / "x.json")
    assert run(["check", "mostefaoui-raynal", "--sends", "2", "--channel", "unordered", "--trace", trace]) == 12
    capsys.readouterr()
    assert run(["trace", "validate", trace]) == 2
    assert "mostefaoui-raynal has no TLA+ specification" in capsys.readouterr().err
