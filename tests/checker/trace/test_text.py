"""Traces as text: numbered steps, states in the paper's names, differences only, one process only."""

from __future__ import annotations

import pytest
from runs import TRIANGLE, calls_of, hostile_trace, random_trace, triangle_trace

from precede.checker.bounds import Bounds
from precede.checker.errors import UsageError
from precede.checker.result import ReceiveEvent
from precede.checker.trace import record
from precede.checker.trace.text import show

BOUNDS = Bounds(3, 3)


def triangle(model: str):
    schedule = (*TRIANGLE, ReceiveEvent(3, (1, 1)), ReceiveEvent(3, (2, 1)))
    return record(calls_of(model, BOUNDS), BOUNDS, schedule)


def test_whole_states_are_shown_in_the_names_of_the_paper():
    text = show(triangle("rst"))
    assert "  4  send 2.1 to 3" in text and "  6  receive 2.1 at 3" in text
    assert "SENT  = ((0,1,1), (0,0,1), (0,0,0))" in text
    assert "waiting: 2.1 at 3" in text and "(9 units, 36 bytes)" in text
    assert "3 processes, at most 3 sends, multicast, channels unordered" in text


def test_differences_show_only_what_the_step_changed():
    text = show(triangle("rst"), differences=True)
    step = text[text.index("  2  send") : text.index("  3  receive")]
    assert "SENT[1][2]: 0 -> 1" in step and "DELIV" not in step
    assert text.count("DELIV[") == 3, "three deliveries change one counter each"


def test_the_log_of_ks_shows_entries_that_came_and_went():
    text = show(triangle("ks"), differences=True)
    assert text.rstrip().endswith("LOG: - ((1,1),{})  - ((2,0),{})  + ((1,2),{})  + ((2,1),{})")


def test_one_process_alone_keeps_the_numbers_of_its_steps():
    text = show(triangle("rst"), process=3)
    assert "  5  receive 1.1 at 3" in text and "  6  receive 2.1 at 3" in text
    assert "send" not in text.split("Initial states")[1]
    assert "process 1" not in text and "process 3" in text


def test_a_process_that_is_not_there_is_refused():
    for process in (0, 4, -1):
        with pytest.raises(UsageError, match="the processes of this trace are 1 to 3"):
            show(triangle("rst"), process=process)


def test_a_violation_stands_at_the_top_and_at_the_end(tmp_path):
    text = show(triangle_trace(tmp_path))
    assert "violates CausalOrder: process 3 delivers 2.1" in text.split("Initial states")[0]
    assert text.rstrip().endswith("Still in transit: 1.1 at 3")


def test_nothing_from_a_trace_reaches_the_terminal_raw(tmp_path):
    evil = "\x1b]0;owned\x07\nFAKE LINE"
    state = {evil: [evil, {"set": [evil]}, {"text": evil}]}
    trace = hostile_trace(tmp_path, evil, state)
    for differences in (False, True):
        text = show(trace, differences=differences)
        assert "\x1b" not in text and "\x07" not in text
        assert not any(line.startswith("FAKE") for line in text.splitlines())


def test_a_self_addressed_message_delivered_at_its_send_is_said():
    trace = random_trace("rst", Bounds(2, 3, self_addressed="at-send"), 9, readings=("RST-3b",))
    assert "delivers its own copy of" in show(trace)
