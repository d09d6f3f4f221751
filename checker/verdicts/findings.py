"""The page of findings, made of the registry: verdicts on the claims, what is worth knowing, and every reading.

Nothing is decided here: the page says what the registry expects, and tests hold the registry against what is decided.
What is worth knowing, and in which order, is in findings.toml, which refers to rows by their ids.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from precede.models.catalog import CATALOG

from ..errors import SpecificationError
from .asking import task_of
from .deriving import answer_of, decides
from .loading import load_registry, select_rows
from .rows import Evidence, Row
from .showing import committed

FILE = Path(__file__).with_name("findings.toml")
PICTURES = "checker/verdicts/witnesses"
"""Where the committed runs are, from the folder of the page."""

PAPERS = {
    "C-KS-": "Kshemkalyani, Singhal: Necessary and sufficient conditions on information for causal message ordering "
    "and their optimal implementation (Distributed Computing 11(2), 1998)",
    "C-J-": "Jang, Park, Cho, Yoon: An efficient causal order algorithm for message delivery in distributed system "
    "(FTDCS 1997)",
    "C-GK-": "Gambhire, Kshemkalyani: Reducing false causality in causal message ordering (HiPC 2000)",
    "C-SA-": "Sanchez, Alvarez: A lightweight asynchronous algorithm for causal delivery using extra message insertion "
    "(DISC 2000)",
    "C-B-": "The baselines",
}

METHODS = {
    "check": "exploration", "prove": "Z3, any number", "bounded": "Z3, bounded runs", "compare": "side by side",
    "behaviour": "comparison of behaviours", "minimal": "Z3, optimisation", "sizes": "measurement of all packets",
    "seek": "directed search", "tlc": "TLC", "study": "simulation",
}  # fmt: skip

WORDS = (
    ("proved", "by Z3, for any number of processes and messages, from the algorithm as formulas that are held against "
     "the model step by step"),
    ("holds up to", "every run within the bound was explored; nothing is said of larger ones"),
    ("refuted", "some run violates it; its steps are those of a shortest one within the bound, unless told otherwise"),
    ("no effect", "within the bound the algorithm makes the same deliveries, with the same facts, as with its default"),
    ("open", "neither; what was tried is told"),
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing worth knowing, and the rows that show it."""

    title: str
    text: str
    rows: tuple[str, ...]


def load_findings(text: str | None = None) -> tuple[Finding, ...]:
    """The findings, most consequential first. Raises SpecificationError where the file is not as it must be."""
    document = tomllib.loads(FILE.read_text(encoding="utf-8") if text is None else text)
    found = []
    for entry in document.get("finding", []):
        if set(entry) != {"title", "text", "rows"}:
            raise SpecificationError(f"findings.toml: {entry.get('title')!r} has not just title, text and rows")
        found.append(Finding(entry["title"], entry["text"].strip(), tuple(entry["rows"])))
    return tuple(found)


def page() -> str:
    """The page, in Markdown."""
    rows = load_registry()
    parts = [*head(rows), *claims(rows), *findings(rows, load_findings()), *readings(rows)]
    return "\n".join(parts) + "\n"


def head(rows: Sequence[Row]) -> Iterator[str]:
    """What the page is, and what its words mean."""
    claimed = sum(row.is_claim for row in rows)
    yield "# Findings"
    yield ""
    yield (
        f"{claimed} claims of the papers and {len(rows) - claimed} ways to read what they leave open, decided. "
        "Every verdict is decided anew by"
    )
    yield ""
    yield "    precede claims --check        # the claims, against what this page says"
    yield "    precede readings --check      # the readings"
    yield "    precede readings KS-3         # one row, with its evidence"
    yield ""
    yield "This page is written by `precede findings -o FINDINGS.md` and is not edited by hand. Its words:"
    yield ""
    for word, meaning in WORDS:
        yield f"- **{word}**: {meaning}."
    yield ""


def claims(rows: Iterable[Row]) -> Iterator[str]:
    """A table of the claims of each paper."""
    yield "## Lemmas, theorems and other claims"
    yield ""
    for prefix, title in PAPERS.items():
        own = [row for row in rows if row.id.startswith(prefix)]
        if not own:
            continue
        yield f"### {title}"
        yield ""
        yield from table(["claim", "statement", "verdict", "method and bound", "command"], map(claim_cells, own))


def claim_cells(row: Row) -> list[str]:
    """A row of a table of claims."""
    shown = showing(row)
    repeated = f"`{shown.command}`" if shown is not None and shown.command else f"`precede claims {row.id}`"
    return [row.id, escaped(row.statement), verdict_text(row), basis(row), repeated]


def findings(rows: Sequence[Row], chosen: Iterable[Finding]) -> Iterator[str]:
    """What is worth knowing, with the rows that show it. Raises UsageError for a row that the registry has not."""
    yield "## What is worth knowing"
    yield ""
    for number, finding in enumerate(chosen, 1):
        yield f"### {number}. {finding.title}"
        yield ""
        yield finding.text
        yield ""
        for row in select_rows(rows, finding.rows):
            yield from bullet(row)
        yield ""


def bullet(row: Row) -> Iterator[str]:
    """A row among those that show a finding."""
    kind = "claims" if row.is_claim else "readings"
    yield f"- **{row.id}** ({escaped(row.statement)}): {verdict_text(row)}, {basis(row)}. `precede {kind} {row.id}`"
    for text in (row.why, f"Restored by {row.restores}." if row.restores else "", row.tried):
        if text:
            yield f"  {escaped(text)}"
    if row.verdict == "refuted" and committed(row.id):
        name = f"{PICTURES}/{row.id}"
        yield f"  [Picture]({name}.svg), [scenario]({name}.txt), [trace]({name}.json)."


def readings(rows: Iterable[Row]) -> Iterator[str]:
    """A table of all variants, by question."""
    yield "## Every reading"
    yield ""
    yield "Each is the model with this one reading changed from its defaults; `precede readings ID` says more."
    yield ""
    cells = ([row.id, row.about, variant_text(row), verdict_text(row), basis(row)] for row in rows if not row.is_claim)
    yield from table(["reading", "model", "what is read", "verdict", "method and bound"], cells)


def variant_text(row: Row) -> str:
    """What is read, and whether the model reads it so unless it is told otherwise."""
    readings = CATALOG[row.about.partition("@")[0]].readings()
    is_default = any(row.id == f"{id}{field.default}" for id, (field, _) in readings.items())
    return escaped(row.statement) + (" (default)" if is_default else "")


def escaped(text: str) -> str:
    """Text of the registry as Markdown shows it as it is: what is not between backticks has no marks."""
    parts = text.split("`")
    parts[::2] = [part.replace("*", "\\*").replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown, with an empty line behind it."""
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"
    yield ""


def verdict_text(row: Row) -> str:
    """The verdict, of a refutation with the steps of its run."""
    shown = showing(row)
    if row.verdict != "refuted" or shown is None:
        return row.verdict
    steps = next((e.steps for e in shown.expect.values() if e.verdict == "violated" and e.steps is not None), None)
    if steps is None:
        return row.verdict
    fewest = " (perhaps not the fewest)" if shown.is_search else ""
    return f"refuted, {steps} step{'' if steps == 1 else 's'}{fewest}"


def basis(row: Row) -> str:
    """On what the verdict rests: method and bound."""
    shown = showing(row)
    if shown is None:
        return "no engine decides it"
    bound = task_of(row, shown).bound
    return METHODS[shown.engine] if bound is None else f"{METHODS[shown.engine]}: {bound}"


def showing(row: Row) -> Evidence | None:
    """The evidence that the verdict rests on before any other: that which refutes, proves, compares or explores; of
    explorations the last, which is the largest."""
    of_verdict = {
        "refuted": ("violated", "refuted"), "proved": ("proved",), "no effect": ("same",),
        "holds up to": ("holds", "measured"), "open": ("open", "incomplete"),
    }[row.verdict]  # fmt: skip
    found = [evidence for evidence in row.deciding if says(row, evidence, of_verdict)]
    if not found:
        return row.deciding[0] if row.deciding else None
    return found[-1] if row.verdict == "holds up to" else found[0]


def says(row: Row, evidence: Evidence, verdicts: Sequence[str]) -> bool:
    """Whether it says one of these of something that decides the row."""
    return any(
        expected.verdict in verdicts and decides(row, answer_of(evidence, name, expected.verdict))
        for name, expected in evidence.expect.items()
    )
