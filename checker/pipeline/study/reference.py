"""What the control information of a model's packet says, as the kernels sum it up: facts of three numbers each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from precede.models import Model, Packet
from precede.models.gk import GK
from precede.models.jang import Jang
from precede.models.ks import KS
from precede.models.prs import PRS
from precede.models.rst import RST
from precede.models.sa import SA
from precede.models.ses import SES

from .drawing import fold

Fact = tuple[int, int, int]
WORD = 2**64


def digest_of(model: Model, packet: Packet, processes: int) -> int | None:
    """The digest that the kernel of the model gives for the same packet; None for a model without a kernel."""
    facts = FACTS.get(type(model).__name__)
    if facts is None or not isinstance(packet, Packet):
        return None
    return sum(int(fold(*fact)) for fact in facts(packet.control, processes)) % WORD


def _cells(matrix: Iterable[Iterable[int]], first: int = 0) -> Iterable[Fact]:
    return ((first + k, d, x) for k, row in enumerate(matrix) for d, x in enumerate(row) if x)


def _prs(CBM: Any, n: int) -> Iterable[Fact]:
    return ((d, k - 1, y) for d, pairs in enumerate(CBM) for k, y in pairs)


def _ses(control: Any, n: int) -> Iterable[Fact]:
    yield from ((0, k, x) for k, x in enumerate(control.tm) if x)
    yield from ((d, k, x) for d, v in control.V for k, x in enumerate(v) if x)


def _gk(control: Any, n: int) -> Iterable[Fact]:
    yield from _cells(control.SP)
    yield from _cells(control.SC, n)


def _entries(entries: Iterable[tuple[int, int, frozenset[int]]]) -> Iterable[Fact]:
    for k, t, D in entries:
        yield k - 1, t, 0
        yield from ((k - 1, t, d) for d in D)


def _jang(control: Any, n: int) -> Iterable[Fact]:
    yield from _entries(control.CI)
    yield from ((n + k - 1, t, 0) for k, t in control.DC)


FACTS: dict[str, Callable[[Any, int], Iterable[Fact]]] = {
    RST.__name__: lambda ST, n: _cells(ST),
    PRS.__name__: _prs,
    SES.__name__: _ses,
    SA.__name__: lambda M, n: _cells(M),
    GK.__name__: _gk,
    KS.__name__: lambda O_M, n: _entries((k, t, D) for (k, t), D in O_M),
    Jang.__name__: _jang,
}
