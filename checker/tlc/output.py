"""What TLC prints with -tool: numbered messages between @!@!@STARTMSG and @!@!@ENDMSG lines, among free text.

The numbers are those of TLC's class tlc2.output.EC; they are the same in 2.15 and in the newer 2.16 to 2.19. What the
newer ones say besides is taken where they say it: the names of violated temporal formulas.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .coverage import Reported, reported
from .values import NotAValue, Value, parse_state

START = re.compile(r"@!@!@STARTMSG (\d+):(\d+) @!@!@")
END = re.compile(r"@!@!@ENDMSG (\d+) @!@!@")
ERROR_SEVERITIES = (1, 2)

OUT_OF_MEMORY = (1001, 1002)
INVARIANT_VIOLATED_INITIALLY = 2107
FORMULA_VIOLATED_INITIALLY = 2108
INVARIANT_VIOLATED = 2110
STEP_VIOLATED = 2112
LIVENESS_VIOLATED = 2116
BEHAVIOUR_FOLLOWS = (2121, 2264)
BACK_TO_STATE = 2122
FINISHED = 2186
SIMULATES = 2188
FINISHED_WITHOUT_ERROR = 2193
DEPTH = 2194
TOTALS = 2199
PROGRESS = (2200, 2209)
COVERAGE_STARTS = 2201
STATE = 2217
STUTTERING = 2218
VERSION = 2262
COVERAGE = (2772, 2773)

VIOLATIONS = {
    INVARIANT_VIOLATED_INITIALLY: ("invariant", re.compile(r"Invariant (\w+)")),
    FORMULA_VIOLATED_INITIALLY: ("step", re.compile(r"Property (\w+)")),
    INVARIANT_VIOLATED: ("invariant", re.compile(r"Invariant (\w+)")),
    STEP_VIOLATED: ("step", re.compile(r"Action property (.+) is violated")),
    LIVENESS_VIOLATED: ("liveness", re.compile(r"Temporal propert(?:y|ies) ?(.*) w(?:as|ere) violated")),
}
"""The kind of each violation, and how its message names what is violated."""

COUNTS = re.compile(
    r"([\d,]+) states generated.*?(-?[\d,]+) distinct states found.*?(-?[\d,]+) states left on queue", re.DOTALL
)
LEVEL = re.compile(r"Progress\((\d+)\)")
STATE_HEAD = re.compile(r"\s*\d+: .*\n?")


@dataclass
class TlcOutput:
    """What TLC has said so far, fed line by line.

    `generated` counts states with repetitions, initial ones included; `depth` counts states, the initial one included:
    both are TLC's own figures. `violated` is what TLC calls the violated formula (empty: it has no name for it), and
    `kind` is invariant, step (a formula about single steps) or liveness. `trace` holds the states of the
    counterexample; `back_to` is the number, from 1, of the one that its last step returns to, and `stutters` says that
    it stays in its last state for ever. `coverage` is that of the last report. None: not said.
    """

    version: str | None = None
    generated: int | None = None
    distinct: int | None = None
    queue: int | None = None
    depth: int | None = None
    totals: bool = False
    finished: bool = False
    ended: bool = False
    simulates: bool = False
    violated: str | None = None
    kind: str | None = None
    out_of_memory: bool = False
    errors: list[str] = field(default_factory=list)
    trace: list[dict[str, Value]] = field(default_factory=list)
    back_to: int | None = None
    stutters: bool = False
    coverage: list[Reported] = field(default_factory=list)
    unreadable: str | None = None
    free_text: list[str] = field(default_factory=list)
    _number: int | None = None
    _severity: int = 0
    _lines: list[str] = field(default_factory=list)

    def feed(self, line: str) -> None:
        """Take one line."""
        if start := START.fullmatch(line.strip()):
            self._number, self._severity, self._lines = int(start[1]), int(start[2]), []
        elif END.fullmatch(line.strip()):
            number, self._number = self._number, None
            if number is not None:
                self._take(number, self._severity, "\n".join(self._lines))
        elif self._number is None:
            if line.strip():
                self.free_text.append(line.strip())
        else:
            self._lines.append(line.rstrip("\n"))

    def _take(self, number: int, severity: int, text: str) -> None:
        if number == VERSION:
            self.version = text.strip()
        elif number in (TOTALS, *PROGRESS):
            self._take_counts(number, text)
        elif number == DEPTH:
            self.depth = _last_number(text, self.depth)
        elif number in (FINISHED, SIMULATES, FINISHED_WITHOUT_ERROR):
            self.ended |= number == FINISHED
            self.simulates |= number == SIMULATES
            self.finished |= number == FINISHED_WITHOUT_ERROR
        elif number in VIOLATIONS:
            self._take_violation(number, text)
        elif number in (STATE, STUTTERING, BACK_TO_STATE):
            self._take_step(number, text)
        elif number == COVERAGE_STARTS:
            self.coverage.clear()
        elif number in COVERAGE:
            self.coverage.extend(report for report in (reported(text),) if report)
        elif severity in ERROR_SEVERITIES and number not in BEHAVIOUR_FOLLOWS:
            self.out_of_memory |= number in OUT_OF_MEMORY or "OutOfMemoryError" in text
            self.errors.append(" ".join(text.split()))

    def _take_counts(self, number: int, text: str) -> None:
        counts = COUNTS.search(text)
        if counts is None:
            return
        self.generated, self.distinct, self.queue = map(_count, counts.groups())
        self.totals |= number == TOTALS
        if not self.simulates and (level := LEVEL.search(text)):
            self.depth = int(level[1])

    def _take_violation(self, number: int, text: str) -> None:
        kind, pattern = VIOLATIONS[number]
        named = pattern.search(text)
        if named is None:
            self.unreadable = text
            return
        self.kind, self.violated = kind, named[1]
        if number in (INVARIANT_VIOLATED_INITIALLY, FORMULA_VIOLATED_INITIALLY):
            self._take_state(text.partition(":")[2])

    def _take_step(self, number: int, text: str) -> None:
        if number == STATE:
            self._take_state(STATE_HEAD.sub("", text, count=1))
        elif number == STUTTERING:
            self.stutters = True
        elif place := re.match(r"\s*(\d+): Back to state", text):
            self.back_to = int(place[1])
        else:
            self.unreadable = self.unreadable or text

    def _take_state(self, text: str) -> None:
        try:
            self.trace.append(parse_state(text))
        except NotAValue as error:
            self.unreadable = self.unreadable or str(error)


def _count(text: str) -> int | None:
    """A number with or without commas; -1 is no count."""
    return None if text.startswith("-") else int(text.replace(",", ""))


def _last_number(text: str, otherwise: int | None) -> int | None:
    numbers = re.findall(r"\d+", text)
    return int(numbers[-1]) if numbers else otherwise
