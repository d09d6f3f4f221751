"""TLC and the engine agree on verdict, distinct states, transitions and depth under every switch of the system."""

from __future__ import annotations

import pytest
from tla_runs import counts, engine, needs_java, tlc

from precede.checker.bounds import Bounds

pytestmark = needs_java

LOSSY = "Delivery NoNeedlessDelay"
"""What a reading that loses causal order still satisfies, so that TLC explores its whole bound."""


@pytest.mark.parametrize(
    ("model", "bounds", "readings", "properties"),
    [
        ("rst", Bounds(processes=3, sends=3, dests="unicast"), "", ""),
        pytest.param("ks", Bounds(processes=3, sends=2, dests="broadcast"), "", "", marks=pytest.mark.sweep),
        ("jang", Bounds(processes=3, sends=3, dests="unicast", sends_per_process=1), "", ""),
        ("jang", Bounds(processes=3, sends=2, channel="unordered", self_addressed="network"), "J-1b", LOSSY),
        ("jang", Bounds(processes=3, sends=2, channel="fifo", self_addressed="network"), "J-1b", LOSSY),
        pytest.param(
            "jang",
            Bounds(processes=3, sends=2, channel="fifo-delivery", self_addressed="network"),
            "J-1b",
            LOSSY,
            marks=pytest.mark.sweep,
        ),
        ("rst", Bounds(processes=3, sends=2, channel="fifo-arrival"), "RST-1c", LOSSY),
        pytest.param("jang", Bounds(processes=3, sends=3), "J-7d", "CausalOrder Delivery", marks=pytest.mark.sweep),
        pytest.param(
            "rst", Bounds(processes=2, sends=3, self_addressed="network"), "RST-3b", "", marks=pytest.mark.sweep
        ),
        ("ks", Bounds(processes=2, sends=3, self_addressed="network"), "", "CausalOrder Delivery"),
        ("jang", Bounds(processes=2, sends=3, self_addressed="at-send"), "", "CausalOrder Delivery"),
        pytest.param(
            "ks",
            Bounds(processes=2, sends=3, self_addressed="at-send"),
            "KS-16b",
            "CausalOrder Delivery",
            marks=pytest.mark.sweep,
        ),
    ],
)
def test_counts_are_equal(model, bounds, readings, properties):
    theirs = tlc(model, bounds, readings, properties)
    assert theirs.verdict == "holds"
    assert counts(theirs) == counts(engine(model, bounds, readings, properties))


def test_fifo_channels_take_away_states_where_the_algorithm_does_not_order_a_channel_itself():
    unordered, fifo = (
        tlc("jang", Bounds(processes=3, sends=2, channel=channel, self_addressed="network"), "J-1b", LOSSY)
        for channel in ("unordered", "fifo")
    )
    assert (unordered.distinct_states, fifo.distinct_states) == (5257, 5131)
