"""The two transition relations, compared one by one: every step is (the state before, what happens, the state after).

TLC writes its own as a graph (`-dump dot,actionlabels`); what happens is the name of the action. Ours are those of the
engine, by what happens: Send, SendAndDeliverOwn, Receive, ReceiveSignal, Internal, Joint, or the name that the
specification of the model has for it (`mapping.Shape.actions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..bounds import Bounds
from ..calls import ModelCalls
from ..engine import labelled_transitions
from ..errors import EnvironmentProblem
from .mapping import Image, image_of, shape_of
from .values import NotAValue, parse_state, show

EXAMPLES = 3
NODE = re.compile(r'^(-?\d+) \[label="((?:[^"\\]|\\.)*)"')
EDGE = re.compile(r'^(-?\d+) -> (-?\d+) \[label="(\w+)')
ESCAPED = re.compile(r"\\(.)")

State = frozenset[tuple[str, object]]


class Transition(NamedTuple):
    """One step, by the numbers of its states."""

    before: int
    action: str
    after: int


class Numbers:
    """A number for each state, the same for both relations."""

    def __init__(self) -> None:
        self.numbers: dict[State, int] = {}

    def __call__(self, image: Image) -> int:
        """The number of a state, the next one if it is new."""
        return self.numbers.setdefault(frozenset(image.items()), len(self.numbers))


class TransitionSets(NamedTuple):
    """The two relations compared: how many steps are in both or in one only, and the first few of these in words."""

    common: int
    only_ours: int
    only_tlc: int
    examples: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether the relations are the same."""
        return not self.only_ours and not self.only_tlc


def compare_transitions(calls: ModelCalls, bounds: Bounds, graph: Path) -> TransitionSets:
    """Compare the engine's transitions with those of TLC in `graph`. Raises EnvironmentProblem where that is no such
    file."""
    number = Numbers()
    ours = set(_ours(calls, bounds, number))
    theirs = set(_theirs(graph, number))
    states = list(number.numbers)
    examples = [f"only in precede: {_in_words(t, states)}" for t in sorted(ours - theirs)[:EXAMPLES]]
    examples += [f"only in TLC: {_in_words(t, states)}" for t in sorted(theirs - ours)[:EXAMPLES]]
    return TransitionSets(len(ours & theirs), len(ours - theirs), len(theirs - ours), tuple(examples))


def _ours(calls: ModelCalls, bounds: Bounds, number: Numbers) -> Iterator[Transition]:
    model, actions = calls.loaded.name, shape_of(calls.loaded.name).actions
    for before, happens, after in labelled_transitions(calls, bounds):
        first = number(image_of(model, before, bounds.channel))
        yield Transition(first, actions.get(happens, happens), number(image_of(model, after, bounds.channel)))


def _theirs(graph: Path, number: Numbers) -> Iterator[Transition]:
    nodes: dict[str, int] = {}
    edges: list[tuple[str, str, str]] = []
    try:
        with graph.open(encoding="utf-8") as file:
            for line in file:
                if node := NODE.match(line):
                    nodes[node[1]] = number(parse_state(ESCAPED.sub(_unescaped, node[2])))
                elif edge := EDGE.match(line):
                    edges.append((edge[1], edge[3], edge[2]))
        for before, action, after in edges:
            yield Transition(nodes[before], action, nodes[after])
    except OSError as error:
        raise EnvironmentProblem(f"{graph} cannot be read: {error.strerror}") from None
    except (NotAValue, UnicodeDecodeError, KeyError) as error:
        raise EnvironmentProblem(f"{graph} is no graph of TLC that precede can read: {error}") from None


def _unescaped(escape: re.Match[str]) -> str:
    return "\n" if escape[1] == "n" else escape[1]


def _in_words(transition: Transition, states: list[State]) -> str:
    before, after = dict(states[transition.before]), dict(states[transition.after])
    changes = [f"{name} becomes {show(after[name])}" for name in sorted(after) if after[name] != before[name]]
    return f"{transition.action}: {'; '.join(changes)}"
