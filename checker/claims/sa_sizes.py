"""Encodings of the matrix of Sanchez and Alvarez (SA-19), "codable in linear space", in bytes.

The byte model: 4 a count, 2 a process id. Claims about K speak of K entries at most, as C-SA-SZ has it.
"""

from __future__ import annotations

from collections import Counter

from precede.models import Packet
from precede.models.sa import SA
from precede.models.sa_matrix import Matrix, entries

from .registry import claim


def triples(M: Matrix) -> int:
    """a: (sender, destination, count) for each entry."""
    return 8 * entries(M)


def grouped(M: Matrix) -> int:
    """b: for each sender with entries its id, its most frequent count and the destinations that have it; for every
    other entry of the row the destination and the count."""
    size = 0
    for row in M:
        found = Counter(x for x in row if x)
        if found:
            usual = max(found.values())
            size += 2 + 4 + 2 * usual + 6 * (found.total() - usual)
    return size


def bitmap(M: Matrix) -> int:
    """c: a bit for each cell, and the counts of the entries."""
    n = len(M)
    return (n * n + 7) // 8 + 4 * entries(M)


@claim("C-SA-19-triples", "sa", statement="triples take at most 8 K bytes")
def triples_are_linear(model: SA, packet: Packet) -> bool:
    """SA-19a: linear in n where K is."""
    return triples(packet.control) <= 8 * model.threshold(packet.sender, len(packet.control))


@claim("C-SA-19-grouped", "sa", statement="one count for each sender, with exceptions, takes at most 8 K bytes")
def grouped_is_linear(model: SA, packet: Packet) -> bool:
    """SA-19b."""
    return grouped(packet.control) <= 8 * model.threshold(packet.sender, len(packet.control))


@claim("C-SA-19-bitmap", "sa", statement="a bitmap and counts take at most 8 K bytes")
def bitmap_is_linear(model: SA, packet: Packet) -> bool:
    """SA-19c: the bitmap itself grows with n^2."""
    return bitmap(packet.control) <= 8 * model.threshold(packet.sender, len(packet.control))


@claim(
    "C-SA-19-grouped-least", "sa", statement="one count for each sender, with exceptions, never takes more than triples"
)
def grouped_is_smaller(packet: Packet) -> bool:
    """SA-19b beside SA-19a."""
    return grouped(packet.control) <= triples(packet.control)


@claim(
    "C-SA-19-bitmap-least", "sa", statement="a bitmap and counts never take more than triples, of a matrix with entries"
)
def bitmap_is_smaller(packet: Packet) -> bool:
    """SA-19c beside SA-19a."""
    return not entries(packet.control) or bitmap(packet.control) <= triples(packet.control)
