"""Every model far beyond exhaustive reach: 8 processes, up to 40 sends, runs drawn by Hypothesis, driven to their ends.

That nothing is found here is evidence and no proof; the exhaustive tests are elsewhere.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.loading import load_model
from precede.checker.result import Event, InternalEvent, ReceiveEvent, SendEvent
from precede.checker.run import ImpossibleStep, Run
from precede.models.catalog import CATALOG

PROCESSES, SENDS, MOST_STEPS = 8, 40, 3000
FEW: dict[str, dict[str, Any]] = {
    # the groups or zones of eight processes would be too many, or their protocol packets
    "mostefaoui-raynal": {"processes": 3},
    "bss-groups": {"processes": 4},
    "bss-changed": {"processes": 4},
    "birman-joseph-stable": {"processes": 4, "sends": 8},
    "psync-requests": {"processes": 4, "sends": 8},
}


def machine(name: str, *also: str) -> type[RuleBasedStateMachine]:
    loaded = load_model(name)
    size = {"processes": PROCESSES, "sends": SENDS} | FEW.get(name, {})
    bounds = Bounds(dests=loaded.model.load, channel=loaded.model.channel, **size)
    claims = {claim for claim in type(loaded.model).claims if claim in ("CausalOrder", "Integrity")}
    claims |= set(also)

    class Drawn(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.run = Run(ModelCalls(loaded, bounds), bounds)

        def take(self, event: Event) -> bool:
            try:
                taken = self.run.apply(event)
            except ImpossibleStep:
                return False
            assert not taken.wrong & claims, (event, taken.wrong)
            return True

        @rule(data=st.data())
        def send(self, data: st.DataObject) -> None:
            sender = data.draw(st.integers(1, bounds.processes))
            others = [p for p in range(1, bounds.processes + 1) if p != sender]
            dests = frozenset(others)
            if bounds.dests == "unicast":
                dests = frozenset({data.draw(st.sampled_from(others))})
            elif bounds.dests == "multicast":
                dests = frozenset(data.draw(st.sets(st.sampled_from(others), min_size=1, max_size=3)))
            self.take(SendEvent(sender, dests))

        @precondition(lambda self: self.run.in_transit)
        @rule(data=st.data())
        def receive(self, data: st.DataObject) -> None:
            transit = self.run.in_transit[data.draw(st.sampled_from(sorted(self.run.in_transit)))]
            self.receive_one(transit)

        def receive_one(self, transit: Any) -> bool:
            run = self.run
            if run.is_short:
                return self.take(ReceiveEvent(transit.packet.to, transit.message))
            place = run.place_of(transit)
            return self.take(ReceiveEvent(transit.packet.to, transit.message, 0, transit.packet.sender, place))

        @rule(process=st.integers(1, bounds.processes))
        def internal(self, process: int) -> None:
            self.take(InternalEvent(process))

        def teardown(self) -> None:
            """Drive the run to its end: then everything is delivered."""
            if "Delivery" not in type(loaded.model).claims:
                return
            for _ in range(MOST_STEPS):
                if not self.run.undelivered():
                    return
                moved = any([self.receive_one(t) for t in list(self.run.in_transit.values())])
                moved = any([self.take(InternalEvent(p)) for p in self.run.processes]) or moved
                assert moved, self.run.undelivered()
            raise AssertionError("no end in sight")

    return Drawn


DRAWN = settings(
    max_examples=4,
    stateful_step_count=100,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("name", CATALOG)
def test_a_drawn_run_of_many_processes_keeps_what_the_model_claims(name: str) -> None:
    run_state_machine_as_test(machine(name), settings=DRAWN)


def test_the_drawn_runs_are_long_enough_to_break_a_model_without_control_information() -> None:
    with pytest.raises(AssertionError, match="CausalOrder"):
        run_state_machine_as_test(machine("null", "CausalOrder"), settings=DRAWN)
