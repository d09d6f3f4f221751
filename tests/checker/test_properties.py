"""Properties by name, and a user's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from precede.checker.errors import PropertyError, SpecificationError, UsageError
from precede.checker.properties import UserProperty, select_properties
from precede.models import Model
from precede.models.catalog import CATALOG

OWN = """
def bounded(state, past): return len(past.sent) < state
def small(packet, model, past): return packet < 9
def grows(before, after, event, process): return before <= after
def by_process(process): return process != 2
def with_limit(state, limit=3): return state < limit
def nothing(): return True
def mixed(state, packet): return True
def unknown(stat): return True
def anything(*values): return True
def keywords(state, **more): return True
def forgets(state): state < 3
def number(state): return 1
def fails(state):
    x = state
    return x / 0
async def later(state): return True
constant = 3
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


def user(path: Path, name: str) -> UserProperty:
    (found,) = select_properties([f"{path}:{name}"], CATALOG["ks"]())
    assert isinstance(found, UserProperty)
    return found


def test_without_names_it_is_what_the_source_claims() -> None:
    assert select_properties([], CATALOG["rst"]()) == ("CausalOrder", "Delivery", "NoNeedlessDelay")
    assert select_properties([], CATALOG["ks"]()) == ("CausalOrder", "Delivery", "NoNeedlessDelay", "Minimality")


def test_named_properties_in_their_order_each_once() -> None:
    assert select_properties(["Minimality", "Delivery", "Minimality"], CATALOG["rst"]()) == ("Minimality", "Delivery")


@pytest.mark.parametrize(
    ("name", "kind", "needs"),
    [
        ("bounded", "state", {"state", "past"}),
        ("small", "packet", {"packet", "model", "past"}),
        ("grows", "step", {"before", "after", "event", "process"}),
        ("by_process", "state", {"process"}),
        ("with_limit", "state", {"state"}),
    ],
)
def test_the_parameters_say_the_kind(own: Path, name: str, kind: str, needs: set[str]) -> None:
    found = user(own, name)
    assert (found.name, found.kind, found.needs) == (f"{own}:{name}", kind, needs)


def test_judge_is_called_with_keywords(own: Path) -> None:
    assert user(own, "grows").judge(before=1, after=2, event=None, process=1) is True
    assert user(own, "by_process").judge(process=2) is False


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Deliver", "did you mean Delivery?"),
        ("causalorder", "did you mean CausalOrder?"),
        ("xyz", "choose one of CausalOrder, Delivery, Integrity, NoNeedlessDelay, Minimality"),
        ("absent.py:bounded", "cannot read 'absent.py'"),
    ],
)
def test_an_unknown_property(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)) as caught:
        select_properties([name], CATALOG["ks"]())
    assert "\n" not in str(caught.value)


def test_an_unknown_function(own: Path) -> None:
    with pytest.raises(UsageError, match=r"has no function 'bound'; its functions: .* Did you mean bounded\?"):
        user(own, "bound")
    with pytest.raises(UsageError, match=r"which function\?"):
        select_properties([str(own)], CATALOG["ks"]())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "nothing",
            "asks for nothing: a property names any of these of one kind (state: model, process",
        ),
        ("mixed", "mixes packet, state"),
        ("unknown", "asks for 'stat'"),
        ("anything", "asks for 'values'"),
        ("keywords", "asks for 'more'"),
        ("later", "is no plain function"),
        ("constant", "is no plain function"),
    ],
)
def test_a_function_that_is_no_property(own: Path, name: str, says: str) -> None:
    with pytest.raises(SpecificationError, match=re.escape(says)) as caught:
        user(own, name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("forgets", "returned a NoneType: let every path return True or False"),
        ("number", "returned an int"),
        ("fails", "raised ZeroDivisionError: division by zero ("),
    ],
)
def test_a_property_that_fails_while_it_is_evaluated(own: Path, name: str, says: str) -> None:
    with pytest.raises(PropertyError, match=re.escape(says)) as caught:
        user(own, name).judge(state=1)
    assert caught.value.exit_code == 76
    if name == "fails":
        assert str(caught.value).endswith(f"({own}, line 16)")


def test_a_model_and_a_property_in_one_file_share_their_classes(tmp_path: Path) -> None:
    path = tmp_path / "both.py"
    path.write_text("class Mark: pass\nMARK = Mark()\ndef same(state): return isinstance(state, Mark)\n")
    from precede.checker.user_code import run_file

    assert user(path, "same").judge(state=run_file(path).module.MARK) is True


@pytest.mark.parametrize("claims", ["CausalOrder", (), ("CausalOrder", "Causal")])
def test_claims_of_the_wrong_shape(claims: Any) -> None:
    model = type("Mine", (Model,), {"claims": claims})()
    with pytest.raises(SpecificationError, match=r"Mine\.claims "):
        select_properties([], model)
