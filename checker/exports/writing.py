"""The formats by name, and a trace in any of them."""

from __future__ import annotations

from ..diagram import draw
from ..trace.data import Trace
from .dot import dot
from .itf import itf
from .mermaid import mermaid
from .python import python
from .shiviz import shiviz
from .tla import tla

FORMATS = {
    "itf": ".itf.json",
    "shiviz": ".log",
    "mermaid": ".mmd",
    "dot": ".dot",
    "svg": ".svg",
    "python": ".py",
    "tla": ".tla",
}
"""The formats, and how their files end."""


def export(trace: Trace, format: str, name: str = "Trace", model: str | None = None) -> dict[str, str]:
    """The trace in a format, as the texts of files by their endings: one, or for TLA+ two where TLC can follow it.

    `name` is that of the TLA+ module, `model` what the user calls his own model. Raises UsageError.
    """
    if format == "tla":
        module, configuration = tla(trace, name)
        return {".tla": module} | ({} if configuration is None else {".cfg": configuration})
    if format == "python":
        return {".py": python(trace, model)}
    makers = {"itf": itf, "shiviz": shiviz, "mermaid": mermaid, "dot": dot, "svg": draw}
    return {FORMATS[format]: makers[format](trace)}
