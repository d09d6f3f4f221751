"""`precede prove`: the claims of the papers, proved or refuted for any number of processes and messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ..errors import HOLDS, INCOMPLETE, UsageError
from ..formats import PROOFS
from .options import STDOUT, Seconds, json_option, probe_targets, write_json

if TYPE_CHECKING:
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
@json_option
def prove(ids: tuple[str, ...], seeds: int, condition_limit: float, json_target: str | None) -> int:
    """Prove or refute the claims of the papers with Z3, for any number of processes and messages.

    ID is that of a claim, such as C-KS-T4; all are decided when none is named. The exit code is 0 when none is open, 3
    when one is.
    """
    probe_targets(json_target)
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
    try:
        with ProgressLine() as progress:
            prover = Prover(range(seeds), condition_limit, progress.text)
            for claim in claims:
                proofs.append(prover.prove(claim))
    finally:  # what was decided before an interrupt is not lost
        for row in aligned(table(proofs), right=(3, 4)):
            out.print(row)
        out.print()
        for line in notes(proofs):
            out.print(line, markup=False)
        write_json(json_target, as_json(proofs, seeds))
    return INCOMPLETE if any(proof.verdict == "open" for proof in proofs) else HOLDS


def table(proofs: list[Proof]) -> list[list[str]]:
    """A row for each claim, headed."""
    rows = [["claim", "source", "verdict", "conditions", "time"]]
    for proof in proofs:
        count = str(proof.conditions)
        rows.append([proof.claim.id, proof.claim.source, proof.verdict, count, f"{proof.seconds:.1f} s"])
    return rows


def notes(proofs: list[Proof]) -> Iterator[str]:
    """What is false as printed with what is true instead, what is open, and what was assumed of which claims."""
    from precede.proofs.catalog import ON_PAPER

    for proof in proofs:
        if proof.verdict == "refuted":
            yield f"{proof.claim.id} is false: {proof.claim.statement}"
            if proof.claim.repaired:
                yield f"  proved instead: {proof.claim.repaired}"
        for name in proof.unproved[:3]:
            yield f"{proof.claim.id} is open: {name}"
    assumed: dict[str, list[str]] = {}
    for proof in proofs:
        for text in (*proof.claim.assumptions, *(f"on paper: {ON_PAPER[name]}" for name in proof.claim.on_paper)):
            assumed.setdefault(text, []).append(proof.claim.id)
    for text, ids in assumed.items():
        yield f"assumed for {', '.join(ids)}: {text}"


def as_json(proofs: list[Proof], seeds: int) -> dict[str, Any]:
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
                "seconds": round(proof.seconds, 3),
            }
            for proof in proofs
        ],
    )
