"""The TLA+ values that TLC prints become Python values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precede.checker.tlc.values import Function, NotAValue, Process, function, parse, parse_state, record, show

VALUES = st.recursive(
    st.integers() | st.text() | st.integers(1, 20).map(Process),
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["sent", "D", "x_1"]), inner, min_size=1).map(lambda f: record(**f))
        | st.dictionaries(st.integers(), inner, min_size=1, max_size=3).map(lambda f: function(f.items()))
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-3", -3),
        ("TRUE", True),
        ('"at-send"', "at-send"),
        (r'"a \"b\" \\ c"', 'a "b" \\ c'),
        ("<<>>", ()),
        ("<< 1,\n   {} >>", (1, frozenset())),
        ("{<<1, 2>>, <<2, 1>>}", frozenset({(1, 2), (2, 1)})),
        ("[ to |-> 2,\n    D |-> {1} ]", record(to=2, D=frozenset({1}))),
        ("(2 :> 5 @@ 3 :> {})", Function(frozenset({(2, 5), (3, frozenset())}))),
        ("(1 :> 5 @@ 2 :> 6)", (5, 6)),
        ('("a" :> 1)', record(a=1)),
        ("{p1, p12}", frozenset({Process(1), Process(12)})),
        ("(p1 :> 0 @@ p2 :> 1)", Function(frozenset({(Process(1), 0), (Process(2), 1)}))),
    ],
)
def test_a_printed_value_is_read(text, value):
    assert parse(text) == value


def test_a_record_is_the_function_on_its_field_names():
    assert parse("[a |-> 1, b |-> 2]") == parse('("b" :> 2 @@ "a" :> 1)')
    assert parse("[a |-> 1]")["a"] == 1


@given(VALUES)
def test_what_is_shown_is_read_back(value):
    assert parse(show(value)) == value


@pytest.mark.parametrize(
    "text",
    ["", "<<1", "{1 2}", "[a 1]", "[a |-> ]", "(1 :> 2 @@", "1 2", "p0", "q1", "/\\", '"open', "(1 -> 2)", "[a |-> 1"],
)
def test_what_is_no_value_is_refused(text):
    with pytest.raises(NotAValue):
        parse(text)


def test_a_state_is_its_variables():
    assert parse_state("/\\ LOG = << {},\n   {1} >>\n/\\ SR = <<<<0, 0>>>>\n") == {
        "LOG": (frozenset(), frozenset({1})),
        "SR": ((0, 0),),
    }
    assert parse_state("clock = 3\n") == {"clock": 3}


def test_what_is_no_state_is_refused():
    with pytest.raises(NotAValue):
        parse_state("Stuttering")
