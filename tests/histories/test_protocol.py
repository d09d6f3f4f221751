"""Models that keep messages back or have packets of their own: what is met is just what runs reach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sweeping import quick

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.choosing import examine
from precede.checker.cli import run
from precede.checker.engine import Limits, explore
from precede.checker.engine.breadth_first import BreadthFirst
from precede.checker.engine.decoding import Decoder
from precede.checker.engine.judging import UserJudge
from precede.checker.engine.limits import Watch
from precede.checker.engine.space import StateSpace
from precede.checker.errors import USAGE
from precede.checker.histories import explore_histories, why_not
from precede.checker.histories.protocol import ENDLESS, ProtocolClosure
from precede.checker.loading import LoadedModel, load_model
from precede.checker.run import Run
from precede.models import Message, Model, Packet, Signal, Step
from precede.models.catalog import CATALOG

LOCAL = ("CausalOrder", "NoNeedlessDelay", "Integrity")


def calls_of(model: str, bounds: Bounds, *options: str) -> ModelCalls:
    settings = [option for option in options if "=" in option]
    return ModelCalls(load_model(model, [option for option in options if "=" not in option], settings), bounds)


CASES = [
    (("sa", "K=1"), Bounds(3, 3, dests="unicast")),
    (("sa", "K=2"), Bounds(3, 2)),
    (("ks-lookahead",), Bounds(3, 3, dests="unicast")),
    (("ks-lookahead", "KS-3a"), Bounds(3, 2)),
    (("rst@any",), Bounds(3, 2)),
    (("ks@interleaved",), Bounds(3, 2)),
]
"""Model with its readings and settings, and bounds."""


@pytest.mark.parametrize(("model", "bounds"), quick(CASES, lambda case: case[1].dests != "unicast"), ids=str)
def test_local_states_packets_and_verdicts_are_those_of_the_state_engine(
    model: tuple[str, ...], bounds: Bounds
) -> None:
    calls = calls_of(model[0], bounds, *model[1:])
    asked = (*LOCAL, "Minimality") if calls.has_facts() else LOCAL
    states, histories = explore(calls, bounds, ()), explore_histories(calls, bounds, asked)
    assert histories.complete
    assert (histories.local_states, histories.packets) == (states.local_states, states.packets)
    judged = {p.name: (p.verdict, p.counts) for p in explore(calls, bounds, asked).properties}
    for item in histories.properties:
        assert item.verdict == judged[item.name][0]
        assert item.verdict == "violated" or item.counts == judged[item.name][1]


LOCAL_MODELS = [name for name, model in CATALOG.items() if not model.direct and model.joint is Model.joint]


@pytest.mark.parametrize("name", LOCAL_MODELS)
def test_every_model_of_the_catalogue_gets_what_runs_reach_or_is_left_undecided(name: str) -> None:
    """Left undecided are those whose token circulates for ever, and one that acknowledges all that is sent again."""
    for bounds in (Bounds(3, 2, dests=CATALOG[name].load), Bounds(2, 3, dests=CATALOG[name].load)):
        calls = calls_of(name, bounds)
        if why_not(calls, bounds) is not None:
            continue
        histories = explore_histories(calls, bounds, LOCAL)
        if name.startswith("serialised") or name == "birman-joseph-stable":
            assert histories.stopped == ENDLESS
            continue
        states = explore(calls, bounds, ())
        assert (histories.local_states, histories.packets) == (states.local_states, states.packets)
        judged = {p.name: p.verdict for p in explore(calls, bounds, LOCAL).properties}
        assert {p.name: p.verdict for p in histories.properties} == judged


def met(calls: ModelCalls, bounds: Bounds) -> set[Any]:
    """The pairs of a process state and something in transit to it that the closure puts together, as values."""
    space = StateSpace(calls, bounds, None, judge_facts=False)
    decoder = Decoder(space)
    with Watch(Limits(), None) as watch:
        closure = ProtocolClosure(space, UserJudge(decoder, ()), watch)
        closure.run()
    assert closure.complete
    keys = space.known_steps.keys[space.known_steps.keys != 0]
    return {
        (decoder.local(o), decoder.held(o), decoder.transit(q))
        for o, q in ((int(key >> np.uint64(32)) - 1, int(key & np.uint64(0xFFFFFFFF))) for key in keys)
    }


def together(calls: ModelCalls, bounds: Bounds) -> set[Any]:
    """Those of all reachable global states."""
    space = StateSpace(calls, bounds, None, judge_facts=False)
    decoder = Decoder(space)
    pairs = set()
    with Watch(Limits(), None) as watch:
        search = BreadthFirst(space, decoder, UserJudge(decoder, ()), watch, [])
        for level in search.levels():
            for rows in level:
                for row in rows:
                    pairs |= {(int(row[space.packets.to[q]]), q) for q in decoder.in_transit(row)}
    return {(decoder.local(o), decoder.held(o), decoder.transit(q)) for o, q in pairs}


@pytest.mark.parametrize(("model", "bounds"), CASES, ids=str)
def test_the_pairs_that_meet_are_just_those_of_reachable_global_states(model: tuple[str, ...], bounds: Bounds) -> None:
    calls = calls_of(model[0], bounds, *model[1:])
    assert met(calls, bounds) == together(calls, bounds)


@pytest.mark.parametrize(
    ("model", "properties"),
    [
        (("sa", "K=1", "SA-6b"), LOCAL),
        (("ks-lookahead", "KS-3a"), LOCAL),
        (("rst@oldest",), LOCAL),
        (("rst@oldest", "RST-1b"), LOCAL),
        (("mattern-fuenfrocken",), LOCAL),
    ],
    ids=str,
)
def test_violations_are_confirmed_by_runs(model: tuple[str, ...], properties: tuple[str, ...]) -> None:
    bounds = Bounds(3, 3, dests="unicast")
    calls = calls_of(model[0], bounds, *model[1:])
    states = {p.name: p for p in explore(calls, bounds, properties).properties}
    for item in explore_histories(calls, bounds, properties).properties:
        assert item.verdict == states[item.name].verdict
        if item.witness is not None:
            assert len(item.witness.schedule) >= (states[item.name].trace_length or 0)
            confirmed = Run(calls, bounds)
            for event in item.witness.schedule:
                confirmed.apply(event)


def test_delivery_follows_where_each_send_goes_to_every_destination() -> None:
    bounds = Bounds(3, 2)
    direct = explore_histories(calls_of("rst@any", bounds), bounds, ("Delivery",)).properties[0]
    assert (direct.verdict, direct.note) == ("holds", "holds because no message is held back needlessly")
    passed_on = explore_histories(calls_of("rst@interleaved", bounds), bounds, ("Delivery",)).properties[0]
    assert passed_on.verdict == "incomplete"


class Twins(Model):
    """Each delivery is acknowledged twice by equal signals, of which the sender counts all."""

    direct = False

    def start(self, me: int, processes: int) -> int:
        return 0

    def send(self, state: int, message: Message) -> Step:
        return Step(state, tuple(Packet(message.sender, d, message, 0) for d in sorted(message.dests)))

    def receive(self, state: int, packet: Packet) -> Step:
        back = Signal(packet.to, packet.sender, "ack")
        return Step(state, (back, back), (packet.message,))

    def signal(self, state: int, signal: Signal) -> Step:
        return Step(state + 1)


def test_of_equal_signals_each_is_received_once() -> None:
    bounds = Bounds(2, 2)
    calls = ModelCalls(LoadedModel("twins", Twins(), {}, True), bounds)
    assert met(calls, bounds) == together(calls, bounds)
    histories, states = explore_histories(calls, bounds, ()), explore(calls, bounds, ())
    assert (histories.local_states, histories.packets) == (states.local_states, states.packets)


class Restless(Twins):
    """A signal goes to and fro for ever."""

    def receive(self, state: int, packet: Packet) -> Step:
        return Step(state, (Signal(packet.to, packet.sender, "ball"),), (packet.message,))

    def signal(self, state: int, signal: Signal) -> Step:
        return Step(state, (Signal(signal.to, signal.sender, "ball"),))


def test_what_goes_on_for_ever_is_left_undecided() -> None:
    bounds = Bounds(2, 1)
    result = explore_histories(ModelCalls(LoadedModel("restless", Restless(), {}, True), bounds), bounds, LOCAL)
    assert {p.verdict for p in result.properties} == {"incomplete"}
    assert result.stopped is not None and "again and again" in result.stopped


class Thinks(Model):
    """A message that has arrived may be delivered by a step of its process, which may also go on thinking."""

    direct = False

    def start(self, me: int, processes: int) -> Any:
        return (0, ())

    def send(self, state: Any, message: Message) -> Step:
        return Step(state, tuple(Packet(message.sender, d, message, 0) for d in sorted(message.dests)))

    def receive(self, state: Any, packet: Packet) -> Step:
        return Step((state[0], (*state[1], packet.message)))

    def internal(self, state: Any) -> Any:
        thoughts, held = state
        if held:
            yield Step((1 - thoughts, held), name="think")
            yield Step((thoughts, held[1:]), delivered=held[:1], name="deliver")


def test_a_process_that_may_go_on_without_delivering_is_left_to_the_state_engine() -> None:
    bounds = Bounds(2, 1, dests="unicast")
    calls = ModelCalls(LoadedModel("thinks", Thinks(), {}, True), bounds)
    result = explore_histories(calls, bounds, ("Delivery", "NoNeedlessDelay"))
    assert [p.verdict for p in result.properties] == ["incomplete", "holds"]
    (delivery,) = explore(calls, bounds, ("Delivery",)).properties
    assert delivery.verdict == "violated" and delivery.witness is not None and delivery.witness.loop is not None


def test_auto_takes_the_state_engine_and_joint_steps_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    bounds = Bounds(3, 2)
    assert examine(calls_of("ks-lookahead", bounds), bounds, ("CausalOrder",)).engine == "states"
    assert run(["check", "ks-dynamic", "--sends", "2", "--engine", "histories"]) == USAGE
    assert "joint steps" in capsys.readouterr().err
