"""`precede prove`: the claims of the papers, proved or refuted for any number of processes and messages."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import HOLDS, INCOMPLETE, EnvironmentProblem, UsageError
from ..files import probe
from ..formats import PROOFS
from .options import STDOUT, Question, Seconds, ask, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from precede.proofs.claims import Claim
    from precede.proofs.proving import Proof


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--seeds",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    metavar="N",
    help="Ask Z3 with so many seeds; each has to prove every condition.",
)
@click.option(
    "--condition-limit",
    type=Seconds(),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="The most time for one condition and seed; what takes longer is open.",
)
@click.option(
    "--traces",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the run that refutes each claim that is refuted as a trace, ID.json, into this folder.",
)
@json_option
def prove(
    ids: tuple[str, ...], seeds: int, condition_limit: float, folder: Path | None, json_target: str | None
) -> int:
    """Prove or refute the claims of the papers with Z3, for any number of processes and messages.

    ID is that of a claim, such as C-KS-T4; H-COVER and H-EXACT are what `precede check --engine histories` rests on.
    All are decided when none is named. The exit code is 0 when none is open, 3 when one is.
    """
    probe_targets(json_target)
    if folder is not None and not folder.is_dir():
        raise EnvironmentProblem(f"--traces {folder}: there is no such folder")
    if folder is not None:
        probe(folder / "trace.json", "--traces")
    from precede.proofs.catalog import by_id
    from precede.proofs.proving import Prover

    from ..progress import ProgressLine
    from ..report import aligned, console

    try:
        claims = by_id(ids)
    except KeyError as unknown:
        raise UsageError(f"{unknown.args[0].upper()} is not among the claims: `precede prove` lists them") from None
    out = console()
    out.quiet = json_target == STDOUT
    proofs: list[Proof] = []
    witnesses: dict[str, Path] = {}
    try:
        with ProgressLine() as progress:
            prover = Prover(range(seeds), condition_limit, progress.text)
            for claim in claims:
                proofs.append(prover.prove(claim))
                if proofs[-1].verdict == "refuted" and (file := witness(claim, folder)) is not None:
                    witnesses[claim.id] = file
    finally:  # what was decided before an interrupt is not lost
        for row in aligned(table(proofs), right=(3, 4)):
            out.print(row)
        out.print()
        for line in notes(proofs, witnesses):
            out.print(line, markup=False)
        write_json(json_target, as_json(proofs, seeds, witnesses))
    return INCOMPLETE if any(proof.verdict == "open" for proof in proofs) else HOLDS


def witness(claim: Claim, folder: Path | None) -> Path | None:
    """The trace of a claim that is refuted: written into the folder, or without one that which comes with the proofs;
    None if there is none."""
    from ..refutations import committed, trace_of
    from ..trace import write_trace

    if folder is None:
        return committed(claim.id)
    if claim.refutation is None or not claim.refutation.check:
        return None
    file = folder / f"{claim.id}.json"
    write_trace(trace_of(claim, asked(claim.refutation.check)), file)
    return file


def asked(arguments: tuple[str, ...]) -> Question:
    """The question that arguments of `precede check` ask."""
    from .check import check

    given = check.make_context("check", list(arguments)).params
    return ask(**{name: given[name] for name in inspect.signature(ask).parameters})


def table(proofs: list[Proof]) -> list[list[str]]:
    """A row for each claim, headed."""
    rows = [["claim", "source", "verdict", "conditions", "time"]]
    for proof in proofs:
        count = str(proof.conditions)
        rows.append([proof.claim.id, proof.claim.source, proof.verdict, count, f"{proof.seconds:.1f} s"])
    return rows


def notes(proofs: list[Proof], witnesses: Mapping[str, Path]) -> Iterator[str]:
    """What is false as printed with what is true instead and the run that refutes it, what is open, and what was
    assumed of which claims."""
    from precede.proofs.catalog import ON_PAPER

    for proof in proofs:
        if proof.verdict == "refuted":
            yield f"{proof.claim.id} is false: {proof.claim.statement}"
            if proof.claim.repaired:
                yield f"  proved instead: {proof.claim.repaired}"
            if proof.claim.id in witnesses:
                yield f"  the run: precede trace show {witnesses[proof.claim.id]}"
        for name in proof.unproved[:3]:
            yield f"{proof.claim.id} is open: {name}"
    assumed: dict[str, list[str]] = {}
    for proof in proofs:
        for text in (*proof.claim.assumptions, *(f"on paper: {ON_PAPER[name]}" for name in proof.claim.on_paper)):
            assumed.setdefault(text, []).append(proof.claim.id)
    for text, ids in assumed.items():
        yield f"assumed for {', '.join(ids)}: {text}"


def as_json(proofs: list[Proof], seeds: int, witnesses: Mapping[str, Path]) -> dict[str, Any]:
    """The versioned JSON object of `precede prove --json`."""
    return PROOFS.document(
        seeds=seeds,
        claims=[
            {
                "id": proof.claim.id,
                "source": proof.claim.source,
                "statement": proof.claim.statement,
                "formula": proof.claim.formula or None,
                "verdict": proof.verdict,
                "repaired": proof.claim.repaired or None,
                "assumptions": list(proof.claim.assumptions),
                "on_paper": list(proof.claim.on_paper),
                "conditions": proof.conditions,
                "unproved": list(proof.unproved),
                "witness": str(witnesses[proof.claim.id]) if proof.claim.id in witnesses else None,
                "seconds": round(proof.seconds, 3),
            }
            for proof in proofs
        ],
    )
