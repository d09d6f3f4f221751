"""What causal order would have cost on the traffic of a log, by the models and by the compiled algorithms."""

import pytest
from audit_reference import Reference, as_events, random_run

from precede.checker.pipeline.audit import costs
from precede.checker.pipeline.audit.judging import judge
from precede.checker.pipeline.audit.long_costs import long_costs


@pytest.mark.parametrize("lost", [0, 0.2])
def test_the_compiled_algorithms_carry_what_the_models_carry(lost):
    for seed in range(12):
        judged = judge(
            "x", as_events(random_run(seed, processes=3 + seed % 5, messages=60, self_addressed=seed % 2, lost=lost))
        )
        found = long_costs(judged.execution, judged.paired, judged.order, costs.ALGORITHMS)
        assert found == costs.costs_of(judged) == costs.costs_of(judged, compiled=True), seed


def test_every_algorithm_holds_back_exactly_what_came_too_early_in_a_run_without_loss():
    for seed in range(60):
        events = random_run(seed, lost=0)
        early = len(Reference(events).early())
        found = costs.costs_of(judge("x", as_events(events)))
        assert all(cost["held"] >= (early > 0) for cost in found.values())
        if early <= 1:
            assert {cost["held"] for cost in found.values()} == {early}, seed


def test_rst_carries_its_matrix_on_every_copy():
    judged = judge("x", as_events(random_run(1, processes=5, messages=40, lost=0)))
    cost = costs.costs_of(judged)["rst"]
    assert cost["bytes_mean"] == cost["bytes_most"] == 4 * len(judged.execution.processes) ** 2
