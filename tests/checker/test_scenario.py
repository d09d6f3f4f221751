"""Scenario files: what they say, what they refuse, and which runs follow them."""

from __future__ import annotations

import random

import pytest
from runs import SCENARIOS, calls_of, own_model, scripted

from precede.checker.bounds import Bounds
from precede.checker.errors import ConfigurationError, EnvironmentProblem
from precede.checker.result import ReceiveEvent
from precede.checker.run import ImpossibleStep, Run
from precede.checker.scenario import (
    load_scenario,
    must_be_delivered,
    must_have_arrived,
    next_dests,
    parse_scenario,
    scripted_bounds,
)

NAMES = sorted(path.stem for path in SCENARIOS.glob("*.txt"))

TRIANGLE = """
processes 3
m1: 1 -> 3
m2: 1 -> 2
m3: 2 -> 3 after m2
arrive at 3: m3, m1
"""


def test_the_triangle_is_read_as_written():
    scenario = load_scenario(SCENARIOS / "triangle.txt")
    assert scenario.name == "triangle" and scenario.processes == 3
    assert [(m.name, m.id, set(m.dests), m.after) for m in scenario.messages] == [
        ("m1", (1, 1), {3}, ()),
        ("m2", (1, 2), {2}, ()),
        ("m3", (2, 1), {3}, ((1, 2),)),
    ]
    assert scenario.arrivals == ((3, ((2, 1), (1, 1))),)


def test_the_functions_of_the_engine_answer_from_the_script():
    scenario = parse_scenario(TRIANGLE, "t")
    assert next_dests(scenario, 1, 2) == {2}
    assert next_dests(scenario, 1, 3) is None and next_dests(scenario, 3, 1) is None
    assert must_be_delivered(scenario, 2, 1) == ((1, 2),)
    assert must_have_arrived(scenario, 3, (1, 1)) == ((2, 1),)
    assert must_have_arrived(scenario, 3, (2, 1)) == must_have_arrived(scenario, 2, (1, 1)) == ()


def test_arrivals_are_transitive_over_lines_and_with_fifo_over_the_channel():
    text = "processes 3\na: 1 -> 3\nb: 2 -> 3\nc: 2 -> 3\nd: 1 -> 3\narrive at 3: c, a\narrive at 3: a, d\n"
    scenario = parse_scenario(text, "s")
    assert must_have_arrived(scenario, 3, (1, 2)) == ((1, 1), (2, 2))
    assert must_have_arrived(scenario, 3, (1, 1), "fifo") == ((2, 1), (2, 2))


def finish(run: Run, seed: int) -> list[ReceiveEvent]:
    """Run to the end at random; returns the deliveries."""
    choose, deliveries = random.Random(seed), []
    while events := run.enabled():
        event = choose.choice(events)
        run.apply(event)
        deliveries += [event] if isinstance(event, ReceiveEvent) else []
    return deliveries


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize("name", NAMES)
def test_every_run_of_every_scenario_sends_and_delivers_everything(name, model):
    for seed in range(10):
        scenario, _, run = scripted(name, model)
        deliveries = finish(run, seed)
        assert len(deliveries) == sum(len(m.dests) for m in scenario.messages)


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
def test_in_the_triangle_the_late_arrival_is_delivered_first_and_the_early_one_waits(model):
    for seed in range(10):
        _, _, run = scripted("triangle", model)
        at_3 = [e.message for e in finish(run, seed) if e.process == 3]
        assert at_3 == [(1, 1), (2, 1)]


def test_without_a_delivery_condition_the_triangle_is_delivered_as_it_arrives(tmp_path):
    scenario = parse_scenario(TRIANGLE, "t")
    bounds = scripted_bounds(scenario, Bounds())
    for seed in range(10):
        run = Run(calls_of(own_model(tmp_path), bounds), bounds, scenario)
        assert [e.message for e in finish(run, seed) if e.process == 3] == [(2, 1), (1, 1)]


@pytest.mark.parametrize("channel", ["unordered", "fifo-delivery"])
def test_a_packet_that_the_channel_holds_back_has_arrived(tmp_path, channel):
    """Without a condition, only fifo-delivery makes the second message wait: then the first may be received."""
    scenario = load_scenario(SCENARIOS / "fifo-violation.txt")
    bounds = scripted_bounds(scenario, Bounds(channel=channel))
    run = Run(calls_of(own_model(tmp_path), bounds), bounds, scenario)
    order = [e.message for e in finish(run, 1)]
    assert order == ([(1, 2), (1, 1)] if channel == "unordered" else [(1, 1), (1, 2)])


def test_an_event_outside_the_script_is_refused():
    _, _, run = scripted("triangle", "rst")
    first = run.enabled()[0]
    assert run.enabled() == (first,), "only 1 may start, with m1"
    run.apply(first)
    with pytest.raises(ImpossibleStep, match=r"scenario triangle wants 2.1 to arrive at 3 first"):
        run.apply(ReceiveEvent(3, (1, 1)))


def test_bounds_come_from_the_script():
    bounds = scripted_bounds(parse_scenario(TRIANGLE, "t"), Bounds(processes=5, sends=1, channel="fifo"))
    assert (bounds.processes, bounds.sends, bounds.dests, bounds.channel) == (3, 3, "unicast", "fifo")


def test_an_order_of_arrival_that_fifo_cannot_produce_is_refused():
    scenario = load_scenario(SCENARIOS / "fifo-violation.txt")
    with pytest.raises(ConfigurationError, match="--channel fifo cannot produce"):
        scripted_bounds(scenario, Bounds(channel="fifo"))
    assert scripted_bounds(scenario, Bounds(channel="fifo-delivery")).sends == 2


def test_self_addressed_messages_need_their_option():
    scenario = parse_scenario("processes 2\nm: 1 -> 1, 2", "s")
    with pytest.raises(ConfigurationError, match=r"m is addressed to its own sender.*--self"):
        scripted_bounds(scenario, Bounds())
    assert scripted_bounds(scenario, Bounds(self_addressed="at-send")).dests == "multicast"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "needs a line 'processes N'"),
        ("processes 3", 1, "at least one message"),
        ("m1: 1 -> 2", 1, "first line must be 'processes N'"),
        ("processes 1\nm: 1 -> 1", 1, "give 2 to 62"),
        ("processes 99999\nm: 1 -> 2", 1, "give 2 to 62"),
        ("processes 3\nprocesses 3", 2, "given twice"),
        ("processes 3\nm1 1 -> 2", 2, "cannot read 'm1 1 -> 2'"),
        ("processes 3\nm1: 1 -> 2 after", 2, "cannot read"),
        ("processes 3\nm1: 1 -> 4", 2, "no process 4"),
        ("processes 3\nm1: 0 -> 2", 2, "no process 0"),
        ("processes 3\nm1: 1 -> 2, 2", 2, "destination twice"),
        ("processes 3\n\n# x\nm1: 1 -> 2\nm1: 1 -> 3", 5, "listed twice"),
        ("processes 3\nm1: 1 -> 2 after m2", 2, "no message is called m2"),
        ("processes 3\nm1: 1 -> 2\nm2: 1 -> 3 after m1", 3, "in the listed order anyway"),
        ("processes 3\nm1: 1 -> 2 after m1", 2, "in the listed order anyway"),
        ("processes 3\nm1: 1 -> 2\nm2: 3 -> 2 after m1", 3, "not addressed to process 3"),
        ("processes 3\nm1: 1 -> 2\nm2: 2 -> 3 after m1, m1", 3, "names m1 twice"),
        ("processes 3\nm1: 1 -> 2\narrive at 2: m1", 3, "name at least two"),
        ("processes 3\nm1: 1 -> 2\nm2: 1 -> 3\narrive at 2: m1, m2", 4, "m2 is not addressed to process 2"),
        ("processes 3\nm1: 1 -> 2\narrive at 2: m1, m9", 3, "no message is called m9"),
        ("processes 3\nm1: 1 -> 2\narrive at 2: m1, m1", 3, "names m1 twice"),
    ],
)
def test_a_mistake_is_named_with_its_line(text, line, reason):
    with pytest.raises(ConfigurationError) as error:
        parse_scenario(text, "s")
    assert f"scenario s, line {line}: " in str(error.value) and reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "processes 2\na: 1 -> 2 after b\nb: 2 -> 1 after a",
        "processes 2\na: 1 -> 2\nb: 1 -> 2 after c\nc: 2 -> 1 after b",
        "processes 3\na: 1 -> 3\nb: 3 -> 1 after a\nc: 1 -> 3 after b\narrive at 3: c, a",
        "processes 3\na: 1 -> 3\nb: 2 -> 3\narrive at 3: a, b\narrive at 3: b, a",
    ],
)
def test_a_script_that_waits_for_itself_is_refused(text):
    with pytest.raises(ConfigurationError, match=r"waits for itself: .*before"):
        parse_scenario(text, "s")


def test_a_file_from_an_editor_that_marks_utf_8_is_read(tmp_path):
    (tmp_path / "s.txt").write_bytes(b"\xef\xbb\xbfprocesses 2\r\nm: 1 -> 2\r\n")
    assert load_scenario(tmp_path / "s.txt").processes == 2


def test_files_that_are_no_scenario_are_refused_in_one_line(tmp_path):
    binary, large = tmp_path / "b.txt", tmp_path / "l.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    large.write_bytes(b"#" * 200_000)
    for path, reason in [
        (binary, "not a text file"),
        (large, "larger than"),
        (tmp_path / "none", "no such"),
        (tmp_path, "not a regular file"),
        ("a\0b", "no such|not a file name"),
    ]:
        with pytest.raises(EnvironmentProblem, match=reason):
            load_scenario(path)
