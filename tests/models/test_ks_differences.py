"""KS without duplicate information (KS-8, Section 3.5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from followed import followed, receive, send
from naively import explored
from precede.models import Message, Packet, Step
from precede.models.ks_differences import Difference, KSDifferences


def sent(model: KSDifferences, state: Any, number: int, *dests: int) -> Step:
    step = model.send(state, Message(1, number, frozenset(dests)))
    assert isinstance(step, Step)
    return step


def contents(packet: Any) -> tuple[dict[tuple[int, int], set[int]], set[tuple[int, int]]]:
    entries, removed = packet.control
    return {st: set(D) for st, D in entries if st[1]}, set(removed)


def five_messages(model: KSDifferences) -> list[tuple[dict[tuple[int, int], set[int]], set[tuple[int, int]]]]:
    """Process 1 sends to 2, to 3 twice, to 2 again, and to 3 again: the copies."""
    state, copies = model.start(1, 4), []
    for number, dests in enumerate([{2}, {3}, {3}, {2}, {3}], 1):
        step = sent(model, state, number, *dests)
        state = step.state
        copies += [contents(packet) for packet in step.packets]
    return copies


def test_entries_that_were_sent_as_they_are_are_left_out() -> None:
    """KS-8a: 1.1 to 2 is said to 3 once; with KS-8b its end is said too, once 1.4 to 2 has covered it."""
    nothing: set[tuple[int, int]] = set()
    first = [({}, nothing), ({(1, 1): {2}}, nothing), ({(1, 2): {3}}, nothing)]
    assert five_messages(KSDifferences(duplicates="a"))[:3] == first
    assert five_messages(KSDifferences())[:3] == first
    assert five_messages(KSDifferences(duplicates="a"))[4] == ({(1, 3): {3}, (1, 4): {2}}, nothing)
    assert five_messages(KSDifferences())[4] == ({(1, 3): {3}, (1, 4): {2}}, {(1, 1), (1, 2)})


def test_the_receiver_rebuilds_o_m() -> None:
    model = KSDifferences()
    sender, receiver, rebuilt = model.start(1, 4), model.start(3, 4), []
    for number, dests in enumerate([{2}, {3}, {3}, {2}, {3}], 1):
        step = sent(model, sender, number, *dests)
        sender = step.state
        for packet in step.packets:
            if packet.to == 3:
                (after,) = listed(model.receive(receiver, packet))  # type: ignore[arg-type]
                receiver = after.state
                rebuilt.append({st: set(D) for st, D in receiver.heard[0] if st[1]})
                assert receiver.heard[0] == sender.told[2]
    assert rebuilt == [{(1, 1): {2}}, {(1, 1): {2}, (1, 2): {3}}, {(1, 3): {3}, (1, 4): {2}}]


def listed(steps: Step | Iterable[Step] | None) -> list[Step]:
    return [] if steps is None else [steps] if isinstance(steps, Step) else list(steps)


def test_what_went_out_once_on_every_channel_leaves_log() -> None:
    """KS-8d: 1.2 to 3 is on the copies of 3.1 to 1 and of 3.2 to 2, and leaves LOG; 1.1 to 2 is covered by 3.2."""
    log, logs = frozenset({((1, 1), frozenset({2})), ((1, 2), frozenset({3}))}), {}
    for letter in "abd":
        model = KSDifferences(duplicates=letter)
        state = model.start(3, 3)
        state = state._replace(ks=state.ks._replace(LOG=log))
        for number, to in ((1, 1), (2, 2)):
            step = model.send(state, Message(3, number, frozenset({to})))
            assert isinstance(step, Step)
            state = step.state
        logs[letter] = {st for st, _ in state.ks.LOG if st[0] == 1}
    assert logs == {"a": {(1, 2)}, "b": {(1, 2)}, "d": set()}


def test_what_was_told_once_is_told_for_good() -> None:
    """KS-8d: 1.2 to 3 is back in LOG after a copy to 1 without it, and leaves LOG again at the next send."""
    model, entry = KSDifferences(duplicates="d"), ((1, 2), frozenset({3}))
    state = model.start(3, 3)
    for number, (to, log) in enumerate([(1, {entry}), (2, {entry}), (1, set()), (2, {entry})], 1):
        state = state._replace(ks=state.ks._replace(LOG=state.ks.LOG | log))
        step = model.send(state, Message(3, number, frozenset({to})))
        assert isinstance(step, Step)
        state = step.state
        assert (entry in state.ks.LOG) == (number == 1)


def test_sizes_count_entries_and_removed_ids() -> None:
    control = Difference(frozenset({((1, 1), frozenset({2, 3}))}), frozenset({(2, 1)}))
    packet = Packet(4, 1, Message(4, 1, frozenset({1})), control)
    assert (KSDifferences().control_units(packet), KSDifferences().control_bytes(packet)) == (2 + 1, (6 + 4) + 6)


ARRIVALS = {"fifo": (10521, 21750), "unordered": (16398, 38232)}
"""States and transitions of KS with arrivals."""


@pytest.mark.parametrize(
    ("letter", "channel", "counts", "violated"),
    [
        ("a", "fifo", ARRIVALS["fifo"], {"Minimality": 5, "MissingInState": 5}),
        ("b", "fifo", ARRIVALS["fifo"], {}),
        ("b", "unordered", (17133, 35514), {"Delivery": 4, "NoNeedlessDelay": 4}),
        ("d", "fifo", ARRIVALS["fifo"], {"Minimality": 5, "MissingInState": 5}),
    ],
)
def test_three_processes_three_multicasts(
    letter: str, channel: str, counts: tuple[int, int], violated: dict[str, int]
) -> None:
    """KS-8c is KS-8b on channels that are not FIFO. Minimality: of what is stored."""
    found = explored(KSDifferences(duplicates=letter), channel=channel)
    assert ((len(found.states), found.transitions), found.violated) == (counts, violated)


LEFT_OUT = [
    send(1, 2),
    send(1, 3),
    send(1, 3),
    receive(3, 1, 2),
    receive(3, 1, 3),
    send(3, 2),
    receive(2, 3, 1),
]
"""1.3 leaves 1.1 to 2 out, which 1.2 has told; at 3 the entry 1.2 on it then shows that 1.1 needs no entry."""


@pytest.mark.parametrize("letter", "ad")
def test_leaving_entries_out_says_that_they_are_done_with(letter: str) -> None:
    """FIFO channels, 4 unicasts; the run is a shortest one."""
    assert followed(KSDifferences(duplicates=letter), *LEFT_OUT).wrong == {"CausalOrder"}


def test_differences_with_removals_keep_the_order() -> None:
    assert followed(KSDifferences(), *LEFT_OUT).wrong == set()
