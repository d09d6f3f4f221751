"""Rows of algorithms.md, section 8, that are questions and not changes of a model: what answers them."""

from __future__ import annotations

ANSWERS: dict[str, str] = {}


def answer_of(row: str) -> str | None:
    """What answers the question `row` ("X-4"); None when section 8 has no such row."""
    return ANSWERS.get(row)
