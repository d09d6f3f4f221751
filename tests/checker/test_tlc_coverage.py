"""TLC's coverage report becomes one line for each action that a reader knows."""

from __future__ import annotations

import pytest

from precede.checker.tlc import coverage
from precede.checker.tlc.coverage import Reported, action_counts, reported

SOURCE = r"""---- MODULE Relay ----
Move == \E packet \in AllInTransit : Receive(packet)

Step == \/ \E i \in Procs : Pass(i, [d |-> Len(x)]) \/ Take(i)

Next ==
    \/ \E i \in Procs : \E Dests \in DestinationSets(i) : Send(i, Dests)
    \/ \E packet \in network : Receive(packet)
    \/ Move
===="""


@pytest.fixture(autouse=True)
def relay(monkeypatch):
    monkeypatch.setattr(coverage, "source_of", lambda module: SOURCE if module == "Relay" else "")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("<Move line 2, col 1 to line 2, col 4 of module Relay>", "Receive"),
        ("<Step line 4, col 1 to line 4, col 4 of module Relay>", "Step"),
        ("<Next line 6, col 1 to line 6, col 4 of module Relay (8 8 8 46)>", "Receive"),
        ("<Next line 6, col 1 to line 6, col 4 of module Relay (7 8 7 74)>", "Send"),
        ("<Next line 6, col 1 to line 6, col 4 of module Relay (7 5 8 46)>", "Next"),
        ("<Next line 6, col 1 to line 6, col 4 of module Relay (90 1 91 2)>", "Next"),
        ("<Init line 5, col 1 to line 5, col 4 of module Elsewhere>", "Init"),
    ],
)
def test_an_action_has_the_name_of_what_is_applied_where_that_is_all_there_is(head, name):
    assert reported(f"{head}: 3:15") == Reported(name, 3, 15)


def test_another_message_is_no_action():
    assert reported("<TypeOK line 30, col 1 to line 30, col 6 of module RST>") is None


def test_the_parts_of_an_action_are_one():
    reports = [Reported("Send", 1, 2), Reported("Receive", 0, 4), Reported("Send", 3, 5), Reported("Pass", 0, 0)]
    counts = action_counts(reports, counts_states=True, counts_steps=True)
    assert counts == (("Send", 7, 4, False), ("Receive", 4, 0, False), ("Pass", 0, 0, True))


def test_what_tlc_does_not_count_is_not_said():
    (walks,) = action_counts([Reported("Send", 0, 2)], counts_states=False, counts_steps=True)
    (fair,) = action_counts([Reported("Send", 1, 2)], counts_states=True, counts_steps=False)
    assert walks == ("Send", 2, None, False) and fair == ("Send", None, 1, False)
