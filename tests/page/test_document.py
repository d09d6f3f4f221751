"""What a page shows of a run: steps, statements, truths, other steps, and how the violation comes about."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from runs import TRIANGLE, calls_of, hostile_trace, own_model, random_trace, scripted, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.page import document_of, executing
from precede.checker.page.others import branch, label_of
from precede.checker.page.telling import chain_of, story_of
from precede.checker.result import ReceiveEvent, SendEvent, Witness
from precede.checker.run import Run
from precede.checker.trace import read_trace, record

REFUTATIONS = Path(__file__).parents[2] / "proofs" / "refutations"
RST_1B = read_trace(REFUTATIONS / "C-B-1-RST-1b.json")


@pytest.fixture(scope="module")
def rst_1b():
    return document_of(RST_1B)


def truth(document, step, property):
    state = document["steps"][step - 1] if step else document["atStart"]
    return state["truths"][[p["name"] for p in document["properties"]].index(property)]


@pytest.mark.parametrize("file", sorted(REFUTATIONS.glob("*.json")), ids=lambda file: file.stem)
def test_every_committed_trace_is_taken_again_and_wrong_at_its_end_only(file, monkeypatch):
    monkeypatch.setattr(executing, "LONGEST_JUDGED", 0)
    trace = read_trace(file)
    document = document_of(trace)
    assert document["notExecuted"] is None and document["story"]
    assert truth(document, len(trace.steps), trace.violation.property) is False
    assert truth(document, 0, trace.violation.property) is True


def test_the_statements_that_ran_are_those_of_the_paper(rst_1b):
    assert [[label for label, *_ in step["ran"]] for step in rst_1b["steps"]] == [
        ["s1", "s2"], ["d1", "d2", "d3", "d4", "d5"], ["s1", "s2"], ["d1", "d2", "d3", "d4", "d5"],
    ]  # fmt: skip
    texts = {label: rst_1b["values"][place] for label, _, _, place in rst_1b["steps"][3]["ran"]}
    assert texts["d2"] == ["delivered = (packet.message,)"]
    assert texts["d4"] == ["ST = incremented(ST, i, counted)"]  # the other way to read d4 did not run


def test_a_packet_that_waits_names_the_statement_at_which_it_waits():
    bounds = Bounds(3, 3)
    document = document_of(record(calls_of("ks", bounds), bounds, TRIANGLE))
    assert [step["waiting"] for step in document["steps"]] == [[], [], [], [[3, ["RCV(1)"]]]]


def test_causal_order_is_false_from_the_delivery_on_that_breaks_it(rst_1b):
    assert [truth(rst_1b, step, "CausalOrder") for step in range(5)] == [True, True, True, True, False]
    assert rst_1b["violation"]["ring"] == [4, 2]


def test_the_story_names_the_chain_between_the_two_sends():
    assert chain_of(RST_1B) == [(3, 1), (1, 1)]
    assert [(s.text, s.step) for s in story_of(RST_1B)] == [
        ("Process 3 sends 3.1 to 1,2.", 1),
        ("Process 1 delivers 3.1.", 2),
        ("Process 1 sends 1.1 to 2 after that, so 3.1 lies in the causal past of 1.1.", 3),
        (
            "Process 2 delivers 1.1, although 3.1, which is also for it and lies in the causal past of 1.1, has not "
            "been delivered there.",
            4,
        ),
    ]


def test_the_story_of_a_run_without_a_violation_is_empty():
    assert story_of(random_trace("ks", Bounds(3, 3), 6)) == []


def others(document, step):
    state = document["steps"][step - 1] if step else document["atStart"]
    return {document["values"][other[0]]: other[1:] for other in state["others"]}


def test_before_the_wrong_delivery_only_the_right_one_and_what_delays_it_are_left(rst_1b):
    found = others(rst_1b, 3)
    assert "receive 1.1 at 2" not in found  # the run itself takes it
    assert found["receive 3.1 at 2"][0] in ("never", "later")
    assert {outlook for outlook, _ in found.values()} <= {"now", "later", "never", "unknown"}


def test_after_the_right_delivery_no_violation_can_follow_where_nothing_more_is_sent(tmp_path):
    trace = triangle_trace(tmp_path)
    document = document_of(trace, model=own_model(tmp_path))
    assert others(document, 4) == {"receive 1.1 at 3": ["never", 2]}


def test_the_script_of_a_scenario_is_followed():
    scenario, bounds, run = scripted("triangle", "ks")
    trace = record(run.calls, bounds, TRIANGLE, scenario=scenario)
    assert document_of(trace)["notExecuted"] is None


def test_a_model_of_the_users_own_is_run_only_when_the_user_names_it(tmp_path):
    trace = triangle_trace(tmp_path)
    assert "none of precede's own" in document_of(trace)["notExecuted"]
    assert document_of(trace, model=own_model(tmp_path))["notExecuted"] is None


def test_a_run_that_the_model_of_today_does_not_take_is_shown_as_it_is_recorded():
    bounds = Bounds(3, 3)
    trace = record(calls_of("null", bounds), bounds, (*TRIANGLE, ReceiveEvent(3, (2, 1))))
    document = document_of(replace(trace, model="rst"))
    assert "starts otherwise" in document["notExecuted"] and len(document["steps"]) == 5


def test_a_hostile_trace_is_no_more_than_text(tmp_path):
    evil = "</script><script>alert(1)</script>\"'&"
    document = document_of(hostile_trace(tmp_path, evil, {"set": [evil]}))
    assert document["title"] == evil and document["notExecuted"]


def test_a_violation_that_only_says_what_is_violated_is_pinpointed():
    said = "TLC found that invariant CausalOrder does not hold here"
    bare = replace(RST_1B.violation, explanation=said, process=None, message=None, before=None)
    violation = document_of(replace(RST_1B, violation=bare))["violation"]
    assert violation["explanation"] == f"{said}: {RST_1B.violation.explanation}"
    assert (violation["process"], violation["message"], violation["before"]) == (2, "1.1", "3.1")
    assert violation["chain"] == ["3.1", "1.1"] and violation["ring"] == [4, 2]


def violation_follows(run, event):
    """Whether CausalOrder is violated by `event` or in any run after it, by taking all of them."""
    start = branch(run)
    if "CausalOrder" in start.apply(event).wrong:
        return True
    seen, level = {start.global_state()}, [start]
    while level:
        before, level = level, []
        for one in before:
            for next_event in one.enabled():
                after = branch(one)
                if "CausalOrder" in after.apply(next_event).wrong:
                    return True
                if after.global_state() not in seen:
                    seen.add(after.global_state())
                    level.append(after)
    return False


def test_where_other_steps_lead_is_what_all_runs_after_them_do():
    bounds = Bounds(3, 2)
    calls = calls_of("rst", bounds, ("RST-1b",))
    schedule = (
        SendEvent(1, frozenset({2, 3})), ReceiveEvent(2, (1, 1)), SendEvent(2, frozenset({3})), ReceiveEvent(3, (2, 1)),
    )  # fmt: skip
    witness = Witness(schedule, "too early", 3, (2, 1), (1, 1))
    document = document_of(record(calls, bounds, schedule, property="CausalOrder", witness=witness))
    run, found = Run(calls, bounds), []
    for step in range(4):
        events = {label_of(run, event): event for event in run.enabled()}
        for label, (outlook, _) in others(document, step).items():
            found.append(outlook)
            assert (outlook in ("now", "later")) == violation_follows(run, events[label]), (step, label)
        run.apply(schedule[step])
    assert {"later", "never"} <= set(found) and "unknown" not in found


def test_the_story_of_a_wrong_fact_says_why_it_is_wrong():
    story = document_of(read_trace(REFUTATIONS / "KS-2a.json"), ahead=0)["story"]
    assert story[-1]["text"] == (
        "That 1.1 must still reach 2 is redundant in the state of process 1: "
        "1.2, sent to 2 in step 2 with 1.1 in its past, stands for it."
    )


@pytest.mark.sweep
def test_a_picture_of_the_audit_is_a_trace_that_is_judged_by_its_own_history(tmp_path, capsys):
    lines = [
        {"process": "a", "kind": "send", "message": "m1", "destinations": ["c"]},
        {"process": "a", "kind": "send", "message": "m2", "destinations": ["b"]},
        {"process": "b", "kind": "deliver", "message": "m2"},
        {"process": "b", "kind": "send", "message": "m3", "destinations": ["c"]},
        {"process": "c", "kind": "deliver", "message": "m3"},
        {"process": "c", "kind": "deliver", "message": "m1"},
    ]
    (tmp_path / "log.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(["audit", str(tmp_path / "log.ndjson"), "--out", str(tmp_path / "out")]) == 12
    trace = read_trace(sorted((tmp_path / "out" / "diagrams").glob("*.json"))[0])
    document = document_of(trace)
    assert document["notExecuted"] and document["violation"]["explanation"].endswith(
        "process 1 is a, process 2 is b, process 3 is c"
    )
    assert [truth(document, step, "CausalOrder") for step in range(7)] == [True] * 5 + [False] * 2
    assert document["violation"]["ring"] == [5, 3]
    assert document["violation"]["chain"] == ["1.1", "1.2", "2.1"]
