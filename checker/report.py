"""A result as readable text. Everything printed says what it counts and within which bound it holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from .bounds import Bounds
from .progress import size_text
from .result import LabelCount, PropertyResult, Result

CHANNEL_TEXT = {
    "unordered": "unordered channels",
    "fifo": "FIFO channels",
    "fifo-delivery": "channels with FIFO delivery",
    "fifo-arrival": "channels with FIFO arrival",
    "rendezvous": "sends that are one step with their receipts",
}
SELF_TEXT = {
    "forbidden": "no self-addressed messages",
    "network": "self-addressed messages through the network",
    "at-send": "self-addressed messages delivered at the send",
}
PLURALS = {"multicast to a group": "multicasts to groups"}
FAULT_PLURALS = {"loss": "losses", "crash": "crashes"}
FAULT_TEXT = ("duplicate", "loss", "crash", "restart")
STYLES = {
    "holds": "bold green",
    "violated": "bold red",
    "incomplete": "bold yellow",
    "not applicable": "yellow",
    "equal": "green",
    "different": "bold red",
    "never": "yellow",
}

if TYPE_CHECKING:
    from .tlc import StateSets, TlcResult

Cell = str | Text


def console() -> Console:
    """Standard output: colour on a terminal unless NO_COLOR is set, plain lines in a pipe."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def aligned(rows: Iterable[Sequence[Cell]], right: Sequence[int] = (), indent: int = 2) -> list[Text]:
    """Rows as lines with aligned columns; the columns in `right` are right-aligned. Nothing pads the end of a line."""
    cells = [
        [cell if isinstance(cell, Text) else Text(cell, style=STYLES.get(cell, "")) for cell in row] for row in rows
    ]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        line = Text(" " * indent)
        for i, (cell, width) in enumerate(zip(row, widths, strict=True)):
            padding = " " * (width - len(cell))
            line.append_text(Text(padding).append_text(cell) if i in right else cell.copy().append(padding))
            line.append("   ")
        line.rstrip()
        lines.append(line)
    return lines


def assumptions(bounds: Bounds, scenario: str | None = None) -> str:
    """The runs that a verdict is about: "3 processes with at most 4 multicasts, unordered channels, ..."."""
    system = f"{CHANNEL_TEXT[bounds.channel]}, {SELF_TEXT[bounds.self_addressed]}"
    for most, fault in zip(bounds.faults, FAULT_TEXT, strict=True):
        if most:
            system += f", at most {most} {fault if most == 1 else FAULT_PLURALS.get(fault, fault + 's')}"
    if scenario is not None:
        messages = f"{bounds.sends} message{'s' if bounds.sends != 1 else ''}"
        return f"scenario {scenario}: {bounds.processes} processes, {messages}, {system}"
    kind = "multicast to a group" if bounds.dests == "groups" else bounds.dests
    sends = f"at most {bounds.sends} {kind if bounds.sends == 1 else PLURALS.get(kind, kind + 's')}"
    if bounds.sends_per_process is not None:
        sends += f" ({bounds.per_process} per process)"
    return f"{bounds.processes} processes with {sends}, {system}"


def verdict_sentence(result: Result) -> str:
    """The verdict in one sentence, with its bound and its assumptions."""
    runs = assumptions(result.bounds, result.scenario)
    if result.verdict == "holds":
        return f"holds for all runs of {runs}"
    if result.verdict == "violated":
        names = [p.name for p in result.properties if p.verdict == "violated"]
        return f"violated: {', '.join(names)}; in runs of {runs}"
    if result.verdict == "not applicable":
        return f"not applicable: no property of the model could be judged in runs of {runs}"
    return f"incomplete: {why_incomplete(result)}; no violation found so far in runs of {runs}"


def why_incomplete(result: Result) -> str:
    """What stopped the search, or what it did not decide."""
    left = [p.name for p in result.properties if p.verdict == "incomplete"]
    return result.stopped or f"{', '.join(left)} left open"


def first_violation(result: Result) -> PropertyResult | None:
    """The violated property with the shortest counterexample; the first in order of several that are as short."""
    violated = [p for p in result.properties if p.witness is not None]
    return min(violated, key=lambda p: p.trace_length or 0, default=None)


def result_lines(result: Result, title: str) -> list[Text]:
    """Everything about a result: verdict, properties, counts, labels and notes."""
    title = f"{result.model}: {title}" if title else result.model
    lines = [Text(f"{title}, readings {readings_text(result)}" if result.readings else title)]
    lines.append(Text(verdict_sentence(result), style=STYLES[result.verdict]))
    if result.verdict == "violated" and not result.complete:
        ending = "the search ended early: " if result.stopped else ""
        lines.append(Text(f"{ending}{why_incomplete(result)}"))
    lines += [Text(), *property_lines(result.properties, counterexample_text(result)), Text(), *count_lines(result)]
    if result.labels is not None:
        lines += [Text(), *label_lines(result.labels, result.complete)]
    if result.notes:
        lines += [Text(), *(Text(f"note: {note}") for note in result.notes)]
    return lines


def readings_text(result: Result) -> str:
    """The readings as they are written on the command line: "KS-2b KS-10a"."""
    return " ".join(f"{id}{letter}" for id, letter in result.readings.items())


def counterexample_text(result: Result) -> str:
    """What a counterexample of this search is: not every one promises a shortest one."""
    return "shortest counterexample" if result.shortest else "counterexample"


def property_lines(properties: Sequence[PropertyResult], counterexample: str) -> list[Text]:
    """One line for each property: its verdict and the length of its counterexample; then what was counted."""
    rows = [["property", "verdict", counterexample]]
    remarks = []
    for p in properties:
        steps = "" if p.trace_length is None else f"{p.trace_length} step{'s' if p.trace_length != 1 else ''}"
        rows.append([p.name, p.verdict, steps])
        counts = [f"{what}: {n:,}" for what, n in p.counts.items() if n]
        remarks += [Text(f"  {p.name}: {remark}") for remark in (", ".join(counts), p.note) if remark]
    return [*aligned(rows, right=[2]), *remarks]


def count_lines(result: Result) -> list[Text]:
    """The sizes of what was explored, each with what it counts."""
    past = "causal past" if result.pasts in (None, "full") else f"{result.pasts} causal past"
    kept = ((result.orbits, "states kept, one of those that differ in the numbers of processes only"),)
    states = (
        *(kept if result.orbits is not None else ()),
        (result.distinct_states, "distinct global states" + (" for which they stand" if result.orbits else "")),
        (result.transitions, "transitions between them" if result.distinct_states is not None else "steps taken"),
        (result.depth, "steps to the farthest state"),
    )
    counts = (
        *(states if result.pairs is None or result.distinct_states is not None else ()),
        (result.local_states, f"distinct pairs of process state and {past}"),
        (result.packets, "distinct packets in transit"),
        *(((result.pairs, "pairs of a process state and a packet that can meet"),) if result.pairs is not None else ()),
    )
    rows = [["not counted" if count is None else f"{count:,}", what] for count, what in counts]
    rows.append([f"{result.seconds:.2f} s", f"of search ({result.search}, engine {result.engine})"])
    rows.append([size_text(result.peak_memory_bytes), "peak memory of the whole process"])
    return aligned(rows, right=[0])


def label_lines(labels: Sequence[LabelCount], complete: bool) -> list[Text]:
    """How often each labelled step of the model ran, changed the variable it rewrites, and ended in a wait."""
    if not labels:
        return [Text("the model labels none of its steps, so nothing is known about which of them ran")]
    rows: list[list[Cell]] = [["step", "executed", "changed its variable", "waited"]]
    rows += [[count.label, *map(_times, (count.fired, count.changed, count.waited))] for count in labels]
    never = [count.label for count in labels if not count.fired]
    so_far = "" if complete else " so far"
    ending = f"never executed{so_far}: {', '.join(never)}" if never else "every labelled step was executed"
    return [
        Text("labelled steps of the model, over all distinct calls"),
        *aligned(rows, right=[1, 2, 3]),
        Text(f"  {ending}"),
    ]


def _times(count: int | None) -> str:
    return "" if count is None else f"{count:,}" if count else "never"


def comparison_lines(ours: Result, theirs: TlcResult, sets: StateSets | None = None) -> list[Text]:
    """Our result and TLC's side by side, and where they differ."""
    from .tlc import compare
    from .tlc.text import remark_lines

    rows = [["", "precede", "TLC", ""]]
    for row in compare(ours, theirs):
        judged = "not comparable" if row.equal is None else "equal" if row.equal else "different"
        rows.append([row.what, _figure(row.ours), _figure(row.tlc), judged])
    rows.append(["seconds", f"{ours.seconds:.2f}", f"{theirs.seconds:.2f}", "of our search; of TLC's whole process"])
    workers = f"{theirs.workers} worker{'s' if theirs.workers > 1 else ''}"
    readings = f", readings {readings_text(ours)}" if ours.readings else ""
    lines = [
        Text(f"{ours.model}{readings}: precede and {theirs.version or 'TLC'} with {workers}"),
        Text(assumptions(ours.bounds)),
        Text(),
        *aligned(rows, right=[1, 2]),
        *remark_lines(theirs),
    ]
    if theirs.stopped:
        lines.append(Text(f"TLC is incomplete: {theirs.stopped}"))
    if ours.stopped and not ours.complete:
        lines.append(Text(f"precede ended early: {ours.stopped}"))
    lines += [Text(f"note: {note}") for note in ours.notes]
    return lines if sets is None else [*lines, Text(), *state_set_lines(sets)]


def state_set_lines(sets: StateSets) -> list[Text]:
    """How the two sets of states compare, with the first few states that are in one only."""
    from .tlc import show

    verdict = "the same states, one by one" if sets.equal else "the sets of states differ"
    counts = f"{sets.common:,} in both, {sets.only_ours:,} only in precede, {sets.only_tlc:,} only in TLC"
    if sets.orbits is not None:
        counts += f"; up to the names of processes {sets.orbits:,}, and TLC kept {sets.kept:,}"
    lines = [Text(f"{verdict}: {counts}")]
    for owner, examples in (("precede", sets.examples_ours), ("TLC", sets.examples_tlc)):
        for state in examples:
            lines.append(Text(f"only in {owner}:"))
            lines += [Text(f"  {name} = {show(value)}") for name, value in sorted(state.items())]
    return lines


def _figure(value: str | int | None) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else value
