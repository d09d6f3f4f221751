"""The claims of Kshemkalyani and Singhal about states, copies and steps: which hold, and what breaks them."""

from __future__ import annotations

from functools import cache

import pytest

from claimed import claims_in, false_claims, judged
from naive import Found
from naively import explored
from precede.checker.claims import ks
from precede.checker.claims.registry import CLAIMS, holds
from precede.checker.history import Past
from precede.models import Message, Packet
from precede.models.ks import KS, Entries, KSState
from precede.models.ks_complement import KSComplement
from precede.models.ks_differences import KSDifferences
from precede.models.ks_hardware import KSHardware
from precede.models.ks_lookahead import KSLookahead


def claims_of(model: str) -> tuple[str, ...]:
    return tuple(id for id in claims_in(ks) if model in CLAIMS[id].models)


@cache
def found(model: KS, **bounds: object) -> Found:
    return explored(model, **bounds)


FALSE = {"C-KS-IMPL-literal": 2}
"""Section 4.2 as printed: when 1.2 covers 1.1, the entry of 1.1 is deleted."""


def test_all_claims_but_the_literal_one_hold_with_three_multicasts() -> None:
    results = judged(KS(), found(KS()), *claims_of("ks"))
    assert {id: result.false_after for id, result in results.items() if result.false_after is not None} == FALSE
    assert all(result.asked > 40 for result in results.values() if result.false_after is None)


@pytest.mark.parametrize("self_addressed", ["network", "at-send"])
def test_with_self_addressed_messages_fixed_points_need_not_be_concurrent(self_addressed: str) -> None:
    """KS-18b: of two messages of a process to itself, the second is sent before the first is delivered."""
    of = found(KS(), processes=2, self_addressed=self_addressed)
    others = {"C-KS-FP": 3} if self_addressed == "network" else {}
    assert false_claims(KS(), of, *claims_of("ks")) == FALSE | others


@pytest.mark.parametrize(
    ("readings", "false"),
    [
        ({"guard": "a"}, {"L1": 5, "L4": 5, "L5": 5, "T6": 5, "T7": 5}),
        (
            {"null_entries": "b"},
            {"L2": 1, "L3": 2, "L3-msg": 2, "L4": 5, "L5": 4, "T6": 4, "T6-msg": 5, "T7": 4, "T7-msg": 5, "S3": 4}
            | {"S3-msg": 5},
        ),
        ({"null_entries": "c"}, {"L7": 1, "L7-msg": 2, "S1": 3}),
        ({"null_entries": "d"}, {"L2": 1}),
        (
            {"copies": "c"},
            {"IMPL-msg": 3, "T3-msg": 2, "C1": 2, "T7-msg": 2, "S3-msg": 2, "T4": 3, "FP": 4},
        ),
        ({"own_entry": "b"}, {"L1-msg": 2, "L3-msg": 1, "L7-msg": 1, "S3-msg": 1}),
    ],
    ids=str,
)
def test_what_breaks_the_claims(readings: dict[str, str], false: dict[str, int]) -> None:
    """KS-2a, KS-10b, c and d, KS-6c, KS-32b, with 3 multicasts."""
    model = KS(**readings)
    expected = {f"C-KS-{name}": steps for name, steps in false.items()}
    assert false_claims(model, found(model), *expected, "C-KS-L6", "C-KS-IMPL", "C-KS-T3") == expected


def test_the_literal_statement_needs_all_empty_entries() -> None:
    """Section 4.2 as printed holds only where no empty entry is deleted (KS-10c)."""
    assert false_claims(KS(null_entries="c"), found(KS(null_entries="c")), *FALSE) == {}


def test_removing_the_receiver_from_log_drops_facts_that_a_copy_brings() -> None:
    """KS-34b with self-addressed messages in the network, 2 processes."""
    model = KS(removal="b")
    false = false_claims(model, found(model, processes=2, self_addressed="network"), *claims_of("ks"))
    lost = {"C-KS-T3": 3, "C-KS-L6": 4, "C-KS-IMPL": 4, "C-KS-C1": 4, "C-KS-T4": 5}
    assert {id: false.get(id) for id in lost} == lost


def state(LOG: Entries) -> KSState:
    return KSState(1, 0, (0,) * 3, frozenset(LOG.items()))


def test_the_sizes_of_section_6_2() -> None:
    """nd_i < n is broken by no run of any reading, so it is by hand."""
    empty = frozenset[int]()
    full = {(1, 1): frozenset({1, 2, 3}), (1, 2): empty, (2, 0): empty, (3, 0): empty}
    fits = {(1, 1): frozenset({1, 2}), (1, 2): empty, (2, 0): frozenset({1, 2, 3}), (3, 0): empty}
    many = {(1, t): empty for t in range(1, 5)}
    for id, LOG, expected in (("S2", full, False), ("S2", fits, True), ("S1", full, True), ("S1", many, False)):
        copy = Packet(2, 1, Message(2, 1, frozenset({1})), frozenset(LOG.items()))
        assert holds(f"C-KS-{id}", state=state(LOG)) is expected
        assert holds(f"C-KS-{id}-msg", before=state({}), event=copy) is expected
        assert holds(f"C-KS-{id}-msg", before=state({}), event=copy.message)


def test_initial_entries_are_no_messages() -> None:
    assert holds("C-KS-L3", state=state({(1, 0): frozenset()}), past=Past())
    assert not holds("C-KS-L3", state=state({(1, 1): frozenset()}), past=Past())


def test_the_logs_of_hardware_multicast_are_those_of_ks() -> None:
    """C-KS-V1; with KS-10b what a copy says of other processes is no longer exact."""
    model = KSHardware()
    assert false_claims(model, found(model), *claims_of("ks-hardware")) == FALSE
    model = KSHardware(null_entries="b")
    assert false_claims(model, found(model), "C-KS-V1") == {"C-KS-V1": 5}


@pytest.mark.parametrize(("letter", "false"), [("a", {"C-KS-S4": 3}), ("b", {"C-KS-S4": 3}), ("c", {})])
def test_half_of_n_bounds_an_entry_and_not_a_sender(letter: str, false: dict[str, int]) -> None:
    """C-KS-S4: two entries of one sender may name two of three processes."""
    model = KSComplement(counted=letter)
    assert false_claims(model, found(model), "C-KS-S4", "C-KS-T7-msg") == false


def test_the_lookahead_loses_required_facts() -> None:
    """C-KS-V2."""
    for model, false in ((KSLookahead(), {}), (KSLookahead(ahead="a"), {"C-KS-V2": 4})):
        assert false_claims(model, found(model), "C-KS-V2") == false


def test_leaving_out_duplicates_needs_their_removals() -> None:
    """C-KS-V4, FIFO channels."""
    for model, false in ((KSDifferences(), {}), (KSDifferences(duplicates="a"), {"C-KS-V4": 5})):
        assert false_claims(model, found(model), "C-KS-V4") == false
