"""Every kernel is its Python model: the same deliveries, the same waits, on every copy the same information."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from precede.checker.pipeline.study.kernels import KERNELS, simulate
from precede.checker.pipeline.study.outcome import Outcome
from precede.checker.pipeline.study.simulation import Simulation
from precede.checker.pipeline.study.studies import FORMS
from precede.checker.pipeline.study.workload import Schedule, Workload, draw
from precede.models import Model
from precede.models.catalog import CATALOG

WITHOUT_NEEDLESS_DELAY = ("rst", "prs", "jang", "ks", "ses")


class MixedSA(CATALOG["sa"]):  # type: ignore[misc,name-defined]
    """SA whose processes have different thresholds."""

    def threshold(self, i: int, n: int) -> int:
        """n + 1 for odd processes, n^2 for even ones."""
        return n + 1 if i % 2 else n * n


MixedSA.__name__ = "SA"  # what it carries is what SA does


def both(name: str, load: Workload, truth: str = "causal", K: int = 0) -> tuple[Schedule, Outcome, Outcome]:
    """The same run of the model and of its kernel."""
    schedule = draw(load)
    extra = {"thresholds": (K or load.processes + 1,)} if name == "sa" else {}
    model: Model = CATALOG["sa"](K=K) if name == "sa" else CATALOG[name]()
    slow = Simulation(model, schedule, truth, load.channel).run()
    return schedule, slow, simulate(name, schedule, truth, detailed=True, **extra)


def assert_same(slow: Outcome, fast: Outcome) -> None:
    assert fast.order.tolist() == slow.order.tolist()
    for part in ("delivered", "buffered", "free_since", "units", "bytes", "digest"):
        assert np.array_equal(getattr(slow, part), getattr(fast, part)), part
    assert fast.signals.tolist() == slow.signals.tolist()
    assert fast.signal_times.tolist() == slow.signal_times.tolist()
    assert fast.signal_sizes.tolist() == slow.signal_sizes.tolist()


def load_of(name: str, **changes: object) -> Workload:
    """A workload that the algorithm is made for."""
    if name == "gk":
        changes = {"channel": "fifo", "dependence": 0.5, **changes}
    return Workload(**{"processes": 5, "warmup": 10, "measured": 90, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("load", [pytest.param("unicast", marks=pytest.mark.sweep), "multicast", "broadcast"])
def test_a_kernel_is_its_model_with_long_delays(name: str, load: str) -> None:
    _, slow, fast = both(name, load_of(name, load=load, delay=0.3))
    assert_same(slow, fast)
    assert slow.buffered.any() and slow.digest.any()


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_is_its_model_with_more_processes(name: str) -> None:
    _, slow, fast = both(name, load_of(name, processes=9, measured=120, delay=0.05))
    assert_same(slow, fast)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(sorted(KERNELS)),
    processes=st.integers(2, 7),
    load=st.sampled_from(["unicast", "multicast"]),
    seed=st.integers(0, 2**40),
    delay=st.sampled_from([0.001, 0.05, 0.3, 2.0]),
    shape=st.sampled_from(["exponential", "constant", "uniform", "heavy"]),
    destinations=st.sampled_from(["uniform", "half", "binomial", "with-none"]),
    fifo=st.booleans(),
    dependence=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_a_kernel_is_its_model_under_drawn_loads(
    name: str, processes: int, load: str, seed: int, delay: float, shape: str, destinations: str, fifo: bool,
    dependence: float,
) -> None:  # fmt: skip
    channel = "fifo" if name == "gk" or (fifo and name != "sa") else "unordered"
    workload = Workload(
        processes, load, seed, 5, 40, delay=delay, delay_shape=shape, destinations=destinations, channel=channel,
        dependence=dependence,
    )  # fmt: skip
    _, slow, fast = both(name, workload, "semantic" if name == "gk" else "causal")
    assert_same(slow, fast)


@pytest.mark.parametrize("K", [1, 6, 10, 25])
def test_thresholds_of_sa(K: int) -> None:
    _, slow, fast = both("sa", load_of("sa", load="unicast", delay=0.2), K=K)
    assert_same(slow, fast)


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_forms_of_prs(form: tuple[str, ...]) -> None:
    schedule = draw(load_of("prs", delay=0.2))
    letters = {name: reading[-1] for name, reading in zip(("barrier", "steps", "carried"), form, strict=True)}
    slow = Simulation(CATALOG["prs"](**letters), schedule, "causal").run()
    assert_same(slow, simulate("prs", schedule, "causal", detailed=True, readings=form))
    plain = simulate("prs", schedule, "causal", detailed=True)
    assert form == FORMS[0] or not np.array_equal(plain.units, slow.units), "the reading changes what is carried"


def test_different_thresholds_of_sa() -> None:
    schedule = draw(load_of("sa", processes=4, load="unicast", delay=0.2))
    slow = Simulation(MixedSA(), schedule, "causal").run()
    assert_same(slow, simulate("sa", schedule, "causal", detailed=True, thresholds=(5, 16, 5, 16)))
    assert {0, 2} == set(slow.signals[:, 0]), "processes whose threshold is n^2 never send extra messages"


def test_causal_order_algorithms_deliver_the_same_copies_at_the_same_times() -> None:
    schedule = draw(load_of("ks", delay=0.5))
    outcomes = [simulate(name, schedule, "causal", detailed=True) for name in WITHOUT_NEEDLESS_DELAY]
    for outcome in outcomes:
        assert outcome.order.tolist() == outcomes[0].order.tolist()
        assert (outcome.free_since < 0).all(), "no wait is needless"


def test_more_extra_messages_in_transit_than_messages() -> None:
    schedule = draw(Workload(20, "unicast", warmup=20, measured=40, delay=1.0))
    fast = simulate("sa", schedule, thresholds=(21,))
    sent, received = np.sort(fast.signal_times[:, 0]), np.sort(fast.signal_times[:, 1][fast.signal_times[:, 1] >= 0])
    most = max(np.arange(1, len(sent) + 1) - np.searchsorted(received, sent))
    assert most > 4 * len(schedule.sent)
    assert (fast.delivered >= schedule.arrived).all()


def test_lists_and_places_that_are_too_small_are_made_larger() -> None:
    load = load_of("ks", processes=30, load="unicast", delay=20.0, warmup=100, measured=200)
    schedule = draw(load)
    fast = simulate("ks", schedule)
    assert (fast.delivered >= schedule.arrived).all()
    assert fast.units.max() > 8 * 30 + 64, "more entries than a list has room for at first"
