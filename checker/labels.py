"""Step labels: which labelled statements of a model ran, which waits were entered, which pruning steps pruned.

A label is the comment behind a statement (`SENT = incremented(SENT, i, Dests)  # s2`). `instrument` compiles a module
so that each labelled statement of its functions leaves a mark when it runs; line numbers stay as they are.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType
from typing import Any

from .result import LabelCount

LABEL = re.compile(r"[A-Za-z]{1,12}\(?\d+[a-z]?\)?( [\w ]{1,40})?")
"""S1, d4, RCV(4), RCV(4) loop 1: letters, a number, and words that tell parts of one step apart."""


MUTABLE = frozenset({dict, set, list, bytearray})


@dataclass
class Statement:
    """A labelled statement; `owner` is the class it is in, and the numbers are places in the marks of a call."""

    label: str
    line: int
    owner: str | None
    fired: int
    changed: int | None = None
    waited: int | None = None


@dataclass
class Labels:
    """The labelled statements of one module, and the marks that they set: byte i is 1 once mark i was set."""

    statements: list[Statement] = field(default_factory=list)
    marks: bytearray = field(default_factory=bytearray)

    def namespace(self) -> dict[str, Any]:
        """The names that the instrumented module needs."""
        return {"__marks__": self.marks, "__snapshot__": _snapshot, "__differs__": _differs}

    def counts(self, calls: dict[bytes, int], owners: set[str]) -> tuple[LabelCount, ...]:
        """The labels of the classes `owners` and of the module's functions, in source order.

        `calls` says how many calls left each combination of marks. Statements with the same label (the branches of
        a reading) count as one: a call that ran any of them is one call.
        """
        places: dict[str, tuple[list[int], list[int], list[int]]] = {}
        for s in sorted(self.statements, key=lambda s: s.line):
            if s.owner is None or s.owner in owners:
                kinds = places.setdefault(s.label, ([], [], []))
                for kind, place in zip(kinds, (s.fired, s.changed, s.waited), strict=True):
                    kind.extend([] if place is None else [place])

        def total(marks: list[int]) -> int:
            return sum(n for left, n in calls.items() if any(left[mark] for mark in marks))

        return tuple(
            LabelCount(label, total(fired), total(changed) if changed else None, total(waited) if waited else None)
            for label, (fired, changed, waited) in places.items()
        )


def instrument(source: str, filename: str) -> tuple[CodeType, Labels]:
    """The module `source` compiled with marks for its labelled statements; raises SyntaxError as `compile` does."""
    code, labels = _instrumented(source, filename)
    return code, replace(labels, marks=bytearray(labels.marks))


@cache
def _instrumented(source: str, filename: str) -> tuple[CodeType, Labels]:
    """The same, once for each text; the marks are nobody's."""
    tree = ast.parse(source, filename)
    labels = Labels()
    _Marker(_label_comments(source), labels).mark_body(tree.body, owner=None, inside=False)
    ast.fix_missing_locations(tree)
    return compile(tree, filename, "exec", dont_inherit=True), labels


def _label_comments(source: str) -> dict[int, str]:
    """line -> label, for comments that stand behind code."""
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string.lstrip("#").strip()
        behind_code = token.line[: token.start[1]].strip()
        if token.type == tokenize.COMMENT and behind_code and LABEL.fullmatch(text):
            found[token.start[0]] = text
    return found


class _Marker:
    """Inserts the marks into the statement lists of a tree."""

    def __init__(self, comments: dict[int, str], labels: Labels) -> None:
        self.comments = comments
        self.labels = labels

    def mark_body(self, body: list[ast.stmt], owner: str | None, inside: bool) -> None:
        """Marks the statements of `body`, and those within them; `inside`: the body belongs to a function."""
        marked: list[ast.stmt] = []
        for statement in body:
            label = self._take_label(statement) if inside else None
            for inner, is_function in _bodies(statement):
                name = statement.name if isinstance(statement, ast.ClassDef) and owner is None else owner
                self.mark_body(inner, name, inside or is_function)
            marked.extend([statement] if label is None else self._marked(statement, label, owner))
        body[:] = marked

    def _take_label(self, statement: ast.stmt) -> str | None:
        lines = list(_own_lines(statement))
        wait = _wait_of(statement)
        if wait is not None:
            lines.append(wait.lineno)
        return next((self.comments.pop(line) for line in lines if line in self.comments), None)

    def _place(self) -> int:
        self.labels.marks.append(0)
        return len(self.labels.marks) - 1

    def _marked(self, statement: ast.stmt, label: str, owner: str | None) -> list[ast.stmt]:
        entry = Statement(label, statement.lineno, owner, self._place())
        self.labels.statements.append(entry)
        result = [*_code(f"__marks__[{entry.fired}] = 1", statement), statement]
        if isinstance(statement, ast.If) and _wait_of(statement):
            entry.waited = self._place()
            statement.body[:0] = _code(f"__marks__[{entry.waited}] = 1", statement)
        rewritten = _rewritten(statement)
        if rewritten:
            entry.changed = self._place()
            for number, name in enumerate(rewritten):
                old = f"__old{number}__"
                result[1:1] = _code(f"{old} = __snapshot__({name})", statement)
                test = f"if {name} is not {old} and __differs__({old}, {name}): __marks__[{entry.changed}] = 1"
                result.extend(_code(test, statement))
        return result


def _bodies(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], bool]]:
    """The statement lists directly within a statement, and whether it is a function that holds them."""
    is_function = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
    for name in ("body", "orelse", "finalbody"):
        if getattr(statement, name, None):
            yield getattr(statement, name), is_function
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield part.body, False


def _own_lines(statement: ast.stmt) -> range:
    """The lines of a statement without those of the statements in it."""
    last = statement.end_lineno or statement.lineno
    inner = [body[0].lineno for body, _ in _bodies(statement)]
    if inner:
        last = max(statement.lineno, min(inner) - 1)
    return range(statement.lineno, last + 1)


def _wait_of(statement: ast.stmt) -> ast.Return | None:
    """The `return None` (or an empty tuple or list) that is all an `if` does."""
    if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
        return None
    only = statement.body[0]
    if not isinstance(only, ast.Return):
        return None
    value = only.value
    nothing = value is None or (isinstance(value, ast.Constant) and value.value is None)
    return only if nothing or (isinstance(value, ast.Tuple | ast.List) and not value.elts) else None


def _rewritten(statement: ast.stmt) -> list[str]:
    """The names that a statement assigns and reads."""
    if isinstance(statement, ast.AugAssign):
        return [statement.target.id] if isinstance(statement.target, ast.Name) else []
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return []
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    assigned = [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    read = _read(statement.value)
    return [name for name in dict.fromkeys(assigned) if name in read]


def _read(expression: ast.expr) -> set[str]:
    """The names of the surrounding function that an expression certainly reads: not those of its own scopes."""
    nodes = list(ast.walk(expression))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    lambdas = {n.id for f in nodes if isinstance(f, ast.Lambda) for n in ast.walk(f) if isinstance(n, ast.Name)}
    return {n.id for n in nodes if isinstance(n, ast.Name)} - bound - lambdas


def _code(text: str, where: ast.stmt) -> list[ast.stmt]:
    """Statements of our own, at the place of the model's statement."""
    statements = ast.parse(text).body
    for statement in statements:
        for node in ast.walk(statement):
            ast.copy_location(node, where)
    return statements


def _snapshot(value: Any) -> Any:
    """The value as it is now: a copy of a container that a statement may change in place."""
    return value.copy() if type(value) in MUTABLE else value


def _differs(old: Any, new: Any) -> bool:
    try:
        return bool(old != new)
    except Exception:
        return True
