"""Any model runs under a workload in Python, and delivers every message, in causal order where it claims so."""

from __future__ import annotations

import numpy as np
import pytest

from precede.checker.errors import ModelError, UsageError
from precede.checker.pipeline.study.outcome import Outcome, figures
from precede.checker.pipeline.study.simulation import Simulation
from precede.checker.pipeline.study.workload import Schedule, Workload, draw
from precede.models import Message, Model, Packet, Step
from precede.models.catalog import CATALOG

NOT_SIMULATED = {"synchronous", "ks-dynamic"}


def run(name: str, **changes: object) -> tuple[Schedule, Outcome]:
    """A run of a built-in model under a load that it is made for."""
    model = CATALOG[name]()
    channel = "fifo" if model.channel.startswith("fifo") else "unordered"
    load = {"processes": 4, "load": model.load, "warmup": 5, "measured": 20, "channel": channel, "delay": 0.3}
    schedule = draw(Workload(**{**load, **changes}))  # type: ignore[arg-type]
    return schedule, Simulation(model, schedule, "causal", channel).run()


def violations(schedule: Schedule, outcome: Outcome) -> int:
    """Deliveries of a message at a process that had not delivered one before it, from the definition."""
    happened = [(schedule.sent[m], 0, m) for m in range(len(schedule.sent))]
    happened += [(outcome.delivered[c], 1 + k, c) for k, c in enumerate(outcome.order)]
    known: list[set[int]] = [set() for _ in range(schedule.processes)]
    before: dict[int, set[int]] = {}
    here: list[set[int]] = [set() for _ in range(schedule.processes)]
    to = [set(schedule.message[schedule.dest == d].tolist()) for d in range(schedule.processes)]
    found = 0
    for _, kind, what in sorted(happened):
        if kind == 0:
            i = schedule.sender[what]
            before[what] = set(known[i])
            known[i].add(what)
        else:
            j, m = int(schedule.dest[what]), int(schedule.message[what])
            found += bool(before[m] & to[j] - here[j])
            here[j].add(m)
            known[j] |= before[m] | {m}
    return found


@pytest.mark.parametrize("name", sorted(CATALOG.keys() - NOT_SIMULATED - {"gk"}))
def test_every_model_delivers_every_message(name: str) -> None:
    schedule, outcome = run(name)
    assert (outcome.delivered >= schedule.sent[schedule.message]).all()
    assert sorted(outcome.order.tolist()) == list(range(len(schedule.dest)))
    late_sends = name.startswith("serialised") or name == "mattern-fuenfrocken"
    if "CausalOrder" in CATALOG[name].claims and not late_sends:  # whose sends wait for more than their time
        assert violations(schedule, outcome) == 0


def test_null_violates_causal_order() -> None:
    assert violations(*run("null", delay=1.0)) > 0


def test_waits_that_are_needless_are_found_where_there_are_any() -> None:
    for name, some in (("ks", False), ("oracle", False), ("sa", True)):
        schedule, outcome = run(name, load="unicast", measured=60)
        assert (figures(schedule, outcome)["falsely_buffered"] > 0) == some, name


def test_semantic_order_waits_for_less() -> None:
    schedule = draw(Workload(5, warmup=5, measured=60, delay=0.5, channel="fifo", dependence=0.2))
    gk = Simulation(CATALOG["gk"](), schedule, "semantic", "fifo").run()
    rst = Simulation(CATALOG["rst"](), schedule, "semantic", "fifo").run()
    assert gk.buffered.sum() < rst.buffered.sum()
    assert figures(schedule, gk)["false_wait"] < figures(schedule, rst)["false_wait"]


def test_a_model_that_never_delivers_is_found() -> None:
    class Never(Model):
        title = "never"

        def start(self, me: int, processes: int) -> int:
            return me

        def send(self, state: int, message: Message) -> Step:
            return Step(state, tuple(Packet(state, d, message, 0) for d in sorted(message.dests)))

        def receive(self, state: int, packet: Packet) -> None:
            return None

    with pytest.raises(ModelError, match="was never delivered"):
        Simulation(Never(), draw(Workload(2, "unicast", measured=5))).run()


def test_rendezvous_and_fifo_are_asked_for() -> None:
    schedule = draw(Workload(3, "unicast", measured=5))
    with pytest.raises(UsageError, match="rendezvous"):
        Simulation(CATALOG["synchronous"](), schedule)
    with pytest.raises(UsageError, match="fifo"):
        Simulation(CATALOG["gk"](), schedule)


def test_figures_are_of_the_measured_copies() -> None:
    schedule, outcome = run("rst", measured=30)
    found = figures(schedule, outcome)
    assert found["copies"] == 4 * 30
    assert found["units"] == found["units_most"] == 16
    assert found["bytes"] == 64
    chosen = schedule.measured
    assert found["wait"] == pytest.approx(float(np.mean((outcome.delivered - schedule.arrived)[chosen])))
