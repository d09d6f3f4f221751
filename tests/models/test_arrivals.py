"""X-1a: causal order over arrivals."""

from __future__ import annotations

from typing import Any

import pytest

from claimed import false_claims
from naively import explored
from precede.models import Message, Model
from precede.models.arrivals import Arrivals
from precede.models.buffered import buffered
from precede.models.jang import Jang
from precede.models.ks import KS
from precede.models.oracle import Oracle
from precede.models.rst import RST
from precede.models.ses import SES


@pytest.mark.parametrize("inner", [KS(), Jang(), RST(), SES(), Oracle()], ids=lambda inner: type(inner).__name__)
@pytest.mark.parametrize("bounds", [{"sends": 2}, {"sends": 2, "channel": "fifo-arrival"}], ids=str)
def test_no_algorithm_orders_by_arrivals(inner: Model, bounds: dict[str, Any]) -> None:
    """1.1 to 2 and 3 has arrived at 2, which sends to 3 before it delivers 1.1; 3 delivers 2.1 first."""
    model = Arrivals(inner)
    found = explored(model, processes=3, **bounds)
    assert found.violated == {}
    assert false_claims(model, found, "C-X-1a") == {"C-X-1a": 5}


def test_a_process_that_neither_sends_nor_delivers_while_a_packet_waits_keeps_both_orders() -> None:
    """With X-6c a process sends only when what has arrived could be delivered, which does not deliver it."""
    model = Arrivals(KS(), wait="c")
    found = explored(model, processes=3, sends=2)
    assert false_claims(model, found, "C-X-1a") == {"C-X-1a": 5}


def test_the_record_does_not_change_what_the_model_does() -> None:
    plain, recorded = (explored(model, processes=3, sends=2) for model in (buffered(KS()), Arrivals(KS())))
    assert {shown(local.state) for state in plain.states for local in state.locals} == {
        shown(local.state.plain)  # type: ignore[attr-defined]
        for state in recorded.states
        for local in state.locals
    }


def shown(state: Any) -> tuple[Any, tuple[Message, ...]]:
    """The inner state, and the messages in the buffer."""
    return state.process, tuple(packet.message for packet in state.buffer)
