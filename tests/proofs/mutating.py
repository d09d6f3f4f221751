"""Mutants of transition systems: the source of a module with one small change, and what is no longer proved of it.

A mutant changes one place of the functions that define the transitions, as a slip of the pen would: a conjunct is lost
or negated, a comparison turned, a case of `If` taken always or never, an argument or a field taken for another of the
same sort, a field not updated, a number one too large.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import precede.proofs

PACKAGE = "precede.proofs"
ROOM = Path(precede.proofs.__file__).parent
NO_TRANSITION = ("some_state", "initial", "facts", "invariant", "lemmas", "some_registers")
"""Functions of a system that state what holds, not what happens."""
NO_VARIABLE = frozenset(
    {"s", "steps", "variant", "pasts", "recorded", "order", "groups", "sends", "reset", "count", "in_PREV"}
)
"""Arguments that are neither processes nor messages nor relations."""
TURNED = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.GtE: (ast.Gt, ast.LtE), ast.Gt: (ast.GtE, ast.Lt),
    ast.LtE: (ast.Lt, ast.GtE), ast.Lt: (ast.LtE, ast.Gt), ast.Add: (ast.Sub,), ast.Sub: (ast.Add,),
}  # fmt: skip
SWAPPED = {"And": "Or", "Or": "And", "ForAll": "Exists", "Exists": "ForAll"}
SYMMETRIC = ("And", "Or", "larger", "Distinct")


@dataclass(frozen=True)
class Mutant:
    """A module with a change: where (function and line), and the text before and after."""

    module: str
    function: str
    place: tuple[int, int]
    old: str
    new: str
    tree: ast.Module

    def __str__(self) -> str:
        return f"{self.module}.{self.function}: {self.old} -> {self.new}"


def mutants(module: str, functions: tuple[str, ...] | None = None) -> Iterator[Mutant]:
    """All mutants of a module, or of these functions of it."""
    tree = ast.parse((ROOM / f"{module}.py").read_text())
    fields = {
        item.target.id
        for one in tree.body if isinstance(one, ast.ClassDef)
        for item in one.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }  # fmt: skip
    for one in tree.body:
        parts = one.body if isinstance(one, ast.ClassDef) else [one]
        for part in parts:
            if isinstance(part, ast.FunctionDef) and _wanted(part.name, functions):
                yield from _of_function(module, tree, part, fields)


def _wanted(name: str, functions: tuple[str, ...] | None) -> bool:
    return name in functions if functions is not None else name not in NO_TRANSITION


def _of_function(module: str, tree: ast.Module, function: ast.FunctionDef, fields: set[str]) -> Iterator[Mutant]:
    seen = set()
    for node, names in _expressions(function):
        for new in _changes(node, names, fields):
            old = ast.unparse(node)
            if ast.unparse(new) == old or (id(node), ast.unparse(new)) in seen:
                continue
            seen.add((id(node), ast.unparse(new)))
            changed = _replaced(tree, node, new)
            yield Mutant(module, function.name, (node.lineno, node.col_offset), old, ast.unparse(new), changed)


def _expressions(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, frozenset[str]]]:
    """The expressions of the body, each with the variables in scope; no types, defaults or texts."""

    def visit(node: ast.AST, names: frozenset[str]) -> Iterator[tuple[ast.expr, frozenset[str]]]:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            names = names | {arg.arg for arg in node.args.args}
            for part in node.body if isinstance(node, ast.FunctionDef) else [node.body]:
                yield from visit(part, names)
            return
        if isinstance(node, ast.expr):
            yield node, names
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "steps":
            children: list[ast.AST] = [node.args[1]]
        elif isinstance(node, ast.Call):
            children = [*([node.func] if isinstance(node.func, ast.Attribute) else []), *node.args]
            children += node.keywords
        elif isinstance(node, ast.AnnAssign):
            children = [node.value] if node.value else []
        elif isinstance(node, ast.If):
            children = [*node.body, *node.orelse]
        else:
            children = list(ast.iter_child_nodes(node))
        for child in children:
            yield from visit(child, names)

    return visit(function, frozenset())


def _changes(node: ast.expr, names: frozenset[str], fields: set[str]) -> Iterator[ast.expr]:
    """The node with one change, in every way."""
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
        if not isinstance(node.comparators[0], ast.Constant) or not isinstance(node.comparators[0].value, str):
            for turned in TURNED[type(node.ops[0])]:
                yield ast.Compare(node.left, [turned()], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in TURNED:
        yield from (ast.BinOp(node.left, turned(), node.right) for turned in TURNED[type(node.op)])
        yield node.left
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
        if node.id not in NO_VARIABLE:
            yield from (ast.Name(other, ast.Load()) for other in sorted(names - NO_VARIABLE - {node.id}))
    elif isinstance(node, ast.Attribute) and node.attr in fields:
        yield from (ast.Attribute(node.value, other, ast.Load()) for other in sorted(fields - {node.attr}))


def _of_call(node: ast.Call) -> Iterator[ast.expr]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    args = node.args
    if any(isinstance(arg, ast.Starred) for arg in args):
        return
    if name in SWAPPED:
        yield ast.Call(ast.Name(SWAPPED[name], ast.Load()), args, [])
    if name in ("And", "Or"):
        for place, arg in enumerate(args):
            yield ast.Call(node.func, [*args[:place], *args[place + 1 :]], [])
            yield ast.Call(node.func, [*args[:place], _not(arg), *args[place + 1 :]], [])
    if name in ("If", "larger"):
        yield from args[-2:]
    if name == "If":
        yield ast.Call(node.func, [args[0], args[2], args[1]], [])
    if name in ("Not", "Implies"):
        yield args[-1]
    if name == "steps":
        yield args[2]
    elif name not in (*SYMMETRIC, "If", "replace", "Action", "ForAll", "Exists"):
        for place in range(len(args) - 1):
            yield ast.Call(node.func, [*args[:place], args[place + 1], args[place], *args[place + 2 :]], node.keywords)
    if name == "replace":
        for place in range(len(node.keywords)):
            yield ast.Call(node.func, args, [*node.keywords[:place], *node.keywords[place + 1 :]])


def _not(node: ast.expr) -> ast.expr:
    return ast.Call(ast.Name("Not", ast.Load()), [node], [])


def _replaced(tree: ast.Module, node: ast.expr, new: ast.expr) -> ast.Module:
    """A copy of the tree with `new` in the place of `node`."""

    class Replace(ast.NodeTransformer):
        def visit(self, here: ast.AST) -> ast.AST:
            return ast.copy_location(new, here) if here is node else self.generic_visit(here)

    memo = {id(node): node}
    changed = Replace().visit(deepcopy(tree, memo))
    return ast.fix_missing_locations(deepcopy(changed))


def edited(module: str, old: str, new: str) -> Mutant:
    """The module with this text, which occurs once, replaced."""
    source = (ROOM / f"{module}.py").read_text()
    assert source.count(old) == 1, f"{module}: {source.count(old)} times {old!r}"
    return Mutant(module, "", (0, 0), old, new, ast.parse(source.replace(old, new)))


@contextmanager
def loaded(mutant: Mutant) -> Iterator[None]:
    """The mutated module in its place, and all modules that import it anew."""
    kept = {name: module for name, module in sys.modules.items() if name.startswith(f"{PACKAGE}.")}
    for name in dependants(mutant.module):
        sys.modules.pop(f"{PACKAGE}.{name}", None)
    full = f"{PACKAGE}.{mutant.module}"
    module = ModuleType(full)
    module.__package__, module.__file__ = PACKAGE, str(ROOM / f"{mutant.module}.py")
    sys.modules[full] = module
    setattr(precede.proofs, mutant.module, module)
    try:
        source = ast.unparse(mutant.tree).replace("from z3 import ", "from z3 import Exists, ForAll, Not, Or, And, ", 1)
        exec(compile(source, full, "exec"), module.__dict__)
        yield
    finally:
        for name in list(sys.modules):
            if name.startswith(f"{PACKAGE}."):
                del sys.modules[name]
        sys.modules.update(kept)
        for name, module in kept.items():
            setattr(precede.proofs, name.rpartition(".")[2], module)


@cache
def dependants(module: str) -> tuple[str, ...]:
    """The module and all that import it, directly or not."""
    found = {module}
    while more := {name for name, others in imports().items() if name not in found and others & found}:
        found |= more
    return tuple(sorted(found))


@cache
def imports() -> dict[str, set[str]]:
    """The modules that each module imports from."""
    statement = re.compile(r"^from \.(\w*) import (\([^)]*\)|.*)$", re.MULTILINE)
    return {
        path.stem: {
            name
            for source, names in statement.findall(path.read_text())
            for name in ([source] if source else re.findall(r"\w+", names))
        }
        for path in ROOM.glob("*.py")
    }
