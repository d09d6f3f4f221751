"""Step labels: what counts as one, and what is counted."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.labels import instrument
from precede.checker.loading import LoadedModel, load_model
from precede.checker.result import LabelCount
from precede.models import Message, Packet, Step, Steps
from precede.models.catalog import CATALOG


def run(source: str, *calls: tuple[Any, ...], owners: set[str] | None = None) -> dict[str, LabelCount]:
    """The counts after `calls` of the function `f` of a module."""
    code, labels = instrument(source, "module.py")
    names = labels.namespace()
    exec(code, names)
    left: dict[bytes, int] = {}
    for arguments in calls:
        labels.marks[:] = bytes(len(labels.marks))
        result = names["f"](*arguments)
        if inspect.isgenerator(result):
            list(result)
        left[bytes(labels.marks)] = left.get(bytes(labels.marks), 0) + 1
    return {count.label: count for count in labels.counts(left, owners or set())}


WAIT = """
def f(x):
    if x < 3:  # R1
        return None
    x = max(x, 5)  # R2
    return x
"""


def test_a_wait_and_a_rewriting_statement() -> None:
    counts = run(WAIT, (1,), (2,), (4,), (7,), (7,))
    assert counts["R1"] == LabelCount("R1", fired=5, waited=2)
    assert counts["R2"] == LabelCount("R2", fired=3, changed=1)


def test_a_label_that_never_fires_is_listed() -> None:
    assert run(WAIT)["R2"] == LabelCount("R2", fired=0, changed=0)


@pytest.mark.parametrize(
    "wait",
    [
        "if x < 3: return None  # R1",
        "if x < 3:\n        return None  # R1",
        "if (\n        x < 3\n    ):  # R1\n        return",
    ],
)
def test_other_ways_to_write_a_wait(wait: str) -> None:
    assert run(f"def f(x):\n    {wait}\n    return x\n", (1,), (4,))["R1"] == LabelCount("R1", fired=2, waited=1)


def test_a_call_counts_once_however_often_the_statement_runs() -> None:
    source = "def f(n):\n    total = 0\n    for k in range(n):\n        total = total + k  # S2\n    return total\n"
    assert run(source, (0,), (1,), (4,))["S2"] == LabelCount("S2", fired=2, changed=1)


def test_branches_with_one_label_count_together() -> None:
    source = "def f(x):\n    if x:\n        y = 1  # d4\n    else:\n        y = 2  # d4\n    return y\n"
    assert run(source, (0,), (1,), (1,))["d4"] == LabelCount("d4", fired=3)


IN_PLACE = """
def f(log):
    log |= {1}  # S3
    log = cut(log)  # S4
    return log

def cut(log):
    log.discard(2)
    return log
"""


def test_a_container_changed_in_place_counts_as_changed() -> None:
    counts = run(IN_PLACE, ({1},), ({2},), ({1, 2},))
    assert (counts["S3"].changed, counts["S4"].changed) == (1, 2)


def test_names_of_inner_scopes_are_not_read_by_the_statement() -> None:
    """`x` is unbound before both statements, and stays so while they run."""
    source = "def f(n):\n    x = [x for x in range(n)]  # S1\n    return x\n"
    assert run(source, (2,))["S1"] == LabelCount("S1", fired=1)
    source = "def f(n):\n    g = lambda: g  # S1\n    return g\n"
    assert run(source, (2,))["S1"] == LabelCount("S1", fired=1)


def test_tuple_targets_generators_and_comparisons_that_fail() -> None:
    source = (
        "class Odd:\n    def __ne__(self, other): raise ValueError\n"
        "def f(a, b):\n    a, b = b, a  # S1\n    yield a  # S2\n    o = Odd()\n    o = same(o)  # S3\n"
        "def same(o):\n    return Odd()\n"
    )
    counts = run(source, (1, 1), (1, 2))
    assert counts["S1"] == LabelCount("S1", fired=2, changed=1)
    assert counts["S2"] == LabelCount("S2", fired=2)
    assert counts["S3"] == LabelCount("S3", fired=2, changed=2)


@pytest.mark.parametrize(
    "comment", ["noqa: E501", "type: ignore[misc]", "a reason in words", "TODO", "see Section 4", "pragma: no cover"]
)
def test_other_comments_are_no_labels(comment: str) -> None:
    assert run(f"def f(x):\n    return x  # {comment}\n", (1,)) == {}


@pytest.mark.parametrize("label", ["S1", "d4", "RCV(4)", "RCV(4) loop 1", "SND(2) purge", "E7a"])
def test_labels(label: str) -> None:
    assert list(run(f"def f(x):\n    # S9\n    return x  # {label}\n", (1,))) == [label]


CLASSES = """
class A:
    def g(self):
        return 1  # S1

class B:
    def g(self):
        return 1  # S2

def f():
    return 1  # S3
"""


def test_labels_of_other_classes_are_left_out() -> None:
    assert list(run(CLASSES, (), owners={"A"})) == ["S1", "S3"]


def test_line_numbers_stay() -> None:
    source = "def f(x):\n    x = x + 1  # S1\n    if x:  # S2\n        return None\n    x = 1 / x  # S3\n"
    code, labels = instrument(source, "module.py")
    names = labels.namespace()
    exec(code, names)
    with pytest.raises(ZeroDivisionError) as caught:
        names["f"](-1)
    assert caught.traceback[-1].lineno + 1 == 5


@pytest.mark.parametrize("name", CATALOG)
def test_every_label_in_the_source_of_a_model_is_found(name: str) -> None:
    source = inspect.getsource(inspect.getmodule(CATALOG[name]))  # type: ignore[arg-type]
    written = re.findall(r"\S.*?  # (\S.*)", source)
    assert {count.label for count in ModelCalls(load_model(name), Bounds()).labels() or ()} == set(written)


@pytest.mark.parametrize("name", CATALOG)
def test_instrumented_models_answer_as_the_plain_ones(name: str) -> None:
    counted, plain = load_model(name).model, CATALOG[name]()
    message = Message(1, 1, frozenset({2} if plain.load == "unicast" else {2, 3}))
    sent = steps(plain.send(plain.start(1, 3), message))
    assert steps(counted.send(counted.start(1, 3), message)) == sent
    for packet in [p for step in sent for p in step.packets if isinstance(p, Packet) and p.to == 2][:1]:
        received = steps(plain.receive(plain.start(2, 3), packet))
        assert steps(counted.receive(counted.start(2, 3), packet)) == received


def steps(answer: Steps) -> list[Step]:
    """One step, several or none, as a list."""
    return [answer] if isinstance(answer, Step) else list(answer or ())


def test_a_model_without_labels_has_none() -> None:
    loaded = load_model("ks")
    assert ModelCalls(LoadedModel("ks", CATALOG["ks"](), {}, True), Bounds()).labels() is None
    assert ModelCalls(loaded, Bounds()).labels() is not None


def test_calls_of_another_checker_are_not_counted() -> None:
    loaded = load_model("rst")
    first, second = ModelCalls(loaded, Bounds()), ModelCalls(loaded, Bounds())
    first.send(first.start(1), Message(1, 1, frozenset({2})))
    assert {c.label: c.fired for c in first.labels() or ()}["s2"] == 1
    assert {c.label: c.fired for c in second.labels() or ()}["s2"] == 0
