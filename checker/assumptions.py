"""Which algorithm needs which assumption: every model under every switch, explored at a small bound."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.text import Text

from precede.models import Model
from precede.models.catalog import CATALOG

from .bounds import SELF, Bounds
from .calls import ModelCalls
from .engine import Limits, explore
from .errors import ConfigurationError, EnvironmentProblem, ModelError, UsageError
from .files import read_bytes
from .formats import ASSUMPTIONS
from .loading import LoadedModel, load_model
from .progress import Progress
from .report import STYLES, aligned
from .result import Result

KEPT = Path(__file__).with_name("assumptions.json")
"""The computed table of all built-in models."""

JUDGED = ("CausalOrder", "Delivery", "Integrity")
PROCESSES = 3
SENDS = 3
FEWER = 2
"""Sends with faults, and of messages for several processes when they may also be for oneself: many more states."""

MOST_STATES = 2_000_000
LARGEST_FILE = 2**24

SWITCHES: dict[str, dict[str, Any]] = {
    "unordered": {"channel": "unordered"},
    "fifo": {"channel": "fifo"},
    "fifo-delivery": {"channel": "fifo-delivery"},
    "self-network": {"self_addressed": "network"},
    "self-at-send": {"self_addressed": "at-send"},
    "duplicate": {"duplicates": 1},
    "loss": {"losses": 1},
    "crash": {"crashes": 1},
    "crash+restart": {"crashes": 1, "restarts": 1},
}
"""What each switch sets; everything else is as the model is made for."""

HEADS = ("unordered", "fifo", "fifo-del", "self-net", "at-send", "dup", "loss", "crash", "restart")
SHORT = {"CausalOrder": "CO", "Integrity": "int", "Delivery": "stuck"}
NOTHING_IN_TRANSIT = "no packet is ever in transit, so none can be duplicated or lost"
NOTHING_SENT = "no message was ever sent"

LEGEND = (
    f"sends         {PROCESSES} processes, at most so many sends; 3/2: 3 in the first columns, 2 in the others",
    "holds         CausalOrder, Delivery and Integrity, in every run of the bound",
    "CO 4, int 4   violated: CausalOrder or Integrity, by a shortest run of 4 steps",
    "stuck 2       Delivery is violated, by a stuck state after 2 steps; stuck 7*: by a run of 7 steps that goes on for"
    " ever",
    "n/a           not applicable: the model or the system has no such runs (--json says why)",
    "incomplete    no violation within the limit on states, or the model failed (--json says which)",
    "unordered, fifo, fifo-del(ivery) replace the channel; the other columns have the one that the model is made for",
    "self-net(work), at-send: messages to oneself; dup, loss, crash: one fault; restart: one crash, and one return",
)


@dataclass(frozen=True)
class Cell:
    """One model under one switch: holds | violated (safety) | stuck (Delivery) | not applicable | incomplete.

    `property` is the violated one and `trace_length` the steps of its counterexample; a safety property goes before
    Delivery, and `note` names what else is violated or undecided, or why there is no verdict. `loop`: the
    counterexample is a run that goes on for ever, not a stuck state.
    """

    model: str
    switch: str
    verdict: str
    bound: Bounds
    property: str | None = None
    trace_length: int | None = None
    loop: bool = False
    note: str = ""

    def text(self) -> str:
        """The cell as it is printed."""
        if self.property is None:
            return {"not applicable": "n/a"}.get(self.verdict, self.verdict)
        return f"{SHORT[self.property]} {self.trace_length}{'*' if self.loop else ''}"

    def as_json(self) -> dict[str, Any]:
        """The cell as a JSON object."""
        return vars(self) | {"bound": self.bound.as_json()}


@dataclass
class Table:
    """Cells by model and switch, in the order of the catalog."""

    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)

    def put(self, cells: Iterable[Cell]) -> None:
        """Add cells; one of the same model and switch is replaced."""
        self.cells |= {(cell.model, cell.switch): cell for cell in cells}

    def of(self, model: str) -> dict[str, Cell]:
        """The cells of one model, by switch."""
        return {switch: self.cells[model, switch] for switch in SWITCHES if (model, switch) in self.cells}

    @property
    def models(self) -> list[str]:
        """Built-in models as the catalog has them, then others."""
        present = dict.fromkeys(model for model, _ in self.cells)
        return [*(name for name in CATALOG if name in present), *(name for name in present if name not in CATALOG)]

    def ordered(self) -> list[Cell]:
        """All cells, row by row."""
        return [cell for model in self.models for cell in self.of(model).values()]

    def differences(self, other: Table) -> list[str]:
        """The cells, as "model switch", that `other` has not or has otherwise."""
        return [f"{c.model} {c.switch}" for c in self.ordered() if other.cells.get((c.model, c.switch)) != c]

    def as_json(self, differences: list[str] | None = None) -> dict[str, Any]:
        """The table as a JSON object; `differences` where it was compared with the kept one."""
        cells = [cell.as_json() for cell in self.ordered()]
        return ASSUMPTIONS.document(most_states=MOST_STATES, differences=differences, cells=cells)

    def as_text(self) -> str:
        """The JSON with one cell on a line, so that a changed cell is a changed line."""
        document = self.as_json()
        cells = ",\n".join(f"  {json.dumps(cell)}" for cell in document.pop("cells"))
        head = json.dumps(document, indent=1).removesuffix("\n}")
        return f'{head},\n "cells": [\n{cells}\n ]\n}}\n'


def read_table(path: Path) -> Table:
    """The table in a file. Raises EnvironmentProblem where it is no table of this version."""
    table = Table()
    try:
        document = json.loads(read_bytes(path, "table", LARGEST_FILE))
        if (document["format"], document["version"]) != (ASSUMPTIONS.name, ASSUMPTIONS.version):
            raise EnvironmentProblem(f"{path}: not a {ASSUMPTIONS.name} of version {ASSUMPTIONS.version}")
        table.put(_cell(entry) for entry in document["cells"])
    except (ValueError, TypeError, LookupError, RecursionError, UsageError, ConfigurationError):
        raise EnvironmentProblem(f"{path}: not a table of assumptions, or a damaged one") from None
    return table


def _cell(entry: Mapping[str, Any]) -> Cell:
    bound = entry["bound"]
    cell = Cell(**{**entry, "bound": Bounds(**{**bound, "groups": tuple(map(frozenset, bound["groups"]))})})
    if cell.switch not in SWITCHES or cell.property not in (None, *JUDGED):
        raise ValueError
    return cell


def bound_of(model: Model, switch: str, sends: int | None = None) -> Bounds:
    """The bound of a cell: `sends`, or what is the default for the model and the switch."""
    changed = SWITCHES[switch]
    few = "channel" in changed or (model.load == "unicast" and "self_addressed" in changed)
    default = SENDS if few else FEWER
    system = {"dests": model.load, "channel": model.channel, "self_addressed": SELF[0]} | changed
    return Bounds(processes=PROCESSES, sends=default if sends is None else sends, **system)


def compute(
    spec: str, sends: int | None = None, on_progress: Callable[[str, Progress], None] | None = None
) -> Iterator[Cell]:
    """The cells of one model, one for each switch. Raises KeyboardInterrupt at Ctrl-C, and what `explore` raises."""
    loaded = load_model(spec)
    for switch in SWITCHES:
        bound = bound_of(loaded.model, switch, sends)

        def show(progress: Progress, where: str = f"{spec} {switch}") -> None:
            if on_progress is not None:
                on_progress(where, progress)

        try:
            result = _explored(loaded, bound, show)
            idle = bound.channel == "rendezvous" and (bound.duplicates or bound.losses) and result.verdict == "holds"
            faultless = _explored(loaded, replace(bound, duplicates=0, losses=0), show) if idle else None
        except UsageError as error:  # the model has no self-addressed messages, or none that its send can deliver
            if bound.self_addressed == SELF[0]:
                raise
            yield Cell(spec, switch, "not applicable", bound, note=str(error))
        except ModelError as error:  # a fault may lead a model out of its contract
            if not any(bound.faults):
                raise
            yield Cell(spec, switch, "incomplete", bound, note=f"the model failed: {error}")
        else:
            if faultless is not None and faultless.transitions == result.transitions:
                yield Cell(spec, switch, "not applicable", bound, note=NOTHING_IN_TRANSIT)
            else:
                yield cell_of(spec, switch, result)


def _explored(loaded: LoadedModel, bound: Bounds, on_progress: Callable[[Progress], None]) -> Result:
    limits = Limits(states=MOST_STATES)
    result = explore(ModelCalls(loaded, bound), bound, JUDGED, limits=limits, on_progress=on_progress)
    if result.stopped is not None and result.stopped.startswith("interrupted"):
        raise KeyboardInterrupt
    return result


def cell_of(model: str, switch: str, result: Result) -> Cell:
    """What an exploration says about its cell."""
    bound = result.bounds
    violated = [p for p in result.properties if p.verdict == "violated"]
    if not violated:
        if result.verdict == "incomplete":
            return Cell(model, switch, "incomplete", bound, note=result.stopped or "")
        if not result.transitions:
            return Cell(model, switch, "not applicable", bound, note=NOTHING_SENT)
        return Cell(model, switch, "holds", bound)
    worst = min(violated, key=lambda p: (p.name == "Delivery", p.trace_length))
    notes = [f"also {p.name}, by {p.trace_length} steps" for p in violated if p is not worst]
    undecided = [p.name for p in result.properties if p.verdict == "incomplete"]
    if undecided:
        notes.append(f"undecided: {', '.join(undecided)}; {result.stopped}")
    loop = worst.witness is not None and worst.witness.loop is not None
    verdict = "stuck" if worst.name == "Delivery" else "violated"
    return Cell(model, switch, verdict, bound, worst.name, worst.trace_length, loop, "; ".join(notes))


def table_lines(table: Table) -> list[Text]:
    """The table for people: a line for each model, then the legend."""
    rows: list[list[str | Text]] = [["", "made for", "sends", *HEADS]]
    for model in table.models:
        cells = table.of(model)
        verdicts = [_styled(cells.get(switch)) for switch in SWITCHES]
        made_for = cells["crash"].bound.channel if "crash" in cells else ""
        rows.append([model, made_for, _sends(cells.values()), *verdicts])
    return [*aligned(rows), Text(), *(Text(f"  {line}") for line in LEGEND)]


def _sends(cells: Iterable[Cell]) -> str:
    bounds = [cell.bound for cell in cells]
    numbers = "/".join(dict.fromkeys(str(bound.sends) for bound in bounds))
    return f"{numbers} {bounds[0].dests}"


def _styled(cell: Cell | None) -> Text:
    if cell is None:
        return Text("")
    return Text(cell.text(), style=STYLES["violated" if cell.property else cell.verdict])
