"""The page of findings is what the registry makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from precede.checker.cli import run
from precede.checker.errors import SpecificationError, UsageError
from precede.checker.verdicts import load_registry
from precede.checker.verdicts.findings import Finding, escaped, findings, load_findings, page, showing
from precede.checker.verdicts.loading import parse_rows

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def text():
    return page()


def test_the_page_beside_the_readme_is_the_one_that_is_written(text):
    """precede findings -o FINDINGS.md"""
    assert (ROOT / "FINDINGS.md").read_text() == text


def test_every_row_is_on_the_page_and_every_file_it_links_to_is_there(text):
    assert [row.id for row in load_registry() if row.id not in text] == []
    links = {part.split(")")[0] for part in text.split("](")[1:]}
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_every_refuted_row_that_has_a_run_has_it_in_three_forms():
    """`precede claims --witnesses checker/verdicts/witnesses`, and readings."""
    folder = ROOT / "checker" / "verdicts" / "witnesses"
    by_form = {form: {file.stem for file in folder.glob(f"*.{form}")} for form in ("json", "txt", "svg")}
    assert by_form["json"] == by_form["txt"] == by_form["svg"]
    assert by_form["json"] <= {row.id for row in load_registry() if row.verdict == "refuted"}


def test_findings_name_rows_of_the_registry():
    rows = parse_rows('[[row]]\nid = "C-KS-T4"\nabout = "ks"\nstatement = "s"\nverdict = "open"\n', "x.toml")
    lines = list(findings(rows, [Finding("title", "text", ("C-KS",))]))
    assert lines[2] == "### 1. title" and lines[6].startswith("- **C-KS-T4** (s): open, no engine decides it.")
    with pytest.raises(UsageError, match="KS-99"):
        list(findings(rows, [Finding("title", "text", ("KS-99",))]))
    with pytest.raises(SpecificationError, match="'x' has not just title, text and rows"):
        load_findings('[[finding]]\ntitle = "x"\n')


def test_a_verdict_shows_the_evidence_that_it_rests_on(text):
    rows = {row.id: row for row in load_registry()}
    assert showing(rows["KS-2a"]).run == "check ks --reading KS-2a --sends 3"
    assert showing(rows["C-KS-T4"]).engine == "prove"
    assert "| refuted, 5 steps | exploration: 3 processes with at most 3 multicasts" in text


def test_what_the_registry_says_is_shown_as_it_is():
    assert escaped("M[*][j] < 2, `M[*] < 2`") == "M[\\*][j] &lt; 2, `M[*] < 2`"


def test_the_command_prints_or_writes_it(text, capsys, tmp_path):
    assert run(["findings"]) == 0
    assert capsys.readouterr().out == text
    assert run(["findings", "-o", str(tmp_path / "x.md")]) == 0
    assert (tmp_path / "x.md").read_text() == text
