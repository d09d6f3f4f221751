"""A model's values as JSON, as text, and compared: readable, in one order, safe to print."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import pytest

from precede.checker.errors import ModelError
from precede.checker.trace.values import differences, encode, printable, same, show


class Entry(NamedTuple):
    s: int
    D: frozenset[int]


@dataclass(frozen=True)
class Plain:
    a: int


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "encoded", "shown"),
    [
        (Entry(1, frozenset({3, 2})), {"s": 1, "D": {"set": [2, 3]}}, "(1,{2,3})"),
        (((0, 1), (2, 3)), [[0, 1], [2, 3]], "((0,1), (2,3))"),
        (frozenset({(10, 1), (9, 2)}), {"set": [[9, 2], [10, 1]]}, "{(9,2), (10,1)}"),
        ({2: "b", 1: "a"}, {"map": [[1, "a"], [2, "b"]]}, "{1: a, 2: b}"),
        (Plain(4), {"a": 4}, "(4)"),
        (Colour.RED, "RED", "RED"),
        (None, None, "-"),
        (True, True, "True"),
        (2**60, {"int": hex(2**60)}, hex(2**60)),
        (float("inf"), {"text": "inf"}, "inf"),
        (object(), {"text": "object"}, "object"),
    ],
)
def test_values_are_encoded_readably(value, encoded, shown):
    assert encode(value) == encoded
    assert show(encoded) == shown


def test_a_set_of_mixed_kinds_has_one_order():
    values = [1, "1", None, (1,), frozenset({1}), Entry(1, frozenset())]
    assert encode(frozenset(values)) == encode(frozenset(reversed(values)))


def test_an_object_whose_text_cannot_be_made_is_its_type():
    class Silent:
        def __repr__(self):
            raise ValueError

    assert encode(Silent())["text"].endswith("Silent")


def test_a_value_nested_without_end_is_the_models_mistake():
    value = ()
    for _ in range(200):
        value = (value,)
    with pytest.raises(ModelError, match="nested deeper than 50"):
        encode(value)


def test_differences_name_the_field_the_element_and_what_came_and_went():
    before = {"SENT": [[0, 0], [0, 0]], "LOG": {"set": [[1, {"set": [2, 3]}]]}, "clock": 1}
    after = {"SENT": [[0, 1], [0, 0]], "LOG": {"set": [[1, {"set": [3]}]]}, "clock": 1}
    assert differences(before, after) == [("SENT[1][2]", "0 -> 1"), ("LOG", "- (1,{2,3})  + (1,{3})")]
    assert differences(before, before) == []
    assert differences(3, 4) == [("state", "3 -> 4")]


def test_one_and_true_are_different_values():
    assert not same(1, True) and not same([0], [False]) and same([1, {"a": 2}], [1, {"a": 2}])


def test_text_for_a_terminal_has_no_control_characters():
    assert printable("a\x1b[31m\nb‮c\ud800") == "a�[31m�b�c�"
