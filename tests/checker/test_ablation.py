"""Ablation: what a statement taken out becomes, and what the steps of known algorithms are needed for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from precede.checker import formats
from precede.checker.ablating import labelled_steps, without
from precede.checker.ablation import Ablation, StepTakenOut, as_json, default_properties, exit_code
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.engine import Limits
from precede.checker.loading import load_model
from precede.checker.trace import read_trace
from precede.checker.trace.replay import replay


def cut(source: str, label: str = "s1") -> tuple[Any, tuple[str, ...]]:
    """The function `f` of a module without a step, and what was left as it is."""
    step = next(s for s in labelled_steps(source, "module.py", set()) if s.label == label)
    found = without(source, "module.py", step)
    names: dict[str, Any] = {}
    exec(found.code, names)
    return names["f"], found.left


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("x = x + 1  # s1\n    return x", 5),
        ("x += 1  # s1\n    return x", 5),
        ("y = 7\n    x, y = y, x  # s1\n    return x, y", (5, 7)),
        ("x, y = x + 1, x  # s1\n    return x, y", (5, 5)),
        ("y = [1]\n    y[0] = x  # s1\n    return y", [1]),
        ("y = [1]\n    y.append(x)  # s1\n    return y", [1]),
        ("if x > 3:  # s1\n        return None\n    return x", 5),
        ("if x > 3: return ()  # s1\n    return x", 5),
        ("if (y := x) > 3:\n        return None  # s1\n    return y", 5),
        ("if x > 3:\n        x = 0\n        return None  # s1\n    return x", 0),
        ("if x < 3:  # s1\n        x = 0\n    return x", 0),
        ("if x < 3:  # s1\n        return True\n    return x", 5),
        ("for y in range(x):  # s1\n        x = x + y\n    return x", 5),
        ("if x:\n        x = x + 1  # s1\n    else:\n        x = x + 2  # s1\n    return x", 5),
    ],
)
def test_a_statement_taken_out(body: str, answer: Any) -> None:
    f, left = cut(f"def f(x):\n    {body}\n")
    assert (f(5), left) == (answer, ())


def test_a_function_whose_only_yield_is_taken_out_still_gives_an_iterable() -> None:
    f, _ = cut("def f(x):\n    yield x  # s1\n")
    assert list(f(5)) == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("y = x  # s1\n    return y", "y = x: y has no value before it"),
        ("return x  # s1", "return x: the answer of a function has nothing to fall back on"),
        ("while x > 5:  # s1\n        x -= 1\n    return x", "while x > 5:: a while statement is more than one step"),
    ],
)
def test_a_statement_that_cannot_be_taken_out_stays(body: str, reason: str) -> None:
    f, left = cut(f"def f(x):\n    {body}\n")
    assert (f(5), left) == (5, (reason,))


def test_names_of_comprehensions_and_inner_functions_are_no_earlier_values() -> None:
    source = (
        "def f(x):\n    z = [y for y in range(x)]\n    def g():\n        y = 1\n    y = len(z)  # s1\n    return y\n"
    )
    assert cut(source)[1] == ("y = len(z): y has no value before it",)


def test_the_other_statements_and_the_line_numbers_stay() -> None:
    f, _ = cut("def f(x):\n    x = x + 1  # s1\n    x = x * 2  # s2\n    return 1 / x\n")
    assert f(5) == 0.1
    with pytest.raises(ZeroDivisionError) as caught:
        f(0)
    assert caught.traceback[-1].lineno + 1 == 4


@cache
def ablated(
    name: str, sends: int = 3, readings: tuple[str, ...] = (), limits: Limits | None = None
) -> dict[str, StepTakenOut]:
    """label -> what was found, of 3 processes."""
    bounds = Bounds(processes=3, sends=sends, dests=load_model(name).model.load, channel=load_model(name).model.channel)
    calls = ModelCalls(load_model(name, readings), bounds)
    ablation = Ablation(calls, bounds, default_properties(calls), limits or Limits())
    return {one.step.label: one for one in ablation.without_each(ablation.whole())}


def lengths(one: StepTakenOut) -> dict[str, int | None]:
    return {p.name: p.trace_length for p in one.properties if p.verdict == "violated"}


def test_what_the_steps_of_rst_are_needed_for() -> None:
    found = ablated("rst")
    assert {label: one.needed_for for label, one in found.items()} == {
        "s1": ("running",),
        "s2": ("safety",),
        "d1": ("safety",),
        "d2": None,
        "d3": ("liveness",),
        "d4": ("safety",),
        "d5": ("safety",),
    }
    assert lengths(found["d1"]) == {"CausalOrder": 3}
    assert lengths(found["d3"]) == {"Delivery": 3, "NoNeedlessDelay": 3}
    assert lengths(found["d5"]) == {"CausalOrder": 4}
    assert found["s1"].note == "RST.send transmits no packet to destination 2: give one packet per destination"
    assert "delivered has no value before it" in found["d2"].note


def test_ks_without_its_guard_and_its_pruning() -> None:
    """PURGE_NULL_ENTRIES takes out what asserts nothing, so nothing that is judged needs it."""
    found = ablated("ks", sends=2)
    assert lengths(found["RCV(1)"]) == {"CausalOrder": 3}
    assert lengths(found["SND(2) modify"]) == {"Minimality": 2}
    assert lengths(found["RCV(2)"]) == {"Delivery": 3, "NoNeedlessDelay": 3}
    assert {"SND(2) purge", "SND(5)", "RCV(5)"} <= {label for label, one in found.items() if one.needed_for == ()}


def test_jang_needs_r8_for_nothing_and_the_rest_of_r4_to_r7() -> None:
    found = ablated("jang")
    assert found["R8"].needed_for == () and found["R8"].complete
    assert found["R7"].needed_for == ("safety", "minimality")
    assert lengths(found["R6 CI"]) == {"Minimality": 4}
    assert lengths(found["R5 first test"]) == {"Minimality": 5}


def test_a_step_that_a_reading_switches_off_is_never_executed() -> None:
    found = ablated("jang", 1, ("J-4b",))["R8"]
    assert found.needed_for == () and found.note.startswith("never executed")


def test_a_search_that_ends_early_is_not_known() -> None:
    found = ablated("rst", 3, (), Limits(states=50))
    assert found["d5"].needed_for is None and not found["d5"].complete
    assert found["d5"].note == "incomplete: the limit of 50 states was reached"


def test_only_the_labels_of_the_own_file_are_taken_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(ablated("ks-hardware", 1)) == ["RCV(1)", "SND(2)"]
    assert run(["ablate", "ks-hardware", "--sends", "1"]) == 0
    assert "only the labels in ks_hardware.py are taken out; those that the model has of KS" in capsys.readouterr().out


def test_a_model_without_labels_of_its_own_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablate", "oracle"]) == 2
    assert "oracle labels no statement of its own" in capsys.readouterr().err


MINE = """
from dataclasses import dataclass
from precede.models import Model, Packet, Step

@dataclass(frozen=True)
class Mine(Model):
    claims = ("Delivery",)
    def start(self, me, processes):
        return (me, 0)
    def send(self, state, message):
        me, x = state
        x = x + 1  # s1
        if x > 2: return None  # s2
        return Step((me, x), tuple(Packet(me, d, message, None) for d in sorted(message.dests)))
    def receive(self, state, packet):
        return Step(state, (), (packet.message,))
"""


def test_a_users_model_and_what_it_violates_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    code = run(["ablate", f"{tmp_path / 'mine.py'}:Mine", "--sends", "3", "--dests", "unicast", "--json", "-"])
    document = json.loads(capsys.readouterr().out)
    assert code == 0 and [one["label"] for one in document["labels"]] == ["s1", "s2"]
    assert all(set(one["properties"]) == {"Integrity", "Delivery"} for one in document["labels"])
    assert document["whole"]["CausalOrder"] == "violated"
    assert document["notes"] == ["CausalOrder is violated with all steps already, so it says nothing"]
    assert document["labels"][1]["statements"] == ["if x > 2: return None"]
    assert document["labels"][1]["distinct_states"] > document["distinct_states"]


def test_the_document_and_the_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablate", "rst", "--sends", "2", "--trace-dir", str(tmp_path), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["format"], document["version"]) == (formats.ABLATION.name, formats.ABLATION.version)
    labels = {one["label"]: one for one in document["labels"]}
    written = {f for one in labels.values() for p in one["properties"].values() if (f := p["trace"])}
    assert written == {str(file) for file in tmp_path.iterdir()} and len(written) == 6
    assert labels["d1"]["needed_for"] == ["safety"] and labels["d2"]["needed_for"] is None
    trace = read_trace(labels["d1"]["properties"]["CausalOrder"]["trace"])
    assert trace.source == "precede ablate, without d1" and trace.title.endswith(", without d1")
    assert len(trace.steps) == labels["d1"]["properties"]["CausalOrder"]["trace_length"] == 3
    assert not replay(trace).same, "the whole model waits where the one without d1 does not"


def test_the_exit_code_says_whether_everything_was_decided(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablate", "rst", "--sends", "2", "--max-states", "20"]) == 3
    assert "not known" in capsys.readouterr().out


def test_the_document_is_as_described() -> None:
    bounds = Bounds(processes=3, sends=1)
    calls = ModelCalls(load_model("rst"), bounds)
    ablation = Ablation(calls, bounds, ("Delivery",), Limits())
    whole = ablation.whole()
    found = list(ablation.without_each(whole))
    document = as_json(whole, found, {}, [])
    below = {name.split(".")[1] for name in formats.ABLATION.fields if name.startswith("labels[].")}
    assert set(document) - {"format", "version"} == {n for n in formats.ABLATION.fields if n.isidentifier()}
    assert set(document["labels"][0]) == below
    assert exit_code(whole, found) == 0


def test_steps_that_only_together_keep_a_property(tmp_path: Path) -> None:
    """Who sends once cannot be overtaken: without the count, and without the test of it, CausalOrder is violated."""
    (tmp_path / "once.py").write_text(MINE.replace("x > 2", "x > 1"))
    bounds = Bounds(processes=3, sends=3, dests="unicast")
    calls = ModelCalls(load_model(f"{tmp_path / 'once.py'}:Mine"), bounds)
    ablation = Ablation(calls, bounds, ("CausalOrder",), Limits())
    found = list(ablation.without_each(ablation.whole()))
    assert [(one.needed_for, lengths(one)) for one in found] == [(("safety",), {"CausalOrder": 3})] * 2
