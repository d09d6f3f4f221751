"""Facts about the project as a whole: packaging, rooms, sizes."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("models", "checker", "proofs", "tla")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
KINDS = ("", ".py", ".tla", ".txt", ".md", ".json", ".toml")
TEXTS = [path for path in ROOT.glob("*") if path.is_file() and path.suffix in KINDS]
for folder in (*ROOMS, "tests", ".ci"):
    TEXTS += [p for p in sorted((ROOT / folder).rglob("*")) if p.is_file() and p.suffix in KINDS]


def test_every_package_folder_is_installed():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {str(path.parent.relative_to(ROOT)) for path in SOURCES if path.name == "__init__.py"}
    assert {f"precede.{folder.replace('/', '.')}": folder for folder in folders} == settings["package-dir"]
    assert sorted(settings["package-dir"]) == sorted(settings["packages"])


def imports_of(path):
    """The absolute names of the modules that a file imports."""
    package = ["precede", *path.parent.relative_to(ROOT).parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield ".".join([*package[: len(package) - node.level + 1], node.module or ""])
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize(
    ("room", "allowed"), [("models", ("models",)), ("checker", ("checker", "models")), ("proofs", ("proofs", "models"))]
)
def test_rooms_import_only_what_they_may(room, allowed):
    used = {
        (path.name, name.split(".")[1])
        for path in (ROOT / room).rglob("*.py")
        for name in imports_of(path)
        if name.startswith("precede.")
    }
    assert {(file, other) for file, other in used if other not in allowed} <= {
        ("prove.py", "proofs"),
        ("bounded.py", "proofs"),
        ("minimal.py", "proofs"),
        ("minimal_cuts.py", "proofs"),
        ("refutations.py", "proofs"),
        ("solving.py", "proofs"),
    }


def test_no_module_is_longer_than_a_reader_likes():
    assert [path.name for path in SOURCES if len(path.read_text().splitlines()) > 350] == []


def test_no_text_names_the_machine_it_was_written_on():
    machine = re.compile(
        r"/(home|Users)/\w+|/work/|/root/|https?://(?!www\.w3\.org|localhost|www\.apache\.org)[\w.-]*(pypi|mirror|artifact)"
    )
    assert [path.name for path in TEXTS if path.name != "test_project.py" and machine.search(path.read_text())] == []
