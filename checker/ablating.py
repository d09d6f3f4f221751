"""A module without one of its labelled steps: what taking a statement out means, kind by kind.

- An assignment is the identity: its targets keep the values that they have; a target that has none yet is assigned all
  the same. `x += y`, an expression, a `yield` and a `for` are passed over.
- An `if` that only returns, the paper's wait, never does; of any other `if` the test always holds.
- `return None` (or an empty list or tuple) is passed over.
- Everything else cannot be taken out mechanically: a first assignment, the answer of a function, a `while`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import CodeType

from .labels import Statement, instrument

DROPPED = "__dropped__"


@dataclass(frozen=True)
class LabelledStep:
    """All statements with one label; where there are several, they are branches or parts of one step."""

    label: str
    statements: tuple[Statement, ...]
    texts: tuple[str, ...]
    """The first line of each statement, without the label."""


@dataclass(frozen=True)
class Cut:
    """The module without a step; `left` says of statements that could not be taken out why, `taken` counts others."""

    code: CodeType
    taken: int
    left: tuple[str, ...]


def labelled_steps(source: str, filename: str, owners: set[str]) -> tuple[LabelledStep, ...]:
    """The labelled steps of the classes `owners` and of the module's functions, in source order."""
    found: dict[str, list[Statement]] = {}
    for s in sorted(instrument(source, filename)[1].statements, key=lambda s: s.line):
        if s.owner is None or s.owner in owners:
            found.setdefault(s.label, []).append(s)
    nodes = {line: node for line, (node, _) in _first_in_functions(ast.parse(source)).items()}
    return tuple(
        LabelledStep(label, tuple(statements), tuple(_text(source, nodes[s.line]) for s in statements))
        for label, statements in found.items()
    )


def without(source: str, filename: str, step: LabelledStep) -> Cut:
    """The module with `step` taken out; line numbers stay as they are."""
    tree = ast.parse(source, filename)
    places = _first_in_functions(tree)
    replacements: dict[int, ast.stmt] = {}
    left = []
    for statement in step.statements:
        node, function = places[statement.line]
        try:
            replacements[id(node)] = _taken_out(node, _bound_before(node, function))
        except _Impossible as reason:
            left.append(f"{_text(source, node)}: {reason}")
    for parent in ast.walk(tree):
        for body in _bodies(parent):
            body[:] = [replacements.get(id(node), node) for node in body]
    ast.fix_missing_locations(tree)
    return Cut(compile(tree, filename, "exec", dont_inherit=True), len(replacements), tuple(left))


class _Impossible(Exception):
    """A statement cannot be taken out mechanically."""


Function = ast.FunctionDef | ast.AsyncFunctionDef


def _first_in_functions(tree: ast.Module) -> dict[int, tuple[ast.stmt, Function]]:
    """line -> the outermost statement within a function that starts there, and the function."""
    found: dict[int, tuple[ast.stmt, Function]] = {}

    def visit(node: ast.AST, function: Function | None) -> None:
        for body in _bodies(node):
            for statement in body:
                if function is not None:
                    found.setdefault(statement.lineno, (statement, function))
                visit(statement, statement if isinstance(statement, Function) else function)
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            visit(part, function)

    visit(tree, None)
    return found


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body


def _taken_out(node: ast.stmt, bound: set[str]) -> ast.stmt:
    """What stands in the place of `node`; `bound` are the names that may have a value before it."""
    if isinstance(node, ast.If):
        return _without_test(node)
    if isinstance(node, ast.Return) and not _is_nothing(node.value):
        raise _Impossible("the answer of a function has nothing to fall back on")
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return _kept(node, bound)
    if isinstance(node, ast.Return | ast.AugAssign | ast.Expr | ast.For | ast.Assert | ast.Raise | ast.Delete):
        return _never(node)
    raise _Impossible(f"a {type(node).__name__.lower()} statement is more than one step")


def _without_test(node: ast.If) -> ast.If:
    """An `if` whose test is evaluated, for the names that it binds, and does not count."""
    if len(node.body) == 1 and isinstance(node.body[0], ast.Return) and not node.orelse:
        return ast.copy_location(ast.If(node.test, [ast.copy_location(ast.Pass(), node)], []), node)
    always = ast.BoolOp(ast.Or(), [node.test, ast.Constant(True)])
    return ast.copy_location(ast.If(always, node.body, node.orelse), node)


def _kept(node: ast.Assign | ast.AnnAssign, bound: set[str]) -> ast.stmt:
    """The assignment, all targets keeping the values that they have."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = [part for target in targets for part in _parts(target)]
    new = [p for p in parts if isinstance(p, ast.Name) and p.id not in bound]
    if not new:
        return _never(node)
    if len(new) == len(parts):
        raise _Impossible(f"{' and '.join(p.id for p in new)} has no value before it")
    changed = deepcopy(node)
    kept = _Dropper({p.id for p in new})
    for target in changed.targets if isinstance(changed, ast.Assign) else []:
        kept.visit(target)
    return changed


def _parts(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        return [part for element in target.elts for part in _parts(element)]
    return _parts(target.value) if isinstance(target, ast.Starred) else [target]


class _Dropper(ast.NodeTransformer):
    """Turns all targets but the names `new` into a name that nobody reads."""

    def __init__(self, new: set[str]) -> None:
        self.new = new

    def visit_Tuple(self, node: ast.Tuple) -> ast.Tuple:
        """Elements of a target that are no names are dropped too."""
        node.elts = [self._element(element) for element in node.elts]
        return node

    def visit_List(self, node: ast.List) -> ast.List:
        """As for a tuple."""
        node.elts = [self._element(element) for element in node.elts]
        return node

    def _element(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Tuple | ast.List):
            return self.visit(node)  # type: ignore[no-any-return]
        if isinstance(node, ast.Starred):
            node.value = self._element(node.value)
            return node
        if isinstance(node, ast.Name) and node.id in self.new:
            return node
        return ast.copy_location(ast.Name(DROPPED, ast.Store()), node)


def _never(node: ast.stmt) -> ast.If:
    """The statement where it never runs: names stay local, and a generator stays one."""
    return ast.copy_location(ast.If(ast.Constant(False), [node], []), node)


def _is_nothing(value: ast.expr | None) -> bool:
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return True
    return isinstance(value, ast.Tuple | ast.List) and not value.elts


def _bound_before(node: ast.stmt, function: Function) -> set[str]:
    """The parameters of the function and the names that it binds above `node`."""
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    names = {a.arg for a in every if a is not None}
    return names | {
        n.id for n in _own(function.body) if isinstance(n, ast.Name) and _stores(n) and n.lineno < node.lineno
    }


def _stores(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _own(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a function without those of scopes within it."""
    for node in nodes:
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef | ast.comprehension):
            yield from _own(list(ast.iter_child_nodes(node)))


def _text(source: str, node: ast.stmt) -> str:
    """A statement in one line, as it is written where that is one line; of a compound one, its head."""
    if node.end_lineno == node.lineno:
        return ast.get_source_segment(source, node) or ast.unparse(node)
    if isinstance(node, ast.If | ast.While) and node.test.end_lineno == node.lineno:
        return f"{type(node).__name__.lower()} {ast.get_source_segment(source, node.test)}:"
    return ast.unparse(node).splitlines()[0]
