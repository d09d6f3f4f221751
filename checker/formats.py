"""Every JSON format that precede writes: its name, its version and its fields.

Each is one JSON object that starts with `format` and `version`. A field is named by its path: `steps[].label` is the
field `label` of every entry of the list `steps`, `properties.*.note` the field `note` of whatever is under
`properties`. Fields that are added keep the version; a field that goes, or changes its meaning, raises it. Traces of
older versions are still read (`checker.trace.version1`).
"""

from __future__ import annotations

from .format_parts import BOUNDS, COMPARISON, Format, compared, compared_model, differences, measured
from .formats_of_audit import AUDIT
from .formats_of_exploring import EXPLORATION, LEVEL, QUERY
from .formats_of_proofs import BOUNDED, MINIMAL, PROOFS
from .formats_of_seeking import SEEK, SHRUNK
from .formats_of_study import SIMULATION, STUDY, STUDY_CLAIMS, THROUGHPUT
from .formats_of_tlc import RUNS, TLC, VALIDATION
from .formats_of_verdicts import VERDICTS

__all__ = [
    "ABLATION",
    "ASSUMPTIONS",
    "AUDIT",
    "BENCH",
    "BOUNDED",
    "COMPARE",
    "DEMO",
    "EXPLORATION",
    "GROWTH",
    "LEVEL",
    "LIST",
    "MINIMAL",
    "PROOFS",
    "QUERY",
    "REPLAY",
    "RESULT",
    "RUNS",
    "SEEK",
    "SHRUNK",
    "SIMULATION",
    "SIZES",
    "STUDY",
    "STUDY_CLAIMS",
    "THROUGHPUT",
    "TLC",
    "TRACE",
    "VALIDATION",
    "VERDICTS",
    "Format",
]


RESULT = Format(
    "precede-result",
    1,
    {
        "engine": "what was explored: states, histories, or spark (states, by `precede explore`)",
        "search": "bfs, dfs or random; of histories, closure",
        "complete": "whether the whole bound was explored",
        "stopped": "what stopped the search; null when it is complete",
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        **BOUNDS,
        "channel": "as in the bounds",
        "scenario": "the name of the scenario, or null",
        "verdict": "holds, violated or incomplete; a violation beats incomplete",
        "exit_code": "that of `precede check`",
        "shortest": "whether no run within the bound shows a violation in fewer steps than its counterexample",
        "properties": "by name",
        "properties.*.verdict": "holds, violated, incomplete or not applicable",
        "properties.*.trace_length": "steps of the counterexample, or null",
        "properties.*.counts": "numbers of occurrences by what they count; null where not all were counted",
        "properties.*.explanation": "what is wrong at the end of the counterexample, or null",
        "properties.*.note": "a remark, or null",
        "distinct_states": "global states",
        "transitions": "steps between them",
        "depth": "steps to the farthest state",
        "local_states": "distinct pairs of process state and causal past",
        "packets": "distinct packets that were in transit",
        "pairs": "compatible pairs of a local state and a packet; null where states were explored",
        "pasts": "how much the pasts of histories remember: light, settled or full; else null",
        "orbits": "states kept, one for each renaming of the processes; null where all were",
        "omission_probability": "at most that of a state left out, with fingerprints; null where states are compared",
        "seconds": "of the search",
        "peak_memory_bytes": "of the whole process",
        "labels": "the labelled statements of the model, or null when they were not counted",
        "labels[].label": "the label",
        "labels[].fired": "distinct calls that executed the statement, 0 where no run is found to do so",
        "labels[].changed": "executions that changed the variable it rewrites; null where it rewrites none",
        "labels[].waited": "calls that it ended with a wait; null where it cannot",
        "notes": "remarks",
    },
)

TRACE = Format(
    "precede-trace",
    2,
    {
        "tool": 'what wrote it, such as "precede 0.1.0"',
        "source": 'which command or tool found the run: "precede check", "TLC"',
        "model": "the model as it was named: a built-in name, or path/to/file.py:Class",
        "title": "the model's own title",
        "readings": 'the letter of every reading of the model: {"RST-1": "a"}',
        "settings": "the value of every parameter of the model, encoded like a state",
        **BOUNDS,
        "scenario": "null, or the script that the run follows",
        "scenario.name": "its name",
        "scenario.text": "its text",
        "violation": "null, or what is wrong at the end",
        "violation.property": "the violated property",
        "violation.explanation": "why it is violated",
        "violation.process": "the process where it shows, or null",
        "violation.message": "the offending message, or null",
        "violation.before": "the message that it should have waited for, or null",
        "violation.loop": "null, or how many steps lead to the state that the rest of them returns to, for ever",
        "initial": "the initial state of every process",
        "initial[].process": "the process",
        "initial[].state": "its state, encoded as `checker.trace.values` says",
        "steps": "in order",
        "steps[].number": "from 1",
        "steps[].label": '"send 1.1 to 2,3", "receive 1.1 at 3", "receive signal from 2 at 3" and so on',
        "steps[].kind": "send, receive, internal, joint, duplicate, lose, crash or restart",
        "steps[].process": "the acting process; of a packet duplicated or lost, its destination; null for joint",
        "steps[].message": '"sender.number" of what is sent, received, duplicated or lost; null for a signal',
        "steps[].dests": "the destinations of the message, empty without one",
        "steps[].packet": "the number of the packet that is received, duplicated or lost; else null",
        "steps[].sender": "who transmitted that packet; null also where message and process tell it",
        "steps[].place": "its place, from 0, among those in transit from there to the process, the oldest first",
        "steps[].alternative": "which of the model's steps was taken, from 0 (a deterministic model has only that one)",
        "steps[].name": "what the model calls an internal or joint step",
        "steps[].packets": "the packets and signals transmitted, also by the receivers of a rendezvous",
        "steps[].packets[].number": "from 1 over the whole run, in the order of transmission",
        "steps[].packets[].sender": "who transmits it",
        "steps[].packets[].to": "the destination",
        "steps[].packets[].message": "the message that it carries; null for a signal",
        "steps[].packets[].control": "the control information, encoded like a state",
        "steps[].packets[].units": "its size in the paper's own units; null where the model does not define it",
        "steps[].packets[].bytes": "its size as Jang et al. count it; null where the model does not define it",
        "steps[].packets[].met": "whether the same step received it, as in a rendezvous",
        "steps[].delivered": "the messages delivered by this step, in order",
        "steps[].delivered[].message": "the message",
        "steps[].delivered[].at": "the process that delivers it",
        "steps[].waiting": "the packets in transit whose delivery condition does not hold after this step",
        "steps[].waiting[].packet": "the number of the packet",
        "steps[].waiting[].message": "its message; null for a signal",
        "steps[].waiting[].at": "the process that it is for",
        "steps[].held": "the messages that have arrived and are not delivered after this step",
        "steps[].held[].message": "the message",
        "steps[].held[].at": "the process where it is held",
        "steps[].states": "of every process that takes part the new state; the others' states are unchanged",
        "steps[].states[].process": "the process",
        "steps[].states[].state": "its whole state; null while it is down",
        "steps[].states[].down": "whether it is down",
    },
)

REPLAY = Format(
    "precede-replay",
    1,
    {
        "same": "whether every step was possible and gave the same packets, deliveries, waits and state",
        "steps": "the number of steps of the trace",
        "step": "the first step that differs, 0 for an initial state; null if none does",
        "difference": "what differs there, or null",
        "violation": "there, gone, not judged or none recorded",
        "explanation": "all of this in a sentence",
        "exit_code": "0 when the replay is the same and the violation is not gone, 12 otherwise",
    },
)

DEMO = Format(
    "precede-demo",
    1,
    {
        "checked": f"of each algorithm explored its {RESULT.name}",
        "broken": f"the {RESULT.name} of the broken reading",
        **COMPARISON,
    },
)

LIST = Format(
    "precede-list",
    1,
    {
        "models": "the models",
        "models[].name": "its name on the command line",
        "models[].title": "its title",
        "models[].source": "the paper",
        "models[].status": "how it is known: read in full, found or reconstructed; empty when the model does not say",
        "models[].assumes": "what the algorithm assumes",
        "models[].load": "the widest load it is for: unicast, multicast or broadcast",
        "models[].channel": "the weakest channel it is made for",
        "models[].size": "the size of its control information",
        "models[].checked": "the properties that are judged unless others are named",
        "models[].parameters": "by name, for --set",
        "models[].parameters.*.description": "what it means",
        "models[].parameters.*.default": "its value unless it is set: a whole number, or sets of processes as lists",
        "models[].claims": "the claims of its paper that are properties, by id",
        "models[].claims.*": "what is claimed",
        "models[].readings": "by id",
        "models[].readings.*.question": "what the paper leaves open",
        "models[].readings.*.default": "the letter of the default",
        "models[].readings.*.variants": "what each letter means",
        "properties": "the names of the built-in properties",
    },
)

BENCH = Format(
    "precede-bench",
    1,
    {
        "machine": "the machine, by what is told of it",
        **BOUNDS,
        "measurements": "one for each model and tool",
        "measurements[].model": "the model",
        "measurements[].tool": '"precede", or "TLC -workers 2"',
        "measurements[].distinct_states": "global states",
        "measurements[].transitions": "steps between them",
        "measurements[].seconds": "wall clock of the whole process",
        "measurements[].peak_memory_bytes": "of the whole process; null for TLC",
        "measurements[].bytes_per_state": "peak memory above that of the smallest question; null for TLC",
        "measurements[].states_per_second": "distinct states by seconds",
    },
)

GROWTH = Format(
    "precede-growth",
    1,
    {
        "machine": "processor, cores, system and versions",
        "model": "the model as it was named",
        "readings": "the readings asked for",
        **BOUNDS,
        "rounds": "how often each row was measured, the engines in turns",
        "rows": "one for each number of sends and engine",
        "rows[].sends": "sends in the whole run, at most",
        "rows[].engine": "histories, histories by symmetry, states or tlc",
        "rows[].verdict": "that of the check; incomplete where the time limit ended it",
        "rows[].objects": "local states of histories, global states of the others; null where not counted",
        "rows[].steps": "pairs of a local state and a packet that can meet, or transitions",
        "rows[].seconds": "of the whole process, the median of the rounds",
        "rows[].peak_memory_bytes": "of the whole process, the most of the rounds; null where not measured",
    },
)

ABLATION = Format(
    "precede-ablation",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        **BOUNDS,
        "whole": "the verdicts on the model with all its steps, by property",
        "distinct_states": "global states of the model with all its steps; null when not all were explored",
        "labels": "one for each label of the model's own file, in the order of the source",
        "labels[].label": "the label of the step that is taken out",
        "labels[].statements": "the statements with this label, the head of each",
        "labels[].needed_for": "safety, liveness, minimality, running (without it the model raises or breaks its "
        "contract), or the names of other properties; empty: nothing at this bound; null: not known",
        "labels[].properties": "of the model without the step, by name; what the whole model violates is left out",
        "labels[].properties.*.verdict": "holds, violated or incomplete",
        "labels[].properties.*.trace_length": "steps of the shortest counterexample, or null",
        "labels[].properties.*.trace": "the trace file that was written, or null",
        "labels[].complete": "whether everything was decided",
        "labels[].distinct_states": "global states without the step; null when not all were explored",
        "labels[].note": "why the model does not run, or what is not known, or null",
        "exit_code": "0 when everything was decided, 3 otherwise",
        "notes": "remarks",
    },
)

SIZES = Format(
    "precede-sizes",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        **BOUNDS,
        "complete": "whether the whole bound was explored",
        "stopped": "what stopped the search; null when it is complete",
        "exit_code": "0 when complete, 3 otherwise",
        "distinct_states": "global states",
        **measured("packets", "packets of messages"),
        **measured("signals", "packets of the protocol itself"),
        "largest": "a shortest run to a packet of the largest size; null without one",
        "largest.measure": "bytes, or units where the model gives no bytes",
        "largest.size": "its size",
        "largest.message": "the message that the packet carries",
        "largest.to": "its destination",
        "largest.trace_length": "steps of the run",
        "largest.steps": "the run, a text for each step",
        "seconds": "of the search",
        "notes": "remarks",
    },
)

ASSUMPTIONS = Format(
    "precede-assumptions",
    1,
    {
        "most_states": "the limit on the states of a cell",
        "differences": 'the cells, as "model switch", that the kept table has otherwise or not; null without --check',
        "cells": "one for each model and switch",
        "cells[].model": "the model",
        "cells[].switch": "what is changed: unordered, fifo, fifo-delivery, self-network, self-at-send, duplicate, "
        "loss, crash or crash+restart",
        "cells[].verdict": "holds, violated (CausalOrder or Integrity), stuck (Delivery), not applicable or incomplete",
        **{f"cells[].{name.replace('bounds', 'bound', 1)}": text for name, text in BOUNDS.items()},
        "cells[].property": "the violated property, or null; CausalOrder and Integrity go before Delivery",
        "cells[].trace_length": "steps of its counterexample, or null",
        "cells[].loop": "whether the counterexample is a run that goes on for ever",
        "cells[].note": "what else is violated or undecided, or why there is no verdict; may be empty",
    },
)

COMPARE = Format(
    "precede-compare",
    1,
    {
        **compared_model("a"),
        **compared_model("b"),
        **BOUNDS,
        "complete": "whether all runs that both allow were explored, within the bound",
        "stopped": "what stopped the search; null when it is complete",
        "exit_code": "0 when complete, whether or not the two differ; 3 otherwise",
        "distinct_states": "global states of both side by side",
        "copies": "distinct packets of both, told apart by the past before their sends",
        "deliveries": "what only one of the two takes where the other has it wait",
        **differences("deliveries"),
        **compared("facts", "what the copies assert to be outstanding", "a fact that the other lacks"),
        **compared("units", "sizes of the copies, each in the unit of its own paper", "the larger size"),
        **compared("bytes", "sizes of the copies by the byte model of Jang et al.", "the larger size"),
        **compared("state_facts", "what the process states assert to be outstanding", "a fact that the other lacks"),
        "seconds": "of the search",
        "notes": "remarks",
    },
)
