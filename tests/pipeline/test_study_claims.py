"""The claims of Jang et al. are judged by their criteria: they hold where the figures are as the paper says, and fail
where one of them is not."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from precede.checker.pipeline.study import plots
from precede.checker.pipeline.study.answers import answers, judged_groups
from precede.checker.pipeline.study.claims import CLAIMS, HOLDS, UNDECIDED, UNKNOWN, VIOLATED, judged
from precede.checker.pipeline.study.plots import draw_figures
from precede.checker.pipeline.study.statistics import Rows, crossing, estimate, exponent, paired
from precede.checker.pipeline.study.studies import FORMS, LOADS, SIZES, thresholds_of

NAMES = [claim.id for claim in CLAIMS]
RESULTS = Path(plots.__file__).parent / "results"


def row(algorithm: str, load: str, n: int, seed: int) -> dict[str, Any]:
    """Figures as the paper has them, with a little noise that depends on the seed."""
    noise = 1 + 0.001 * (seed - 2)
    sends = 1.0 if load == "unicast" else n / 2
    units = {
        "rst": n**2,
        "prs": n**2 * (0.6067 + 0.004 * (n - 10)) * (1 if load == "unicast" else 1.01),
        "jang": 2 * n * (1 if load == "unicast" else 0.9),
    }
    size = {"rst": 4, "prs": 6, "jang": 8}[algorithm]
    return {
        "study": "jang", "group": "base", "algorithm": algorithm, "load": load, "processes": n, "seed": seed,
        "units": units[algorithm] * noise, "bytes": units[algorithm] * size * noise, "senders": float(n),
        "copies_per_send": sends,
    }  # fmt: skip


def rows(**changes: Any) -> Rows:
    """All rows; `changes` multiply a figure of Jang's."""
    found = [row(a, load, n, s) for a in ("rst", "prs", "jang") for load in LOADS for n in SIZES for s in (1, 2, 3)]
    for r in found:
        for name, factor in changes.items():
            if r["algorithm"] == "jang":
                r[name] = r[name] * (factor(r) if callable(factor) else factor)
    return Rows(found)


def verdicts(found: Rows) -> dict[str, str]:
    return {j.claim: j.verdict for j in judged(found)}


def test_figures_as_the_paper_has_them_satisfy_every_claim() -> None:
    assert verdicts(rows()) == dict.fromkeys(NAMES, HOLDS)


@pytest.mark.parametrize(
    ("changes", "fail"),
    [
        ({"units": 10.0}, {"C-J-F1", "C-J-F3"}),
        ({"units": lambda r: 1.2 if r["load"] == "multicast" else 1}, {"C-J-F1 (advantage)"}),
        ({"senders": 0.9}, {"C-J-F2"}),
        ({"units": 0.03}, {"C-J-F2 (number)"}),
        ({"bytes": 0.7}, {"C-J-F3"}),
        ({"bytes": 12.0}, {"C-J-F5"}),
        ({"bytes": lambda r: r["processes"] / 60}, {"C-J-F3", "C-J-F7"}),
        ({"units": lambda r: r["processes"] / 60}, {"C-J-F2 (number)", "C-J-B3"}),
    ],
)
def test_a_figure_that_is_otherwise_fails_its_claim(changes: dict[str, Any], fail: set[str]) -> None:
    found = verdicts(rows(**changes))
    assert {name for name, verdict in found.items() if verdict == VIOLATED} >= fail
    assert found["C-J-F4"] == found["C-J-F6"] == HOLDS, "these are about PRS alone"


def test_prs_that_is_always_cheaper_or_dearer_fails_its_claims() -> None:
    for factor in (0.5, 3.0):
        found = rows()
        for r in found.rows:
            if r["algorithm"] == "prs":
                r["units"], r["bytes"] = r["units"] * factor, r["bytes"] * factor
        assert verdicts(found)["C-J-F4"] == verdicts(found)["C-J-F6"] == VIOLATED


def test_an_interval_over_the_limit_is_undecided_and_no_points_are_no_data() -> None:
    noisy = rows(bytes=lambda r: {1: 1.0, 2: 0.2, 3: 12.0}[r["seed"]])
    assert verdicts(noisy)["C-J-F5"] == UNDECIDED
    assert set(verdicts(rows().where(algorithm="rst")).values()) == {UNKNOWN}


def test_confidence_intervals_are_student_s() -> None:
    e = estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (e.mean, e.seeds) == (3.0, 5)
    assert e.high - e.mean == pytest.approx(2.776445 * (2.5**0.5) / 5**0.5, rel=1e-6)
    assert estimate([7.0]).low == 7.0


def test_differences_are_paired_by_seed() -> None:
    one = Rows([{"seed": s, "x": 10.0 * s} for s in (1, 2, 3)])
    other = Rows([{"seed": s, "x": 10.0 * s - 1} for s in (3, 2, 1)])
    assert paired(one, other, "x", lambda a, b: a - b) == estimate([1.0, 1.0, 1.0])


def test_exponents_and_crossings() -> None:
    assert exponent([10, 20, 40], [3 * n**1.5 for n in (10, 20, 40)]) == pytest.approx(1.5)
    assert crossing([10, 20, 30], [0.5, 0.9, 1.1]) == pytest.approx(25)
    assert crossing([10, 20, 30], [1.5, 1.9, 2.1]) is None


def test_figures_are_drawn_with_their_data(tmp_path: Path) -> None:
    paths = draw_figures("jang", rows(), tmp_path)
    assert {path.name for path in paths} == {f"figure-{k}.{e}" for k in (2, 3) for e in ("svg", "png", "csv")}
    text = "".join(t.text or "" for t in ElementTree.parse(tmp_path / "figure-2.svg").iter() if t.tag.endswith("text"))
    data = (tmp_path / "figure-3.csv").read_text().splitlines()
    assert data[0] == "panel,line,x,mean,low,high,seeds"
    assert len(data) == 1 + 2 * 3 * len(SIZES)
    assert "unicast,RST,10,400," in data[1]
    first = (tmp_path / "figure-2.svg").read_bytes()
    draw_figures("jang", rows(), tmp_path)
    assert (tmp_path / "figure-2.svg").read_bytes() == first, "the same data give the same file"
    assert text == "" or "dependents" in text


def test_the_tables_have_a_row_for_each_size() -> None:
    table = answers("jang", rows())[0]
    assert [r[0] for r in table.rows] == ["n", *map(str, SIZES)]
    assert table.rows[1][1] == "100.0 ± 0.2"


def test_every_form_of_prs_is_judged_against_the_same_rst_and_jang(tmp_path: Path) -> None:
    found, forms = [], [" ".join(form) for form in FORMS]
    for r in rows().rows:
        for at, form in enumerate(forms if r["algorithm"] == "prs" else ["base"]):
            grown = 1 + at / 10
            found.append(r | {"group": form, "units": r["units"] * grown, "bytes": r["bytes"] * grown})
    groups = judged_groups("prs", Rows(found))
    assert sorted(groups) == sorted(forms)
    assert verdicts(groups[forms[0]]) == dict.fromkeys(NAMES, HOLDS)
    assert {name for name, verdict in verdicts(groups[forms[5]]).items() if verdict != HOLDS} == {"C-J-F4", "C-J-F6"}
    table = answers("prs", Rows(found))[1]
    assert [r[0] for r in table.rows] == ["form", *sorted(forms)]
    assert {path.name for path in draw_figures("prs", Rows(found), tmp_path)} == {
        "prs-forms.svg", "prs-forms.png", "prs-forms.csv",
    }  # fmt: skip


def test_thresholds() -> None:
    assert thresholds_of(4) == {"n+1": (5,), "2n": (8,), "n^2/2": (8,), "n^2": (16,), "mixed": (5, 16, 5, 16)}


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.csv")), ids=lambda path: path.stem)
def test_committed_results_have_intervals_over_seeds(path: Path) -> None:
    with path.open(newline="") as file:
        found = list(csv.DictReader(file))
    assert found and list(found[0]) == ["panel", "line", "x", "mean", "low", "high", "seeds"]
    assert all(float(r["low"]) <= float(r["mean"]) <= float(r["high"]) for r in found)
    assert all(int(r["seeds"]) >= 2 for r in found)
