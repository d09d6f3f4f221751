"""The README is true: its files exist, its commands run, and print and exit as it says."""

import re
from pathlib import Path

import pytest

from precede.checker.cli import run

README = (Path(__file__).parent.parent / "README.md").read_text()
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
FILES = dict(re.findall(r"```(?:python|text)\n# (\S+\.(?:py|txt))\n(.*?)```", README, re.DOTALL))
VOLATILE = re.compile(r"\d[\d,]*(\.\d+)? (?:s|x|MiB|GiB)\b| +")


def commands(block):
    """The commands of a console block: (arguments, the lines it prints, exit code)."""
    for part in re.split(r"^\$ precede ", block, flags=re.MULTILINE)[1:]:
        command, *lines = part.rstrip("\n").split("\n")
        code = re.fullmatch(r"\(exit code (\d+)\)", lines[-1]) if lines else None
        yield command.split(), lines[:-1] if code else lines, int(code[1]) if code else 0


def agrees(printed, expected):
    """Whether the printed lines are the expected ones: `...` is any lines; times, memory and columns vary."""
    parts = [re.escape(VOLATILE.sub("#", line)) + "\n" for line in expected]
    pattern = "".join("(?:.*\n)*" if line == "..." else part for line, part in zip(expected, parts, strict=True))
    return re.fullmatch(pattern, VOLATILE.sub("#", printed)) is not None


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.splitlines()[0][2:])
def test_the_commands_of_the_readme_do_what_it_says(block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    for arguments, expected, code in commands(block):
        assert run(arguments) == code, arguments
        printed = "".join(line.rstrip() + "\n" for line in capsys.readouterr().out.splitlines())
        assert agrees(printed, expected), f"precede {' '.join(arguments)} printed:\n{printed}"


def test_the_readme_names_the_two_commands():
    for command in ("-e . && .venv/bin/precede demo", "-e '.[test]' && .venv/bin/pytest"):
        assert f"\npython3 -m venv .venv && .venv/bin/pip install {command}\n" in README


def test_every_file_that_the_readme_names_exists():
    root = Path(__file__).parent.parent
    named = re.findall(r"`((?:models|checker|tla|proofs|tests|\.ci)/[\w./-]*)`", README)
    assert named and [name for name in named if not (root / name).exists()] == []
