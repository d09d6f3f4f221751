"""Formulas written out over a few named elements of each sort.

If the named elements are all there are, and the values of functions are among them, then what is written out says the
same; of whole numbers, only those named are looked at, which is enough where a formula speaks of smaller ones alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any

import z3
from z3 import And, Distinct, Or

Universe = Mapping[z3.SortRef, Sequence[z3.ExprRef]]

has_quantifiers = z3.Probe("has-quantifiers")


def closed(function: z3.FuncDeclRef, universe: Universe) -> list[z3.BoolRef]:
    """The values of a function are named elements, where they are no truth values or numbers."""
    if function.range() not in universe or function.range() == z3.IntSort():
        return []
    values = universe[function.range()]
    return [Or(*(function(*args) == value for value in values)) for args in arguments(function, universe)]


def arguments(function: z3.FuncDeclRef, universe: Universe) -> Iterable[tuple[z3.ExprRef, ...]]:
    """All arguments of a function."""
    return product(*(universe[function.domain(place)] for place in range(function.arity())))


def functions(template: Any) -> list[z3.FuncDeclRef]:
    """The relations and functions of a state."""
    values = [getattr(template, field.name) for field in fields(template)]
    return [one for value in values for one in (functions(value) if is_dataclass(value) else [value])]


def distinct(universe: Universe) -> list[z3.BoolRef]:
    """Different names are different elements."""
    return [Distinct(*some) for some in universe.values() if len(some) > 1]


def grounded(formula: z3.ExprRef, universe: Universe) -> z3.ExprRef:
    """The formula without quantifiers."""
    if z3.is_bool(formula) and not has_quantifiers(formula):
        return formula
    return written_out(formula, universe, {})


def written_out(
    formula: z3.ExprRef,
    universe: Universe,
    seen: dict[int, tuple[z3.ExprRef, z3.ExprRef]],
) -> z3.ExprRef:
    """The same; `seen` holds what has been written out, by the numbers of formulas, and keeps these alive."""
    if formula.get_id() in seen:
        return seen[formula.get_id()][1]
    if z3.is_quantifier(formula):
        values = [universe[formula.var_sort(place)] for place in range(formula.num_vars())]
        cases = [z3.substitute_vars(formula.body(), *reversed(case)) for case in product(*values)]
        parts = [written_out(case, universe, seen) for case in cases]
        found = And(*parts) if formula.is_forall() else Or(*parts)
    elif not formula.children():
        found = formula
    else:
        parts = [written_out(child, universe, seen) for child in formula.children()]
        found = And(*parts) if z3.is_and(formula) else Or(*parts) if z3.is_or(formula) else formula.decl()(*parts)
    seen[formula.get_id()] = formula, found
    return found
