"""Traces of protocols as text: signals, names of steps, what is held, faults, settings, loops."""

from __future__ import annotations

from dataclasses import replace

import toys
from toys import send, trace_of

from precede.checker.result import FaultEvent, InternalEvent, JointEvent, ReceiveEvent
from precede.checker.trace import Violation
from precede.checker.trace.text import show


def text_of(model, *events, violation=None, process=None, **bounds):
    trace = replace(trace_of(model, *events, **bounds), violation=violation)
    return show(trace, differences=True, process=process)


def step(text, number):
    """The lines of one step, stripped."""
    lines = text.split("Initial states")[1].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(f"{number:>3}  "))
    end = lines.index("", first) if "" in lines[first:] else len(lines)
    return [line.strip() for line in lines[first:end]]


def test_signals_are_told_from_packets_and_a_step_that_changes_nothing_is_just_its_label():
    text = text_of(toys.Ack(), send(1, 2), ReceiveEvent(2, (1, 1), 0, 1, 0), ReceiveEvent(1, None, 0, 2, 0))
    assert step(text, 2) == ["2  receive 1.1 at 2", "signal to 1: ack"]
    assert step(text, 3) == ["3  receive signal from 2 at 1", "awaited: - 2"]


def test_what_is_held_and_what_a_later_step_delivers_is_said():
    arrive = (ReceiveEvent(2, (1, 2), 0, 1, 1), ReceiveEvent(2, (1, 1), 0, 1, 0))
    text = text_of(toys.Buffer(eager=0), send(1, 2), send(1, 2), *arrive, InternalEvent(2))
    assert "settings eager = 0" in text
    assert step(text, 3) == [
        "3  receive 1.2 at 2",
        "delivers nothing",
        "arrived and not delivered: 1.2 at 2",
        "buffer: + (1,2,{2})",
    ]
    assert step(text, 5)[:2] == ["5  process 2: deliver from 1", "delivers 1.1, 1.2"]


def test_a_relay_is_named_where_the_message_does_not_tell_it():
    text = text_of(toys.Relay(), send(2, 3), ReceiveEvent(1, (2, 1), 0, 2, 0), ReceiveEvent(3, (2, 1), 0, 1, 0))
    assert step(text, 2) == ["2  receive 2.1 at 1", "packet to 3: down", "delivers nothing", "state[2]: - -> (2,1,{3})"]
    assert step(text, 3) == ["3  receive 2.1 from 1 at 3"]


def test_a_step_of_several_processes_names_each():
    text = text_of(toys.Meeting(), send(1, 2, 3))
    assert step(text, 1) == [
        "1  send 1.1 to 2,3",
        "packet to 2, received at once: ()",
        "packet to 3, received at once: ()",
        "signal to 1 from 2: seen",
        "signal to 1 from 3: seen",
        "delivers 1.1 at 2, 1.1 at 3",
        "process 2",
        "state[2]: 0 -> 1",
        "process 3",
        "state[2]: 0 -> 1",
    ]
    assert step(text_of(toys.Views(), JointEvent()), 1)[:3] == [
        "1  all processes: go to view 2",
        "process 1",
        "state[2]: 1 -> 2",
    ]


def test_faults_are_steps_and_a_restart_shows_the_whole_state():
    faults = (FaultEvent("duplicate", 2, 1, 0), FaultEvent("lose", 2, 1, 1), FaultEvent("crash", 2))
    bounds = {"duplicates": 1, "losses": 1, "crashes": 2, "restarts": 1}
    events = (send(1, 2), *faults, FaultEvent("restart", 2))
    text = text_of(toys.Ack(), *events, **bounds)
    assert "self-addressed messages forbidden, at most 1 duplicate, 1 loss, 2 crashes, 1 restart" in text
    assert [step(text, number) for number in (2, 3, 4, 5)] == [
        ["2  duplicate 1.1 to 2"],
        ["3  lose 1.1 to 2"],
        ["4  crash process 2", "its state is lost"],
        ["5  restart process 2", "me      = 2", "awaited = {}"],
    ]
    alone = text_of(toys.Ack(), *events, process=1, **bounds).split("Initial states")[1]
    assert "send 1.1" in alone and "crash" not in alone and "lose" not in alone
    assert "lose 1.1 to 2" in text_of(toys.Ack(), *events, process=2, **bounds)


def test_the_groups_are_named():
    groups = (frozenset({1, 2}), frozenset({2, 3}))
    assert ", groups {1,2} {2,3}, channels" in text_of(toys.Counting(), dests="groups", groups=groups)


def test_the_steps_that_repeat_for_ever_are_marked():
    events = (send(1, 2), InternalEvent(1), ReceiveEvent(2, None, 0, 1, 1))
    text = text_of(toys.Deaf(), *events, violation=Violation("Delivery", "x", loop=1))
    before, after = text.split("Steps 2 to 3 repeat, for ever:\n")
    assert "  1  send 1.1" in before and after.lstrip().startswith("2  process 1: pass the token to 2")
    assert text.rstrip().endswith("Steps 2 to 3 repeat, for ever\nStill in transit: 1.1 at 2")
    assert "Step 3 repeats, for ever" in text_of(toys.Deaf(), *events, violation=Violation("Delivery", "x", loop=2))
