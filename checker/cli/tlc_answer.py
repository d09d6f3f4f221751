"""What `precede tlc` does with TLC's answer: the sets of states, the counterexample, JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..formats import TLC
from .options import Question

if TYPE_CHECKING:
    from rich.console import Console

    from ..result import Result
    from ..tlc import StateSets, TlcResult
    from ..trace import Trace


def compare_dump(question: Question, theirs: TlcResult, dump: Path | None) -> StateSets | None:
    """The comparison of the two sets of states, where TLC has written all of its own."""
    if dump is None or theirs.verdict != "holds":
        return None
    from ..engine import whole_states
    from ..tlc import compare_orbits, compare_states

    compared = compare_orbits if theirs.symmetry else compare_states
    return compared(theirs.model, whole_states(question.calls, question.bounds), dump, question.bounds.channel)


def executed(question: Question, theirs: TlcResult) -> tuple[Trace | None, str | None]:
    """TLC's counterexample as a trace of ours, and whether its violation is there, gone or not judged."""
    if not theirs.trace:
        return None, None
    from ..result import Witness
    from ..tlc import schedule_of
    from ..trace import record
    from ..trace.replay import replay

    schedule = schedule_of(question.calls, question.bounds, theirs.trace, theirs.loop)
    witness = Witness(schedule, explanation(theirs), loop=theirs.loop)
    trace = record(
        question.calls,
        question.bounds,
        schedule,
        property=theirs.violated_property,
        witness=witness,
        source="TLC",
    )
    return trace, replay(trace).violation


def explanation(theirs: TlcResult) -> str:
    """What TLC found, in one sentence."""
    if theirs.violated in theirs.invariants:
        return f"TLC found that invariant {theirs.violated} does not hold here"
    found = f"TLC found that {theirs.violated} does not hold"
    if theirs.loop is not None:
        return f"{found} of a run that goes on so for ever"
    return f"{found} of a run that ends here" if theirs.violated_property == "Delivery" else f"{found} of the last step"


def write_tlc_trace(out: Console, trace_target: str | None, trace: Trace | None) -> None:
    """Write the counterexample where --trace says, and say so."""
    from ..trace import write_trace

    if trace_target is not None and trace is None:
        out.print(f"\nTLC has no counterexample, so nothing was written to {trace_target}")
    elif trace_target is not None and trace is not None:
        write_trace(trace, trace_target)
        out.print(f"\nTLC's counterexample written to {trace_target}")


def answer_json(
    ours: Result | None, theirs: TlcResult, sets: StateSets | None, again: str | None, agree: bool
) -> dict[str, Any]:
    """Both results and how they compare, as a JSON object."""
    from ..tlc import compare

    return TLC.document(
        agree=agree,
        comparison=[] if ours is None else [row._asdict() for row in compare(ours, theirs)],
        state_sets=sets
        and {
            "common": sets.common,
            "only_precede": sets.only_ours,
            "only_tlc": sets.only_tlc,
            "orbits": sets.orbits,
            "kept": sets.kept,
        },
        executed=again,
        precede=None if ours is None else ours.as_json(),
        tlc=theirs.as_json(),
    )
