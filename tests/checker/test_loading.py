"""Models by name, a user's own class, and what a wrong one is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from precede.checker.bounds import Bounds
from precede.checker.calls import ModelCalls
from precede.checker.errors import SpecificationError, UsageError
from precede.checker.loading import load_model
from precede.models.catalog import CATALOG

HEAD = """
from dataclasses import dataclass
from precede.models import Model, Packet, Step, reading
"""

CALLS = """
    def start(self, me, processes):
        return me
    def send(self, state, message):
        return Step(state, tuple(Packet(state, d, message, None) for d in sorted(message.dests)))
    def receive(self, state, packet):
        return Step(state, (), (packet.message,))
"""

EAGER = f"{HEAD}\n@dataclass(frozen=True)\nclass Eager(Model):{CALLS}"


def file(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CATALOG)
def test_built_in_models_come_with_all_their_readings(name: str) -> None:
    loaded = load_model(name)
    assert loaded.built_in
    assert type(loaded.model).__name__ == CATALOG[name].__name__
    assert loaded.readings == {
        reading_id: getattr(CATALOG[name](), f.name) for reading_id, (f, _) in CATALOG[name].readings().items()
    }


def test_a_models_own_file_is_loaded(tmp_path: Path) -> None:
    loaded = load_model(f"{file(tmp_path, EAGER)}:Eager")
    assert not loaded.built_in
    assert ModelCalls(loaded, Bounds()).start(2) == 2


def with_line(line: str) -> str:
    """EAGER with one line more at the top of its class."""
    return EAGER.replace("class Eager(Model):", f"class Eager(Model):\n    {line}")


def test_a_file_may_import_its_neighbours_and_is_run_again_when_it_has_changed(tmp_path: Path) -> None:
    file(tmp_path, "TITLE = 'from next door'\n", "neighbour_of_mine.py")
    path = file(tmp_path, with_line("from neighbour_of_mine import TITLE as title"))
    assert load_model(f"{path}:Eager").model.title == "from next door"
    file(tmp_path, with_line("title = 'changed'"))
    assert load_model(f"{path}:Eager").model.title == "changed"


MY_READING = "speed: str = reading('MY-1', 'how?', 'a', a='fast', b='slow')"


def test_a_reading_of_a_users_own_model(tmp_path: Path) -> None:
    loaded = load_model(f"{file(tmp_path, with_line(MY_READING))}:Eager", ["MY-1b"])
    assert loaded.readings == {"MY-1": "b"}
    assert loaded.model.speed == "b"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("kss", "no model is called 'kss': did you mean ks?"),
        ("JANG", "did you mean jang?"),
        ("zzz", "choose one of rst, ks, jang"),
        ("absent.py:Ring", "cannot read 'absent.py': No such file or directory"),
        ("", "no model is called ''"),
        (":", "cannot read '.'"),
    ],
)
def test_an_unknown_model(spec: str, says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)) as caught:
        load_model(spec)
    assert "\n" not in str(caught.value)


WRONG = {
    "a class that is not there": (
        EAGER,
        "Eagle",
        UsageError,
        "has no class 'Eagle'; its classes: Eager. Did you mean Eager?",
    ),
    "no class named": (EAGER, "", UsageError, "mine.py:Eager"),
    "no class named, of two": (
        f"{EAGER}\nclass Other(Eager):\n    pass\n",
        "",
        UsageError,
        "mine.py:Class, where Class is one of Eager",
    ),
    "a syntax error": ("x = (1,\n", "A", SpecificationError, "line 1: SyntaxError: '(' was never closed"),
    "an error while it runs": ("x = 1\ny = x / 0\n", "A", SpecificationError, "line 2: ZeroDivisionError: division"),
    "a file that exits": ("import sys\nsys.exit(3)\n", "A", SpecificationError, "line 2: SystemExit: 3"),
    "an import that fails": ("import no_such_module_x\n", "A", SpecificationError, "No module named"),
    "no model": ("class A: pass\n", "A", SpecificationError, "A is no subclass of precede.models.Model"),
    "a function": ("def A(): pass\n", "A", SpecificationError, "A is no subclass"),
    "a missing method": (
        HEAD + "class A(Model):\n    def start(self, me, processes): return 0\n",
        "A",
        SpecificationError,
        "A does not define send: write `def send(self, state, message)`",
    ),
    "a wrong signature": (
        EAGER.replace("receive(self, state, packet)", "receive(self, packet)"),
        "Eager",
        SpecificationError,
        "Eager has `def receive(self, packet)`: write `def receive(self, state, packet)`",
    ),
    "an async method": (
        EAGER.replace("def send", "async def send"),
        "Eager",
        SpecificationError,
        "Eager.send is async: write a plain `def send(self, state, message)`",
    ),
    "a method that is none": (EAGER + "    send = 3\n", "Eager", SpecificationError, "Eager.send is no plain method"),
    "a field without the decorator": (
        with_line(MY_READING).replace("@dataclass(frozen=True)", ""),
        "Eager",
        SpecificationError,
        "Eager.speed is a field: put @dataclass(frozen=True) above the class",
    ),
    "a class that is not frozen": (
        EAGER.replace("@dataclass(frozen=True)", "@dataclass"),
        "Eager",
        SpecificationError,
        "cannot inherit non-frozen dataclass from a frozen one",
    ),
    "a field without a default": (
        EAGER + "    speed: int\n",
        "Eager",
        SpecificationError,
        "give its fields (speed) hashable",
    ),
    "a title that is no text": (
        EAGER + "    title = 42\n",
        "Eager",
        SpecificationError,
        "Eager.title is 42: give a text",
    ),
    "a load that is none": (
        EAGER + "    load = 'anycast'\n",
        "Eager",
        SpecificationError,
        "Eager.load is 'anycast': give one of unicast, multicast, broadcast",
    ),
    "a relative import": (
        "from .helper import x\n",
        "A",
        SpecificationError,
        "a file is run by itself: write `import name` for a file beside it",
    ),
    "one class too few of many": (
        "".join(EAGER.replace("Eager", f"Eager{n}") for n in range(20)),
        "Nothing",
        UsageError,
        "Eager11 and 8 more.",
    ),
    "a default that is no variant": (
        with_line(MY_READING.replace("'a', a=", "'c', a=")),
        "Eager",
        SpecificationError,
        "the default 'c' of reading MY-1 is none of its variants (a, b)",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_file_is_told_what_is_wrong(case: str, tmp_path: Path) -> None:
    text, name, error, says = WRONG[case]
    path = file(tmp_path, text)
    with pytest.raises(error, match=re.escape(says)) as caught:
        load_model(f"{path}:{name}" if name else str(path))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.py"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecificationError, match=r"is not a Python file in UTF-8"):
        load_model(f"{path}:A")
    path.write_bytes(b"x = 1\x00")
    with pytest.raises(SpecificationError, match=r"null bytes"):
        load_model(f"{path}:A")
    with pytest.raises(UsageError, match=r"Is a directory"):
        load_model(f"{tmp_path}:A")
