"""The page as a file: one, self-contained, and nothing in it can be mistaken for markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from runs import hostile_trace, random_trace

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.page import document_of, page
from precede.checker.page.building import bundle, embedded
from precede.checker.trace import write_trace

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--\"'&\u2028"


def test_data_never_ends_its_element():
    assert embedded([EVIL]).isascii() and not set("<>&") & set(embedded([EVIL]))
    assert json.loads(embedded([EVIL])) == [EVIL]


def test_every_module_comes_after_those_that_it_needs():
    script = bundle()
    defined = [found[1] for found in re.finditer(r"^const (module_\w+) = \(\(\) => \{", script, re.MULTILINE)]
    used = [(found[0], found[1]) for found in re.findall(r"const \{[^}]*\} = (module_(\w+));", script)]
    assert defined[-1] == "module_main" and len(defined) == len(set(defined)) >= 10
    assert {name for name, _ in used} < set(defined)
    assert "import " not in re.sub(r"//.*|`[^`]*`|\"[^\"]*\"", "", script) and "export " not in script


def test_the_policy_allows_just_this_script_and_this_style_and_no_request(tmp_path):
    text = page([document_of(hostile_trace(tmp_path, EVIL, EVIL))], EVIL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    for tag in ("script", "style"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        hashed = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{hashed}'" in policy
    assert "default-src 'none'" in policy and "connect-src 'none'" in policy
    assert text.count("<script") == 2 and "<img" not in text
    assert set(re.findall(r"https?://[^\s\"'`)]+", text)) <= {"http://www.w3.org/2000/svg"}


def test_a_page_of_200_events_is_smaller_than_a_megabyte():
    trace = random_trace("ks", Bounds(5, 70), 200)
    assert len(trace.steps) == 200
    assert len(page([document_of(trace)]).encode()) < 2**20


def test_the_command_writes_one_page_of_several_traces(tmp_path, capsys):
    files = []
    for seed in (1, 2):
        files.append(str(tmp_path / f"{seed}.json"))
        write_trace(random_trace("rst", Bounds(3, 3), 6, seed), files[-1])
    assert run(["trace", "html", *files, "-o", str(tmp_path / "x.html")]) == 0
    data = re.search(r'id="data">(.*?)</script>', (tmp_path / "x.html").read_text(), re.DOTALL)[1]
    assert [one["called"] for one in json.loads(data)] == [
        "1: Raynal-Schiper-Toueg: matrix counters", "2: Raynal-Schiper-Toueg: matrix counters",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["-o", "x.html"], 2, "Missing argument"),
        (["none.json", "-o", "x.html"], 153, "none.json"),
        (["none.json", "-o", "x.svg"], 2, "ends in .html"),
    ],
)
def test_what_cannot_become_a_page_is_one_line(arguments, code, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["trace", "html", *arguments]) == code
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1 and not list(tmp_path.iterdir())
