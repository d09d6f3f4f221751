"""What TLC prints with -tool: numbered messages between @!@!@STARTMSG and @!@!@ENDMSG lines, among free text.

The numbers are those of TLC's class tlc2.output.EC; they are the same in 2.15 and in the newer 2.16 to 2.19.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .values import NotAValue, Value, parse_state

START = re.compile(r"@!@!@STARTMSG (\d+):(\d+) @!@!@")
END = re.compile(r"@!@!@ENDMSG (\d+) @!@!@")
ERROR_SEVERITIES = (1, 2)

OUT_OF_MEMORY = (1001, 1002)
INVARIANT_VIOLATED_INITIALLY = 2107
INVARIANT_VIOLATED = 2110
BEHAVIOUR_FOLLOWS = 2121
FINISHED_WITHOUT_ERROR = 2193
DEPTH = 2194
TOTALS = 2199
PROGRESS = (2200, 2209)
STATE = 2217
VERSION = 2262

COUNTS = re.compile(
    r"([\d,]+) states generated.*?([\d,]+) distinct states found.*?([\d,]+) states left on queue", re.DOTALL
)
LEVEL = re.compile(r"Progress\((\d+)\)")
STATE_HEAD = re.compile(r"\s*\d+: .*\n?")


@dataclass
class TlcOutput:
    """What TLC has said so far, fed line by line.

    `generated` counts states with repetitions, initial ones included; `depth` counts states, the initial one included:
    both are TLC's own figures. `trace` holds the states of the counterexample. None: not said.
    """

    version: str | None = None
    generated: int | None = None
    distinct: int | None = None
    queue: int | None = None
    depth: int | None = None
    totals: bool = False
    finished: bool = False
    violated: str | None = None
    out_of_memory: bool = False
    errors: list[str] = field(default_factory=list)
    trace: list[dict[str, Value]] = field(default_factory=list)
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
        elif number == FINISHED_WITHOUT_ERROR:
            self.finished = True
        elif number in (INVARIANT_VIOLATED, INVARIANT_VIOLATED_INITIALLY):
            self._take_violation(number, text)
        elif number == STATE:
            self._take_state(STATE_HEAD.sub("", text, count=1))
        elif severity in ERROR_SEVERITIES and number != BEHAVIOUR_FOLLOWS:
            self.out_of_memory |= number in OUT_OF_MEMORY or "OutOfMemoryError" in text
            self.errors.append(" ".join(text.split()))

    def _take_counts(self, number: int, text: str) -> None:
        counts = COUNTS.search(text)
        if counts is None:
            return
        self.generated, self.distinct, self.queue = (int(re.sub(r"\D", "", count)) for count in counts.groups())
        self.totals |= number == TOTALS
        if level := LEVEL.search(text):
            self.depth = int(level[1])

    def _take_violation(self, number: int, text: str) -> None:
        name = re.search(r"Invariant (\w+)", text)
        if name is None:
            self.unreadable = text
            return
        self.violated = name[1]
        if number == INVARIANT_VIOLATED_INITIALLY:
            self._take_state(text.partition(":")[2])

    def _take_state(self, text: str) -> None:
        try:
            self.trace.append(parse_state(text))
        except NotAValue as error:
            self.unreadable = self.unreadable or str(error)


def _last_number(text: str, otherwise: int | None) -> int | None:
    numbers = re.findall(r"\d+", text)
    return int(numbers[-1]) if numbers else otherwise
