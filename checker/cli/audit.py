"""`precede audit`: was causal order violated in a recorded system?"""

from __future__ import annotations

from pathlib import Path

import click

from .options import STDOUT, Seconds, Size, json_option, probe_targets, write_json

EPILOG = """\b
Logs: newline-delimited JSON or Parquet with the fields process, kind (send, deliver, receive, other),
message, destinations, execution, time, text (`checker/pipeline/audit/ndjson.py` describes each); traces of
precede; ShiViz logs by --parser, or by the one of those known that fits. The tables in --out:
`checker/pipeline/audit/tables.py`.

\b
Exit codes:
  0        every execution is causally ordered (or synchronous) and every log is well-formed
  12       causal order is violated in some execution
  3        not violated, but not everything could be judged: problems in a log, too large an execution
  2        wrong options, or an expression that does not come to its end
  153      a log that cannot be read or is of no known format; --out that cannot be written

\b
Problems, by code:
  broken-line      no event                         gap              the log lacks events
  sent-twice       an id is sent again              no-own-component no entry for the own process
  never-sent       delivered, its send is missing   bad-clock        no JSON object of whole numbers
  delivered-twice  delivered again                  clock-decreases  a process knows less than before
  received-twice   arrived again                    ahead-of-owner   knows what has not happened
  not-addressed    delivered at no destination      clocks-disagree  knows an event, not its past
  cycle            delivered before it is sent      too-large        more than is judged
"""


@click.command(epilog=EPILOG)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("--out", metavar="DIR", help="Keep tables, diagrams and logs for ShiViz here; run again, it goes on.")
@click.option("--parser", metavar="REGEX", help="The expression of ShiViz logs (JavaScript's syntax), or the name of a "
              "known one: chord, broadcast, simpledb, facebook, ewd998.")  # fmt: skip
@click.option("--delimiter", metavar="REGEX", help="What stands between the executions of a ShiViz log.")
@click.option("--parse-limit", type=Seconds(), default=60.0, show_default=True, metavar="SECONDS",
              help="For one expression on one log.")  # fmt: skip
@click.option("--together", metavar="NAME", help="Events without an execution, of all logs, belong to this one.")
@click.option("--diagrams", type=click.IntRange(0, 100), default=5, show_default=True, metavar="N",
              help="Diagrams of an execution in --out, at most.")  # fmt: skip
@click.option("--master", metavar="URL", help="Let Spark read and distribute: local[*], spark://HOST:PORT, "
              "...  [default: local[*] from 1 GiB of logs on, else one process]")  # fmt: skip
@click.option("--memory", type=Size(), default="2G", show_default=True, metavar="SIZE", help="Of Spark, each executor.")
@json_option
def audit(
    logs: tuple[str, ...],
    out: str | None,
    parser: str | None,
    delimiter: str | None,
    parse_limit: float,
    together: str | None,
    diagrams: int,
    master: str | None,
    memory: int,
    json_target: str | None,
) -> int:
    """Judge recorded message logs: well-formed or not, and realisable with synchronous communication, causally
    ordered, FIFO, or none of these.

    For each class that fails: the smallest violating pair or crown with its causal chain. Also what causal order would
    have cost: delays, and the control information that KS, RST, SES and Jang et al. would have carried.
    """
    from ..errors import UsageError
    from ..pipeline.audit.expressions import checked_parser
    from ..pipeline.audit.report import document_of, lines_of
    from ..pipeline.audit.running import Request, run
    from ..pipeline.audit.sources import Reading
    from ..progress import ProgressLine
    from ..report import console

    probe_targets(json_target)
    if delimiter and not parser:
        raise UsageError("--delimiter is about the expression of --parser, which is not given")
    reading = Reading(checked_parser(parser, delimiter) if parser else None, parse_limit, together)
    request = Request([Path(log) for log in logs], reading, Path(out) if out else None, master, memory, diagrams)
    with ProgressLine() as line:
        audited = run(request, line.text)
    if json_target != STDOUT:
        printer = console()
        for text in lines_of(audited):
            printer.print(text)
        if out:
            printer.print(f"\nkept in {out}")
    write_json(json_target, document_of(audited))
    return audited.exit_code
