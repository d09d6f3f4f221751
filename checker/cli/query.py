"""`precede query`: questions in SQL about what `precede explore` has written."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import HOLDS, UsageError
from ..files import probe, write_text
from ..formats_of_exploring import QUERY
from .explore import spark_options
from .options import STDOUT, json_option, probe_targets, write_json

if TYPE_CHECKING:
    from ..pipeline.explore.querying import Answer

MOST_ROWS = 100


def _tables() -> str:
    """The views and their columns, as help."""
    from ..pipeline.explore.querying import LEVELS_SAY, VIEWS

    lines = ["\b", "Tables, each with a column `level` besides those listed:"]
    for name, columns in VIEWS.items():
        lines += [f"  {name}", *(f"    {column.name}: {column.says}" for column in columns)]
    return "\n".join([*lines, "  levels", *(f"    {name}: {says}" for name, says in LEVELS_SAY.items())])


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("sql", metavar="SQL", required=False)
@click.option("--tables", "list_tables", is_flag=True, help="List the tables and their columns, and end.")
@click.option(
    "--rows",
    type=click.IntRange(1, 1_000_000),
    default=MOST_ROWS,
    show_default=True,
    metavar="N",
    help="Rows that are printed or written, at most; --parquet has all.",
)
@click.option("--csv", "csv_target", metavar="FILE", help="Write the rows as CSV; - is standard output, alone.")
@click.option(
    "--parquet",
    "parquet_target",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write all rows as one Parquet file.",
)
@json_option
@spark_options
def query(
    folder: Path,
    sql: str | None,
    list_tables: bool,
    rows: int,
    csv_target: str | None,
    parquet_target: Path | None,
    json_target: str | None,
    master: str,
    memory: int,
) -> int:
    """Answer a question in SQL about the exploration in DIR; nothing there is changed.

    The tables are states, locals, model_states, packets, steps and levels; `--tables` lists their columns.
    """  # fmt: skip
    from ..pipeline.explore.querying import SETTINGS, ask_sql, open_views, rows_of, write_parquet
    from ..pipeline.session import spark_session
    from ..progress import ProgressLine

    if list_tables:
        click.echo(_tables().removeprefix("\b\n"))
        return HOLDS
    if not sql:
        raise UsageError("which question? Give it in SQL, such as 'SELECT level, states FROM levels'")
    if csv_target == STDOUT and json_target == STDOUT:
        raise UsageError("--csv - and --json - both want standard output")
    probe_targets(json_target)
    for target, option in ((csv_target, "--csv"), (parquet_target, "--parquet")):
        if target is not None and target != STDOUT:
            probe(Path(target), option)
    answer: Answer | None = None
    with ProgressLine() as progress:
        progress.text("starting Spark")
        with spark_session("query", master, memory, SETTINGS) as session:
            open_views(session, folder.absolute())
            frame = ask_sql(session, sql)
            if parquet_target is not None:
                count = write_parquet(frame, parquet_target)
            if parquet_target is None or csv_target or json_target:
                answer = rows_of(frame, rows)
    if parquet_target is not None:
        click.echo(f"{count:,} rows written to {parquet_target}", err=STDOUT in (csv_target, json_target))
    if answer is not None:
        _give(answer, csv_target, json_target)
    return HOLDS


def _give(answer: Answer, csv_target: str | None, json_target: str | None) -> None:
    """Print the rows, or write them where they are wanted."""
    if csv_target is not None:
        text = as_csv(answer)
        if csv_target == STDOUT:
            click.echo(text, nl=False)
        else:
            write_text(Path(csv_target), text)
    if json_target is not None:
        write_json(json_target, QUERY.document(**as_json(answer)))
    if csv_target is None and json_target is None:
        print_table(answer)
    if not answer.complete:
        click.echo(f"only the first {len(answer.rows):,} rows; --rows N gives more", err=True)


def as_json(answer: Answer) -> dict[str, object]:
    """The fields of the JSON format; what JSON has not is text."""
    import json

    return json.loads(json.dumps(answer._asdict(), default=str))  # type: ignore[no-any-return]


def as_csv(answer: Answer) -> str:
    """The rows as CSV with a header."""
    from ..pipeline.explore.querying import cell

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([["" if value is None else cell(value) for value in row] for row in answer.rows])
    return out.getvalue()


def print_table(answer: Answer) -> None:
    """Print the rows in aligned columns, numbers to the right."""
    from rich.text import Text

    from ..pipeline.explore.querying import cell
    from ..report import aligned, console

    right = [
        place
        for place in range(len(answer.columns))
        if all(isinstance(row[place], int | float | None.__class__) for row in answer.rows)
    ]
    cells = [[Text(cell(name)) for name in answer.columns]]
    cells += [[Text(cell(value)) for value in row] for row in answer.rows]
    out = console()
    for line in aligned(cells, right=right):
        out.print(line)
