"""Scripted scenarios: who sends what to whom, in which order, and which arrivals come before which.

A scenario narrows the runs of a model to those that follow a script; all of them are explored. The file:

    # The triangle: 1 tells 3, then 2; 2 tells 3.
    processes 3
    m1: 1 -> 3
    m2: 1 -> 2
    m3: 2 -> 3 after m2
    arrive at 3: m3, m1

Each process sends exactly the messages listed for it, in the listed order, each not before the messages after `after`
have been delivered at it. `arrive at d: x, y` lets y be received at d only once x has been sent and either has been
delivered at d, or is held there, or cannot be received there now: it has arrived and waits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from .bounds import Bounds
from .errors import ConfigurationError, EnvironmentProblem
from .files import read_bytes
from .history import MessageId
from .scenario_order import contradiction

LARGEST_FILE = 100_000
MOST_PROCESSES = 62

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,29}"
_NAMES = rf"{_NAME}(?:\s*,\s*{_NAME})*"
_NUMBER = r"[0-9]{1,6}"
_PROCESSES = re.compile(rf"processes\s+({_NUMBER})")
_ARRIVE = re.compile(rf"arrive\s+at\s+({_NUMBER})\s*:\s*({_NAMES})")
_MESSAGE = re.compile(rf"({_NAME})\s*:\s*({_NUMBER})\s*->\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)(?:\s+after\s+({_NAMES}))?")


@dataclass(frozen=True)
class ScriptedMessage:
    """One line of a script: message `number` of `sender`, sent only after `after` has been delivered at the sender."""

    name: str
    sender: int
    number: int
    dests: frozenset[int]
    after: tuple[MessageId, ...] = ()

    @property
    def id(self) -> MessageId:
        """(sender, number)."""
        return self.sender, self.number


@dataclass(frozen=True)
class Scenario:
    """A parsed script. `arrivals` holds, per `arrive` line, the process and its messages in their order of arrival."""

    name: str
    text: str
    processes: int
    messages: tuple[ScriptedMessage, ...]
    arrivals: tuple[tuple[int, tuple[MessageId, ...]], ...] = ()

    def find(self, process: int, number: int) -> ScriptedMessage | None:
        """Message `number` of `process`; None where the script ends earlier."""
        return next((m for m in self.messages if m.id == (process, number)), None)


def load_scenario(path: Path | str) -> Scenario:
    """Read and parse a scenario file; its name is the file's name without the suffix.

    Raises EnvironmentProblem (unreadable, not text, too large) and ConfigurationError (what `parse_scenario` raises).
    """
    path = Path(path)
    data = read_bytes(path, "scenario", LARGEST_FILE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EnvironmentProblem(f"{path}: not a text file; a scenario is plain UTF-8 text") from None
    return parse_scenario(text, path.stem)


def parse_scenario(text: str, name: str) -> Scenario:
    """Parse the text of a scenario. Raises ConfigurationError with the line number and what to write instead."""
    lines = [(n, line.split("#", 1)[0].strip()) for n, line in enumerate(text.split("\n"), 1)]
    lines = [(n, line) for n, line in lines if line]
    parser = _Parser(name)
    for number, line in lines:
        parser.line(number, line)
    return parser.finish(text)


class _Parser:
    """What has been read so far of one scenario."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        self.processes: int | None = None
        self.messages: dict[str, ScriptedMessage] = {}
        self.after: dict[str, tuple[int, list[str]]] = {}
        self.arrivals: list[tuple[int, int, list[str]]] = []

    def line(self, number: int, line: str) -> None:
        """Read one line that is neither empty nor a comment."""
        self.number = number
        if match := _PROCESSES.fullmatch(line):
            self._read_processes(int(match[1]))
        elif self.processes is None:
            raise self._error(f"the first line must be 'processes N', found {_quote(line)}")
        elif match := _ARRIVE.fullmatch(line):
            self.arrivals.append((number, self._process(match[1]), _split(match[2])))
        elif match := _MESSAGE.fullmatch(line):
            self._read_message(match[1], self._process(match[2]), _split(match[3]), _split(match[4]))
        else:
            raise self._error(
                f"cannot read {_quote(line)}; write 'm1: 1 -> 2, 3', 'm2: 2 -> 3 after m1' or 'arrive at 3: m2, m1'"
            )

    def finish(self, text: str) -> Scenario:
        """Resolve the names and check that some run can follow the script."""
        if self.processes is None or not self.messages:
            self.number = max(1, self.number)
            raise self._error("a scenario needs a line 'processes N' and at least one message, such as 'm1: 1 -> 2'")
        for number, names in self.after.values():
            self.number = number
            self._known(names)
        messages = tuple(replace(m, after=self._resolve_after(m, *self.after[m.name])) for m in self.messages.values())
        arrivals = tuple(self._resolve_arrivals(*line) for line in self.arrivals)
        scenario = Scenario(self.name, text, self.processes, messages, arrivals)
        if cycle := contradiction(scenario, in_order=False):
            raise ConfigurationError(
                f"scenario {self.name}: no run can follow this script, it waits for itself: {cycle}"
            )
        return scenario

    def _read_processes(self, processes: int) -> None:
        if self.processes is not None:
            raise self._error("'processes' is given twice; keep one line")
        if not 2 <= processes <= MOST_PROCESSES:
            raise self._error(f"processes {processes}: give 2 to {MOST_PROCESSES}")
        self.processes = processes

    def _read_message(self, name: str, sender: int, dests: list[str], after: list[str]) -> None:
        if name in self.messages:
            raise self._error(f"message {name} is listed twice; every message needs a name of its own")
        numbers = [self._process(d) for d in dests]
        if len(set(numbers)) < len(numbers):
            raise self._error(f"message {name} names a destination twice; each gets one copy")
        number = 1 + sum(m.sender == sender for m in self.messages.values())
        self.messages[name] = ScriptedMessage(name, sender, number, frozenset(numbers))
        self.after[name] = (self.number, after)

    def _resolve_after(self, message: ScriptedMessage, number: int, names: list[str]) -> tuple[MessageId, ...]:
        self.number = number
        for name in names:
            other = self.messages[name]
            if other.sender == message.sender:
                raise self._error(
                    f"{message.name} after {name}: both are sent by process {message.sender}, whose messages go out in "
                    "the listed order anyway; drop it from 'after'"
                )
            if message.sender not in other.dests:
                raise self._error(
                    f"{message.name} after {name}: {name} is not addressed to process {message.sender}, which never "
                    "delivers it"
                )
        self._once(names, "after")
        return tuple(self.messages[name].id for name in names)

    def _resolve_arrivals(self, number: int, process: int, names: list[str]) -> tuple[int, tuple[MessageId, ...]]:
        self.number = number
        self._known(names)
        self._once(names, "arrive")
        if len(names) < 2:
            raise self._error("'arrive' orders messages: name at least two")
        for name in names:
            if process not in self.messages[name].dests:
                raise self._error(f"{name} is not addressed to process {process} and never arrives there")
        return process, tuple(self.messages[name].id for name in names)

    def _process(self, text: str) -> int:
        assert self.processes is not None
        if not 1 <= int(text) <= self.processes:
            raise self._error(f"there is no process {int(text)}: processes are 1 to {self.processes}")
        return int(text)

    def _known(self, names: list[str]) -> None:
        for name in names:
            if name not in self.messages:
                raise self._error(f"no message is called {name}; the messages are {', '.join(self.messages)}")

    def _once(self, names: list[str], where: str) -> None:
        for name in names:
            if names.count(name) > 1:
                raise self._error(f"'{where}' names {name} twice")

    def _error(self, what: str) -> ConfigurationError:
        return ConfigurationError(f"scenario {self.name}, line {self.number}: {what}")


def scripted_bounds(scenario: Scenario, bounds: Bounds) -> Bounds:
    """The bounds under which the script runs: its processes and messages, and the channel of `bounds`.

    Raises ConfigurationError where the script asks for what `bounds` exclude: self-addressed messages that are
    forbidden, or an order of arrival that FIFO channels cannot produce.
    """
    for m in scenario.messages:
        if m.sender in m.dests and bounds.self_addressed == "forbidden":
            raise ConfigurationError(
                f"scenario {scenario.name}: {m.name} is addressed to its own sender; take {m.sender} out of its "
                "destinations, or give --self network or --self at-send"
            )
    if bounds.channel == "fifo" and (cycle := contradiction(scenario, in_order=True)):
        raise ConfigurationError(f"scenario {scenario.name}: --channel fifo cannot produce its arrivals: {cycle}")
    unicast = all(len(m.dests) == 1 for m in scenario.messages)
    return replace(
        bounds,
        processes=scenario.processes,
        sends=len(scenario.messages),
        sends_per_process=None,
        dests="unicast" if unicast else "multicast",
        groups=(),
    )


def next_dests(scenario: Scenario, process: int, number: int) -> frozenset[int] | None:
    """The destinations of message `number` of `process`; None where the script has no such message."""
    message = scenario.find(process, number)
    return message.dests if message else None


def must_be_delivered(scenario: Scenario, process: int, number: int) -> tuple[MessageId, ...]:
    """The messages that must have been delivered at `process` before it sends its message `number`."""
    message = scenario.find(process, number)
    return message.after if message else ()


def must_have_arrived(
    scenario: Scenario, process: int, message: MessageId, channel: str = "unordered"
) -> tuple[MessageId, ...]:
    """The messages that must have arrived at `process` before `message` may be received there, in order of identity.

    A message has arrived when it has been sent and either has been delivered at `process`, or is held there, or cannot
    be received there now, by the model's condition or by the channel. The order is transitive over the `arrive` lines
    and, with `channel` "fifo", over the order of each channel.
    """
    pairs = set(_arrival_pairs(scenario, process, channel))
    found: set[MessageId] = set()
    frontier = {message}
    while frontier:
        frontier = {x for x, y in pairs if y in frontier} - found
        found |= frontier
    return tuple(sorted(found))


def _arrival_pairs(scenario: Scenario, process: int, channel: str) -> list[tuple[MessageId, MessageId]]:
    orders = [ids for at, ids in scenario.arrivals if at == process]
    if channel == "fifo" and orders:
        senders = sorted({m.sender for m in scenario.messages})
        orders += [tuple(m.id for m in scenario.messages if m.sender == s and process in m.dests) for s in senders]
    return [pair for ids in orders for pair in pairwise(ids)]


def _split(names: str | None) -> list[str]:
    return [name.strip() for name in names.split(",")] if names else []


def _quote(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")
