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


ONE = (2217, 4, "1: <Initial predicate>\nx = 0\n")
TWO = (2217, 4, "2: <Go line 5, col 7 to line 5, col 25 of module Live>\nx = 1\n")


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


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Temporal properties were violated.", ""),
        ("Temporal property EveryMessageIsDelivered was violated.", "EveryMessageIsDelivered"),
        ("Temporal properties Other and EveryMessageIsDelivered were violated.", "Other and EveryMessageIsDelivered"),
    ],
)
def test_a_violation_of_liveness_has_a_name_where_tlc_says_it(text, name):
    output = read((2116, 1, text), (2264, 1, "The following behavior constitutes a counter-example:"), ONE, TWO)
    assert (output.kind, output.violated, output.errors) == ("liveness", name, [])
    assert (len(output.trace), output.back_to, output.stutters) == (2, None, False)


def test_a_run_that_stutters_and_one_that_returns_are_told_apart():
    stuttering = read((2116, 1, "Temporal properties were violated."), ONE, TWO, (2218, 4, "3: Stuttering"))
    returning = read(
        (2116, 1, "Temporal properties were violated."),
        ONE,
        TWO,
        (2122, 4, "1: Back to state: <Back line 6, col 9 to line 6, col 23 of module Live>"),
    )
    assert (stuttering.stutters, stuttering.back_to) == (True, None)
    assert (returning.stutters, returning.back_to) == (False, 1)
    assert stuttering.trace == returning.trace == [{"x": 0}, {"x": 1}]


def test_a_return_to_nowhere_is_unreadable():
    assert read((2116, 1, "Temporal properties were violated."), ONE, (2122, 4, "Back")).unreadable == "Back"


@pytest.mark.parametrize(
    ("number", "text", "name"),
    [
        (
            2112,
            "Action property line 49, col 21 to line 49, col 33 of module CausalMulticast is violated.",
            "line 49, col 21 to line 49, col 33 of module CausalMulticast",
        ),
        (2112, "Action property ImplementsCausalMulticast is violated.", "ImplementsCausalMulticast"),
        (2108, "Property Refined is violated by the initial state:\nx = 0\n", "Refined"),
    ],
)
def test_a_formula_about_steps_is_named_or_placed(number, text, name):
    output = read((number, 1, text))
    assert (output.kind, output.violated) == ("step", name)
    assert len(output.trace) == (number == 2108)


@pytest.mark.parametrize("level", [-1, 200], ids=["2.15", "newer: the walks taken"])
def test_random_walks_count_no_states(level):
    counts = "1,127 states generated, -1 distinct states found, -1 states left on queue."
    output = read(
        (2188, 0, "Running Random Simulation with seed 5 with 1 worker on 2 cores (Linux)."),
        (2209, 0, f"Progress({level}) at now: {counts}"),
        (2186, 0, "Finished in 1159ms at (now)"),
    )
    assert (output.simulates, output.ended, output.totals, output.finished) == (True, True, False, False)
    assert (output.generated, output.distinct, output.queue, output.depth) == (1127, None, None, None)


def test_the_last_coverage_report_counts():
    first, second = (
        (2772, 0, f"<Send line 72, col 1 to line 72, col 14 of module RST>: {distinct}:{taken}")
        for distinct, taken in ((1, 2), (108, 333))
    )
    starts = (2201, 0, "The coverage statistics at now")
    detail = (2221, 0, "  line 37, col 5 to line 39, col 52 of module RST: 1")
    assert read(starts, first, detail, starts, second, detail).coverage == [("Send", 108, 333)]
