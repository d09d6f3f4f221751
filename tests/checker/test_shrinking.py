"""A violating run is made smaller, keeps its violation, and nothing more can be left out of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import toys
from toys import send, trace_of

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.history import MessageId
from precede.checker.loading import load_model
from precede.checker.properties import select_properties
from precede.checker.refutations import is_violated
from precede.checker.result import FaultEvent, InternalEvent, ReceiveEvent, Witness
from precede.checker.seeking.intents import follow, intents_of
from precede.checker.seeking.judging import Judge
from precede.checker.seeking.searching import Seeking
from precede.checker.seeking.smallest import Shrunk, recorded, shrink_trace
from precede.checker.trace import Trace, read_trace, record, write_trace
from precede.checker.trace.file import as_text
from precede.checker.trace.replay import reload, replay

COMMITTED = sorted((Path(__file__).parents[2] / "proofs" / "refutations").glob("*.json"))


def shrunk(trace: Trace, explore_seconds: float | None = None, model: str | None = None) -> Shrunk:
    loaded = reload(trace, model)
    assert trace.violation is not None
    (item,) = select_properties([trace.violation.property], loaded.model, trace.model)
    return shrink_trace(loaded, trace, item, explore_seconds=explore_seconds)


@cache
def sought(model: str, reading: str, property: str, processes: int, sends: int, seed: int = 0) -> Trace:
    """The first violating run of a directed search, not made smaller."""
    loaded = load_model(model, [reading])
    bounds = Bounds(processes, sends, dests=loaded.model.load, channel=loaded.model.channel)
    found = Seeking(loaded, bounds, (property,), seed).seek(5000).found[property]
    run = follow_schedule(loaded, bounds, found.schedule, property)
    return recorded(loaded, run, property, "test")


def follow_schedule(loaded, bounds, schedule, property):
    calls = ModelCalls(loaded, bounds)
    run = follow(calls, bounds, intents_of(calls, bounds, schedule), Judge((property,)), property)
    assert run is not None and run.schedule == schedule[: len(run.schedule)], "intents mean the events they are made of"
    assert run.schedule == schedule or property == "Delivery", "a search may notice late that nothing moves any more"
    return run


@pytest.mark.parametrize("file", COMMITTED, ids=lambda file: file.stem)
def test_a_shortest_run_keeps_its_sends_and_steps_or_loses_processes_and_destinations(file: Path) -> None:
    trace = read_trace(file)
    small = shrunk(trace)
    assert is_violated(small.trace)
    assert all(after <= before for before, after in zip(small.before, small.after, strict=True))
    assert as_text(shrunk(small.trace).trace) == as_text(small.trace), "nothing more goes the second time"


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("C-J-B1", (2, 2, 2, 2)),
        ("C-GK-L1", (2, 1, 2, 1)),
        ("C-B-1-BSS-5c", (2, 2, 3, 2)),
        ("KS-23senda", (3, 2, 4, 3)),
        ("C-SA-SZ", (4, 6, 9, 12)),
    ],
)
def test_processes_and_destinations_that_are_not_needed_go(name: str, after: tuple[int, ...]) -> None:
    (file,) = [file for file in COMMITTED if file.stem == name]
    assert shrunk(read_trace(file)).after == after


@pytest.mark.parametrize(
    ("model", "reading", "property", "after"),
    [
        ("rst", "RST-1b", "CausalOrder", {(3, 2, 4, 3)}),
        ("ses", "SES-1b", "CausalOrder", {(3, 2, 4, 3)}),
        ("bss", "BSS-5b", "CausalOrder", {(3, 2, 4, 4)}),
        ("ks", "KS-32b", "Delivery", {(2, 1, 1, 1)}),
        ("ks", "KS-2a", "Minimality", {(3, 3, 5, 5)}),
        ("ks", "KS-6c", "CausalOrder", {(3, 2, 3, 3), (3, 2, 4, 4)}),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_long_run_of_five_processes_becomes_a_short_one(
    model: str, reading: str, property: str, after: set[tuple[int, ...]], seed: int
) -> None:
    small = shrunk(sought(model, reading, property, 5, 6, seed))
    assert small.after in after and small.verdict == "locally minimal"
    assert replay(small.trace).violation == "there"


@pytest.mark.parametrize(
    ("model", "reading", "property", "seed", "local", "after"),
    [
        ("rst", "RST-1b", "CausalOrder", 1, (3, 2, 4, 3), (3, 2, 4, 3)),
        ("ks", "KS-6c", "CausalOrder", 8, (3, 2, 4, 4), (3, 2, 3, 3)),
        ("ks", "KS-2a", "Minimality", 4, (3, 4, 8, 4), (3, 3, 5, 5)),
    ],
)
def test_exploration_proves_that_a_run_is_smallest_or_finds_one_that_leaving_out_does_not(
    model: str, reading: str, property: str, seed: int, local: tuple[int, ...], after: tuple[int, ...]
) -> None:
    trace = sought(model, reading, property, 5, 6, seed)
    assert shrunk(trace).after == local
    small = shrunk(trace, explore_seconds=60)
    assert (small.verdict, small.after) == ("proved smallest", after)
    assert all(answer.holds for answer in small.answers.values())


OWN = """
def fine(process, past):
    return len(past.sent) < 3 and not (process == 2 and any(s.message.sender == 2 for s in past.sent))
"""


def own_trace(folder: Path) -> Trace:
    """Process 1 sends three messages, which is one way to violate the user's property."""
    (folder / "own.py").write_text(OWN)
    loaded, bounds = load_model("rst"), Bounds(2, 4)
    witness = Witness((send(1, 2),) * 3, "too many")
    calls = ModelCalls(loaded, bounds)
    return record(calls, bounds, witness.schedule, property=f"{folder / 'own.py'}:fine", witness=witness)


def test_a_smaller_run_of_another_kind_is_found_by_exploration(tmp_path: Path) -> None:
    trace = own_trace(tmp_path)
    assert shrunk(trace).after == (2, 3, 3, 3)
    small = shrunk(trace, explore_seconds=60)
    assert (small.verdict, small.after) == ("proved smallest", (2, 1, 1, 1))
    assert [step.label for step in small.trace.steps] == ["send 2.1 to 1"]


def receive(process: int, message: MessageId | None, sender: int | None = None, place: int = 0) -> ReceiveEvent:
    return ReceiveEvent(process, message, 0, sender if sender is not None else (message or (0,))[0], place)


def toy_shrunk(trace: Trace) -> Shrunk:
    return shrunk(trace, model=trace.model)


def test_a_run_that_goes_on_for_ever_keeps_its_loop() -> None:
    """The token goes round before and in the loop, and more is sent than is needed."""
    turn = [(InternalEvent(p), receive(p % 3 + 1, None, p, 2 if p == 1 else 0)) for p in (1, 2, 3, 1)]
    events = [send(1, 2), send(1, 2, 3), *[event for pair in turn for event in pair]]
    witness = Witness(tuple(events), "", 2, (1, 1), None, 4)
    small = toy_shrunk(trace_of(toys.Deaf(), *events, property="Delivery", witness=witness))
    assert small.after[:2] == (2, 1)
    assert replay(small.trace, small.trace.model).violation == "there"
    assert small.trace.loop is not None and len(small.trace.steps) - small.trace.loop == 4


def test_a_duplicate_that_is_delivered_twice_needs_only_itself() -> None:
    events = (
        send(2, 3), send(1, 2, 3), FaultEvent("duplicate", 2, 1, 0), FaultEvent("lose", 3, 2, 0),
        receive(2, (1, 1)), receive(2, (1, 1)),
    )  # fmt: skip
    witness = Witness(events, "")
    trace = trace_of(toys.Anywhere(), *events, property="Integrity", witness=witness, duplicates=2, losses=1)
    small = toy_shrunk(trace)
    assert small.after == (2, 1, 4, 1)
    assert (small.trace.bounds.duplicates, small.trace.bounds.losses) == (1, 0)


def test_signals_before_what_matters_go_and_packets_after_them_are_found_again() -> None:
    """Each copy is acknowledged by a signal; 3 delivers 2.2 before 1.1."""
    events = (
        send(2, 1), receive(1, (2, 1)), receive(2, None, 1), send(1, 2, 3), receive(2, (1, 1)), send(2, 3),
        receive(3, (2, 2)),
    )  # fmt: skip
    trace = trace_of(toys.Ack(), *events, property="CausalOrder", witness=Witness(events, ""))
    small = toy_shrunk(trace)
    assert [step.label for step in small.trace.steps] == [
        "send 1.1 to 2,3", "receive 1.1 at 2", "send 2.1 to 3", "receive 2.1 at 3",
    ]  # fmt: skip


def test_what_an_event_depends_on_stays_when_others_before_it_go() -> None:
    """GK: the number of an event changes when one before it goes."""
    (file,) = [file for file in COMMITTED if file.stem == "C-GK-T1-unordered"]
    trace = read_trace(file)
    bounds = replace(trace.bounds, sends=8)
    extra = (send(1, 2), ReceiveEvent(2, (1, 1)))
    run = [*extra, *(moved(event) for event in trace.schedule)]
    witness = Witness(tuple(run), "")
    longer = record(ModelCalls(reload(trace), bounds), bounds, tuple(run), property="CausalOrder", witness=witness)
    assert shrunk(longer).after == shrunk(trace).after


def moved(event):
    """The event after one more send of 1 that 2 has received: both number their events from two on."""
    if isinstance(event, ReceiveEvent) and event.message is not None and event.message[0] == 1:
        event = event._replace(message=(1, event.message[1] + 1))
    later = event.alternative + (event.process in (1, 2) if event.alternative else 0)
    return event._replace(alternative=later)


def test_a_run_without_the_violation_is_refused(tmp_path, capsys) -> None:
    trace = sought("rst", "RST-1b", "CausalOrder", 5, 6)
    file = tmp_path / "x.json"
    write_trace(replace(trace, violation=replace(trace.violation, property="Integrity")), file)
    assert run(["trace", "shrink", str(file), "-o", str(tmp_path / "y.json")]) == 151
    assert capsys.readouterr().err == "precede: Integrity is not violated in this run\n"
    write_trace(replace(trace, violation=None), file)
    assert run(["trace", "shrink", str(file), "-o", str(tmp_path / "y.json")]) == 2
    assert not (tmp_path / "y.json").exists()
    named = ["--property", "CausalOrder", "--local"]
    assert run(["trace", "shrink", str(file), "-o", str(tmp_path / "y.json"), *named]) == 0


def test_a_property_that_only_the_file_names_is_not_loaded(tmp_path, capsys) -> None:
    trace, file, out = own_trace(tmp_path), str(tmp_path / "x.json"), str(tmp_path / "y.json")
    write_trace(trace, file)
    assert run(["trace", "shrink", file, "-o", out, "--local"]) == 2
    assert "give --property path/to/file.py:function" in capsys.readouterr().err
    assert run(["trace", "shrink", file, "-o", out, "--local", "--property", f"{tmp_path / 'own.py'}:fine"]) == 0
    assert "left: 2 processes, 3 sends, 3 steps, 3 destinations; gone: nothing" in capsys.readouterr().out


def test_a_limit_ends_it_with_what_is_left_so_far(tmp_path, capsys) -> None:
    file, out = str(tmp_path / "x.json"), tmp_path / "y.json"
    write_trace(sought("rst", "RST-1b", "CausalOrder", 5, 6), file)
    assert run(["trace", "shrink", file, "-o", str(out), "--time-limit", "0.000001"]) == 3
    assert "stopped early: the time limit" in capsys.readouterr().out
    assert replay(read_trace(out)).violation == "there"
