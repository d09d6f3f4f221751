"""What TLC prints with -tool is read, from 2.15 on."""

from __future__ import annotations

import pytest

from precede.checker.tlc.output import TlcOutput


def read(*messages: tuple[int, int, str]) -> TlcOutput:
    output = TlcOutput()
    for number, severity, text in messages:
        for line in (f"@!@!@STARTMSG {number}:{severity} @!@!@", *text.split("\n"), f"@!@!@ENDMSG {number} @!@!@"):
            output.feed(line + "\n")
    return output


@pytest.mark.parametrize(
    ("version", "progress"),
    [
        (
            "TLC2 Version 2.15 of Day Month 20?? (rev: d5b5a7f)",
            "Progress(8) at 2026-11-27 23:59:16: 13,084 states generated (13,084 s/min), 6,870 distinct states found "
            "(6,870 ds/min), 2,407 states left on queue.",
        ),
        (
            "TLC2 Version 2.19 of 08 August 2024 (rev: 5a47802)",
            "Progress(8) at 2024-08-08 10:00:00: 13084 states generated, 6870 distinct states found, "
            "2407 states left on queue.",
        ),
    ],
)
def test_progress_is_read(version, progress):
    output = read((2262, 0, version), (2200, 0, progress))
    assert (output.version, output.generated, output.distinct, output.queue, output.depth) == (
        version,
        13084,
        6870,
        2407,
        8,
    )
    assert not output.totals


def test_a_finished_run_has_totals_and_depth():
    output = read(
        (2193, 0, "Model checking completed. No error has been found.\n  calculated (optimistic):  val = 4.2E-12"),
        (2199, 0, "17635 states generated, 8757 distinct states found, 0 states left on queue."),
        (2194, 0, "The depth of the complete state graph search is 10."),
    )
    assert output.finished and output.totals
    assert (output.generated, output.distinct, output.queue, output.depth) == (17635, 8757, 0, 10)


def test_a_violation_has_its_invariant_and_its_states():
    output = read(
        (2110, 1, "Invariant CausalOrder is violated."),
        (2121, 1, "The behavior up to this point is:"),
        (2217, 4, "1: <Initial predicate>\n/\\ clock = <<0, 0>>\n/\\ network = {}\n"),
        (
            2217,
            4,
            "2: <Send(1,{2}) line 7 of module KS>\n/\\ clock = <<1, 0>>\n/\\ network = {5}\n",
        ),
    )
    assert output.violated == "CausalOrder" and output.errors == []
    assert output.trace == [
        {"clock": (0, 0), "network": frozenset()},
        {"clock": (1, 0), "network": frozenset({5})},
    ]


def test_a_violation_in_the_initial_state_has_that_state():
    output = read(
        (2107, 1, "Invariant TypeOK is violated by the initial state:\n/\\ clock = <<0>>\n/\\ network = {}\n")
    )
    assert (output.violated, output.trace) == ("TypeOK", [{"clock": (0,), "network": frozenset()}])


def test_errors_and_free_text_are_kept_on_one_line_each():
    output = read((2229, 1, "The invariant Nonsense specified in the configuration file\nis not defined."))
    output.feed("***Parse Error***\n")
    assert output.errors == ["The invariant Nonsense specified in the configuration file is not defined."]
    assert output.free_text == ["***Parse Error***"]


def test_a_state_that_cannot_be_read_is_remembered_as_such():
    output = read((2110, 1, "Invariant TypeOK is violated."), (2217, 4, "1: <Initial predicate>\n/\\ clock = ???\n"))
    assert output.unreadable is not None and output.trace == []


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1001, "Java ran out of memory.  Running Java with a larger memory allocation pool may fix this."),
        (1000, "TLC threw an unexpected exception.\nThe exception was a java.lang.OutOfMemoryError\n: Java heap space"),
    ],
)
def test_lack_of_memory_is_noticed(number, text):
    assert read((number, 1, text)).out_of_memory
