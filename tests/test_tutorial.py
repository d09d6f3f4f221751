"""The tutorial is true: its files are written, its commands run, and they print and exit as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_readme import agrees, commands

from precede.checker.cli import run

TEXT = (Path(__file__).parent.parent / "models" / "TUTORIAL.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
HEAD = re.compile(r"# (\w+\.py)(, continued)?(?:, from (\w+ \w+) on)?\n")
CONSOLE = [place for place, (kind, _) in enumerate(BLOCKS) if kind == "console"]


def files_before(place: int) -> dict[str, str]:
    """The files of a reader who has come to block `place`; a block starts a file, continues it, or replaces its end."""
    files: dict[str, str] = {}
    for kind, content in BLOCKS[:place]:
        if kind == "python":
            name, continued, old = HEAD.match(content).groups()
            before = files[name].partition(f"\n{old}(")[0] if old else files[name] if continued else ""
            assert not old or before != files[name], f"{name} has no {old}"
            files[name] = f"{before}\n{content}"
    return files


def test_every_block_is_a_file_or_commands_with_their_output() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python", "console"} and CONSOLE
    for place in CONSOLE:
        asked = list(commands(BLOCKS[place][1]))
        assert asked and all(set(lines) > {"..."} for _, lines, _ in asked)


@pytest.mark.parametrize(
    "place", CONSOLE, ids=lambda place: BLOCKS[place][1].splitlines()[0].removeprefix("$ precede ")
)
def test_the_commands_do_what_the_tutorial_says(place, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files_before(place).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    for arguments, expected, code in commands(BLOCKS[place][1]):
        assert run(arguments) == code, arguments
        printed = "".join(line.rstrip() + "\n" for line in capsys.readouterr().out.splitlines())
        assert agrees(printed, expected), f"precede {' '.join(arguments)} printed:\n{printed}"


def test_it_is_about_a_hundred_lines_of_code_and_two_pages() -> None:
    code = [line for kind, content in BLOCKS if kind == "python" for line in content.splitlines() if line.strip()]
    assert 70 <= len(code) <= 110 and len(TEXT.splitlines()) < 200
