"""Space-time diagrams: the whole run is on them, no names overlap, nothing from outside gets out of its quotes."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations

import pytest
from runs import TRIANGLE, calls_of, hostile_trace, own_model, random_trace, scripted, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.diagram import draw
from precede.checker.diagram.labels import place_labels
from precede.checker.diagram.layout import find_flights, lay_out
from precede.checker.diagram.style import EARLIER, OFFENDER, role_of
from precede.checker.errors import UsageError
from precede.checker.result import ReceiveEvent, SendEvent, Witness
from precede.checker.trace import record

SVG = "{http://www.w3.org/2000/svg}"


def parsed(trace) -> ElementTree.Element:
    return ElementTree.fromstring(draw(trace))


def tooltips(root: ElementTree.Element, kind: str) -> list[str]:
    return [g.find(f"{SVG}title").text for g in root.iter(f"{SVG}g") if g.get("class") == kind]


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("seed", range(4))
def test_every_step_and_every_packet_has_its_mark_and_its_tooltip(seed):
    trace = random_trace("ks", Bounds(5, 12), 30, seed)
    root = parsed(trace)
    assert len(tooltips(root, "event")) == len(trace.steps)
    assert len(tooltips(root, "message")) == sum(len(step.packets) for step in trace.steps)
    assert any(t.startswith("step 1: send ") for t in tooltips(root, "event"))


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize("seed", range(5))
def test_at_five_processes_and_thirty_events_no_two_names_overlap(model, seed):
    trace = random_trace(model, Bounds(5, 12), 30, seed)
    assert len(trace.steps) == 30
    layout = lay_out(trace)
    labels = place_labels(trace, layout)
    boxes = [label.box for label in (*labels.marks, *labels.in_transit.values())]
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert all(box[0] >= 0 and box[2] <= layout.width and box[1] >= 0 for box in boxes)


@pytest.mark.parametrize("seed", range(5))
def test_bars_of_waits_never_overlap_and_stay_between_their_process_and_the_next(seed):
    trace = random_trace("rst", Bounds(5, 12), 30, seed)
    layout = lay_out(trace)
    bars = [(bar.process, *layout.edges(bar)) for bar in layout.bars]
    assert bars
    for (p, left, right, y), (q, other_left, other_right, other_y) in combinations(bars, 2):
        assert p != q or y != other_y or right <= other_left or other_right <= left
    for p, left, right, y in bars:
        assert left < right and layout.y(p) < y
        assert y + 17 < (layout.y(p + 1) if p < 5 else layout.bottom)


def test_a_packet_waits_from_where_its_condition_first_failed_until_its_delivery():
    bounds = Bounds(3, 4)
    meanwhile = SendEvent(3, frozenset({1}))
    trace = record(
        calls_of("rst", bounds), bounds, (*TRIANGLE, meanwhile, ReceiveEvent(3, (1, 1)), ReceiveEvent(3, (2, 1)))
    )
    waiting = [f for f in find_flights(trace) if f.waits]
    assert [(f.message, f.waits_after, f.received) for f in waiting] == [((2, 1), 3, 6)]
    assert "has to wait after step 4" in tooltips(parsed(trace), "wait")[0]


def test_a_name_moves_out_of_the_way_of_an_arrow(tmp_path):
    """1.1 is in transit to 2 all the time and comes down over the last sends of 2: their names go below the line."""
    bounds = Bounds(2, 9)
    schedule = (SendEvent(1, frozenset({2})), *[SendEvent(2, frozenset({1}))] * 8)
    trace = record(calls_of(own_model(tmp_path), bounds), bounds, schedule)
    layout = lay_out(trace)
    labels = place_labels(trace, layout)
    assert labels.marks[1].y < layout.y(2), "nothing is in the way of 2.1"
    assert labels.marks[8].y > layout.y(2), "1.1 is in the way of 2.8"


def test_the_violated_pair_differs_in_colour_and_in_line_style(tmp_path):
    trace = triangle_trace(tmp_path)
    picture = draw(trace)
    for role in (OFFENDER, EARLIER):
        assert f'stroke="{role.colour}"' in picture
    assert OFFENDER.dashes != EARLIER.dashes and f'stroke-dasharray="{EARLIER.dashes}"' in picture
    assert tooltips(parsed(trace), "violation") == ["here CausalOrder is violated", "violated"]
    words = texts(parsed(trace))
    assert "2.1: delivered too early" in words and "1.1: should have been delivered before" in words


def test_a_wrong_fact_marks_every_copy_of_the_message_that_it_is_about():
    bounds = Bounds(3, 3)
    witness = Witness(TRIANGLE, "the copy of 2.1 to 3 carries a wrong fact", 2, (1, 1))
    trace = record(calls_of("ks", bounds), bounds, TRIANGLE, property="Minimality", witness=witness)
    assert [f.message for f in find_flights(trace) if role_of(trace, f.message, f.to) is OFFENDER] == [(1, 1)]
    early = replace(trace, violation=replace(trace.violation, property="CausalOrder"))
    assert not [f for f in find_flights(early) if role_of(early, f.message, f.to) is OFFENDER]


def test_what_is_needlessly_or_forever_held_back_keeps_its_bar_to_the_end_of_the_run():
    bounds = Bounds(3, 3)
    witness = Witness(TRIANGLE, "nothing can be received", 3, (2, 1))
    trace = record(calls_of("rst", bounds), bounds, TRIANGLE, property="Delivery", witness=witness)
    layout = lay_out(trace)
    (bar,) = layout.bars
    assert layout.edges(bar)[1] == layout.end and not bar.is_held
    assert "2.1: can never be delivered" in texts(parsed(trace))
    assert f"url(#wait-{OFFENDER.id})" in draw(trace)


def test_the_heading_names_model_readings_system_and_property(tmp_path):
    words = " ".join(texts(parsed(random_trace("ks", Bounds(3, 3), 5))))
    for part in ("Kshemkalyani-Singhal", "KS-16a", "3 processes, at most 3 sends", "5 steps"):
        assert part in words
    assert "violates CausalOrder: process 3 delivers" in " ".join(texts(parsed(triangle_trace(tmp_path))))


def test_markup_and_control_characters_from_outside_stay_text(tmp_path):
    evil = "</text><script>alert(1)</script>\x00\x1b\"'&]]>\ud800"
    state = {evil: [evil, {"set": [evil]}]}
    trace = hostile_trace(tmp_path, evil, state)
    picture = draw(trace)
    picture.encode("utf-8")
    root = ElementTree.fromstring(picture)
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert "script" not in kinds
    assert kinds <= {"svg", "title", "defs", "pattern", "rect", "g", "text", "line", "circle", "polygon", "path"}
    assert all(not name.startswith("on") for element in root.iter() for name in element.attrib)


def test_an_explanation_without_end_does_not_fill_the_picture(tmp_path):
    trace = triangle_trace(tmp_path)
    long = replace(trace, violation=replace(trace.violation, explanation="very " * 10_000))
    assert float(parsed(long).get("height")) < float(parsed(trace).get("height")) + 200


def test_the_empty_run_and_self_addressed_messages_can_be_drawn(tmp_path):
    bounds = Bounds(3, 3)
    assert parsed(record(calls_of("rst", bounds), bounds, ())) is not None
    looped = random_trace("rst", Bounds(3, 5, self_addressed="network"), 15, readings=("RST-3b",))
    assert list(parsed(looped).iter(f"{SVG}path"))
    at_once = random_trace("rst", Bounds(2, 3, self_addressed="at-send"), 9, readings=("RST-3b",))
    assert parsed(at_once) is not None


def test_sixteen_processes_fit():
    trace = random_trace("rst", Bounds(16, 3, dests="broadcast"), 40)
    layout = lay_out(trace)
    assert len(layout.rows) == 16 and layout.rows == tuple(sorted(layout.rows))
    assert parsed(trace) is not None


def test_a_run_too_long_to_read_is_refused(tmp_path):
    trace = triangle_trace(tmp_path)
    with pytest.raises(UsageError, match="would not be legible"):
        draw(replace(trace, steps=trace.steps * 100))


def test_a_scenario_can_be_drawn():
    scenario, bounds, run = scripted("ks-fp2", "ks")
    schedule = []
    while events := run.enabled():
        run.apply(events[0])
        schedule.append(events[0])
    trace = record(run.calls, bounds, tuple(schedule), scenario=scenario)
    assert "scenario ks-fp2" in texts(parsed(trace))


def test_a_users_own_title_is_shown_as_it_is(tmp_path):
    bounds = Bounds(2, 1)
    trace = record(calls_of(own_model(tmp_path), bounds), bounds, ())
    assert any(t.startswith("<b>no order</b> & no condition") for t in texts(parsed(trace)))
