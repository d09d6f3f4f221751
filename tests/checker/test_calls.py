"""The contract of a model, and what a model that breaks it is told."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import MOST_ALTERNATIVES, ModelCalls
from precede.checker.errors import ModelError, UsageError
from precede.checker.loading import LoadedModel, load_model
from precede.models import Message, Model, Packet, Step, Steps

M = Message(1, 1, frozenset({2, 3}))


@dataclass(frozen=True)
class Eager(Model):
    """Delivers everything at once; the state is (process, deliveries)."""

    def start(self, me: int, processes: int) -> Any:
        return (me, 0)

    def send(self, state: Any, message: Message) -> Any:
        return Step(state, tuple(Packet(message.sender, d, message, None) for d in message.dests))

    def receive(self, state: Any, packet: Packet) -> Any:
        return Step((state[0], state[1] + 1), (), (packet.message,))


def calls(model: Model, **bounds: Any) -> ModelCalls:
    return ModelCalls(LoadedModel("mine", model, {}, False), Bounds(**bounds))


def broken(method: str, function: Any) -> ModelCalls:
    return calls(type("Broken", (Eager,), {method: function})())


PACKET = Packet(1, 2, M, None)


def test_the_three_calls() -> None:
    mine = calls(Eager())
    assert mine.start(2) == (2, 0)
    (sent,) = mine.send((1, 0), M)
    assert [packet.to for packet in sent.packets] == [2, 3]
    assert mine.receive((2, 0), PACKET) == (Step((2, 1), (), (M,)),)
    assert mine.facts_of_state((2, 0)) is None
    assert mine.facts_of_packet(PACKET) is None


def test_none_and_nothing_yielded_both_mean_not_enabled() -> None:
    assert broken("receive", lambda self, state, packet: None).receive((2, 0), PACKET) == ()
    assert broken("send", lambda self, state, message: iter(())).send((1, 0), M) == ()


def test_equal_alternatives_are_one_and_the_order_is_kept() -> None:
    def receive(self: Any, state: Any, packet: Packet) -> Iterator[Step]:
        for value in (7, 3, 7, 5, 3):
            yield Step((2, value), (), (packet.message,))

    assert [step.state for step in broken("receive", receive).receive((2, 0), PACKET)] == [(2, 7), (2, 3), (2, 5)]


def sending(*packets: Packet) -> Any:
    return lambda self, state, message: Step(state, packets)


def receiving(answer: Any) -> Any:
    return lambda self, state, packet: answer


TO_2, TO_3 = Packet(1, 2, M, None), Packet(1, 3, M, None)
counter = itertools.count()


class ByIdentity:
    pass


class Incomparable:
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        raise ValueError("never")


def nested(levels: int) -> Any:
    value: Any = ()
    for _ in range(levels):
        value = (value,)
    return value


@dataclass
class Unfrozen:
    x: int


@dataclass(unsafe_hash=True)
class Changing:
    x: int


class Nested(NamedTuple):
    inner: Any


def changes_the_packet(self: Any, state: Any, packet: Packet) -> Steps:
    packet.control.x += 1
    return Step(state, (), (packet.message,))


def random_answer(self: Any, state: Any, packet: Packet) -> Steps:
    return Step((2, random.random()), (), (packet.message,))


def raises(self: Any, state: Any, packet: Packet) -> Steps:
    return {}["no such\nkey"]  # type: ignore[no-any-return]


def exits(self: Any, state: Any, packet: Packet) -> Steps:
    raise SystemExit(1)


WRONG_SENDS = {
    "to a process that does not exist": (sending(TO_2, TO_3._replace(to=4)), "to process 4: the processes are 1 to 3"),
    "to nobody of the message": (
        sending(TO_2, TO_3._replace(to=1)),
        "to 1, which is no destination of the message",
    ),
    "to one destination only": (sending(TO_2), "send transmits no packet to destination 3"),
    "twice to one": (sending(TO_2, TO_2, TO_3), "send transmits 2 packets to destination 2"),
    "in another's name": (sending(TO_2._replace(sender=3), TO_3), "a packet with sender 3: it is 1"),
    "another message": (sending(TO_2._replace(message=M._replace(number=9)), TO_3), "send transmits another message"),
    "packets in a list": (lambda self, state, message: Step(state, [TO_2, TO_3]), "send transmits a list"),  # type: ignore[arg-type]
    "tuples for packets": (sending((1, 2, M, None), TO_3), "give a tuple of Packet(sender, to, message, control)"),  # type: ignore[arg-type]
    "a delivery": (lambda self, state, message: Step(state, (TO_2, TO_3), (M,)), "send delivers a message"),
    "a bare tuple": (lambda self, state, message: (state, (TO_2, TO_3)), "write Step(state, packets, delivered)"),
    "a list as control": (sending(TO_2._replace(control=[1]), TO_3), "holds a list: use a tuple"),
    "an object as control": (
        sending(TO_2._replace(control=ByIdentity()), TO_3),
        "control information that holds a By",
    ),
}

WRONG_RECEIVES = {
    "text": (receiving("no"), "receive returns a str ('no'): return a Step, several of them, or None"),
    "true": (receiving(True), "receive returns a bool (True)"),
    "nothing delivered": (
        receiving(Step((2, 0))),
        "receive delivers (): a step that takes a packet delivers",
    ),
    "another message": (
        receiving(Step((2, 0), (), (M._replace(number=4),))),
        "receive delivers (Message(sender=1",
    ),
    "packets": (receiving(Step((2, 0), (TO_2,), (M,))), "receive transmits packets"),
    "a list in the state": (receiving(Step((2, [1]), (), (M,))), "a value that holds a list: use a tuple"),
    "a dict in the state": (receiving(Step(Nested({}), (), (M,))), "a value that holds a dict: use a tuple of pairs"),
    "a set in the state": (receiving(Step((2, {1}), (), (M,))), "a value that holds a set: use a frozenset"),
    "an unfrozen dataclass": (receiving(Step(Unfrozen(1), (), (M,))), "holds an Unfrozen, which cannot be hashed"),
    "an object": (
        receiving(Step(ByIdentity(), (), (M,))),
        "state that holds a ByIdentity, which is equal only",
    ),
    "a function": (receiving(Step((1, raises), (), (M,))), "holds a function, which is equal only to itself"),
    "too many": (
        lambda self, state, packet: (Step((2, n), (), (M,)) for n in itertools.count()),
        f"more than {MOST_ALTERNATIVES} alternatives",
    ),
    "random": (random_answer, "receive gave two answers to the same call: it may use random numbers"),
    "a counter": (lambda self, state, packet: Step((2, next(counter)), (), (M,)), "gave two answers to the same call"),
    "the address of the packet": (lambda self, state, packet: Step((2, id(packet)), (), (M,)), "gave two answers"),
    "an exception": (raises, "receive raised KeyError: 'no such\\nkey' ("),
    "an exit": (exits, "receive raised SystemExit: 1 ("),
}


@pytest.mark.parametrize("case", WRONG_SENDS)
def test_a_send_that_breaks_the_contract(case: str) -> None:
    function, says = WRONG_SENDS[case]
    with pytest.raises(ModelError, match=re.escape(says)) as caught:
        broken("send", function).send((1, 0), M)
    assert str(caught.value).startswith("Broken.send ")
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 75


@pytest.mark.parametrize("case", WRONG_RECEIVES)
def test_a_receive_that_breaks_the_contract(case: str) -> None:
    function, says = WRONG_RECEIVES[case]
    with pytest.raises(ModelError, match=re.escape(says)) as caught:
        broken("receive", function).receive((2, 0), PACKET)
    assert str(caught.value).startswith("Broken.receive ")
    assert "\n" not in str(caught.value)


def test_a_packet_or_state_that_is_changed_in_place() -> None:
    with pytest.raises(ModelError, match="receive changes the state or packet that it is given"):
        broken("receive", changes_the_packet).receive((2, 0), PACKET._replace(control=Changing(1)))


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (lambda self, me, processes: None, "start returns None"),
        (lambda self, me, processes: Step(1), "start returns a Step"),
        (lambda self, me, processes: [me], "holds a list: use a tuple"),
        (lambda self, me, processes: ByIdentity(), "equal only to itself"),
        (lambda self, me, processes: nested(10_000), "nested deeper than 50 levels"),
        (
            lambda self, me, processes: Incomparable(),
            "start returns a value that cannot be compared: ValueError: never",
        ),
        (lambda self, me, processes: me / 0, "start raised ZeroDivisionError: division by zero"),
    ],
)
def test_a_start_that_breaks_the_contract(start: Any, says: str) -> None:
    with pytest.raises(ModelError, match=re.escape(says)):
        broken("start", start).start(1)


@pytest.mark.parametrize("facts", [3, {1}, {(1, 2)}, {((1, 1), 9)}, {((1, "x"), 2)}, [[(1, 1), 2]]])
def test_facts_of_the_wrong_shape(facts: Any) -> None:
    with pytest.raises(ModelError, match=r"facts .*: give "):
        broken("state_facts", lambda self, state: facts).facts_of_state((1, 0))


def test_an_exception_names_the_file_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from precede.models import Model\n"
        "class Mine(Model):\n"
        "    def start(self, me, processes): return 0\n"
        "    def send(self, state, message):\n"
        "        return helper(state)\n"
        "    def receive(self, state, packet): return None\n"
        "def helper(state):\n"
        "    return len(state)  # S1\n"
    )
    with pytest.raises(ModelError) as caught:
        ModelCalls(load_model(f"{path}:Mine"), Bounds()).send(0, M)
    assert str(caught.value) == f"Mine.send raised TypeError: object of type 'int' has no len() ({path}, line 8)"


def test_an_exception_of_an_inherited_method_names_the_file_of_that_method(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text("class Base:\n    def send(self, state, message):\n        return 1 // state\n")
    path = tmp_path / "own.py"
    path.write_text(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from base import Base\n"
        "from precede.models import Model\n"
        "class Own(Base, Model):\n"
        "    def start(self, me, processes): return 0\n"
        "    def receive(self, state, packet): return None\n"
    )
    with pytest.raises(ModelError, match=re.escape(f"({tmp_path / 'base.py'}, line 3)")):
        ModelCalls(load_model(f"{path}:Own"), Bounds()).send(0, M)


OWN = Message(1, 1, frozenset({1, 2}))


def test_at_send_the_senders_own_copy_is_received_in_the_same_step() -> None:
    (step,) = calls(Eager(), self_addressed="at-send").send((1, 0), OWN)
    assert (step.state, [packet.to for packet in step.packets], step.delivered) == ((1, 1), [2], (OWN,))
    (step,) = calls(Eager(), self_addressed="network").send((1, 0), OWN)
    assert (step.state, [packet.to for packet in step.packets], step.delivered) == ((1, 0), [1, 2], ())


def test_at_send_a_send_whose_own_copy_would_wait_is_not_enabled() -> None:
    waiting = type("Waiting", (Eager,), {"receive": lambda self, state, packet: None})()
    assert calls(waiting, self_addressed="at-send").send((1, 0), OWN) == ()
    assert calls(waiting, self_addressed="at-send").send((1, 0), M) != ()


def test_a_reading_that_forbids_self_addressed_messages() -> None:
    with pytest.raises(UsageError, match="RST-3a forbids self-addressed messages; add --reading RST-3b"):
        ModelCalls(load_model("rst"), Bounds(self_addressed="network"))
    ModelCalls(load_model("rst", ["RST-3b"]), Bounds(self_addressed="network"))


def test_a_self_addressed_that_raises_is_the_models_mistake() -> None:
    model = type("Broken", (Eager,), {"self_addressed": property(lambda self: 1 / 0)})()
    with pytest.raises(ModelError, match=r"Broken\.self_addressed raised ZeroDivisionError"):
        calls(model, self_addressed="network")


def test_what_a_model_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    broken("start", lambda self, me, processes: print("said") or me).start(1)  # type: ignore[func-returns-value]
    out, err = capsys.readouterr()
    assert (out, err) == ("", "said\nsaid\n")
