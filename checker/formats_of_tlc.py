"""The JSON formats of what TLC is asked (`checker.formats`)."""

from __future__ import annotations

from .format_parts import COMPARISON, Format

TLC = Format(
    "precede-tlc",
    1,
    {
        "agree": "whether all figures that can be compared are equal, and the sets of states if they were compared",
        **COMPARISON,
        "state_sets": "null, or how the two sets of states compare; with symmetry, TLC's is that of its states renamed",
        "state_sets.common": "states in both",
        "state_sets.only_precede": "states that only precede found",
        "state_sets.only_tlc": "states that only TLC found",
        "state_sets.orbits": "the states up to the names of processes; null without symmetry",
        "state_sets.kept": "the states that TLC kept; null without symmetry",
        "executed": "there, gone or not judged: the violation, when the Python model takes TLC's steps; null if it was "
        "not asked to (a simulation or a trace asks it)",
        "precede": "the result of precede, a precede-result; null with a simulation",
        "tlc": "the result of TLC; the fields that it shares with a result mean the same",
        "tlc.engine": "tlc",
        "tlc.version": "the version of TLC as it names itself",
        "tlc.workers": "its worker threads",
        "tlc.complete": "whether the whole bound was explored",
        "tlc.stopped": "what stopped it, or null",
        "tlc.model": "the model",
        "tlc.readings": "the letter of every reading of the model",
        "tlc.bounds": "as in a result",
        "tlc.channel": "as in the bounds",
        "tlc.verdict": "holds, violated or incomplete",
        "tlc.exit_code": "that of the verdict",
        "tlc.invariants": "the invariants that were judged",
        "tlc.temporal": "the temporal formulas that were judged",
        "tlc.symmetry": "whether states that differ in the names of processes only were taken for one",
        "tlc.simulation": "the random walks instead of a search of everything, or null",
        "tlc.simulation.walks": "how many",
        "tlc.simulation.depth": "the most steps of one",
        "tlc.simulation.seed": "the seed that selects them",
        "tlc.violated_invariant": "the first that failed, or null",
        "tlc.violated_formula": "the temporal formula that failed, or null",
        "tlc.violated_property": "the property that it judges, or null",
        "tlc.trace_length": "steps of the counterexample, or null",
        "tlc.loop": "null, or how many steps lead to the state that the rest of them returns to, for ever",
        "tlc.distinct_states": "global states",
        "tlc.transitions": "states generated less the initial one",
        "tlc.depth": "TLC's depth less one: steps to the farthest state",
        "tlc.queue": "states that were left unexpanded",
        "tlc.coverage": "the actions of the specification, or null if they were not counted",
        "tlc.coverage[].action": "its name",
        "tlc.coverage[].taken": "how often it was taken; null where fairness is judged, which evaluates it besides",
        "tlc.coverage[].states": "how many states it was the first to reach; null with a simulation",
        "tlc.coverage[].never": "whether it was never taken",
        "tlc.seconds": "of the whole Java process",
    },
)

VALIDATION = Format(
    "precede-validation",
    1,
    {
        "model": "the model of the trace",
        "steps": "the number of steps of the trace",
        "refused": "the first step that the specification does not allow, 0 for the initial state; null if none",
        "stopped": "what stopped TLC, or null",
        "explanation": "all of this in a sentence",
        "tlc": "the version of TLC as it names itself",
        "seconds": "of the whole Java process",
        "exit_code": "0 allowed, 1 not allowed, 3 stopped",
    },
)

RUNS = Format(
    "precede-tlc-runs",
    1,
    {
        "agree": "whether all figures are those of the manifest and those of precede",
        "runs": "the runs, in the order of the manifest",
        "runs[].name": "the name of the run, which is that of its .cfg file",
        "runs[].model": "the model",
        "runs[].expected": "the verdict that the manifest has",
        "runs[].verdict": "that of TLC",
        "runs[].violated": "the property that TLC found violated, or null",
        "runs[].trace_length": "steps of the counterexample, or null",
        "runs[].distinct_states": "global states, or null",
        "runs[].transitions": "states generated less the initial one, or null",
        "runs[].depth": "steps to the farthest state, or null",
        "runs[].seconds": "of the whole Java process",
        "runs[].differences": "where the manifest, TLC and precede differ, a text for each",
        "runs[].tlc": "the version of TLC as it names itself",
    },
)
