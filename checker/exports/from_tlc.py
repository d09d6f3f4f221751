"""What TLC printed, saved in a file, as the states of its counterexample: with -tool or without."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import EnvironmentProblem
from ..files import read_bytes
from ..tlc.mapping import Image
from ..tlc.output import START, TlcOutput
from ..tlc.values import NotAValue, parse_state
from ..trace.data import MOST_STEPS

LARGEST_FILE = 64 * 2**20
_STATE = re.compile(r"^State (\d+):[^\n]*\n((?:[^\n]+\n?)*)", re.MULTILINE)
_STUTTERING = re.compile(r"^State \d+: Stuttering", re.MULTILINE)
_BACK = re.compile(r"^Back to state (\d+)", re.MULTILINE)
_VIOLATED = re.compile(r"^Error: (?:Invariant|Action property|Temporal property|Property) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class TlcTrace:
    """A counterexample of TLC: its states, what TLC calls the violated formula (None: not said), and the number, from
    0, of the state that its last step returns to."""

    images: list[Image]
    violated: str | None
    loop: int | None


def read_tlc(path: Path) -> TlcTrace:
    """The counterexample in a file of TLC's output. Raises EnvironmentProblem."""
    text = read_bytes(path, "TLC output", LARGEST_FILE).decode("utf-8", "replace")
    found = _of_tool(text) if START.search(text) else _of_text(text, path)
    if not found.images:
        raise EnvironmentProblem(f"{path}: no trace, no ITF and no output of TLC with a counterexample in it")
    if len(found.images) > MOST_STEPS + 1:
        raise EnvironmentProblem(f"{path}: {len(found.images)} states are too many for a trace")
    return found


def _of_tool(text: str) -> TlcTrace:
    output = TlcOutput()
    for line in text.splitlines(keepends=True):
        output.feed(line)
    loop = len(output.trace) - 1 if output.stutters else None if output.back_to is None else output.back_to - 1
    return TlcTrace(output.trace, output.violated or None, loop)


def _of_text(text: str, path: Path) -> TlcTrace:
    images: list[Image] = []
    try:
        for number, state in _STATE.findall(text):
            if not state.strip():
                continue
            if int(number) == 1:
                images = []
            images.append(parse_state(state))
    except NotAValue as error:
        raise EnvironmentProblem(f"{path}: a state of TLC cannot be read: {error}") from None
    violated = _VIOLATED.search(text)
    back = _BACK.search(text)
    loop = len(images) - 1 if _STUTTERING.search(text) else int(back[1]) - 1 if back else None
    return TlcTrace(images, violated[1] if violated else None, loop)
