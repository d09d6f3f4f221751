"""Formulas of Z3 as Python functions over a state: the names that they quantify over, and a function for each of their
relations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import reduce
from itertools import count
from typing import Any

import z3

INFIX = {
    z3.Z3_OP_AND: " and ", z3.Z3_OP_OR: " or ", z3.Z3_OP_EQ: " == ", z3.Z3_OP_LE: " <= ", z3.Z3_OP_GE: " >= ",
    z3.Z3_OP_LT: " < ", z3.Z3_OP_GT: " > ", z3.Z3_OP_ADD: " + ", z3.Z3_OP_SUB: " - ", z3.Z3_OP_DISTINCT: " != ",
}  # fmt: skip
Value = Callable[..., Any]


@dataclass
class State:
    """What formulas are about: the elements of each sort by its name, the relations and the constants by theirs."""

    elements: dict[str, list[Any]]
    relations: Mapping[str, Value]
    constants: dict[str, Any]


def translated(formula: z3.ExprRef) -> Callable[[State], Any]:
    """The formula as a function of a state."""
    number = formula.get_id()
    if number not in TRANSLATED:
        source = _source(formula, {}, count())
        TRANSLATED[number] = formula, eval(f"lambda S: {source}", {})
    return TRANSLATED[number][1]


TRANSLATED: dict[int, tuple[z3.ExprRef, Callable[[State], Any]]] = {}
"""By the number of the formula, which is its own as long as the formula is kept."""


def _source(formula: z3.ExprRef, bound: Mapping[int, str], fresh: Iterator[int]) -> str:
    if z3.is_quantifier(formula):
        names = [f"v{next(fresh)}" for _ in range(formula.num_vars())]
        constants = [z3.Const(name, formula.var_sort(place)) for place, name in enumerate(names)]
        body = z3.substitute_vars(formula.body(), *reversed(constants))
        inner = _source(body, {**bound, **{c.get_id(): name for c, name in zip(constants, names, strict=True)}}, fresh)
        sorts = [constant.sort().name() for constant in constants]
        loops = " ".join(f"for {name} in S.elements[{sort!r}]" for name, sort in zip(names, sorts, strict=True))
        return f"{'all' if formula.is_forall() else 'any'}({inner} {loops})"
    parts = [_source(part, bound, fresh) for part in formula.children()]
    kind = formula.decl().kind()
    if kind in INFIX:
        return f"({INFIX[kind].join(parts)})"
    if kind == z3.Z3_OP_NOT:
        return f"(not {parts[0]})"
    if kind == z3.Z3_OP_IMPLIES:
        return f"(not {parts[0]} or {parts[1]})"
    if kind == z3.Z3_OP_ITE:
        return f"({parts[1]} if {parts[0]} else {parts[2]})"
    if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE, z3.Z3_OP_ANUM):
        return str(formula)
    assert kind == z3.Z3_OP_UNINTERPRETED, formula
    if parts:
        return f"S.relations[{formula.decl().name()!r}]({', '.join(parts)})"
    return bound.get(formula.get_id()) or f"S.constants[{formula.decl().name()!r}]"


def functions_of(state: Any, prefix: str = "") -> dict[str, z3.FuncDeclRef]:
    """The relations and functions of a symbolic state; a field of its pasts is named "pasts.field"."""
    found = {}
    for field in fields(state):
        name, value = prefix + field.name, getattr(state, field.name)
        found |= functions_of(value, f"{name}.") if is_dataclass(value) else {name: value}
    return found


def part(state: Any, name: str) -> Any:
    """The field of that name, as `functions_of` names it."""
    return reduce(getattr, name.split("."), state)


def places(function: z3.FuncDeclRef) -> list[z3.ExprRef]:
    """Constants for the arguments of a function."""
    return [z3.Const(f"x{k}", function.domain(k)) for k in range(function.arity())]


def evaluable(guard: z3.BoolRef, unknown: Iterable[str]) -> z3.BoolRef:
    """The conjuncts of a guard that speak of nothing unknown."""
    return z3.And(*(part for part in conjuncts(guard) if not names_in(part) & set(unknown)))


def names_in(formula: z3.ExprRef) -> set[str]:
    """The names of the functions and constants in a formula."""
    if z3.is_quantifier(formula):
        return names_in(formula.body())
    own = {formula.decl().name()} if z3.is_app(formula) else set()
    return own.union(*map(names_in, formula.children()))


def conjuncts(formula: z3.BoolRef) -> Iterable[z3.BoolRef]:
    """Those of nested conjunctions, in their order."""
    return [c for part in formula.children() for c in conjuncts(part)] if z3.is_and(formula) else [formula]
