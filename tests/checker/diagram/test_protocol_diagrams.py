"""Diagrams of protocols: signals, steps without a packet, what is held, faults, rendezvous, the loop of a lasso."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import combinations

import pytest
import toys
from toys import random_trace, send, trace_of

from precede.checker.diagram import draw
from precede.checker.diagram.labels import place_labels
from precede.checker.diagram.layout import LANE, find_bars, find_flights, lay_out
from precede.checker.diagram.style import ORDINARY, SIGNAL, role_of
from precede.checker.result import FaultEvent, InternalEvent, JointEvent, ReceiveEvent, Witness

SVG = "{http://www.w3.org/2000/svg}"
FAULTY = {"duplicates": 2, "losses": 2, "crashes": 1, "restarts": 1}


def groups(trace, kind):
    """The groups of a class, each with its tooltip."""
    root = ElementTree.fromstring(draw(trace))
    return [(g.find(f"{SVG}title").text, g) for g in root.iter(f"{SVG}g") if g.get("class") == kind]


def words(trace):
    return ["".join(t.itertext()) for t in ElementTree.fromstring(draw(trace)).iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("model", "bounds"),
    [
        (toys.Ack(), FAULTY),
        (toys.Buffer(eager=0), {"dests": "broadcast", "crashes": 1}),
        (toys.Buffer(), {"processes": 5, "sends": 8}),
        (toys.TokenRing(), {"channel": "fifo", "duplicates": 3, "losses": 3}),
        (toys.Meeting(), {"self_addressed": "network"}),
        (toys.Relay(), {"duplicates": 3, "losses": 1, "self_addressed": "network"}),
        (toys.Views(), FAULTY),
        (toys.Counting(), {"sends": 6, **FAULTY}),
    ],
    ids=lambda v: type(v).__name__,
)
def test_everything_has_its_mark_names_do_not_overlap_and_bars_have_lanes(model, bounds):
    for seed in range(5):
        trace = random_trace(model, seed, 24, **{"sends": 5, **bounds})
        layout = lay_out(trace)
        packets = [packet for step in trace.steps for packet in step.packets]
        assert len(groups(trace, "event")) == len(trace.steps)
        assert len(groups(trace, "message")) == sum(packet.message is not None for packet in packets)
        assert len(groups(trace, "signal")) == sum(packet.message is None for packet in packets)
        labels = place_labels(trace, layout)
        named = [label.box for label in (*labels.marks, *labels.in_transit.values()) if label.text]
        for a, b in combinations(named, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        for a, b in combinations(layout.bars, 2):
            left, right = layout.edges(a), layout.edges(b)
            assert left[2] != right[2] or left[1] <= right[0] or right[1] <= left[0]
        for bar in layout.bars:
            below = layout.y(bar.process + 1) if bar.process < trace.bounds.processes else layout.bottom
            assert layout.y(bar.process) < layout.edges(bar)[2] < below - LANE


def test_a_signal_is_thinner_and_dashed_and_a_packet_is_not():
    trace = trace_of(toys.Ack(), send(1, 2), ReceiveEvent(2, (1, 1), 0, 1, 0), ReceiveEvent(1, None, 0, 2, 0))
    ((tooltip, signal),) = groups(trace, "signal")
    assert tooltip.startswith("signal from 2 to 1: sent in step 2\nreceived in step 3\ncontrol information: ack")
    ((_, packet),) = groups(trace, "message")
    dashed, plain = signal.find(f"{SVG}line"), packet.find(f"{SVG}line")
    assert dashed.get("stroke-dasharray") == SIGNAL.dashes and plain.get("stroke-dasharray") is None
    assert float(dashed.get("stroke-width")) < float(plain.get("stroke-width")) == ORDINARY.width
    assert "signal: a packet of the protocol itself" in words(trace)
    assert not any("signal" in w for w in words(trace_of(toys.Counting(), send(1, 2))))


def test_what_is_held_has_a_bar_from_its_arrival_to_its_delivery():
    arrive = (ReceiveEvent(2, (1, 2), 0, 1, 1), ReceiveEvent(2, (1, 1), 0, 1, 0))
    trace = trace_of(toys.Buffer(eager=0), send(1, 2), send(1, 2), *arrive, send(3, 1), InternalEvent(2))
    held = [(bar.message, bar.since, bar.until) for bar in find_bars(trace)]
    assert held == [((1, 2), 2, 5), ((1, 1), 3, 5)]
    (tooltip, bar), _ = groups(trace, "held")
    assert tooltip == "1.2 has arrived at 2: held from step 3 to step 6"
    assert bar.find(f"{SVG}rect").get("fill") == f"url(#held-{ORDINARY.id})"
    layout = lay_out(trace)
    names = {h.step: (h.shape, h.text, h.caption) for h in layout.happenings}
    assert names[2] == ("arrival", "", "") and names[5] == ("internal", "1.1,1.2", "deliver from 1")
    assert {"arrival without a delivery", "has been taken and is kept until its delivery"} <= set(words(trace))


def test_a_bar_that_a_crash_or_the_end_of_the_run_cuts_off():
    events = (send(1, 2), send(1, 3), ReceiveEvent(2, (1, 1), 0, 1, 0), ReceiveEvent(3, (1, 2), 0, 1, 0))
    trace = trace_of(toys.Buffer(), *events, FaultEvent("crash", 2), crashes=1)
    assert [(bar.process, bar.until) for bar in find_bars(trace)] == [(2, 4), (3, None)]


def test_a_lost_packet_ends_in_a_cross_on_its_way_and_one_that_waited_on_its_bar():
    trace = trace_of(toys.Counting(), send(1, 3), FaultEvent("lose", 3, 1, 0), losses=1)
    layout, (flight,) = lay_out(trace), find_flights(trace)
    x, y = layout.landing(flight)
    assert x == layout.x(1) and layout.y(2) < y < layout.y(3)
    cross = groups(trace, "event")[1][1].findall(f"{SVG}line")
    assert [(float(line.get("x1")) + float(line.get("x2"))) / 2 for line in cross] == pytest.approx([x, x], abs=0.1)
    assert "lost in step 2" in groups(trace, "message")[0][0] and "a packet is lost" in words(trace)
    waited = trace_of(toys.Counting(), send(1, 2), send(1, 2), FaultEvent("lose", 2, 1, 1), losses=1)
    (bar,) = lay_out(waited).bars
    assert (bar.message, bar.until, bar.is_lost) == ((1, 2), 2, True)
    assert len(groups(waited, "wait")[0][1].findall(f"{SVG}line")) == 3, "one tie, and a cross"


def test_a_duplicate_starts_where_the_other_one_is_on_its_way():
    twice = FaultEvent("duplicate", 3, 1, 0)
    steps = (send(1, 3), twice, twice, ReceiveEvent(3, (1, 1), 0, 1, 0), ReceiveEvent(3, (1, 1), 0, 1, 0))
    trace = trace_of(toys.Relay(), *steps, duplicates=2)
    layout, flights = lay_out(trace), find_flights(trace)
    assert [flight.copied_from for flight in flights] == [None, 1, 1]
    for flight, step in zip(flights[1:], (1, 2), strict=True):
        x, y = layout.start(flight)
        assert x == layout.x(step)
        assert (y - layout.y(1)) / (layout.y(3) - layout.y(1)) == pytest.approx((x - layout.x(0)) / (3 * layout.column))
    assert [tooltip.split("\n")[0] for tooltip, _ in groups(trace, "message")] == [
        "1.1 from 1 to 3: sent in step 1",
        "1.1 from 1 to 3: duplicated in step 2",
        "1.1 from 1 to 3: duplicated in step 3",
    ]
    waiting = trace_of(toys.Counting(), send(1, 2), send(1, 2), FaultEvent("duplicate", 2, 1, 1), duplicates=1)
    layout = lay_out(waiting)
    x, y = layout.start(layout.flights[2])
    left, right, upper = layout.edges(layout.bars[0])
    assert left < x < right and upper < y < upper + LANE, "it starts on the bar of the wait"


def test_a_crash_breaks_the_line_of_its_process_until_the_restart():
    trace = trace_of(
        toys.Ack(), send(1, 2), FaultEvent("crash", 3), send(2, 1), FaultEvent("restart", 3), crashes=1, restarts=1
    )
    layout = lay_out(trace)
    root = ElementTree.fromstring(draw(trace))
    lines = [line for line in root.iter(f"{SVG}line") if float(line.get("y1")) == float(line.get("y2")) == layout.y(3)]
    broken = [line for line in lines if line.get("stroke-dasharray") == "1 7"]
    assert [(float(x.get("x1")), float(x.get("x2"))) for x in broken] == [(layout.x(1), layout.x(3))]
    assert [h.shape for h in layout.happenings] == ["send", "crash", "send", "restart"]
    assert {"crash", "restart in the initial state"} <= set(words(trace))


def test_a_rendezvous_is_a_vertical_arrow_in_one_column():
    trace = trace_of(toys.Meeting(), send(1, 2, 3))
    layout = lay_out(trace)
    for flight in layout.flights[:2]:
        assert layout.start(flight)[0] == layout.landing(flight)[0] == layout.x(0)
    assert [(h.process, h.shape, h.text) for h in layout.happenings] == [
        (1, "send", "1.1"),
        (2, "delivery", "1.1"),
        (3, "delivery", "1.1"),
    ]


def test_a_joint_step_has_a_mark_at_every_process_and_its_name_once():
    trace = trace_of(toys.Views(), JointEvent())
    assert [h.process for h in lay_out(trace).happenings] == [1, 2, 3]
    assert words(trace).count("go to view 2") == 1 and "step of all processes together" in words(trace)


def test_a_name_that_is_too_long_is_cut_and_whole_in_the_tooltip():
    class Wordy(toys.TokenRing):
        def internal(self, state):
            step = super().internal(state)
            return step and step._replace(name="pass <it> on, " * 20)

    trace = trace_of(Wordy(), InternalEvent(1))
    assert len([w for w in words(trace) if "pass" in w]) == 2
    assert groups(trace, "event")[0][0].count("pass <it> on") == 20


def test_the_loop_of_a_lasso_is_marked_and_has_no_ring():
    events = (send(1, 2), InternalEvent(1), ReceiveEvent(2, None, 0, 1, 1))
    witness = Witness(events, "x", 2, (1, 1), None, 1)
    trace = trace_of(toys.Deaf(), *events, witness=witness, property="Delivery")
    assert "steps 2 to 3 repeat for ever" in words(trace)
    assert not groups(trace, "violation") and lay_out(trace).bottom > lay_out(trace).below
    assert role_of(trace, (1, 1), 2).id == "offender" and role_of(trace, None, 2) is SIGNAL
