"""The tables that answer a study's questions: means over seeds with half their 95 % confidence intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .statistics import Row, Rows, paired
from .studies import LARGE, LOADS, RATIOS, SIZES, VARIATIONS, thresholds_of

MILLISECONDS = 1000


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
        volume.append([str(n), *(_cell(x, _volume, 1) for x in (*of, *others))])
        largest.append([str(n), *(str(max((r["units_most"] for r in x.rows), default="")) for x in of)])
        lost.append([str(n), *(_cell(x, _lost) for x in of), _cell(others[2], _waited)])
    return [
        Table(f"C-SA-FW1: extra messages for each send ({group})", extras),
        Table(f"C-SA-FW2: control bytes for each send, extra messages included ({group})", volume),
        Table(f"Largest matrix on a message, in entries ({group})", largest),
        Table(f"C-SA-FW4: milliseconds that a copy waits for extra messages only ({group})", lost),
    ]


def _volume(row: Row) -> float:
    return float(row["bytes_per_send"] + row["signal_bytes_per_send"])


def _lost(row: Row) -> float:
    return float(row["false_wait"]) * MILLISECONDS


def _waited(row: Row) -> float:
    return float(row["wait"]) * MILLISECONDS


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
    (_waited, 2),
    ("falsely_buffered", 3),
)


def _ks(rows: Rows) -> list[Table]:
    tables = []
    for load in LOADS:
        for title, how in (("units", _units_fraction), ("bytes", _bytes_fraction)):
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
                many.append([str(n), load, *sizes, _cell(ks, _units_fraction, 4), _cell(ks, _microseconds, 1)])
    return [*tables, Table("Many processes", many)]


_AGAINST = ("ks", "jang", "prs", "ses")


def _units_fraction(row: Row) -> float:
    return float(row["units"]) / int(row["processes"]) ** 2


def _bytes_fraction(row: Row) -> float:
    return float(row["bytes"]) / (4 * int(row["processes"]) ** 2)


def _microseconds(row: Row) -> float:
    return float(row["kernel_seconds"]) / int(row["deliveries"]) * 1e6


TABLES: dict[str, Callable[[Rows], list[Table]]] = {"jang": _jang, "sa": _sa, "gk": _gk, "ks": _ks}


def groups_of(rows: Rows) -> list[str]:
    """The groups of Jang's study that there are, the base first."""
    there = rows.values("group")
    return [group for group in ("base", *VARIATIONS) if group in there]
