"""Model calls that are made once, and remember which labelled statements each of them ran."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from precede.models import Message, Packet, Signal, State

from ..calls import ModelCalls
from ..labels import Statement

Call = tuple[str, tuple[Any, ...]]
"""A method of the model and its arguments."""


class Ran(NamedTuple):
    """A label whose statements ran, those at `lines` of the source. `changed`: whether one changed the variable that it
    rewrites, None where it rewrites none; `waited`: whether one ended the call with the paper's wait."""

    label: str
    changed: bool | None
    waited: bool
    lines: tuple[int, ...]


class RememberedCalls(ModelCalls):
    """Calls whose answers are kept: a model is pure, so that the same call is not made twice."""

    def __init__(self, *arguments: Any) -> None:
        """The same as `ModelCalls`."""
        super().__init__(*arguments)
        self._answers: dict[Call, Any] = {}

    def _call(self, method: str, checked: Callable[..., Any], *arguments: Any) -> Any:
        key = method, arguments
        if key not in self._answers:
            self._answers[key] = super()._call(method, checked, *arguments)
            self._keep(key)
        return self._answers[key]

    def _keep(self, key: Call) -> None:
        """Keep more of a call that was just made."""


class WatchedCalls(RememberedCalls):
    """Calls of one model that can be asked which statements one of them ran; of one that was not made, none."""

    def __init__(self, *arguments: Any) -> None:
        """The same as `ModelCalls`."""
        super().__init__(*arguments)
        self._left_by: dict[Call, bytes] = {}

    def ran_in_send(self, state: State, message: Message) -> tuple[Ran, ...]:
        """The statements of the call in which this message was sent in this state."""
        return self._ran("send", state, message)

    def ran_in_receive(self, state: State, packet: Packet | Signal) -> tuple[Ran, ...]:
        """The statements of the call in which this packet was offered in this state."""
        return self._ran("receive" if isinstance(packet, Packet) else "signal", state, packet)

    def ran_in_internal(self, state: State) -> tuple[Ran, ...]:
        """The statements of the call that gives the steps that a process may take by itself in this state."""
        return self._ran("internal", state)

    def _keep(self, key: Call) -> None:
        self._left_by[key] = bytes(self._marks)

    def _ran(self, method: str, *arguments: Any) -> tuple[Ran, ...]:
        """The statements that a call ran, by label, in the paper's order."""
        marks = self._left_by.get((method, arguments), b"")
        found: dict[str, Ran] = {}
        for s in self._labelled():
            if marks and marks[s.fired]:
                old = found.get(s.label, Ran(s.label, None, False, ()))
                changed = old.changed if s.changed is None else bool(marks[s.changed] or old.changed)
                waited = old.waited or (s.waited is not None and bool(marks[s.waited]))
                found[s.label] = Ran(s.label, changed, waited, (*old.lines, s.line))
        return tuple(sorted(found.values(), key=lambda ran: _order(ran.label, list(found))))

    def _labelled(self) -> Iterator[Statement]:
        if self.loaded.labels is not None:
            yield from sorted(self.loaded.labels.statements, key=lambda s: s.line)


def _order(label: str, labels: list[str]) -> tuple[int, int, int]:
    """The paper's order: the procedures as the source has them, in each the numbers, and of one number the parts."""
    procedure, number = _parts(label)
    procedures = [_parts(other)[0] for other in labels]
    return procedures.index(procedure), number, labels.index(label)


def _parts(label: str) -> tuple[str, int]:
    """The letters and the number at the beginning of a label: ("RCV", 4) of "RCV(4) loop 1"."""
    found = re.match(r"([A-Za-z]+)\(?(\d+)", label)
    return (found[1], int(found[2])) if found else (label, 0)
