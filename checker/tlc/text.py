"""What TLC found beyond the comparison, as readable text."""

from __future__ import annotations

from rich.text import Text

from ..report import STYLES, aligned, assumptions
from .coverage import ActionCount
from .declared import MODULES
from .result import TlcResult


def remark_lines(theirs: TlcResult) -> list[Text]:
    """What the figures are of, where it is not the usual, and the coverage."""
    lines = []
    if theirs.temporal:
        lines.append(Text(f"temporal formulas that TLC judged as well: {', '.join(theirs.temporal)}"))
    if theirs.symmetry:
        lines.append(Text("of states that differ in the names of processes only, TLC keeps and counts one"))
    if theirs.coverage is not None:
        lines += [Text(), *coverage_lines(theirs)]
    return lines


def coverage_lines(theirs: TlcResult) -> list[Text]:
    """How often the actions were taken, and those that never were."""
    counts: tuple[ActionCount, ...] = theirs.coverage or ()
    so_far = "" if theirs.verdict == "holds" else " so far"
    if not counts:
        return [Text("TLC reported no coverage before it ended")]
    shown = [name for name in ("taken", "states") if any(getattr(count, name) is not None for count in counts)]
    titles = {"taken": "taken", "states": "states first reached by it"}
    rows = [["action", *(titles[name] for name in shown)]]
    rows += [[count.action, *(_times(count, name) for name in shown)] for count in counts]
    never = [count.action for count in counts if count.never]
    return [
        Text(f"actions of {MODULES[theirs.model]}.tla, counted by TLC"),
        *aligned(rows, right=range(1, len(shown) + 1)),
        Text(f"  never taken{so_far}: {', '.join(never)}" if never else "  every action was taken"),
    ]


def simulation_lines(theirs: TlcResult, again: str | None) -> list[Text]:
    """The outcome of random walks; `again` says whether the violation is there when the Python model does the same."""
    assert theirs.simulation is not None
    walks, depth, seed = theirs.simulation
    readings = " ".join(f"{id}{letter}" for id, letter in theirs.readings.items())
    runs = assumptions(theirs.bounds)
    title = f"{theirs.model}, readings {readings}" if readings else theirs.model
    lines = [
        Text(f"{title}: {theirs.version or 'TLC'}, {walks:,} random walks of at most {depth:,} steps, seed {seed}"),
    ]
    if theirs.verdict == "violated":
        sentence = f"violated: {theirs.violated_property}; in runs of {runs}"
    else:
        sentence = f"incomplete: {theirs.stopped}; no violation found so far in runs of {runs}"
    lines += [Text(sentence, style=STYLES[theirs.verdict]), Text()]
    if theirs.trace_length is not None:
        rows = [[f"{theirs.trace_length:,}", f"steps of the counterexample, to {theirs.violated}"]]
    else:
        rows = [["not counted" if theirs.transitions is None else f"{theirs.transitions:,}", "steps tried"]]
    rows.append([f"{theirs.seconds:.2f} s", "of TLC's whole process"])
    lines += aligned(rows, right=[0])
    if theirs.coverage is not None:
        lines += [Text(), *coverage_lines(theirs)]
    if again is not None:
        lines += [Text(), Text(AGAIN[again].format(property=theirs.violated_property))]
    return lines


AGAIN = {
    "there": "the Python model takes the same steps, and {property} is violated there too",
    "gone": "the Python model takes the same steps, and {property} is not violated there",
    "not judged": "the Python model takes the same steps; {property} could not be judged there",
}


def _times(count: ActionCount, name: str) -> str:
    return "never" if count.never and name == "taken" else f"{getattr(count, name):,}"
