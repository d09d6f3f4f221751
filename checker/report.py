"""A result as readable text. Everything printed says what it counts and within which bound it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .bounds import Bounds
from .progress import size_text
from .result import LabelCount, PropertyResult, Result

if TYPE_CHECKING:
    from .scenario import Scenario

PIPE_WIDTH = 120

CHANNEL_TEXT = {
    "unordered": "unordered channels",
    "fifo": "FIFO channels",
    "fifo-delivery": "FIFO channels that also deliver in order",
    "fifo-arrival": "channels with FIFO arrival",
}
SELF_TEXT = {
    "forbidden": "no self-addressed messages",
    "network": "self-addressed messages through the network",
    "at-send": "self-addressed messages delivered at the send",
}
STYLES = {"holds": "bold green", "violated": "bold red", "incomplete": "bold yellow", "equal": "green", "differs": "bold red"}


def console(stderr: bool = False) -> Console:
    """A console that is plain and of fixed width in a pipe, and respects NO_COLOR."""
    made = Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)
    return made if made.is_terminal else Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=PIPE_WIDTH)


def assumptions(bounds: Bounds, scenario: str | None = None) -> str:
    """The runs that a verdict is about: "3 processes with at most 4 multicasts, unordered channels, ..."."""
    if scenario is not None:
        return f"scenario {scenario} ({bounds.processes} processes, {bounds.sends} messages), {CHANNEL_TEXT[bounds.channel]}"
    sends = f"at most {bounds.sends} {bounds.dests}{'s' if bounds.sends != 1 else ''}"
    if bounds.sends_per_process is not None:
        sends += f" ({bounds.sends_per_process} per process)"
    return f"{bounds.processes} processes with {sends}, {CHANNEL_TEXT[bounds.channel]}, {SELF_TEXT[bounds.self_addressed]}"


def verdict_sentence(result: Result) -> str:
    """The verdict in one sentence, with its bound and its assumptions."""
    runs = assumptions(result.bounds, result.scenario)
    if result.verdict == "holds":
        return f"holds for all runs of {runs}"
    if result.verdict == "violated":
        names = [p.name for p in result.properties if p.verdict == "violated"]
        return f"violated: {', '.join(names)}; runs of {runs}"
    return f"incomplete: {result.stopped or 'the search was stopped'}; no violation among the states seen; runs of {runs}"


def first_violation(result: Result) -> PropertyResult | None:
    """The violated property with the shortest counterexample; the first of them in order where several are as short."""
    violated = [p for p in result.properties if p.witness is not None]
    return min(violated, key=lambda p: len(p.witness.schedule) if p.witness else 0, default=None)


def print_result(
    out: Console, result: Result, title: str, counterexample: str | None = None, written: str | None = None
) -> None:
    """Print everything about a result. `counterexample` is the text of the shortest one; `written` where its trace went."""
    readings = "".join(f" {id}{letter}" for id, letter in sorted(result.readings.items(), key=lambda r: _natural(r[0])))
    out.print(Text(f"{result.model}: {title}" + (f", readings{readings}" if readings else "")))
    out.print(Text(verdict_sentence(result), style=STYLES[result.verdict]))
    out.print()
    out.print(Padding(_properties(result.properties), (0, 0, 0, 2)))
    out.print(Padding(_counts(result), (0, 0, 1, 2)))
    if result.labels is not None:
        for line in label_lines(result.labels):
            out.print(Text(line))
    for note in result.notes:
        out.print(Text(f"note: {note}"))
    if counterexample is not None:
        out.print()
        out.print(Text(counterexample))
    if written is not None:
        out.print(Text(written))


def _natural(id: str) -> tuple[str, int]:
    prefix, _, number = id.rpartition("-")
    return prefix, int(number) if number.isdigit() else 0


def _properties(properties: Iterable[PropertyResult]) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("property")
    table.add_column("verdict")
    table.add_column("shortest counterexample", justify="right")
    table.add_column("")
    for p in properties:
        counts = [f"{name} {'not counted' if n is None else format(n, ',')}" for name, n in p.counts.items()]
        steps = "" if p.trace_length is None else f"{p.trace_length} step{'s' if p.trace_length != 1 else ''}"
        remark = "; ".join([*counts, *([p.note] if p.note else [])])
        table.add_row(Text(p.name), Text(p.verdict, style=STYLES.get(p.verdict, "dim")), steps, Text(remark))
    return table


def _counts(result: Result) -> Table:
    table = Table(box=None, padding=(0, 3, 0, 0), show_header=False)
    table.add_column(justify="right")
    table.add_column()
    rows = (
        (result.distinct_states, "distinct global states"),
        (result.transitions, "transitions between them"),
        (result.depth, "steps in the longest run"),
        (result.local_states, "distinct pairs of process state and causal past"),
        (result.packets, "distinct packets in transit"),
    )
    table.add_row("", "")
    for count, what in rows:
        table.add_row("not counted" if count is None else f"{count:,}", what)
    table.add_row(f"{result.seconds:.2f} s", f"search {result.search}, engine {result.engine}, one core")
    table.add_row(size_text(result.peak_memory_bytes), "peak memory of the process")
    return table


def label_lines(labels: tuple[LabelCount, ...]) -> list[str]:
    """Which statements of the model ran, which waits were entered, which pruning steps pruned; by the paper's labels."""
    if not labels:
        return ["labels: the model has no labelled statements"]
    never = [c.label for c in labels if not c.fired]
    waits = [c for c in labels if c.waited is not None]
    prunes = [c for c in labels if c.changed is not None]
    lines = [f"labels: {len(labels) - len(never)} of {len(labels)} fired" + (f"; never: {', '.join(never)}" if never else "")]
    if waits:
        lines.append("waits entered: " + ", ".join(f"{c.label} {_times(c.waited)}" for c in waits))
    if prunes:
        lines.append("rewriting steps that changed something: " + ", ".join(f"{c.label} {_times(c.changed)}" for c in prunes))
    return lines


def _times(count: int | None) -> str:
    return f"{count:,}x" if count else "never"
