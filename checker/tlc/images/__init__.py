"""How the specifications say what the models say, where it is not the same value under the same name."""

from __future__ import annotations

from ..mapping import Shape
from .baselines import SHAPES as BASELINES
from .cases import SHAPES as CASES
from .papers import SHAPES as PAPERS
from .variants import SHAPES as VARIANTS

SHAPES: dict[str, Shape] = {**PAPERS, **VARIANTS, **CASES, **BASELINES}
"""The shapes by model; a model that is not here has the plain one."""

__all__ = ["SHAPES"]
