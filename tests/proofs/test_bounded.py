"""The formulas of the bounded checks have the runs of the models, and find what the exhaustive search finds."""

from __future__ import annotations

import pytest
import z3

from precede.checker.bounded import algorithm_of, executed, witness_of
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.loading import load_model
from precede.checker.result import ReceiveEvent, SendEvent
from precede.checker.run import Run
from precede.proofs.bounded import ALGORITHMS, PROPERTIES, search
from precede.proofs.bounded import Bounds as Runs
from precede.proofs.bounded.history import History
from precede.proofs.bounded.search import read
from precede.proofs.bounded.unrolling import Unrolling


def asked(model, readings=(), settings=(), processes=3, sends=3, dests="multicast", channel="unordered"):
    bounds = Bounds(processes, sends, dests=dests, channel=channel)
    calls = ModelCalls(load_model(model, readings, settings), bounds)
    return calls, bounds, algorithm_of(calls)


def found(calls, bounds, algorithm, steps, names=None):
    names = names or [name for name in PROPERTIES if name != "Minimality" or algorithm.has_facts]
    runs = Runs(bounds.processes, bounds.sends, bounds.dests, bounds.channel)
    return {finding.name: finding for finding in search(algorithm, runs, names, steps)}


def found_runs(calls, bounds, algorithm, steps):
    """Every run of so many steps that the formulas have."""
    runs = Unrolling(algorithm, Runs(bounds.processes, bounds.sends, bounds.dests, bounds.channel))
    history = History(runs)
    for _ in range(steps):
        runs.extend(history.see)
    chosen = [bit for taken in runs.steps
              for group in (taken.at, taken.dests, taken.receives, taken.takes_signal, taken.depends_on)
              for bit in group.values()]  # fmt: skip
    while runs.solver.check() == z3.sat:
        model = runs.solver.model()
        yield read(runs, model)
        runs.solver.add(z3.Or([bit != model.eval(bit, model_completion=True) for bit in chosen]))


def computation(run, schedule):
    """What the order of independent steps does not change: the steps of each process, and what they exchange."""
    known = {}
    for event, message in schedule:
        what = (message, event.dests) if isinstance(event, SendEvent) else (message, getattr(event, "place", 0))
        known.setdefault(event.process, []).append((type(event).__name__, what, event.alternative))
    return frozenset((p, tuple(events)) for p, events in known.items())


def model_runs(calls, bounds, steps):
    """The computations of all runs of so many steps that the model has."""
    computations = set()

    def explore_from(schedule):
        run = Run(calls, bounds)
        taken = [run.apply(event) for event in schedule]
        if len(schedule) == steps:
            ids = [t.message and t.message[:2] for t in taken]
            computations.add(computation(run, list(zip(schedule, ids, strict=True))))
            return
        for event in run.enabled():
            explore_from((*schedule, event))

    explore_from(())
    return computations


@pytest.mark.parametrize(
    ("model", "readings", "settings", "bounds", "steps"),
    [
        ("rst", (), (), {"dests": "multicast"}, 3),
        ("rst", (), (), {"dests": "unicast", "processes": 2, "sends": 4}, 5),
        ("ks", (), (), {"dests": "broadcast"}, 4),
        ("ks", ("KS-6c",), (), {"dests": "multicast"}, 3),
        ("jang", (), (), {"dests": "broadcast", "channel": "fifo"}, 4),
        ("gk", (), (), {"dests": "unicast", "channel": "fifo"}, 3),
        ("gk", ("GK-9b",), (), {"dests": "broadcast"}, 3),
        ("sa", (), ("K=1",), {"dests": "broadcast", "channel": "fifo"}, 4),
        ("sa", ("SA-4d",), ("K=1",), {"dests": "unicast", "channel": "fifo-delivery"}, 4),
        ("sa", ("SA-4b",), ("K=1",), {"dests": "broadcast"}, 4),
    ],
)
def test_the_formulas_have_every_run_of_the_model_once_up_to_the_order_of_independent_steps(
    model, readings, settings, bounds, steps, monkeypatch
):
    calls, bounds, algorithm = asked(model, readings, settings, **bounds)
    monkeypatch.setattr(type(algorithm), "is_symmetric", False)
    ours = []
    for steps_found in found_runs(calls, bounds, algorithm, steps):
        schedule, _ = executed(calls, bounds, steps_found)
        again = Run(calls, bounds)
        ids = [taken.message and taken.message[:2] for taken in map(again.apply, schedule)]
        ours.append(computation(again, list(zip(schedule, ids, strict=True))))
    assert len(set(ours)) == len(ours)
    assert set(ours) == model_runs(calls, bounds, steps)


CASES = [
    ("rst", (), (), {"dests": "unicast"}, 6),
    ("rst", ("RST-1b",), (), {}, 6),
    ("rst", ("RST-1c",), (), {"channel": "fifo"}, 6),
    ("rst", ("RST-2b",), (), {}, 6),
    ("rst", ("RST-5b",), (), {"dests": "broadcast"}, 6),
    ("rst", ("RST-6b",), (), {"dests": "unicast"}, 6),
    ("rst", ("GK-19a",), (), {"channel": "fifo-delivery"}, 6),
    ("ks", (), (), {}, 7),
    ("ks", ("KS-2a",), (), {}, 6),
    ("ks", ("KS-10b",), (), {"channel": "fifo"}, 6),
    ("ks", ("KS-6c",), (), {}, 6),
    ("ks", ("KS-32b",), (), {}, 3),
    ("jang", (), (), {"channel": "fifo"}, 6),
    ("jang", ("J-1b",), (), {}, 5),
    ("jang", ("J-2c",), (), {}, 5),
    ("jang", ("J-7b",), (), {}, 5),
    ("jang", ("J-8b",), (), {}, 5),
    ("jang", ("J-9c",), (), {}, 5),
    ("gk", (), (), {"dests": "unicast"}, 5),
    ("gk", (), (), {"dests": "unicast", "channel": "fifo"}, 6),
    ("gk", ("GK-1b",), (), {"dests": "broadcast"}, 6),
    ("gk", ("GK-8c",), (), {"dests": "unicast"}, 5),
    ("sa", ("SA-6b",), ("K=1",), {"dests": "unicast"}, 6),
    ("sa", (), ("K=1",), {"channel": "fifo"}, 6),
    ("sa", ("SA-6c",), ("K=1",), {"dests": "unicast"}, 6),
]


@pytest.mark.parametrize(("model", "readings", "settings", "bounds", "steps"), CASES)
def test_z3_finds_what_the_exhaustive_search_finds_in_as_many_steps(model, readings, settings, bounds, steps):
    calls, bounds, algorithm = asked(model, readings, settings, **bounds)
    ours = found(calls, bounds, algorithm, steps)
    theirs = {p.name: p.trace_length for p in explore(calls, bounds, tuple(ours)).properties}
    within = {name: length if length and length <= steps else None for name, length in theirs.items()}
    assert {name: one.steps if one.is_violated else None for name, one in ours.items()} == within
    for one in ours.values():
        if one.is_violated:
            assert len(witness_of(calls, bounds, one).schedule) == one.steps


def test_extra_messages_that_count_nowhere_lose_causal_order_among_three_processes():
    calls, bounds, algorithm = asked("sa", ("SA-6b",), ("K=1",), sends=4, dests="unicast")
    witness = witness_of(calls, bounds, found(calls, bounds, algorithm, 7, ["CausalOrder"])["CausalOrder"])
    assert any(isinstance(event, ReceiveEvent) for event in witness.schedule)
    assert "is not delivered there" in witness.explanation


@pytest.mark.parametrize(
    ("model", "broken", "name"),
    [
        ("ks", {"purged": lambda self, messages, L, step: type(L)(L.has, dict.fromkeys(L.D, False))}, "Minimality"),
        ("rst", {"is_ready": lambda self, *_: True}, "CausalOrder"),
        ("rst", {"is_ready": lambda self, *_: False}, "Delivery"),
        ("jang", {"inserted": lambda self, CI_m, event: CI_m}, "CausalOrder"),
        ("gk", {"is_ready": lambda self, *_: True}, "CausalOrder"),
    ],
)
def test_formulas_that_are_not_the_model_are_noticed(model, broken, name, monkeypatch):
    calls, bounds, algorithm = asked(model, channel="fifo" if model == "gk" else "unordered")
    for method, body in broken.items():
        monkeypatch.setattr(type(algorithm), method, body)
    finding = found(calls, bounds, algorithm, 6, [name])[name]
    assert finding.is_violated
    with pytest.raises(AssertionError, match="Z3"):
        witness_of(calls, bounds, finding)


def test_every_letter_that_is_encoded_is_a_letter_of_the_model():
    for name, algorithm in ALGORITHMS.items():
        readings = type(load_model(name).model).readings()
        for id, letters in algorithm.encoded.items():
            assert set(letters) <= set(readings[id][1].variants), (name, id)


def test_nothing_is_said_of_runs_that_the_time_did_not_suffice_for():
    _, _, algorithm = asked("jang")
    (finding,) = search(algorithm, Runs(3), ["CausalOrder"], 30, time_limit=0.5)
    assert not finding.is_violated and 0 < finding.steps < 30
