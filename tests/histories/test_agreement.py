"""The histories engine against the state engine: the same verdicts, lengths, local states and packets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeping import quick

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.engine import explore
from precede.checker.engine.weights import FULL, LIGHT, SETTLED
from precede.checker.histories import explore_histories
from precede.checker.loading import LoadedModel, load_model
from precede.checker.result import Result
from precede.checker.run import Run
from precede.models import Model
from precede.models.catalog import CATALOG
from random_models import Tables, tables

LOCAL = ("CausalOrder", "NoNeedlessDelay", "Integrity", "Minimality")
WITHOUT_PAST = ("CausalOrder", "NoNeedlessDelay", "Integrity")
READINGS = [(name, id + letter) for name in ("rst", "ks", "jang", "ses", "prs", "kimkim")
            for id, (_, reading) in CATALOG[name].readings().items() for letter in reading.variants]  # fmt: skip
QUICK = {
    "rst": [id for model, id in READINGS if model == "rst"],
    "ks": ["KS-2b", "KS-2a", "KS-6b", "KS-6c", "KS-6d", "KS-7c", "KS-7d",
           "KS-10b", "KS-10c", "KS-10d", "KS-14b", "KS-16b", "KS-32b", "KS-34b"],
    "jang": ["J-1a", "J-1b", "J-1c", "J-2b", "J-2c", "J-2d", "J-3a",
             "J-4b", "J-5b", "J-6b", "J-7b", "J-8c", "J-9b", "J-10b"],
    "ses": ["SES-1b", "SES-2c", "SES-3c"],
    "prs": ["PRS-1d", "PRS-2b", "PRS-4b", "X-5b"],
    "kimkim": ["KK-1a", "KK-1b"],
}  # fmt: skip
"""What runs by default; letters that are the model itself, most of them, and slow ones run with `pytest -m sweep`."""


def calls_of(model: str, bounds: Bounds, *readings: str) -> ModelCalls:
    return ModelCalls(load_model(model, readings), bounds)


def verdicts(result: Result) -> dict[str, tuple[str, int | None]]:
    return {p.name: (p.verdict, p.trace_length) for p in result.properties}


def replay(result: Result, calls: ModelCalls) -> None:
    for item in result.properties:
        if item.witness is not None:
            run = Run(calls, calls.bounds)
            for event in item.witness.schedule:
                run.apply(event)


@pytest.mark.parametrize("model", ["rst", "ks", "jang"])
@pytest.mark.parametrize(
    "bounds",
    [
        Bounds(3, 3),
        Bounds(2, 5),
        Bounds(3, 4, dests="unicast"),
        Bounds(4, 3, dests="unicast"),
        Bounds(3, 4, dests="broadcast"),
        Bounds(3, 4, sends_per_process=2, dests="unicast"),
    ],
    ids=str,
)
def test_full_pasts_meet_just_the_local_states_and_packets_of_the_state_engine(model: str, bounds: Bounds) -> None:
    states = explore(calls_of(model, bounds), bounds, ())
    histories = explore_histories(calls_of(model, bounds), bounds, (), weight=FULL)
    assert histories.complete
    assert (histories.local_states, histories.packets) == (states.local_states, states.packets)


@pytest.mark.parametrize(("model", "reading"), quick(READINGS, lambda case: case[1] in QUICK[case[0]]))
def test_every_reading_gets_the_verdicts_and_lengths_of_the_state_engine(model: str, reading: str) -> None:
    bounds = Bounds(3, 3, dests=CATALOG[model].load)
    calls = calls_of(model, bounds, reading)
    properties = LOCAL if calls.has_facts() else WITHOUT_PAST
    states = explore(calls, bounds, properties)
    for asked in (properties, WITHOUT_PAST):
        histories = explore_histories(calls_of(model, bounds, reading), bounds, asked)
        assert verdicts(histories) == {name: verdicts(states)[name] for name in asked}
        replay(histories, calls)
        counts = {p.name: p.counts for p in states.properties if states.complete}
        assert all(p.counts == counts[p.name] for p in histories.properties if p.name in counts)


@settings(max_examples=60, deadline=None)
@given(
    tables(),
    st.builds(
        Bounds,
        processes=st.integers(2, 3),
        sends=st.integers(1, 3),
        sends_per_process=st.sampled_from([None, 1, 2]),
        dests=st.sampled_from(["unicast", "multicast", "broadcast"]),
    ),
    st.sampled_from([FULL, LIGHT, SETTLED]),
)
def test_what_holds_by_histories_holds_in_all_states_whatever_the_model_does(
    model: Tables, bounds: Bounds, weight: int
) -> None:
    calls = ModelCalls(LoadedModel("tables", model, {}, True), bounds)
    asked = LOCAL if weight == FULL else WITHOUT_PAST
    states = {p.name: p for p in explore(calls, bounds, asked).properties}
    histories = explore_histories(calls, bounds, asked, weight=weight)
    for item in histories.properties:
        if item.verdict == "holds":
            assert states[item.name].verdict == "holds"
        if item.verdict == "violated":
            assert states[item.name].verdict == "violated"
            assert item.trace_length is not None
            assert item.trace_length >= (states[item.name].trace_length or 0)
    replay(histories, calls)


class EitherWay(Model):
    """Delivers at once, or once more sends are known: the state is not a function of the past."""

    def start(self, me, processes):
        return 0

    def send(self, state, message):
        from precede.models import Packet, Step

        return Step(state, tuple(Packet(message.sender, d, message, state) for d in sorted(message.dests)))

    def receive(self, state, packet):
        from precede.models import Step

        for after in (0, 1):
            yield Step(after, delivered=(packet.message,))


def test_a_state_that_the_past_does_not_tell_is_covered_and_said() -> None:
    bounds = Bounds(3, 3)
    calls = ModelCalls(LoadedModel("either", EitherWay(), {}, True), bounds)
    states, histories = explore(calls, bounds, ()), explore_histories(calls, bounds, (), weight=FULL)
    assert histories.local_states is not None and states.local_states is not None
    assert histories.local_states >= states.local_states
    assert any("a past may have several states" in note for note in histories.notes)


def test_light_pasts_bring_ks_packets_that_no_run_brings() -> None:
    """KS forgets what is settled, so a packet of another past with the same messages can mislead it."""
    bounds = Bounds(3, 4)
    result = explore_histories(calls_of("ks", bounds), bounds, ("CausalOrder",), weight=LIGHT)
    assert [p.verdict for p in result.properties] == ["incomplete"]
    assert "apparent violations, of which no run was found" in result.properties[0].note
    decided = explore_histories(calls_of("ks", bounds), bounds, ("CausalOrder",))
    assert (decided.properties[0].verdict, decided.pasts) == ("holds", "full")


@pytest.mark.parametrize(
    ("model", "bounds", "weight", "counts"),
    [
        ("ks", Bounds(3, 4), FULL, (28_131, 9_360, 38_820)),
        ("ks", Bounds(3, 4), SETTLED, (28_131, 9_360, 38_820)),
        pytest.param("ks", Bounds(4, 3), FULL, (63_296, 24_624, 83_616), marks=pytest.mark.sweep),
        pytest.param("rst", Bounds(3, 5), LIGHT, (15_672, 14_412, 123_492), marks=pytest.mark.sweep),
        ("rst", Bounds(4, 3), LIGHT, (19_040, 15_984, 62_784)),
    ],
    ids=str,
)
def test_counts_of_local_states_packets_and_pairs(
    model: str, bounds: Bounds, weight: int, counts: tuple[int, ...]
) -> None:
    result = explore_histories(calls_of(model, bounds), bounds, ("CausalOrder", "NoNeedlessDelay"), weight=weight)
    assert (result.local_states, result.packets, result.pairs) == counts
    assert {p.verdict for p in result.properties} == {"holds"}
