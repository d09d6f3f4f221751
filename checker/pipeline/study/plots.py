"""The figures of a study, drawn from its finished points as SVG and PNG, with the data of each beside it as CSV.

Colours are those of Okabe and Ito, which colour-blind readers tell apart; lines differ in marker and dash as well.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import EnvironmentProblem
from ...files import write_text
from .derived import bytes_fraction, bytes_with_extras, milliseconds_lost, milliseconds_waited, units_fraction
from .statistics import Estimate, Row, Rows
from .studies import FORMS, LOADS, RATIOS, thresholds_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)), "-")
WIDTH, HEIGHT = 5.2, 4.0
"""Of one panel, in inches."""


class Line(NamedTuple):
    """One line: its name, and for each x an estimate."""

    name: str
    points: list[tuple[float, Estimate]]


class Panel(NamedTuple):
    """One pair of axes."""

    title: str
    x: str
    y: str
    lines: list[Line]


class Figure(NamedTuple):
    """A file: its name without an ending, and its panels side by side."""

    name: str
    panels: list[Panel]


def draw_figures(study: str, rows: Rows, out: Path) -> list[Path]:
    """Write all figures of a study into `out`: for each an SVG, a PNG and a CSV. Raises EnvironmentProblem.

    Of Jang's study, those of the base alone if `rows` are those.
    """
    written = []
    for figure in FIGURES[study](rows):
        panels = [p for p in figure.panels if any(line.points for line in p.lines)]
        if panels:
            written += _write(Figure(figure.name, panels), out)
    return written


def _write(figure: Figure, out: Path) -> list[Path]:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    with mpl.rc_context({"svg.hashsalt": "precede", "font.size": 10, "axes.grid": True, "grid.alpha": 0.3}):
        canvas, axes = plt.subplots(
            1, len(figure.panels), figsize=(WIDTH * len(figure.panels), HEIGHT), squeeze=False, layout="constrained"
        )
        for panel, place in zip(figure.panels, axes[0], strict=True):
            _panel(panel, place)
        try:
            out.mkdir(parents=True, exist_ok=True)
            paths = [out / f"{figure.name}.{ending}" for ending in ("svg", "png", "csv")]
            canvas.savefig(paths[0], metadata={"Date": None})
            canvas.savefig(paths[1], dpi=120)
        except OSError as error:
            raise EnvironmentProblem(f"{out}: cannot be written: {error.strerror}") from None
        finally:
            plt.close(canvas)
    write_text(paths[2], _csv(figure))
    return paths


def _panel(panel: Panel, axes: Axes) -> None:
    """Draw the lines, with their confidence intervals as bars."""
    for at, line in enumerate(line for line in panel.lines if line.points):
        x = [point for point, _ in line.points]
        y = [estimate.mean for _, estimate in line.points]
        bars = [estimate.high - estimate.mean for _, estimate in line.points]
        axes.errorbar(
            x, y, yerr=bars, label=line.name, color=COLOURS[at % 8], marker=MARKERS[at % 8], linestyle=DASHES[at % 8],
            markersize=5, capsize=3, linewidth=1.5,
        )  # fmt: skip
    axes.set_title(panel.title)
    axes.set_xlabel(panel.x)
    axes.set_ylabel(panel.y)
    axes.set_ylim(bottom=0)
    axes.legend(fontsize=8)


def _csv(figure: Figure) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["panel", "line", "x", "mean", "low", "high", "seeds"])
    for panel in figure.panels:
        for line in panel.lines:
            for x, e in line.points:
                figures = (f"{value:.6g}" for value in (e.mean, e.low, e.high))
                writer.writerow([panel.title, line.name, f"{x:g}", *figures, e.seeds])
    return text.getvalue()


def _over(rows: Rows, column: str, figure: str | Callable[[Row], float], name: str) -> Line:
    """A line over the values of a column."""
    return Line(name, [(float(v), rows.where(**{column: v}).mean(figure)) for v in rows.values(column)])


N = "processes n"
TITLES = {"rst": "RST", "prs": "PRS", "jang": "Jang", "ks": "KS", "ses": "SES", "gk": "GK", "sa": "SA"}


def _jang(rows: Rows) -> list[Figure]:
    figures = []
    for group in rows.values("group"):
        here = rows.where(group=group)
        name = "" if group == "base" else "-" + "".join(c if c.isalnum() else "-" for c in group)
        for number, figure, label in ((2, "units", "dependents of a copy"), (3, "bytes", "bytes of a copy")):
            panels = [
                Panel(f"{load}{'' if group == 'base' else ', ' + group}", N, label, [
                    _over(here.where(load=load, algorithm=a), "processes", figure, TITLES[a])
                    for a in ("rst", "prs", "jang")
                ])
                for load in LOADS
            ]  # fmt: skip
            figures.append(Figure(f"figure-{number}{name}", panels))
    return figures


def _prs(rows: Rows) -> list[Figure]:
    """The forms that carry all of CB; in unicast the others are the same, and in multicast they have a panel."""
    label = "PRS's bytes / RST's"
    panels = [
        Panel(title, N, label, [
            _over(rows.where(load=load, group=" ".join(form)), "processes", bytes_fraction, " ".join(form[:2]))
            for form in FORMS if form[-1] == carried
        ])
        for title, load, carried in (
            ("unicast", "unicast", "PRS-4a"), ("multicast", "multicast", "PRS-4a"),
            ("multicast, less on a copy (PRS-4b)", "multicast", "PRS-4b"),
        )
    ]  # fmt: skip
    return [Figure("prs-forms", panels)]


def _sa(rows: Rows) -> list[Figure]:
    return [figure for group in rows.values("group") for figure in _sa_group(group, rows.where(group=group))]


def _sa_group(group: str, rows: Rows) -> list[Figure]:
    def lines(figure: str | Callable[[Row], float]) -> list[Line]:
        names = list(thresholds_of(4))
        found: list[Line] = []
        for name in names:
            points = []
            for n in rows.values("processes"):
                here = rows.where(algorithm="sa", processes=n, thresholds=list(thresholds_of(n)[name]))
                if len(here):
                    points.append((float(n), here.mean(figure)))
            found.append(Line(f"SA, K = {name}", points))
        return found

    others = [_over(rows.where(algorithm=a), "processes", bytes_with_extras, TITLES[a]) for a in ("ks", "jang", "rst")]
    tag = "-" + "".join(c if c.isalnum() else "-" for c in group)
    return [
        Figure(f"sa-extra-messages{tag}", [Panel(f"unicast, {group}", N, "extra messages per send",
                                                 lines("signals_per_send"))]),
        Figure(f"sa-bytes{tag}", [Panel(f"unicast, {group}", N, "control bytes per send, extras included",
                                        [*lines(bytes_with_extras), *others])]),
        Figure(f"sa-lost-time{tag}", [Panel(f"unicast, {group}", N, "wait for extra messages only, ms per copy",
                                            lines(milliseconds_lost))]),
    ]  # fmt: skip


def _gk(rows: Rows) -> list[Figure]:
    figures = []
    share = "share of sends that depend on an event"
    kinds: Sequence[tuple[str, str, str | Callable[[Row], float]]] = (
        ("buffered", "share of copies buffered", "buffered"),
        ("wait", "wait, ms per copy", milliseconds_waited),
        ("false-waits", "share of copies that wait falsely", "falsely_buffered"),
    )
    for group in rows.values("group"):
        tag = "-" + "".join(c if c.isalnum() else "-" for c in group)
        for name, label, figure in kinds:
            panels = []
            for load in LOADS:
                here = rows.where(group=group, load=load)
                lines = [
                    _over(here.where(algorithm=a, processes=n), "dependence", figure, f"{TITLES[a]}, n = {n}")
                    for n in here.values("processes") if n in (5, 10, 30) for a in ("gk", "rst")
                ]  # fmt: skip
                panels.append(Panel(f"{load}, {group}", share, label, lines))
            figures.append(Figure(f"gk-{name}{tag}", panels))
    return figures


def _ks(rows: Rows) -> list[Figure]:
    figures = []
    kinds: Sequence[tuple[str, str, Callable[[Row], float]]] = (
        ("units", "units of a copy / n²", units_fraction),
        ("bytes", "bytes of a copy / 4n²", bytes_fraction),
    )
    for name, label, figure in kinds:
        panels = [
            Panel(load, N, label, [
                _over(rows.where(group=group, load=load, algorithm=a), "processes", figure, f"{TITLES[a]}, {group}")
                for a in ("ks", "jang") for group in RATIOS
            ])
            for load in LOADS
        ]  # fmt: skip
        figures.append(Figure(f"ks-{name}-of-rst", panels))
    return figures


FIGURES: dict[str, Callable[[Rows], list[Figure]]] = {"jang": _jang, "prs": _prs, "sa": _sa, "gk": _gk, "ks": _ks}
