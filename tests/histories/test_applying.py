"""Where the histories engine applies, what it says elsewhere, and how it ends when it is stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.choosing import examine
from precede.checker.cli import run
from precede.checker.engine import Limits
from precede.checker.errors import INCOMPLETE, STUCK, USAGE
from precede.checker.histories import explore_histories, why_not
from precede.checker.loading import load_model
from precede.models import Model
from precede.models.catalog import CATALOG


def calls_of(model: str, bounds: Bounds, *readings: str) -> ModelCalls:
    return ModelCalls(load_model(model, readings), bounds)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["ks-dynamic"], "joint steps, which are taken by all processes together"),
        (["rst", "--channel", "fifo"], "with fifo channels"),
        (["rst", "--lose", "1"], "faults are counted over the whole run"),
        (["rst", "--search", "dfs"], "has no --search"),
    ],
)
def test_elsewhere_it_says_why_it_does_not_apply(arguments: list[str], reason: str, capsys) -> None:
    assert run(["check", *arguments, "--sends", "2", "--engine", "histories"]) == USAGE
    assert reason in capsys.readouterr().err


def test_every_model_that_does_not_apply_has_a_reason() -> None:
    for name, model in CATALOG.items():
        bounds = Bounds(3, 2, dests="unicast", channel=model.channel)
        reason = why_not(ModelCalls(load_model(name, ()), bounds), bounds)
        has_joint = type(load_model(name, ()).model).joint is not Model.joint
        assert (reason is None) == (not has_joint and model.channel == "unordered"), name


def test_auto_puts_to_the_state_engine_what_histories_leave_undecided() -> None:
    bounds = Bounds(3, 3)
    result = examine(calls_of("rst", bounds, "RST-5b"), bounds, ("CausalOrder", "Delivery", "NoNeedlessDelay"))
    assert {p.name: (p.verdict, p.trace_length) for p in result.properties} == {
        "CausalOrder": ("holds", None),
        "Delivery": ("violated", 4),
        "NoNeedlessDelay": ("violated", 4),
    }
    assert result.exit_code == 12
    only = examine(calls_of("rst", bounds, "RST-5b"), bounds, ("Delivery",))
    assert (only.engine, only.exit_code) == ("histories", STUCK)


def test_histories_alone_leave_delivery_open_where_it_does_not_follow() -> None:
    bounds = Bounds(3, 3)
    result = explore_histories(calls_of("rst", bounds, "RST-5b"), bounds, ("Delivery",))
    assert [(p.verdict, p.note) for p in result.properties] == [
        ("incomplete", "judged on global states (`--engine states`); it would follow from NoNeedlessDelay")
    ]
    assert result.exit_code == INCOMPLETE


def test_a_limit_ends_it_incomplete() -> None:
    bounds = Bounds(3, 6)
    result = explore_histories(calls_of("ks", bounds), bounds, ("CausalOrder",), limits=Limits(states=2000))
    assert (result.complete, result.verdict) == (False, "incomplete")
    assert result.stopped == "the limit of 2,000 states was reached"
    assert result.local_states >= 2000
    timed = explore_histories(calls_of("ks", bounds), bounds, ("CausalOrder",), limits=Limits(seconds=1))
    assert timed.verdict == "incomplete"


def test_the_command_says_which_engine_ran_and_writes_the_trace(tmp_path: Path, capsys) -> None:
    json_file, trace = tmp_path / "result.json", tmp_path / "trace.json"
    arguments = ["check", "rst", "--reading", "RST-1b", "--json", str(json_file), "--trace", str(trace)]
    assert run(arguments) == 12
    result = json.loads(json_file.read_text())
    assert (result["engine"], result["pasts"], result["search"]) == ("histories", "light", "closure")
    assert "pairs of a process state and a packet that can meet" in capsys.readouterr().out
    assert run(["trace", "replay", str(trace)]) == 0
