"""What a dependent of Jang et al. is, and what it costs (J-20), on one copy.

The byte model: 4 a timestamp, 2 a process id. "core" is CI_m and DC_m; "full" also the message's sender, timestamp and
Dests.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from precede.models import Packet

from .registry import claim

PRS_DEPENDENT = 6
"""The bytes of a dependent of Prakash, Raynal and Singhal: a process id and a count."""


class Counted(NamedTuple):
    """The dependents of a copy by the variants of J-20."""

    tuples: int
    """a: the tuples of CI_m."""
    pairs: int
    """b: those, and the pairs of DC_m."""
    nonempty: int
    """c: the tuples of CI_m whose D is not empty."""


class Bytes(NamedTuple):
    """The bytes of a copy, core, by where the sender id of a tuple is."""

    free: int
    """It is the position of the component."""
    per_tuple: int
    """In every tuple."""
    per_sender: int
    """Once for each sender that has a tuple."""


def dependents(packet: Packet) -> Counted:
    """The counts."""
    CI, DC = packet.control
    return Counted(len(CI), len(CI) + len(DC), sum(bool(D) for _, _, D in CI))


def core(packet: Packet) -> Bytes:
    """The bytes of CI_m and DC_m."""
    CI, DC = packet.control
    free = sum(4 + 2 * len(D) for _, _, D in CI) + 6 * len(DC)
    return Bytes(free, free + 2 * len(CI), free + 2 * len({k for k, _, _ in CI}))


def full(packet: Packet) -> Bytes:
    """The bytes of the copy without what the application sends."""
    envelope = 2 + 4 + 2 * len(packet.message.dests)
    return Bytes(*(size + envelope for size in core(packet)))


@claim("C-J-20-core", "jang", statement="control_bytes is the core where the sender id of a tuple is its position")
def bytes_are_core(model: Any, packet: Packet) -> bool:
    """Which convention `precede sizes jang` has."""
    return bool(model.control_bytes(packet) == core(packet).free)


@claim("C-J-20-units", "jang", statement="control_units counts the tuples of CI, empty ones included (J-20a)")
def units_are_tuples(model: Any, packet: Packet) -> bool:
    """Which count `precede sizes jang` has."""
    return bool(model.control_units(packet) == dependents(packet).tuples)


@claim("C-J-F3-free", "jang", statement="a dependent has at least 6 bytes, as PRS's has, where its sender id is free")
def dependents_are_largest_free(packet: Packet) -> bool:
    """Section 6.2, dependent size: RST smallest, PRS next, Jang largest; of every copy, not of the mean."""
    return core(packet).free >= PRS_DEPENDENT * dependents(packet).tuples


@claim("C-J-F3-per-tuple", "jang", statement="so it has where each tuple has its sender id")
def dependents_are_largest_per_tuple(packet: Packet) -> bool:
    """The same."""
    return core(packet).per_tuple >= PRS_DEPENDENT * dependents(packet).tuples


@claim("C-J-F3-per-sender", "jang", statement="so it has where each sender with tuples has its id once")
def dependents_are_largest_per_sender(packet: Packet) -> bool:
    """The same."""
    return core(packet).per_sender >= PRS_DEPENDENT * dependents(packet).tuples


@claim("C-J-F3-nonempty", "jang", statement="so it has where its sender id is free and empty tuples are no dependents")
def dependents_are_largest_nonempty(packet: Packet) -> bool:
    """The same with J-20c."""
    CI_bytes = sum(4 + 2 * len(D) for _, _, D in packet.control.CI if D)
    return CI_bytes >= PRS_DEPENDENT * dependents(packet).nonempty
