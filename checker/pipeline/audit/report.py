"""An audit as JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from ...formats_of_audit import AUDIT
from ...report import aligned
from .clocks import short
from .running import Audited

WORST_FIRST = ("none", "fifo", "incomplete", "causal", "synchronous")
WORDS = {
    "synchronous": "realisable with synchronous communication",
    "causal": "causally ordered",
    "fifo": "FIFO, not causally ordered",
    "none": "neither causally ordered nor FIFO",
    "incomplete": "not judged",
}
STYLES = {"synchronous": "green", "causal": "green", "fifo": "bold red", "none": "bold red", "incomplete": "yellow"}
SHOWN = 20
PROBLEMS = 5


def document_of(audited: Audited) -> dict[str, Any]:
    """The JSON."""
    return AUDIT.document(
        verdict=next((v for v in WORST_FIRST if audited.verdicts[v]), "incomplete"),
        exit_code=audited.exit_code,
        engine=audited.engine,
        verdicts=audited.verdicts,
        executions_total=audited.executions,
        events_total=audited.events,
        problems_total=audited.problems,
        taken_from_out=audited.kept,
        notes=audited.notes,
        executions=audited.documents,
    )


def lines_of(audited: Audited) -> Iterable[Text]:
    """The summary table, then what there is to say of each execution, violations and problems first."""
    yield Text(f"{_count(audited.executions, 'execution')}, {_count(audited.events, 'event')}, {audited.engine}")
    if audited.kept:
        yield Text(f"{_count(audited.kept, 'execution')} taken from --out")
    rows: list[list[Any]] = [["execution", "processes", "events", "messages", "early", "problems", "verdict"]]
    ranked = sorted(
        audited.documents, key=lambda d: (WORST_FIRST.index(d["verdict"]), d["well_formed"], d["execution"])
    )
    for document in ranked[:SHOWN]:
        figures = [f"{document[name]:,}" for name in ("processes", "events", "messages", "early_deliveries")]
        problems = f"{sum(document['problem_counts'].values()):,}"
        said = WORDS[document["verdict"]] + (" (as far as clocks show)" if document["messages_from"] != "ids" else "")
        verdict = Text(said, style=STYLES[document["verdict"]])
        rows.append([short(document["execution"]), *figures, problems, verdict])
    yield Text()
    yield from aligned(rows, right=[1, 2, 3, 4, 5])
    if audited.executions > SHOWN:
        counts = ", ".join(f"{count:,} {WORDS[verdict]}" for verdict, count in audited.verdicts.items() if count)
        yield Text(f"  ... in all {counts}")
    for document in ranked[:SHOWN]:
        yield from _execution(document)
    for note in audited.notes:
        yield Text(f"note: {short_line(note)}")


def _execution(document: dict[str, Any]) -> Iterable[Text]:
    lines = [Text(line) for line in [*_violations(document), *_problems(document), *_costs(document)]]
    if lines:
        yield Text()
        yield Text(short(document["execution"]), style="bold")
        yield from lines


def _violations(document: dict[str, Any]) -> Iterable[str]:
    crown, causal, fifo = document["crown"], document["causal_pair"], document["fifo_pair"]
    if crown:
        names = [f"{short(link['message'])} ({_at(link['sent'])})" for link in crown["messages"][:4]]
        more = ", ..." if crown["size"] > 4 else ""
        smallest = "a smallest crown" if crown["smallest"] else "a crown"
        yield f"  not synchronous: {smallest}, {crown['size']} messages: {', '.join(names)}{more}"
    if fifo:
        yield f"  not FIFO: {_pair(fifo)}"
    if causal:
        yield f"  not causal: {_pair(causal)}"
        delays = document["delays"]
        undelivered = document["early_before_undelivered"]
        only = f", {undelivered:,} of them only for what is never delivered" if undelivered else ""
        yield f"  {_count(document['early_deliveries'], 'delivery', 'deliveries')} too early{only}"
        time = f", {delays['time_total']:g} in time" if delays["time_total"] is not None else ""
        yield f"  holding them back would have cost {_count(delays['events_total'], 'event')} of delay in all{time}"


def _pair(pair: dict[str, Any]) -> str:
    late = f"delivered in {_at(pair['late_delivered'])}" if pair["late_delivered"] else "never delivered there"
    chain = ", ".join(short(link["message"]) for link in pair["chain"][:6])
    via = f" by way of {chain}{', ...' if len(pair['chain']) > 6 else ''}" if pair["chain"] else ""
    return (
        f"{short(pair['early'])} is delivered at {short(pair['process'])} in {_at(pair['early_delivered'])}, but "
        f"{short(pair['late'])}, sent before it{via}, is {late}"
    )


def _at(event: dict[str, Any] | None) -> str:
    return f"line {event['line']:,}" if event else "no line"


def _problems(document: dict[str, Any]) -> Iterable[str]:
    for problem in document["problems"][:PROBLEMS]:
        yield f"  {short(problem['file'][-60:])}:{problem['line']}: {problem['code']}: {short_line(problem['text'])}"
    left = sum(document["problem_counts"].values()) - min(PROBLEMS, len(document["problems"]))
    if left:
        yield f"  ... and {_count(left, 'more problem')}"
    if document["not_told"]:
        told = ", ".join(f"{name}: {count:,}" for name, count in document["not_told"].items())
        yield f"  clocks do not tell all: {told}"
    for note in document["notes"]:
        yield f"  note: {note}"


def _costs(document: dict[str, Any]) -> Iterable[str]:
    costs = {name: cost for name, cost in document["control_information"].items() if cost and cost["copies"]}
    if costs:
        told = ", ".join(
            f"{name} {cost['bytes_mean']:.1f} (most {cost['bytes_most']:,})" for name, cost in costs.items()
        )
        yield f"  control information, bytes a copy: {told}"


def short_line(text: str) -> str:
    """A text from a log, on one line."""
    from ...trace.values import printable

    return printable(text[:300])


def _count(count: int, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {plural or noun + 's'}"
