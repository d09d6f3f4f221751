"""The built-in models by name: the papers' own algorithms, the baselines, and the two ends of every comparison."""

from __future__ import annotations

from .bss import BSS
from .interface import Model
from .jang import Jang
from .kimkim import KimKim
from .ks import KS
from .null import Null
from .oracle import Oracle
from .prs import PRS
from .rst import RST
from .ses import SES

CATALOG: dict[str, type[Model]] = {
    "rst": RST,
    "ks": KS,
    "jang": Jang,
    "ses": SES,
    "bss": BSS,
    "prs": PRS,
    "kimkim": KimKim,
    "null": Null,
    "oracle": Oracle,
}
