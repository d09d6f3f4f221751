"""Sizes of control information over everything that is in transit at a bound."""

import json
from collections import Counter

import pytest
import toys

from precede.checker import formats
from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.cli import run
from precede.checker.engine import Limits, whole_states
from precede.checker.errors import ModelError
from precede.checker.loading import LoadedModel, load_model
from precede.checker.run import Run
from precede.checker.sizes import Spread, measure_sizes
from precede.models import Packet, Signal


def sizes_of(model, sends=3, **more):
    bounds = Bounds(3, sends, **more)
    return measure_sizes(ModelCalls(load_model(model), bounds), bounds)


def toy(model, **more):
    bounds = Bounds(**{"processes": 3, "sends": 2, "dests": "unicast"} | more)
    return ModelCalls(LoadedModel("toy", model, {}, False), bounds), bounds


def test_every_copy_of_rst_is_nine_counters():
    found = sizes_of("rst")
    assert found.packets.units == Spread(876, 9, 9.0, 9) and found.packets.bytes == Spread(876, 36, 36.0, 36)
    assert found.largest.size == 36 and len(found.largest.schedule) == 1
    assert found.signals.count == 0 and found.signals.bytes is None


def test_a_copy_of_ks_carries_three_facts_at_most_and_28_bytes_after_three_sends():
    found = sizes_of("ks")
    assert (found.packets.units.smallest, found.packets.units.largest) == (0, 3)
    assert found.packets.units.mean == pytest.approx(774 / 876)
    assert (found.packets.bytes.smallest, found.packets.bytes.largest) == (18, 28)
    assert (found.largest.measure, found.largest.size, len(found.largest.schedule)) == ("bytes", 28, 3)
    assert found.distinct_states == 8757 and found.complete


def test_no_shorter_run_has_a_packet_as_large():
    bounds = Bounds(3, 3)
    calls = ModelCalls(load_model("ks"), bounds)
    found = measure_sizes(calls, bounds).largest
    run = Run(calls, bounds)
    taken = [run.apply(event) for event in found.schedule]
    assert max(calls.model.control_bytes(t.packet) for t in taken[-1].transmitted) == found.size
    sent = next(t.packet for t in taken[-1].transmitted if t.copy == (found.message, found.to))
    assert calls.model.control_bytes(sent) == found.size
    shorter = sizes_of("ks", sends=2)
    assert shorter.packets.bytes.largest < found.size


@pytest.mark.parametrize("channel", ["unordered", "fifo", "fifo-delivery"])
def test_what_is_measured_is_what_is_in_transit(channel):
    bounds = Bounds(3, 2, channel=channel)
    calls = ModelCalls(load_model("ks"), bounds)
    contents = {t for state in whole_states(calls, bounds) for t in state.transit}
    sizes = Counter(calls.model.control_bytes(t.packet) for t in contents)
    found = measure_sizes(calls, bounds).packets
    assert found.count == len(contents)
    assert found.bytes.mean == pytest.approx(sum(s * n for s, n in sizes.items()) / sizes.total())


def test_in_a_rendezvous_what_is_received_at_once_is_measured():
    bounds = Bounds(3, 2, channel="rendezvous")
    calls = ModelCalls(load_model("ks"), bounds)
    waiting, contents = [()], set()
    while waiting:
        schedule = waiting.pop()
        state = Run(calls, bounds)
        contents |= {t.content for event in schedule for t in state.apply(event).transmitted}
        waiting += [(*schedule, event) for event in state.enabled()]
    assert measure_sizes(calls, bounds).packets.count == len(contents)


def test_signals_are_measured_apart_and_models_without_sizes_say_so():
    calls, bounds = toy(toys.Ack())
    found = measure_sizes(calls, bounds)
    contents = {t for state in whole_states(calls, bounds) for t in state.transit}
    kinds = Counter(type(t.packet) for t in contents)
    assert (found.packets.count, found.signals.count) == (kinds[Packet], kinds[Signal]) and kinds[Signal] > 0
    assert found.packets.units is None and found.packets.bytes is None and found.largest is None


def test_the_signals_of_a_model_that_sizes_them():
    class Sized(toys.Ack):
        def signal_bytes(self, signal):
            return 7

        def control_units(self, packet):
            return packet.message.number

    found = measure_sizes(*toy(Sized()))
    assert found.signals.bytes.mean == 7 and found.signals.units is None
    assert (found.packets.units.largest, found.largest.measure, found.largest.size) == (2, "units", 2)
    assert found.packets.bytes is None and len(found.largest.schedule) == 4  # the next send waits for the ack


@pytest.mark.parametrize("size", [-1, 1.5, None, True])
def test_a_size_that_is_none_is_a_fault_of_the_model(size):
    class Wrong(toys.Ack):
        def control_bytes(self, packet):
            return size

    with pytest.raises(ModelError, match=r"Wrong\.control_bytes returned"):
        measure_sizes(*toy(Wrong()))


def test_a_stopped_search_is_incomplete_and_shows_no_largest():
    bounds = Bounds(3, 4)
    found = measure_sizes(ModelCalls(load_model("ks"), bounds), bounds, limits=Limits(states=100))
    assert not found.complete and found.largest is None and found.packets.count > 0


def test_the_command_prints_writes_and_traces_the_largest(capsys, tmp_path):
    trace = tmp_path / "x.json"
    assert run(["sizes", "ks", "--sends", "2", "--trace", str(trace), "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {path for path in formats.SIZES.fields if "." not in path} | {"format", "version"}
    for part in ("packets", "packets.bytes", "largest", "signals"):
        value = document
        for name in part.split("."):
            value = value[name]
        below = {field.removeprefix(f"{part}.") for field in formats.SIZES.fields if field.startswith(f"{part}.")}
        assert set(value) == {name for name in below if "." not in name}
    assert [step["label"] for step in json.loads(trace.read_text())["steps"]] == document["largest"]["steps"]
    assert run(["trace", "replay", str(trace)]) == 0
    capsys.readouterr()
    assert run(["sizes", "ks", "--sends", "2"]) == 0
    assert "a shortest run to a packet of" in capsys.readouterr().out
    assert run(["sizes", "ks", "--max-states", "50"]) == 3
    assert run(["sizes", "ks", "--property", "CausalOrder"]) == 2
