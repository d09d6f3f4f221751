"""The command line: the thinnest layer. Every error becomes one line and an exit code here, and nowhere else."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from io import TextIOWrapper

import click
from click.exceptions import NoArgsIsHelpError

from ..errors import USAGE, EnvironmentProblem, PrecedeError
from .ablate import ablate
from .assumptions import assumptions
from .audit import audit
from .bench import bench
from .bounded import bounded
from .check import check
from .claims import claims
from .compare import compare
from .demo import demo
from .explore import explore
from .findings import findings
from .growth import growth
from .listing import list_models
from .minimal import minimal
from .prove import prove
from .query import query
from .readings import readings
from .seek import seek
from .sizes import sizes
from .step import step
from .study import study
from .tlc import tlc
from .trace import trace

INTERRUPTED = 130
BROKEN_PIPE = 141
BUG = 70

EXIT_CODES = """\b
Exit codes:
  0        holds: the whole bound was explored and nothing is violated
  11       violated: a stuck state (Delivery)
  12       violated: any other property
  13       violated: a fair cycle without delivery
  3        incomplete: a limit or Ctrl-C stopped the search, no violation so far
  2        the command was used in a wrong way
  75, 76   a model, a property broke its contract or raised
  150, 151 a model, property or specification cannot be loaded; impossible bounds
  153      the environment: no Java, a full disk, a foreign file
"""


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="precede", prog_name="precede")
def cli() -> None:
    """A laboratory for causal message ordering.

    Explores an algorithm exhaustively within a bound, draws the shortest counterexample, and compares with TLC.
    Start with `precede demo`, or `precede list` and `precede check ks`.
    """


for command in (
    list_models,
    check,
    tlc,
    trace,
    step,
    demo,
    bench,
    growth,
    ablate,
    sizes,
    assumptions,
    compare,
    prove,
    bounded,
    minimal,
    claims,
    readings,
    findings,
    audit,
    study,
    explore,
    query,
    seek,
):
    cli.add_command(command)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what went wrong is one line on standard error."""
    try:
        code = cli.main(arguments, prog_name="precede", standalone_mode=False)
        _flush_stdout()
        return code if isinstance(code, int) else 0
    except NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.UsageError as error:
        return _fail(f"{error.format_message()} {_help_of(error)}", USAGE)
    except click.ClickException as error:
        return _fail(error.format_message(), USAGE)
    except PrecedeError as error:
        return _fail(str(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except (BrokenPipeError, SystemExit):  # click itself turns a broken pipe into a SystemExit
        _silence_stdout()
        return BROKEN_PIPE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", EnvironmentProblem.exit_code)
    except MemoryError:
        return _fail("out of memory; choose smaller bounds or a --memory-limit", EnvironmentProblem.exit_code)
    except Exception as error:
        if os.environ.get("PRECEDE_DEBUG"):
            raise
        what = f"{type(error).__name__}: {error}"
        return _fail(f"a bug in precede, not in your input: {what} (PRECEDE_DEBUG=1 shows the traceback)", BUG)


RARELY = (50_000, 20, 100)
"""What is made here lives long and has hardly any cycles: the usual thresholds take a fifth of a short check."""


def main() -> None:
    """The console command `precede`. A request to terminate ends it as Ctrl-C does, so that no child outlives it."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    gc.set_threshold(*RARELY)
    warnings.showwarning = lambda message, *_, **__: click.echo(f"precede: {message}", err=True)
    code = run()
    gc.freeze()  # the last collection of the interpreter would go through all that was found
    sys.exit(code)


def _fail(message: str, code: int) -> int:
    if os.environ.get("PRECEDE_DEBUG"):
        import traceback

        traceback.print_exc()
    line = " ".join(message.split())
    printable = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    try:
        click.echo(f"precede: {printable}", err=True)
        _flush_stdout()
    except OSError:
        _silence_stdout()
    return code


def _help_of(error: click.UsageError) -> str:
    return f"(`{error.ctx.command_path} --help` lists the options)" if error.ctx else ""


def _flush_stdout() -> None:
    if sys.stdout is not None:  # None: it was closed before we started
        sys.stdout.flush()


def _silence_stdout() -> None:
    """Let the interpreter's own last flush of standard output go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
