"""ShiViz, Mermaid and DOT: the whole run is there, and what a trace says is never taken for their syntax."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from itertools import pairwise

import pytest
from exported import KINDS, refuting, run_of
from runs import hostile_trace

from precede.checker.exports import export
from precede.checker.exports.dot import dot
from precede.checker.exports.mermaid import escaped, mermaid
from precede.checker.exports.shiviz import EXPRESSION, host, shiviz
from precede.checker.trace.journeys import journeys

EVIL = 'x"];\nend\n}# %%; <script>alert(1)</script> {"process1": 9}\n---- MODULE y ----'


def events_of(log):
    """Host and clock of each event, as ShiViz finds them."""
    expression = re.compile(EXPRESSION.replace("(?<", "(?P<"))
    found = [(m["host"], json.loads(m["clock"])) for m in expression.finditer(log)]
    assert len(found) * 2 == len(log.splitlines())
    return found


def comes_before(a, b):
    return a != b and all(count <= b.get(name, 0) for name, count in a.items())


@pytest.mark.parametrize("kind", KINDS)
def test_the_clocks_of_a_shiviz_log_are_happened_before(kind):
    trace = run_of(kind, seed=3)
    events = events_of(shiviz(trace))
    by_host = defaultdict(list)
    for name, clock in events:
        by_host[name].append(clock)
        assert clock[name] == len(by_host[name])  # a process counts its own events
    for clocks in by_host.values():
        assert all(comes_before(a, b) for a, b in pairwise(clocks))
    place = {}
    for i, step in enumerate(trace.steps):
        if step.kind not in ("duplicate", "lose"):
            for state in step.states:
                place[i, state.process] = sum(p == state.process and j <= i for j, p in place) + 1
    for journey in journeys(trace):
        packet = journey.packet
        if journey.ended is not None and not journey.is_lost and journey.copied_from is None:
            sent = by_host[host(packet.sender)][place[journey.sent, packet.sender] - 1]
            received = by_host[host(packet.to)][place[journey.ended, packet.to] - 1]
            assert comes_before(sent, received)


def test_events_without_a_way_between_them_are_concurrent_in_shiviz():
    events = events_of(shiviz(refuting("C-B-1-RST-1b")))
    assert [(name, clock) for name, clock in events] == [
        ("process3", {"process3": 1}),
        ("process1", {"process1": 1, "process3": 1}),
        ("process1", {"process1": 2, "process3": 1}),
        ("process2", {"process1": 2, "process2": 1, "process3": 1}),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_mermaid_has_an_arrow_for_every_receipt(kind):
    trace = run_of(kind)
    lines = mermaid(trace).splitlines()
    arrows = [line for line in lines if re.match(r"\s+p\d+-{1,2}\)p\d+: ", line)]
    assert lines[0] == "sequenceDiagram"
    assert len(arrows) == sum(step.kind == "receive" for step in trace.steps)


def test_mermaid_text_is_letters_digits_and_codes_only(tmp_path):
    assert escaped("a;b#c<d>") == "a#59;b#35;c#60;d#62;"
    for line in mermaid(hostile_trace(tmp_path, EVIL, {"set": [EVIL]})).splitlines()[4:]:
        text = line.partition(": ")[2]
        assert re.fullmatch(r"(?:[\w .,()+/='-]|#\d+;)*", text)


@pytest.mark.parametrize("kind", KINDS)
def test_dot_has_a_node_for_every_event_and_an_edge_for_every_packet(kind):
    trace = run_of(kind)
    text = dot(trace)
    nodes = re.findall(r"^    (s\d+p\d+) \[", text, re.MULTILINE)
    events = [(i, s.process) for i, step in enumerate(trace.steps, 1) for s in step.states]
    assert sorted(nodes) == sorted(f"s{i}p{p}" for i, p in events)
    sent = sum(len(step.packets) for step in trace.steps if step.kind != "duplicate")
    assert len(re.findall(r"^  s\d+p\d+ -> \w+ \[color=\"", text, re.MULTILINE)) == sent


@pytest.mark.skipif(shutil.which("dot") is None, reason="no Graphviz here")
def test_graphviz_draws_it_whatever_the_trace_says(tmp_path):
    text = dot(hostile_trace(tmp_path, EVIL, {"set": [EVIL]}))
    drawn = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, timeout=60)
    assert drawn.returncode == 0 and not drawn.stderr and "<script" not in drawn.stdout


def test_the_svg_is_that_of_trace_draw():
    (text,) = export(refuting("KS-6c"), "svg").values()
    assert text.startswith("<svg")
