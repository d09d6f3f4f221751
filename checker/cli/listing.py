"""`precede list`: the models, what they assume and how they can be read."""

from __future__ import annotations

from typing import Any

import click

from .options import STDOUT, json_option, probe_targets, write_json


@click.command("list")
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@json_option
def list_models(names: tuple[str, ...], json_target: str | None) -> None:
    """List the models: paper, assumptions, load, size, readings and what is checked."""
    probe_targets(json_target)
    from ..loading import load_model
    from ..properties import BUILT_IN
    from precede.models.catalog import CATALOG

    models = {name: load_model(name).model for name in names or CATALOG}
    described = [describe(name, model) for name, model in models.items()]
    write_json(json_target, {"format": "precede-list", "version": 1, "models": described, "properties": list(BUILT_IN)})
    if json_target != STDOUT:
        from ..report import console

        out = console()
        for entry in described:
            print_entry(out, entry)


def describe(name: str, model: Any) -> dict[str, Any]:
    """One model as a JSON object."""
    return {
        "name": name,
        "title": model.title,
        "source": model.source,
        "assumes": model.assumes,
        "load": model.load,
        "size": model.size,
        "checked": list(model.claims),
        "readings": {
            reading.id: {"question": reading.question, "default": field.default, "variants": reading.variants}
            for field, reading in model.readings().values()
        },
    }


def print_entry(out: Any, entry: dict[str, Any]) -> None:
    """One model for people."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    out.print(Text(f"{entry['name']}  ", style="bold").append(entry["title"], style="not bold"))
    facts = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column()
    for key in ("source", "assumes", "load", "size"):
        facts.add_row(key, Text(entry[key]))
    facts.add_row("checked", Text(", ".join(entry["checked"])))
    out.print(Padding(facts, (0, 0, 0, 2)))
    readings = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    readings.add_column(no_wrap=True)
    readings.add_column()
    for id, reading in entry["readings"].items():
        readings.add_row(Text(id), Text(reading["question"], style="dim"))
        for letter, text in reading["variants"].items():
            default = letter == reading["default"]
            readings.add_row(Text(f"  {letter}{' *' if default else ''}"), Text(text))
    if entry["readings"]:
        out.print(Padding(Text("readings (* is the default)", style="dim"), (0, 0, 0, 2)))
        out.print(Padding(readings, (0, 0, 0, 4)))
    out.print()
