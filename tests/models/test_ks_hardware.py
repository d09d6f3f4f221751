"""KS on hardware multicast (KS-9): the same deliveries and logs; more on the multicast itself."""

from __future__ import annotations

from typing import Any

import pytest

from naively import explored
from precede.models import Message, Step
from precede.models.ks import KS, KSState
from precede.models.ks_hardware import KSHardware

LOG = {(4, 5): frozenset({1, 2, 3}), (4, 6): frozenset({1}), (4, 7): frozenset({2, 5})}
SENT = Message(1, 1, frozenset({2, 3}))


def sent(model: KS) -> Step:
    step = model.send(KSState(1, 0, (0,) * 5, frozenset(LOG.items())), SENT)
    assert isinstance(step, Step)
    return step


def test_all_copies_are_the_sender_s_log() -> None:
    step = sent(KSHardware())
    assert [(packet.to, dict(packet.control)) for packet in step.packets] == [(2, LOG), (3, LOG)]
    assert step.state == sent(KS()).state
    assert KSHardware().control_units(step.packets[0]) == 4
    assert [KS().control_units(packet) for packet in sent(KS()).packets] == [3, 3]


@pytest.mark.parametrize("letter", "abc")
def test_the_receiver_waits_and_stores_as_if_snd_2_had_been_carried_out(letter: str) -> None:
    model = KSHardware(reduction=letter)
    before = KSState(2, 0, (0,) * 5, frozenset({((3, 1), frozenset({4}))}))
    hardware, software = sent(model).packets[0], sent(KS()).packets[0]
    assert model.receive(before, hardware) is None
    delivered = before._replace(SR=(0, 0, 0, 7, 0))
    after: Any = model.receive(delivered, hardware)
    assert after == KS().receive(delivered, software)


def test_the_copy_is_reduced_to_what_its_destination_would_have_got() -> None:
    hardware, software = sent(KSHardware()).packets, sent(KS()).packets
    assert tuple(map(KSHardware().reduced_copy, hardware)) == software
    kept = KSHardware(reduction="c").reduced_copy(hardware[1])
    assert kept.control == {((4, 5), frozenset({1, 3})), ((4, 6), frozenset({1})), ((4, 7), frozenset({5}))}


def test_empty_entries_are_deleted_unless_ks_9c() -> None:
    log = {(4, 5): frozenset({3}), (4, 7): frozenset({5})}
    step = KSHardware().send(KSState(1, 0, (0,) * 5, frozenset(log.items())), SENT)
    assert isinstance(step, Step)
    kept = {letter: KSHardware(reduction=letter).reduced_copy(step.packets[0]).control for letter in "ac"}
    assert {letter: {st for st, _ in entries} for letter, entries in kept.items()} == {
        "a": {(4, 7)},
        "c": {(4, 5), (4, 7)},
    }


@pytest.mark.parametrize(
    ("letter", "channel"), [("a", "unordered"), ("b", "unordered"), ("c", "unordered"), ("a", "fifo")]
)
def test_only_the_copies_hold_more_than_required(letter: str, channel: str) -> None:
    """C-KS-V1, 3 multicasts: nothing is missing, and what is redundant does not reach LOG."""
    found = explored(KSHardware(reduction=letter), channel=channel)
    assert (len(found.states), found.transitions) == (8757, 17634)
    assert found.violated == {"Minimality": 2, "RedundantInPacket": 2}
