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
        "claims[].unproved": "the names of those that are not proved, of conditions of a refutation that are not "
        "refuted with every seed, and of witnesses without a model",
        "claims[].witness": "the path of the trace that refutes it, or null",
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

_KIND = {
    "count": "how many distinct ones there are, told apart by their pasts",
    "decided": "of them those that were looked at",
    "facts": "facts of their smallest sets: each has a continuation that ends against causal order without it",
    "indistinguishable": "facts without which no algorithm at all that sees only the others does what is right",
}

MINIMAL = Format(
    "precede-minimal",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        "settings": "the parameters that were set, by name",
        **BOUNDS,
        "more_sends": "sends of a continuation, at most",
        "complete": "whether all states and copies at the bound were looked at",
        "stopped": "why not; null when they were",
        "verdict": "holds, violated or incomplete; a violation beats incomplete",
        "exit_code": "that of `precede minimal`",
        "pasts": "distinct pasts, up to the names of the processes",
        "pasts_decided": "of them those that were looked at",
        "disordered": "states and copies whose past is itself against causal order, which are left out",
        **{f"{kind}.{key}": text for kind in ("states", "copies") for key, text in _KIND.items()},
        "states": "process states",
        "copies": "copies of messages in transit",
        "sizes": "how many states and copies have a smallest set of so many facts, by the number of facts",
        "continuations": "how many of the shortest continuations have so many steps, by the number of steps",
        "not_unique": "states and copies with another smallest set",
        "not_required": "states and copies whose smallest set is not what the Propagation Constraints require",
        "missing": "states and copies in which the model lacks a fact of the smallest set",
        "missing.count": "how many",
        "missing.explanation": "one with the smallest past, and what goes wrong; or null",
        "redundant": "states and copies in which the model has a fact that is not in the smallest set",
        "redundant.count": "how many",
        "redundant.explanation": "one with the smallest past; or null",
        "questions": "continuations that Z3 was asked for",
        "seconds": "of the whole command",
    },
)
