"""`precede bounded`: verdicts as exit codes, one line for what cannot be asked, and traces that replay."""

import json

import pytest

from precede.checker.cli import run


def test_what_holds_holds_within_the_bound_and_nothing_is_said_beyond(capsys):
    assert run(["bounded", "rst", "--steps", "4"]) == 0
    assert "nothing is said of longer runs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["rst", "--reading", "RST-1b", "--steps", "4"], 12),
        (["ks", "--reading", "KS-2a", "--steps", "5", "--property", "Minimality"], 12),
        (["ks", "--reading", "KS-32b", "--steps", "2", "--property", "Delivery"], 11),
        (["gk", "--channel", "unordered", "--steps", "4"], 12),
        (["jang", "--reading", "J-7b", "--steps", "4"], 12),
        (["sa", "--reading", "SA-6b", "--set", "K=1", "--dests", "unicast", "--steps", "7"], 12),
    ],
)
def test_a_counterexample_is_a_trace_that_replays(arguments, code, tmp_path, capsys):
    trace = tmp_path / "x.json"
    assert run(["bounded", *arguments, "--trace", str(trace)]) == code
    assert json.loads(trace.read_text())["source"] == "precede bounded"
    assert "shortest counterexample" in capsys.readouterr().out
    assert run(["trace", "replay", str(trace)]) == 0
    assert "is still violated" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bss"], "is not written as formulas"),
        (["ks@oldest"], "is not written as formulas"),
        (["ks", "--reading", "KS-16b"], "reading KS-16b is not encoded"),
        (["gk", "--set", "internal_events=1"], "parameter internal_events is not encoded"),
        (["rst", "--property", "Minimality"], "does not say what its control information asserts"),
        (["rst", "--property", "Integrity"], "only CausalOrder"),
        (["rst", "--channel", "rendezvous"], "rendezvous"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_line(arguments, said, capsys):
    assert run(["bounded", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_a_search_that_is_cut_short_is_incomplete(capsys):
    assert run(["bounded", "jang", "--steps", "30", "--time-limit", "0.5"]) == 3
    assert "incomplete: the time limit" in capsys.readouterr().out
