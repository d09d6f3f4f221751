"""`precede list`: the models, what they assume and how they can be read."""

from __future__ import annotations

from typing import Any

import click

from ..formats import LIST
from .options import STDOUT, json_option, probe_targets, write_json


@click.command("list")
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@json_option
def list_models(names: tuple[str, ...], json_target: str | None) -> None:
    """List the models: paper, assumptions, load, size, readings and what is checked."""
    probe_targets(json_target)
    from precede.models.catalog import CATALOG

    from ..loading import load_model
    from ..properties import BUILT_IN

    models = {name: load_model(name).model for name in names or CATALOG}
    described = [describe(name, model) for name, model in models.items()]
    write_json(json_target, LIST.document(models=described, properties=list(BUILT_IN)))
    if json_target != STDOUT:
        from ..report import console

        out = console()
        for entry in described:
            for line in entry_lines(entry):
                out.print(line)


def describe(name: str, model: Any) -> dict[str, Any]:
    """One model as a JSON object."""
    from ..claims import CLAIMS

    return {
        "name": name,
        "title": model.title,
        "source": model.source,
        "status": model.status,
        "assumes": model.assumes,
        "load": model.load,
        "channel": model.channel,
        "size": model.size,
        "checked": list(model.claims),
        "parameters": {
            key: {"description": parameter.description, "default": _plain(field.default)}
            for key, (field, parameter) in model.parameters().items()
        },
        "claims": {claim.id: claim.statement for claim in CLAIMS.values() if name in claim.models},
        "readings": {
            reading.id: {"question": reading.question, "default": field.default, "variants": reading.variants}
            for field, reading in model.readings().values()
        },
    }


def _plain(value: Any) -> Any:
    """The default of a parameter as JSON has it."""
    return [sorted(part) for part in value] if isinstance(value, tuple) else value


def entry_lines(entry: dict[str, Any]) -> list[Any]:
    """One model for people, as lines of rich text."""
    from rich.text import Text

    from ..report import aligned

    lines = [
        Text(entry["name"], style="bold").append(f"   {entry['title']}" if entry["title"] else "", style="not bold")
    ]
    lines += aligned(
        [(key, entry[key]) for key in ("source", "status", "assumes", "load", "channel", "size") if entry[key]]
    )
    lines += aligned([("checked", ", ".join(entry["checked"])), ("claims", ", ".join(entry["claims"]) or "none")])
    for key, parameter in entry["parameters"].items():
        default = "none" if parameter["default"] == [] else parameter["default"]
        lines += aligned([(f"--set {key}", f"{parameter['description']} (default {default})")])
    for id, reading in entry["readings"].items():
        lines += aligned([(id, reading["question"])])
        variants = [(f"{id}{letter}", f"{text} (default)" if letter == reading["default"] else text)
                    for letter, text in reading["variants"].items()]  # fmt: skip
        lines += aligned(variants, indent=4)
    return [*lines, Text()]
