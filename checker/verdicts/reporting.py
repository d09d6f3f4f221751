"""What was decided, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..formats_of_verdicts import VERDICTS
from ..report import Cell
from .deciding import Carried, Decided
from .showing import committed

Difference = tuple[str, str, str, str]
"""Row, field, expected, found."""

STYLES = {"refuted": "bold red", "open": "bold yellow", "no effect": "cyan"}
GREEN = "bold green"
TOLD = ("violated", "refuted", "differs", "open")
"""The answers that have something to be explained."""


def styled(verdict: str) -> Cell:
    """A verdict in its colour."""
    from rich.text import Text

    return Text(verdict, style=STYLES.get(verdict, GREEN))


def table(rows: Sequence[Decided]) -> list[list[Cell]]:
    """A line for each row, headed."""
    lines: list[list[Cell]] = [["row", "about", "verdict", "steps", "engine", "time"]]
    for found in rows:
        shown = found.refuting
        steps = "" if shown is None or shown[2].steps is None else f"{shown[2].steps}"
        verdict = styled(found.verdict) if found.deciding else "not asked"
        engines = ", ".join(found.engines) + ("" if found.whole else " (a part)" if found.deciding else "")
        lines.append([found.row.id, found.row.about, verdict, steps, engines, f"{found.seconds:.2f} s"])
    return lines


def details(found: Decided) -> Iterator[str]:
    """A row in full: what it says, on what the verdict rests, and why."""
    row = found.row
    if row.question:
        yield f"{row.id}: {row.question}"
        yield f"  {row.statement}"
    else:
        yield f"{row.id}: {row.statement}"
    yield f"  {found.verdict}" + "".join(f"; {bound}" for bound in found.bounds)
    aspects = [f"{aspect}: {verdict}" for aspect, verdict in found.aspects.items() if verdict]
    if aspects:
        yield f"  {', '.join(aspects)}"
    if found.assumptions:
        yield f"  assumed: {'; '.join(found.assumptions)}"
    for carried in found.carried:
        yield f"  {carried.evidence.command or carried.evidence.run}"
        yield f"    {_answers(carried)}"
        for name, outcome in carried.outcomes.items():
            if outcome.verdict in TOLD and outcome.explanation:
                yield f"      {name}: {outcome.explanation}"
        if carried.ran.stopped:
            yield f"    it ended early: {carried.ran.stopped}"
    for head, text in (("", row.why), ("restored by ", row.restores), ("tried: ", row.tried)):
        if text:
            yield f"  {head}{text}"
    if row.verdict == "refuted" and (file := committed(row.id)):
        yield f"  the run: precede trace show {file}"


def _answers(carried: Carried) -> str:
    answers = ", ".join(f"{name} {outcome.text}" for name, outcome in carried.outcomes.items())
    remark = " (with the repair)" if carried.evidence.repair else ""
    return f"{carried.ran.engine}, {carried.ran.seconds:.2f} s: {answers}{remark}"


def as_json(
    kind: str, rows: Sequence[Decided], differences: Sequence[Difference] | None, *, quick: bool, complete: bool,
    code: int, witnesses: Mapping[str, str],
) -> dict[str, Any]:  # fmt: skip
    """The JSON object of the command; `witnesses` are traces that were written, by row."""
    fields = ("id", "field", "expected", "found")
    return VERDICTS.document(
        kind=kind,
        quick=quick,
        complete=complete,
        exit_code=code,
        differences=None if differences is None else [dict(zip(fields, d, strict=True)) for d in differences],
        rows=[row_json(found, witnesses.get(found.row.id)) for found in rows],
    )


def row_json(found: Decided, written: str | None) -> dict[str, Any]:
    """One row as a JSON object."""
    row, shown = found.row, found.refuting
    kept = committed(row.id) if found.verdict == "refuted" else None
    return {
        "id": row.id,
        "about": row.about,
        "question": row.question,
        "statement": row.statement,
        "verdict": found.verdict if found.deciding else None,
        "whole": found.whole,
        "expected": row.verdict,
        "engine": list(found.engines),
        "bound": list(found.bounds) or None,
        "assumptions": list(found.assumptions),
        "properties": {aspect.replace(" ", "_"): verdict for aspect, verdict in found.aspects.items()},
        "witness": written or (str(kept) if kept else None),
        "steps": shown[2].steps if shown else None,
        "smallest": shown[2].shortest if shown else None,
        "why": row.why or None,
        "restores": row.restores or None,
        "tried": row.tried or None,
        "seconds": round(found.seconds, 3),
        "evidence": [evidence_json(carried) for carried in found.carried],
    }


def evidence_json(carried: Carried) -> dict[str, Any]:
    """One run as a JSON object."""
    evidence, ran = carried.evidence, carried.ran
    return {
        "run": evidence.run,
        "command": evidence.command,
        "engine": ran.engine,
        "bound": ran.bound,
        "repair": evidence.repair,
        "stopped": ran.stopped,
        "found": {name: outcome.text for name, outcome in carried.outcomes.items()},
        "expected": {name: expected.text for name, expected in evidence.expect.items()},
        "explanations": {name: outcome.explanation for name, outcome in carried.outcomes.items()},
        "seconds": round(ran.seconds, 3),
    }
