"""The JSON formats of searching for violations and of making them smaller (`checker.formats`)."""

from __future__ import annotations

from .format_parts import BOUNDS, Format


def _sizes(prefix: str) -> dict[str, str]:
    return {
        f"{prefix}.processes": "processes",
        f"{prefix}.sends": "sends",
        f"{prefix}.steps": "steps, the sends among them",
        f"{prefix}.destinations": "destinations of all sends together",
    }


SHRUNK = Format(
    "precede-shrink",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        "property": "the property that the run violates",
        "explanation": "why, at the end of the smaller run",
        "before": "the run of the trace, up to its first violation",
        **_sizes("before"),
        "after": "the smaller run",
        **_sizes("after"),
        "tried": "runs that were executed",
        "proved": "what was explored: no run that violates the property has fewer of these",
        "proved.processes": "fewer processes and no more sends",
        "proved.sends": "as many processes and fewer sends",
        "proved.steps": "as many processes and sends and fewer steps",
        "reasons": "why not, or null",
        "reasons.processes": "of processes",
        "reasons.sends": "of sends",
        "reasons.steps": "of steps",
        "verdict": "proved smallest, locally minimal or stopped early",
        "stopped": "what stopped it, or null",
        "seconds": "in all",
        "exit_code": "0, or 3 where it was stopped early",
    },
)

SEEK = Format(
    "precede-seek",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        **BOUNDS,
        "seed": "selects the runs",
        "runs": "runs that were done",
        "steps": "steps of all of them",
        "kept": "runs that were kept, to be changed and run again",
        "properties": "by name",
        "properties.*.verdict": "violated, or incomplete: nothing was found, which is no proof",
        "properties.*.run": "the number of the first run that violates it, from 1; null without one",
        "properties.*.seconds": "from the start of the search to there",
        "properties.*.found_length": "steps of that run up to the violation",
        "properties.*.trace_length": "steps of the smaller run that was made of it",
        **{f"properties.*.{name}": text for name, text in BOUNDS.items() if name == "bounds"},
        "properties.*.explanation": "what is wrong at its end",
        "verdict": "violated or incomplete",
        "stopped": "what ended the search before every property was violated, or null",
        "seconds": "of the search, without making runs smaller",
        "exit_code": "12; 11 where only Delivery is violated; 3 where nothing is",
    },
)
