"""Calls of a model whose answers are remembered: many short runs ask the same again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..bounds import Bounds
from ..calls import ModelCalls
from ..loading import LoadedModel

MOST_ANSWERS = 400_000
"""Answers kept; when there are more, all are forgotten."""

Covered = tuple[str, bytes]
"""A method and the labelled statements that one call of it executed, changed by and waited at."""


class RememberedCalls(ModelCalls):
    """Each distinct call is made once. `covered` collects what the calls asked of it did in the model, remembered ones
    included, until it is cleared."""

    def __init__(self, loaded: LoadedModel, bounds: Bounds) -> None:
        super().__init__(loaded, bounds)
        self.covered: set[Covered] = set()
        self._answers: dict[Any, tuple[Any, Covered]] = {}

    def _call(self, method: str, checked: Callable[..., Any], *arguments: Any) -> Any:
        key = method, arguments
        known = self._answers.get(key)
        if known is None:
            answer = super()._call(method, checked, *arguments)
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.clear()
            known = self._answers[key] = answer, (method, bytes(self._marks))
        self.covered.add(known[1])
        return known[0]
