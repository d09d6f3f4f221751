"""Which cases of a test run by default, and which with the sweep: `pytest -m sweep`.

What is left to it for no other reason than that it takes long stands in slow.txt (see conftest.py).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Any

import pytest


def quick(cases: Iterable[Any], kept: Container[Any] | Callable[[Any], bool]) -> list[Any]:
    """All cases, of which those that are not kept are left to the sweep; it is an error to keep all or none."""
    is_kept = kept if callable(kept) else kept.__contains__
    marked = [case if is_kept(case) else left_to_the_sweep(case) for case in cases]
    assert 0 < sum(isinstance(case, type(pytest.param())) for case in marked) < len(marked)
    return marked


def left_to_the_sweep(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.sweep)
