"""Formulas over truth values, simplified as they are built, and counts in unary.

A `Bit` is a Python bool where the value is known and a formula of Z3 where it is not. Much is known: nothing is in
transit before it can have been sent.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import z3
from z3 import z3core

Bit = Any
"""bool or z3.BoolRef."""
Bits = Mapping[Hashable, Bit]
"""Named truth values; those without an entry are false."""
Count = tuple[Bit, ...]
"""A number in unary: the bit at n - 1 says whether it is at least n; beyond the end it is not."""


def conj(bits: Iterable[Bit]) -> Bit:
    """All of them."""
    return _joined(bits, False, z3core.Z3_mk_and)


def disj(bits: Iterable[Bit]) -> Bit:
    """Any of them."""
    return _joined(bits, True, z3core.Z3_mk_or)


def _joined(bits: Iterable[Bit], decisive: bool, join: Any) -> Bit:
    unknown = []
    for bit in bits:
        if bit is decisive:
            return decisive
        if bit is not (not decisive):
            unknown.append(bit)
    if not unknown:
        return not decisive
    if len(unknown) == 1:
        return unknown[0]
    return _formula(join, len(unknown), (z3.Ast * len(unknown))(*(bit.ast for bit in unknown)))


def _formula(make: Any, *arguments: Any) -> Bit:
    """A formula made without z3's checks that everything in it is a truth value, which take most of the time."""
    context = z3.main_ctx()
    return z3.BoolRef(make(context.ref(), *arguments), context)


def both(left: Bit, right: Bit) -> Bit:
    """left and right."""
    return conj((left, right))


def either(left: Bit, right: Bit) -> Bit:
    """left or right."""
    return disj((left, right))


def neg(bit: Bit) -> Bit:
    """Not so."""
    return not bit if isinstance(bit, bool) else _formula(z3core.Z3_mk_not, bit.ast)


def but(left: Bit, right: Bit) -> Bit:
    """left and not right."""
    return both(left, neg(right))


def implies(left: Bit, right: Bit) -> Bit:
    """right, if left."""
    return either(neg(left), right)


def same(left: Bit, right: Bit) -> Bit:
    """Both or neither."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return _formula(z3core.Z3_mk_eq, left.ast, right.ast)


def chosen(condition: Bit, yes: Bit, no: Bit) -> Bit:
    """`yes` where the condition holds, else `no`."""
    if isinstance(condition, bool):
        return yes if condition else no
    if yes is no or (not isinstance(yes, bool) and not isinstance(no, bool) and yes.eq(no)):
        return yes
    if isinstance(yes, bool):
        return either(condition, no) if yes else but(no, condition)
    if isinstance(no, bool):
        return implies(condition, yes) if no else both(condition, yes)
    return _formula(z3core.Z3_mk_ite, condition.ast, yes.ast, no.ast)


def chosen_bits(condition: Bit, yes: Bits, no: Bits) -> dict[Hashable, Bit]:
    """The same for all named values."""
    return {name: chosen(condition, yes.get(name, False), no.get(name, False)) for name in {**yes, **no}}


def selected(cases: Iterable[tuple[Bit, Bits]]) -> dict[Hashable, Bit]:
    """The values of the one case whose condition holds."""
    parts: dict[Hashable, list[Bit]] = {}
    for condition, bits in cases:
        for name, bit in bits.items():
            parts.setdefault(name, []).append(both(condition, bit))
    return {name: disj(bits) for name, bits in parts.items()}


def exactly_one(bits: Iterable[Bit]) -> list[Bit]:
    """Conditions: one of them, and no two."""
    bits = list(bits)
    return [disj(bits), *at_most_one(bits)]


def at_most_one(bits: Iterable[Bit]) -> list[Bit]:
    """Conditions: no two of them."""
    bits = list(bits)
    return [neg(both(a, b)) for i, a in enumerate(bits) for b in bits[:i]]


def count(bits: Bits, *name: Hashable) -> Count:
    """The number stored under `name`."""
    found: list[Bit] = []
    while (*name, len(found) + 1) in bits:
        found.append(bits[(*name, len(found) + 1)])
    return tuple(found)


def stored(number: Count, *name: Hashable) -> dict[Hashable, Bit]:
    """A number as named values."""
    return {(*name, n): bit for n, bit in enumerate(number, 1)}


def plus_one(number: Count, condition: Bit) -> Count:
    """One more where the condition holds."""
    if condition is False:
        return number
    return tuple(
        either(at_least(number, n), both(condition, at_least(number, n - 1))) for n in range(1, len(number) + 2)
    )


def at_least(number: Count, n: int) -> Bit:
    """Whether the number is n or more."""
    return True if n <= 0 else number[n - 1] if n <= len(number) else False


def largest(left: Count, right: Count) -> Count:
    """The maximum."""
    return tuple(either(at_least(left, n), at_least(right, n)) for n in range(1, max(len(left), len(right)) + 1))


def limited(number: Count, condition: Bit) -> Count:
    """The number where the condition holds, else 0."""
    return tuple(both(condition, bit) for bit in number)


def is_at_most(left: Count, right: Count) -> Bit:
    """Whether left <= right."""
    return conj(implies(bit, at_least(right, n)) for n, bit in enumerate(left, 1))


def total(left: Count, right: Count) -> Count:
    """The sum."""
    most = len(left) + len(right)
    return tuple(
        disj(both(at_least(left, i), at_least(right, n - i)) for i in range(n + 1)) for n in range(1, most + 1)
    )


def difference(left: Count, right: Count) -> Count:
    """left - right, where right <= left."""
    return tuple(
        conj(implies(at_least(right, j), at_least(left, n + j)) for j in range(len(right) + 1))
        for n in range(1, len(left) + 1)
    )


def how_many(bits: Iterable[Bit]) -> Count:
    """The number of those that hold."""
    number: Count = ()
    for bit in bits:
        number = plus_one(number, bit)
    return number
