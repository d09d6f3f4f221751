"""What a result says to people: verdicts with their bounds, progress on terminals only, files whole or not at all."""

import io
from types import SimpleNamespace

import pytest

from precede.checker.bounds import Bounds
from precede.checker.errors import EnvironmentProblem
from precede.checker.files import probe, write_text
from precede.checker.progress import ProgressLine, progress_text, size_text
from precede.checker.report import (
    aligned,
    assumptions,
    comparison_lines,
    first_violation,
    result_lines,
    verdict_sentence,
)
from precede.checker.result import LabelCount, PropertyResult, Result, SendEvent, Witness
from precede.checker.tlc import TlcResult


def result(*properties, complete=True, stopped=None, **others):
    counts = {"distinct_states": 10, "transitions": 12, "depth": 3, "local_states": 5, "packets": None}
    fields = {
        "engine": "states", "search": "bfs", "model": "ks", "readings": {"KS-2": "b"}, "bounds": Bounds(3, 4),
        "complete": complete, "stopped": stopped, "properties": properties, "seconds": 1.0, "peak_memory_bytes": 2**27,
    }  # fmt: skip
    return Result(**fields | counts | others)


def violated(name, steps):
    return PropertyResult(name, "violated", Witness((SendEvent(1, frozenset({2})),) * steps, "because"))


def text_of(shown):
    return "\n".join(line.plain for line in result_lines(shown, "Title"))


HOLDS = PropertyResult("CausalOrder", "holds")
STOPPED = PropertyResult("Delivery", "incomplete")


def test_each_verdict_names_its_bound_and_its_assumptions():
    runs = "3 processes with at most 4 multicasts, unordered channels, no self-addressed messages"
    assert verdict_sentence(result(HOLDS)) == f"holds for all runs of {runs}"
    assert verdict_sentence(result(HOLDS, violated("Delivery", 2))) == f"violated: Delivery; in runs of {runs}"
    incomplete = result(HOLDS, STOPPED, complete=False, stopped="the time limit of 3 s was reached")
    assert verdict_sentence(incomplete).startswith("incomplete: the time limit of 3 s was reached; no violation")


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (Bounds(2, 1, dests="unicast"), "2 processes with at most 1 unicast, unordered channels"),
        (
            Bounds(4, 3, 2, "broadcast", "fifo"),
            "at most 3 broadcasts (2 per process), FIFO channels, no self-addressed",
        ),
        (
            Bounds(3, 4, channel="fifo-delivery", self_addressed="at-send"),
            "FIFO delivery, self-addressed messages deliv",
        ),
    ],
)
def test_every_switch_is_named(bounds, expected):
    assert expected in assumptions(bounds)


def test_one_message_of_a_scenario_is_one():
    assert assumptions(Bounds(3, 1), "s").startswith("scenario s: 3 processes, 1 message, unordered")


def test_the_shortest_counterexample_is_the_one_shown():
    assert first_violation(result(violated("Delivery", 3), violated("CausalOrder", 2))).name == "CausalOrder"
    assert first_violation(result(violated("Delivery", 2), violated("CausalOrder", 2))).name == "Delivery"
    assert first_violation(result(HOLDS)) is None


def test_a_counterexample_is_called_shortest_only_where_that_is_known():
    assert "shortest" in text_of(result(violated("Delivery", 3), shortest=True))
    assert "shortest" not in text_of(result(violated("Delivery", 3), shortest=False))


def test_counts_that_were_not_computed_say_so():
    assert "not counted   distinct packets in transit" in text_of(result(HOLDS))


def test_steps_that_never_ran_are_named():
    labels = (LabelCount("d1", 3, waited=0), LabelCount("d4", 0, changed=0))
    assert "never executed: d4" in text_of(result(HOLDS, labels=labels))
    assert "never executed so far: d4" in text_of(result(STOPPED, labels=labels, complete=False))
    assert "every labelled step was executed" in text_of(result(HOLDS, labels=labels[:1]))
    assert "labels none of its steps" in text_of(result(HOLDS, labels=()))


def test_columns_are_aligned_and_lines_end_where_their_text_ends():
    lines = [line.plain for line in aligned([("a", "1", "x"), ("bbb", "22", "")], right=[1])]
    assert lines == ["  a      1   x", "  bbb   22"]


def progress(**figures):
    usual = {"states": 1000, "transitions": 2000, "frontier": 30, "depth": 4, "seconds": 2.0, "memory_bytes": 2**28}
    return SimpleNamespace(**usual | figures)


def test_the_progress_line_holds_all_figures():
    line = progress_text(progress())
    for figure in ("1,000 states", "2,000 transitions", "frontier 30", "depth 4", "500/s", "256 MiB"):
        assert figure in line
    assert "1,000 transitions/s" in progress_text(progress(states=0))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_line_on_a_terminal_and_leaves_nothing_behind(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    terminal = Terminal()
    with ProgressLine(terminal) as line:
        line(progress())
    shown = terminal.getvalue()
    assert "1,000 states" in shown and "\n" not in shown and shown.endswith("\r\x1b[K")
    assert max(len(part) for part in shown.split("\r\x1b[K")) < 40


@pytest.mark.parametrize(("stream", "term"), [(io.StringIO(), "xterm"), (Terminal(), "dumb")])
def test_there_is_no_progress_in_a_pipe_or_on_a_dumb_terminal(stream, term, monkeypatch):
    monkeypatch.setenv("TERM", term)
    with ProgressLine(stream) as line:
        line(progress())
    assert stream.getvalue() == ""


def comparison(ours, verdict="holds", **others):
    figures = {"distinct_states": 10, "transitions": 12, "depth": 3, "queue": 0, "stopped": None, "violated": None}
    theirs = TlcResult(
        model="ks", readings={}, bounds=ours.bounds, invariants=(), workers=1, verdict=verdict,
        seconds=1.0, **{"version": "TLC2"} | figures | others,
    )  # fmt: skip
    return "\n".join(line.plain for line in comparison_lines(ours, theirs))


def test_equal_different_and_not_comparable_figures_are_told_apart():
    same = comparison(result(HOLDS))
    assert same.count("   equal") == 4 and "different" not in same and "not comparable" not in same
    assert comparison(result(HOLDS), depth=4).count("   different") == 1
    stopped = comparison(result(HOLDS), verdict="incomplete", stopped="the time limit of 3 s was reached")
    assert stopped.count("   not comparable") == 4 and "TLC is incomplete: the time limit" in stopped
    assert "precede and TLC with 1 worker" in comparison(result(HOLDS), verdict="incomplete", version=None)


@pytest.mark.parametrize(("size", "text"), [(1024, "1 KiB"), (2**27, "128 MiB"), (3 * 2**29, "1.50 GiB")])
def test_sizes_for_people(size, text):
    assert size_text(size) == text


def test_a_file_is_replaced_whole_or_kept(tmp_path, monkeypatch):
    file = tmp_path / "x.json"
    file.write_text("old")
    probe(file, "--json")
    assert file.read_text() == "old"
    write_text(file, "new")
    assert file.read_text() == "new"

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(EnvironmentProblem, match="No space left"):
        write_text(file, "newer")
    assert file.read_text() == "new" and list(tmp_path.iterdir()) == [file]
