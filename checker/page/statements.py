"""What the labelled statements of a model say."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from precede.models import Model

from ..ablating import labelled_steps


def statement_texts(model: Model) -> dict[int, str]:
    """The first line of every labelled statement, by its line in the source; empty where there is no source."""
    file = getattr(sys.modules.get(type(model).__module__), "__file__", None)
    try:
        source = Path(file).read_text(encoding="utf-8-sig") if file else ""
    except OSError:
        return {}
    owners = {node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    steps = labelled_steps(source, file or "", owners)
    return {s.line: text for step in steps for s, text in zip(step.statements, step.texts, strict=True)}
