"""Many runs on one page, and runs in notebooks."""

from __future__ import annotations

import base64
import re
from html import unescape

import pytest
from browser import console
from runs import calls_of, hostile_trace, random_trace

from precede.checker.bounds import Bounds
from precede.checker.cli import run
from precede.checker.engine import explore
from precede.checker.page.committed import committed_traces, row_of
from precede.checker.page.gallery import Exhibit, gallery
from precede.checker.page.telling import chosen_readings
from precede.checker.properties import select_properties
from precede.checker.trace import read_trace, write_trace

EVIL = '</script><script>window.top.hit=1</script><img src=x onerror="window.top.hit=2">'


def test_every_committed_trace_has_an_exhibit_with_a_picture_and_a_page(tmp_path, capsys):
    assert run(["trace", "gallery", *map(str, committed_traces()[:4]), "-o", str(tmp_path / "g")]) == 0
    index = (tmp_path / "g" / "index.html").read_text()
    links = set(re.findall(r'href="([\w.-]+\.html)"', index))
    assert links == {f"{file.stem}.html" for file in committed_traces()[:4]}
    assert all((tmp_path / "g" / link).is_file() for link in links)
    pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', index)
    assert len(pictures) == 4 and all(base64.b64decode(picture).startswith(b"<svg") for picture in pictures)


def test_the_committed_traces_are_those_of_proofs_and_of_verdicts():
    names = {file.stem for file in committed_traces()}
    assert {"C-B-1-RST-1b", "C-KS-V4", "KS-2a"} <= names and len(names) == len(committed_traces()) >= 30


def test_a_trace_is_told_by_its_own_row_or_that_of_its_reading():
    assert row_of("C-GK-L1").id == "C-GK-L1" and row_of("nothing-of-ours") is None


def test_a_reading_that_is_not_the_usual_one_is_told_with_its_question():
    trace = read_trace(next(file for file in committed_traces() if file.stem == "C-B-1-RST-1b"))
    assert [(one.id, one.question) for one in chosen_readings(trace)] == [
        ("RST-1b", "which copies of a multicast does the receiver record (d4)?")
    ]
    assert chosen_readings(random_trace("rst", Bounds(3, 2), 4)) == []


def test_a_hostile_trace_is_text_in_the_gallery(tmp_path):
    text = gallery([Exhibit(EVIL, hostile_trace(tmp_path, EVIL, EVIL), EVIL, EVIL, "x.html")], EVIL)
    assert "<script" not in text and "<img src=x" not in text


@pytest.mark.parametrize("name", ["two/x.json", "x.json"])
def test_two_traces_of_one_name_are_refused(tmp_path, capsys, name):
    (tmp_path / "two").mkdir()
    for file in (tmp_path / "x.json", tmp_path / "two" / "x.json"):
        write_trace(random_trace("rst", Bounds(3, 2), 4), file)
    assert run(["trace", "gallery", str(tmp_path / "x.json"), str(tmp_path / name), "-o", str(tmp_path / "g")]) == 2
    assert "same name" in capsys.readouterr().err and not (tmp_path / "g").exists()


def result_of(readings):
    bounds = Bounds(3, 3)
    calls = calls_of("rst", bounds, readings)
    return explore(calls, bounds, select_properties((), calls.model))


def test_a_result_shows_its_verdicts_and_its_counterexample():
    text = result_of(("RST-1b",))._repr_html_()
    assert "violated" in text and text.count("<iframe") == 1
    assert "<iframe" not in result_of(())._repr_html_()


def test_a_trace_shows_itself_in_a_frame_that_reaches_nothing_outside(browser, tmp_path):
    trace = hostile_trace(tmp_path, EVIL, {"set": [EVIL]})
    frame = trace._repr_html_()
    (source,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert unescape(source).startswith("<!DOCTYPE html>") and "allow-same-origin" not in frame
    (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><title>n</title>{frame}")
    browser.get((tmp_path / "notebook.html").as_uri())
    browser.switch_to.frame(0)
    assert browser.find_element("css selector", "h1").text == EVIL
    browser.find_element("css selector", "[aria-label^='step back']").click()
    assert browser.find_element("css selector", "input[type=range]").get_property("value") == "6"
    browser.switch_to.default_content()
    assert browser.execute_script("return window.hit") is None
    assert console(browser) == []
