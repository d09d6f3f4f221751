"""A workload is drawn once, from streams of each process; it is what it is said to be, and the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from precede.checker.errors import ConfigurationError
from precede.checker.pipeline.study.drawing import SHAPES, drawn_delay, many, stream
from precede.checker.pipeline.study.workload import Schedule, Workload, draw

LOAD = Workload(10, warmup=50, measured=400)


def counts(schedule: Schedule) -> np.ndarray:
    """The destinations of each message."""
    return np.diff(schedule.first)


@pytest.mark.parametrize("load", ["unicast", "multicast", "broadcast"])
def test_every_process_receives_its_measured_copies_and_nobody_its_own(load: str) -> None:
    schedule = draw(replace(LOAD, load=load))
    for d in range(10):
        assert int(schedule.measured[schedule.dest == d].sum()) == 400
        earlier = schedule.arrived[(schedule.dest == d)]
        assert np.sort(earlier)[50] == schedule.arrived[(schedule.dest == d) & schedule.measured].min()
    assert (schedule.dest != schedule.sender[schedule.message]).all()


def test_the_same_seed_gives_the_same_schedule_and_another_one_another() -> None:
    one, same, other = draw(LOAD), draw(LOAD), draw(replace(LOAD, seed=2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one.sent[:100], other.sent[:100])


@pytest.mark.parametrize("load", ["unicast", "multicast"])
def test_a_longer_run_begins_with_the_shorter_one(load: str) -> None:
    short, long = (draw(replace(LOAD, load=load, measured=measured)) for measured in (100, 400))
    m, c = len(short.sent), len(short.dest)
    assert np.array_equal(short.sent, long.sent[:m])
    assert np.array_equal(short.dest, long.dest[:c])
    assert np.array_equal(short.delay, long.delay[:c])


def test_numbers_count_the_messages_of_a_sender_in_order_of_time() -> None:
    schedule = draw(LOAD)
    for i in range(10):
        assert schedule.number[schedule.sender == i].tolist() == list(range(1, int((schedule.sender == i).sum()) + 1))
    assert (np.diff(schedule.sent) >= 0).all()


def test_sends_and_arrivals_are_ordered_by_time() -> None:
    schedule = draw(LOAD)
    times = [schedule.sent[e] if e >= 0 else schedule.arrived[~e] for e in schedule.events]
    assert times == sorted(times)
    assert sorted(schedule.events.tolist()) == list(range(-len(schedule.dest), len(schedule.sent)))


def test_masks_are_the_destinations() -> None:
    schedule = draw(Workload(70, warmup=5, measured=50))
    for m in range(0, len(schedule.sent), 7):
        bits = {d for d in range(70) if int(schedule.mask[m, d // 64]) >> (d % 64) & 1}
        assert bits == set(schedule.dest[schedule.first[m] : schedule.first[m + 1]].tolist())


@pytest.mark.parametrize("shape", SHAPES)
def test_means_are_what_was_asked_for(shape: str) -> None:
    values = many(stream(1, 2, 3), 400_000, shape, 0.25)
    assert values.mean() == pytest.approx(0.25, rel=0.02)
    assert values.min() >= 0


def test_delays_of_packets_outside_the_workload_have_the_same_distribution() -> None:
    for shape, code in SHAPES.items():
        drawn = sorted(drawn_delay(7, 3, count, code, 1.0) for count in range(20_000))
        known = np.sort(many(stream(1, 1, 1), 20_000, shape, 1.0))
        for share in (0.1, 0.5, 0.9):
            assert drawn[int(20_000 * share)] == pytest.approx(known[int(20_000 * share)], rel=0.06), shape


def test_multicasts_have_each_number_of_destinations_equally_often() -> None:
    schedule = draw(Workload(9, warmup=100, measured=9000))
    found = np.bincount(counts(schedule), minlength=9)[1:]
    assert counts(schedule).mean() == pytest.approx(9 / 2, rel=0.02)
    assert found.max() / found.min() < 1.2
    each = np.bincount(schedule.dest)
    assert each.max() / each.min() < 1.05


@pytest.mark.parametrize(("kind", "mean"), [("half", 5.0), ("binomial", 9 / 2), ("with-none", 5.5 * 10 / 11)])
def test_other_numbers_of_destinations(kind: str, mean: float) -> None:
    schedule = draw(Workload(10, warmup=100, measured=4000, destinations=kind))
    assert counts(schedule).min() >= 1
    assert counts(schedule).mean() == pytest.approx(mean, rel=0.1)


def test_the_interval_between_sends_has_its_mean() -> None:
    schedule = draw(Workload(5, "unicast", measured=8000, interval=0.5))
    intervals = np.diff(schedule.sent[schedule.sender == 3])
    assert intervals.mean() == pytest.approx(0.5, rel=0.05)
    assert intervals.std() == pytest.approx(0.5, rel=0.05), "exponential: the deviation is the mean"


def test_fifo_channels_keep_the_order_of_sends_and_others_do_not() -> None:
    for channel, ordered in (("fifo", True), ("unordered", False)):
        s = draw(replace(LOAD, delay=0.5, channel=channel))
        kept = []
        for i in range(10):
            for d in range(10):
                on = (s.sender[s.message] == i) & (s.dest == d)
                kept.append(bool((np.diff(s.arrived[on]) >= 0).all()))
        assert all(kept) == ordered


def test_the_share_of_dependent_sends() -> None:
    assert draw(replace(LOAD, dependence=0.3, measured=3000)).dependent.mean() == pytest.approx(0.3, abs=0.03)
    assert len(draw(LOAD).dependent) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"processes": 1}, {"processes": 10**6}, {"measured": 0}, {"warmup": -1}, {"measured": 10**9}, {"load": "any"},
        {"interval": 0.0}, {"interval": float("nan")}, {"delay": -1.0}, {"delay": 1e5}, {"dependence": 1.5},
        {"seed": -1}, {"channel": "rendezvous"}, {"delay_shape": "cauchy"}, {"destinations": "many"},
    ],
)  # fmt: skip
def test_what_describes_no_load_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        replace(LOAD, **change)  # type: ignore[arg-type]
