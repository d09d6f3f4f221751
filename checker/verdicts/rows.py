"""A row of the registry: a claim of a paper or a variant of a reading, what is expected of it, and its evidence."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field

ENGINES = ("check", "prove", "bounded", "compare", "behaviour", "minimal", "sizes", "seek", "tlc", "study")
"""The first word of a run: what `running` can carry out. All but `behaviour` are commands of precede."""

ASPECTS = ("causal order", "delivery", "exactness", "false waits", "size bound")
"""What a variant gets a verdict on, each."""

WORDS = (
    "holds", "violated", "incomplete", "not applicable", "proved", "refuted", "open", "same", "differs", "failed",
)  # fmt: skip
"""What an engine can answer, beside a figure."""

_EXPECTATION = re.compile(rf"(?P<verdict>{'|'.join(WORDS)})(?: (?P<steps>\d+))?|(?P<figure>\d+)|(?P<unknown>.*\?)")


@dataclass(frozen=True)
class Expected:
    """What is expected of one thing asked: a verdict such as `violated` with the steps of the counterexample, or the
    figure that is measured. `?` is met by nothing: what is found is not known yet."""

    verdict: str
    steps: int | None = None
    figure: int | None = None

    @property
    def text(self) -> str:
        """As it is written in the registry: "violated 6", "holds" or "9"."""
        if self.figure is not None:
            return str(self.figure)
        return self.verdict if self.steps is None else f"{self.verdict} {self.steps}"


def parse_expected(text: str) -> Expected | None:
    """The expectation as it is written; None where it is none."""
    found = _EXPECTATION.fullmatch(text)
    if found is None:
        return None
    if found["unknown"]:
        return Expected("?")
    if found["figure"]:
        return Expected("measured", figure=int(found["figure"]))
    return Expected(found["verdict"], int(found["steps"]) if found["steps"] else None)


@dataclass(frozen=True)
class Evidence:
    """One run of an engine: the words of the command, and what it must say of each thing asked.

    `repair` marks a run that shows what restores a refuted statement; it does not decide the row. `asks` says which
    aspect something asked is about, where its name does not say it. `against` is the other side of `behaviour`.
    """

    run: str
    expect: dict[str, Expected]
    quick: bool = False
    repair: bool = False
    asks: dict[str, str] = field(default_factory=dict)
    against: str | None = None

    @property
    def engine(self) -> str:
        """The first word of the run."""
        return self.run.split(maxsplit=1)[0]

    @property
    def is_search(self) -> bool:
        """Whether runs are drawn: what finds nothing says nothing."""
        return self.engine == "seek" or (self.engine == "check" and "--search random" in self.run)

    @property
    def arguments(self) -> list[str]:
        """The words after the first."""
        return shlex.split(self.run)[1:]

    @property
    def command(self) -> str | None:
        """The command that repeats it alone; None for `behaviour`, which only the registry has."""
        if self.engine == "behaviour":
            return None
        if self.engine in ("check", "bounded", "seek"):
            return " ".join(["precede", self.run, *(f"--property {name}" for name in self.expect)])
        if self.engine == "prove":
            return " ".join(["precede", self.run, *self.expect])
        return f"precede {self.run}"


@dataclass(frozen=True)
class Row:
    """A claim (its id starts with C-) or a variant of a reading (such as KS-3a).

    `about` is the model that it is a statement about. `verdict` is what the registry expects. `claimed` names the
    properties that decide it, where they are not those that the model's paper claims.
    """

    id: str
    about: str
    statement: str
    verdict: str
    evidence: tuple[Evidence, ...]
    question: str | None = None
    assumptions: tuple[str, ...] = ()
    why: str = ""
    restores: str = ""
    tried: str = ""
    claimed: tuple[str, ...] | None = None

    @property
    def is_claim(self) -> bool:
        """Whether it is a statement of a paper; otherwise it is a way to read one."""
        return self.id.startswith("C-")

    @property
    def deciding(self) -> tuple[Evidence, ...]:
        """The evidence that decides it: all but that of a repair."""
        return tuple(evidence for evidence in self.evidence if not evidence.repair)
