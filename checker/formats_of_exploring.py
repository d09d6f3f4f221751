"""The JSON formats of the folder of an exploration on Spark (`checker.formats`)."""

from __future__ import annotations

from .format_parts import BOUNDS, Format

EXPLORATION = Format(
    "precede-exploration",
    1,
    {
        "model": "the model as it was named",
        "readings": "the letter of every reading of the model",
        "settings": "the parameters that were set, by name, encoded as in traces",
        **BOUNDS,
        "scenario": "the text of the scenario that the runs follow, or null",
        "properties": "the names of the properties that are judged",
        "to_the_end": "whether the search goes on when every property is decided",
    },
)

LEVEL = Format(
    "precede-exploration-level",
    1,
    {
        "level": "steps to its states",
        "states": "distinct global states",
        "transitions": "steps from the level before",
        "violations": 'by bit of "flags": the first violation found in the level before',
        "violations.*": "the name of the state before, as two integers, and the action that the step is; -1: the state",
        "digest": "a hash over the names of all local states and packets so far",
        "seconds": "from the start of the run that wrote it",
    },
)

QUERY = Format(
    "precede-query",
    1,
    {
        "columns": "the names of the columns",
        "rows": "the rows, a list of values each",
        "complete": "whether these are all rows; false when --rows cut them short",
    },
)
