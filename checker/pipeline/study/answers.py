"""The tables that answer a study's questions: means over seeds with half their 95 % confidence intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .derived import (
    bytes_fraction,
    bytes_with_extras,
    microseconds,
    milliseconds_lost,
    milliseconds_waited,
    units_fraction,
)
from .statistics import Row, Rows, paired
from .studies import LARGE, LOADS, RATIOS, SIZES, VARIATIONS, thresholds_of


class Table(NamedTuple):
    """A question, and its answer in rows; the first row names the columns."""

    title: str
    rows: list[list[str]]


def answers(study: str, rows: Rows) -> list[Table]:
    """The tables of a study, on what there is of its points."""
    return [table for table in TABLES[study](rows) if len(table.rows) > 1]


def _cell(rows: Rows, figure: str | Callable[[Row], float], digits: int = 2) -> str:
    return rows.mean(figure).text(digits) if len(rows) else ""


def _jang(rows: Rows) -> list[Table]:
    base = rows.where(group="base")
    tables = []
    for figure, title in (("units", "Figure 2: dependents of a copy"), ("bytes", "Figure 3: bytes of a copy")):
        table = [["n", *(f"{name} {load}" for load in LOADS for name in ("rst", "prs", "jang"))]]
        for n in base.values("processes"):
            here = [base.where(processes=n, load=load, algorithm=name) for load in LOADS for name in _FIGURES]
            table.append([str(n), *(_cell(cell, figure, 1) for cell in here)])
        tables.append(Table(title, table))
    return tables


_FIGURES = ("rst", "prs", "jang")


def _prs(rows: Rows) -> list[Table]:
    tables = []
    for load in LOADS:
        table = [["form", *(f"n = {n}" for n in rows.values("processes"))]]
        for form in (group for group in rows.values("group") if group != "base"):
            here = rows.where(group=form, load=load)
            table.append([form, *(_cell(here.where(processes=n), units_fraction, 3) for n in here.values("processes"))])
        tables.append(Table(f"J-19: PRS's dependents by n^2 ({load}); from 2/3 on it has more bytes than RST", table))
    return tables


def _sa(rows: Rows) -> list[Table]:
    return [table for group in rows.values("group") for table in _sa_group(group, rows.where(group=group))]


def _sa_group(group: str, rows: Rows) -> list[Table]:
    """The four open questions, for one delay."""
    names = list(thresholds_of(4))
    extras = [["n", *(f"K = {name}" for name in names)]]
    volume = [["n", *(f"K = {name}" for name in names), "ks", "jang", "rst"]]
    largest = [["n", *(f"K = {name}" for name in names)]]
    lost = [["n", *(f"K = {name}" for name in names), "rst, any wait"]]
    for n in rows.values("processes"):
        here = rows.where(processes=n)
        of = [here.where(algorithm="sa", thresholds=list(K)) for K in thresholds_of(n).values()]
        others = [here.where(algorithm=name) for name in ("ks", "jang", "rst")]
        extras.append([str(n), *(_cell(x, "signals_per_send", 3) for x in of)])
        volume.append([str(n), *(_cell(x, bytes_with_extras, 1) for x in (*of, *others))])
        largest.append([str(n), *(str(max((r["units_most"] for r in x.rows), default="")) for x in of)])
        lost.append([str(n), *(_cell(x, milliseconds_lost) for x in of), _cell(others[2], milliseconds_waited)])
    return [
        Table(f"C-SA-FW1: extra messages for each send ({group})", extras),
        Table(f"C-SA-FW2: control bytes for each send, extra messages included ({group})", volume),
        Table(f"Largest matrix on a message, in entries ({group})", largest),
        Table(f"C-SA-FW4: milliseconds that a copy waits for extra messages only ({group})", lost),
    ]


def _gk(rows: Rows) -> list[Table]:
    tables = []
    for group in rows.values("group"):
        for load in LOADS:
            table = [["n", "share", "buffered gk", "rst", "wait ms gk", "rst", "false waits gk", "rst", "wait gk/rst"]]
            for n in rows.values("processes"):
                for share in rows.values("dependence"):
                    here = rows.where(group=group, load=load, processes=n, dependence=share)
                    gk, rst = here.where(algorithm="gk"), here.where(algorithm="rst")
                    if len(gk) and len(rst):
                        gain = paired(gk, rst, "wait", lambda x, y: x / y if y else 1.0)
                        both = [_cell(x, f, d) for f, d in _GK_FIGURES for x in (gk, rst)]
                        table.append([str(n), f"{share:g}", *both, gain.text(3)])
            tables.append(Table(f"GK-20: what semantic order gains, {load}, {group}", table))
    return tables


_GK_FIGURES: tuple[tuple[str | Callable[[Row], float], int], ...] = (
    ("buffered", 3),
    (milliseconds_waited, 2),
    ("falsely_buffered", 3),
)


def _ks(rows: Rows) -> list[Table]:
    tables = []
    for load in LOADS:
        for title, how in (("units", units_fraction), ("bytes", bytes_fraction)):
            table = [["n", *(f"{name}, {group}" for group in RATIOS for name in _AGAINST)]]
            for n in SIZES:
                here = rows.where(load=load, processes=n)
                cells = [here.where(group=group, algorithm=name) for group in RATIOS for name in _AGAINST]
                table.append([str(n), *(_cell(cell, how, 3) for cell in cells)])
            tables.append(Table(f"Mean {title} of a copy as a fraction of RST's, {load}", table))
    many = [["n", "load", "ks units", "ks bytes", "jang units", "jang bytes", "ks units / n^2", "us per delivery ks"]]
    for n in LARGE:
        for load in LOADS:
            here = rows.where(group="large", processes=n, load=load)
            ks, jang = here.where(algorithm="ks"), here.where(algorithm="jang")
            if len(ks):
                sizes = [_cell(x, figure, 1) for x in (ks, jang) for figure in ("units", "bytes")]
                many.append([str(n), load, *sizes, _cell(ks, units_fraction, 4), _cell(ks, microseconds, 1)])
    return [*tables, Table("Many processes", many)]


_AGAINST = ("ks", "jang", "prs", "ses")


TABLES: dict[str, Callable[[Rows], list[Table]]] = {"jang": _jang, "prs": _prs, "sa": _sa, "gk": _gk, "ks": _ks}


def judged_groups(study: str, rows: Rows) -> dict[str, Rows]:
    """The rows on which the claims about Figures 2 and 3 are judged, by group, the base first: of Jang's study each
    group by itself, of PRS's each form with RST and Jang."""
    there = rows.values("group") if len(rows) else []
    if study == "jang":
        return {group: rows.where(group=group) for group in ("base", *VARIATIONS) if group in there}
    if study == "prs":
        base = rows.where(group="base").rows
        return {group: Rows([*rows.where(group=group).rows, *base]) for group in there if group != "base"}
    return {}
