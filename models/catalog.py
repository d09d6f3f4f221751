"""The built-in models by name."""

from __future__ import annotations

from .interface import Model
from .jang import Jang
from .ks import KS
from .rst import RST

CATALOG: dict[str, type[Model]] = {"rst": RST, "ks": KS, "jang": Jang}
