"""The JSON formats of what Z3 is asked (`checker.formats`)."""

from __future__ import annotations

from .format_parts import BOUNDS, Format

PROOFS = Format(
    "precede-proofs",
    1,
    {
        "seeds": "with how many seeds of the solver each condition was decided",
        "claims": "the claims, one object each",
        "claims[].id": "the id, such as C-KS-T4",
        "claims[].source": "the paper and the place in it",
        "claims[].statement": "what it says",
        "claims[].formula": "what is proved, where the statement does not say it as it is; or null",
        "claims[].verdict": "proved, refuted (false as printed) or open",
        "claims[].repaired": "of a claim that is refuted what is proved instead, or null",
        "claims[].assumptions": "what is assumed, a text for each",
        "claims[].on_paper": "the names of the arguments that are made on paper",
        "claims[].conditions": "how many conditions were decided",
        "claims[].unproved": "the names of those that are not proved, and of witnesses without a model",
        "claims[].seconds": "time of what was not decided before in the same run",
    },
)

BOUNDED = Format(
    "precede-bounded",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        "settings": "the parameters that were set, by name",
        **BOUNDS,
        "steps": "steps of a run, at most",
        "complete": "whether every property was decided for all runs of so many steps, or violated",
        "stopped": "what stopped the search; null when it is complete",
        "verdict": "holds, violated or incomplete; a violation beats incomplete",
        "exit_code": "that of `precede bounded`",
        "properties": "by name",
        "properties.*.verdict": "holds, violated or incomplete",
        "properties.*.trace_length": "steps of the shortest counterexample, or null",
        "properties.*.holds_up_to": "steps of the longest runs for which it was shown to hold",
        "properties.*.explanation": "what is wrong at the end of the counterexample, or null",
        "properties.*.seconds": "of the questions about it",
        "seconds": "of the whole search",
    },
)
