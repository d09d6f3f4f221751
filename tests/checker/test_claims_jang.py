"""The claims of Jang et al. about states, copies and steps: which hold, which do not, and what breaks the others."""

from __future__ import annotations

from functools import cache

import pytest

from claimed import claims_in, false_claims, judged
from naive import Found
from naively import explored
from precede.checker.claims import jang
from precede.checker.claims.registry import holds
from precede.checker.history import Past, Sent
from precede.models import Message, Packet
from precede.models.jang import Jang, JangControl, JangState

IDS = claims_in(jang)
FALSE = {"C-J-B1": 3, "C-J-I4": 4}
"""The claims that the default reading does not keep, and the steps of a shortest run to where."""


@cache
def found(model: Jang, **bounds: object) -> Found:
    return explored(model, **({"processes": 3, "sends": 2} | bounds))


def test_all_but_two_claims_hold_with_three_multicasts() -> None:
    results = judged(Jang(), found(Jang(), sends=3), *IDS)
    assert {id: result.false_after for id, result in results.items() if result.false_after is not None} == FALSE
    assert all(result.asked > 40 for result in results.values())


def test_all_but_two_claims_hold_with_three_unicasts() -> None:
    assert false_claims(Jang(), found(Jang(), sends=3, dests="unicast"), *IDS) == FALSE


@pytest.mark.parametrize(
    ("model", "false"),
    [
        (Jang(last="b"), set()),
        (Jang(last="c"), set()),
        (Jang(strike_older="b"), set()),
        (Jang(empty_tuples="c"), set()),
        (Jang(empty_tuples="b"), {"C-J-I3", "C-J-I3-msg", "C-J-R2", "C-J-R2-3", "C-J-R2-5", "C-J-R3"}),
        (
            Jang(struck="b"),
            {"C-J-I5", "C-J-R2", "C-J-R2-4", "C-J-R2-5", "C-J-R3", "C-J-R3-msg"},
        ),
        (
            Jang(own_tuple="c"),
            {"C-J-I5", "C-J-I5-msg", "C-J-R2", "C-J-R2-2", "C-J-R2-3", "C-J-R3", "C-J-R3-msg"},
        ),
        (Jang(constraints="b"), {"C-J-R3-msg"}),
        (Jang(constraints="c"), {"C-J-R3-msg"}),
        (Jang(comparison="b"), {"C-J-I5", "C-J-R2", "C-J-R2-3", "C-J-R2-5", "C-J-R3"}),
        (Jang(comparison="d"), {"C-J-I5", "C-J-R2", "C-J-R2-3", "C-J-R2-5", "C-J-R3"}),
        (Jang(inserted="b"), {"C-J-I3", "C-J-I3-msg", "C-J-R2", "C-J-R2-3", "C-J-R3"}),
        (Jang(inserted="c"), {"C-J-R2", "C-J-R2-2", "C-J-R2-3", "C-J-R3", "C-J-R3-msg"}),
    ],
)
def test_readings_break_the_claims_about_what_they_change(model: Jang, false: set[str]) -> None:
    """Two multicasts, where B1 can only be broken by J-2c, and R6 by what keeps empty tuples and has R6."""
    others = [id for id in IDS if id not in FALSE]
    assert set(false_claims(model, found(model), *others)) == false


@pytest.mark.parametrize(("model", "steps"), [(Jang(struck="b"), 2), (Jang(own_messages="b"), 2)])
def test_constraints_are_lost_with_messages_to_oneself(model: Jang, steps: int) -> None:
    runs = found(model, processes=2, self_addressed="network")
    assert false_claims(model, runs, "C-J-I1", "C-J-I2") == {"C-J-I1": 3, "C-J-I2": steps}
    assert false_claims(Jang(), found(Jang(), processes=2, self_addressed="network"), "C-J-I1", "C-J-I2") == {}


@pytest.mark.parametrize(("own", "in_state", "in_copy"), [("network", 2, 3), ("at-send", 2, 3)])
def test_a_component_has_more_tuples_where_messages_go_to_oneself(own: str, in_state: int, in_copy: int) -> None:
    runs = found(Jang(), processes=2, sends=3, self_addressed=own)
    sizes = false_claims(Jang(), runs, "C-J-B1", "C-J-B1-nonempty", "C-J-B1-msg")
    assert sizes["C-J-B1"] == in_state and sizes["C-J-B1-msg"] == in_copy
    assert ("C-J-B1-nonempty" in sizes) == (own == "network")


def test_b1_fails_because_s5_comes_after_s3() -> None:
    """1 sends to 3, to 2, and to 2 again: S2 empties 1.2, S3 keeps it as the latest, and S5 then adds 1.3."""
    model, state = Jang(), Jang().start(1, 3)
    for number, d in enumerate((3, 2, 2), 1):
        state = model.send(state, Message(1, number, frozenset({d}))).state  # type: ignore[union-attr, assignment]
    assert {(t, D) for _, t, D in state.CI} == {(1, frozenset({3})), (2, frozenset()), (3, frozenset({2}))}
    assert not holds("C-J-B1", state=state)
    assert holds("C-J-B1-nonempty", state=state)


def test_a_duplicate_does_not_make_dlv_say_too_much() -> None:
    """DLV goes back (J-5a), which costs Delivery, but not C-J-I1."""
    runs = found(Jang(), processes=2, sends=3, duplicates=1)
    assert "Delivery" in runs.violated
    assert false_claims(Jang(), runs, "C-J-I1") == {}


NOTHING = Past()
M1, M2 = Message(1, 1, frozenset({2, 3})), Message(1, 2, frozenset({3}))
AFTER_M1 = NOTHING.after_send(M1)
AFTER_BOTH = AFTER_M1.after_send(M2)
AT_2 = NOTHING.after_delivery(Sent(M1, NOTHING), 2)


@pytest.mark.parametrize(
    ("fact", "process", "past", "type"),
    [
        (((1, 1), 2), 1, AFTER_M1, None),
        (((1, 1), 2), 2, AT_2, 2),
        (((1, 1), 2), 3, AT_2.after_delivery(Sent(Message(2, 1, frozenset({3})), AT_2), 3), 3),
        (((1, 1), 3), 1, AFTER_BOTH, 4),
        (((1, 1), 3), 3, AFTER_BOTH, 5),
        (((1, 1), 2), 1, AFTER_BOTH, None),
    ],
)
def test_types_of_redundant_information(fact: jang.Fact, process: int, past: Past, type: int | None) -> None:
    assert jang.type_of(fact, process, past) == type


@pytest.mark.parametrize(
    ("id", "values"),
    [
        ("C-J-I1", {"process": 2, "state": JangState(2, 0, frozenset(), (2, 0, 0)), "past": AFTER_M1}),
        ("C-J-I1", {"process": 2, "state": JangState(2, 0, frozenset(), (frozenset({1}), 0, 0)), "past": AFTER_M1}),
        ("C-J-I3", {"state": JangState(1, 2, frozenset({(1, 1, frozenset({2}))}), (0, 0, 0)), "past": AFTER_BOTH}),
        (
            "C-J-I5",
            {"state": JangState(1, 2, frozenset({(1, 1, frozenset({3})), (1, 2, frozenset({2, 3}))}), (0, 0, 0))},
        ),
        (
            "C-J-R3-msg",
            {
                "model": Jang(),
                "packet": Packet(1, 2, M1, JangControl(frozenset({(2, 1, frozenset({3}))}), frozenset())),
                "past": NOTHING,
            },
        ),
        (
            "C-J-R2-2",
            {
                "model": Jang(),
                "process": 2,
                "state": JangState(2, 0, frozenset({(1, 1, frozenset({2}))}), (1, 0, 0)),
                "past": AT_2,
            },
        ),
    ],
)
def test_a_changed_state_or_copy_breaks_a_claim(id: str, values: dict[str, object]) -> None:
    assert not holds(id, **values)


def test_r6_removes_and_the_claim_about_it_looks_at_unicasts_alone() -> None:
    """2 answers 1.1, so that 1 holds the tuple (1, {2}) and receives (1, {})."""
    to_2 = Message(1, 1, frozenset({2}))
    before = JangState(1, 1, frozenset({(1, 1, frozenset({2}))}), (0, 0))
    copy = Packet(2, 1, Message(2, 1, frozenset({1})), JangControl(frozenset({(1, 1, frozenset())}), frozenset()))
    for dests, true in ((frozenset({2}), False), (frozenset({2, 3}), True)):
        past = NOTHING.after_send(to_2._replace(dests=dests))
        assert holds("C-J-I4", model=Jang(), before=before, event=copy, past=past) == true


@pytest.mark.parametrize("first", [True, False])
def test_a_delivery_before_what_its_copy_names_breaks_i2(first: bool) -> None:
    before = JangState(3, 0, frozenset(), (1, 0, 0))
    copy = Packet(1, 3, M2, JangControl(frozenset(), frozenset({(1, 1)})))
    past = (NOTHING.after_delivery(Sent(M1, NOTHING), 3) if first else NOTHING).after_delivery(Sent(M2, AFTER_M1), 3)
    assert holds("C-J-I2", model=Jang(), process=3, before=before, event=copy, past=past) == first
