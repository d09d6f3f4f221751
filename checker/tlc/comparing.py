"""Our result and TLC's, side by side; and the two sets of states, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..engine.decoding import WholeState
from ..errors import EnvironmentProblem
from ..result import Result
from .mapping import Image, image_of
from .result import TlcResult
from .values import NotAValue, parse_state, show

EXAMPLES = 3


class Row(NamedTuple):
    """One figure of both; `equal` is None where the two cannot be compared."""

    what: str
    ours: str | int | None
    tlc: str | int | None
    equal: bool | None


@dataclass(frozen=True)
class StateSets:
    """Two sets of states compared: how many are in both, and the first few that are in one only, as TLA+ values.

    Where TLC keeps one state of those that differ in the names of processes only, its set is that of all of them;
    `orbits` is how many it has up to renaming, and `kept` how many it kept.
    """

    common: int
    only_ours: int
    only_tlc: int
    examples_ours: tuple[Image, ...]
    examples_tlc: tuple[Image, ...]
    orbits: int | None = None
    kept: int | None = None

    @property
    def equal(self) -> bool:
        """Whether the sets are the same, and TLC kept no two states where one is enough."""
        return not self.only_ours and not self.only_tlc and self.orbits == self.kept


def compare(result: Result, tlc: TlcResult) -> tuple[Row, ...]:
    """The rows of the comparison.

    Counts are compared where both explored the whole bound: TLC ends at the first violation, ours when every property
    is decided; with symmetry only the depth. Of violations the length is compared, where TLC promises a shortest one.
    """
    rows = [_row("verdict", result.verdict, tlc.verdict, "incomplete" not in (result.verdict, tlc.verdict))]
    if "violated" in (result.verdict, tlc.verdict):
        both = result.verdict == tlc.verdict == "violated"
        shortest, names = _shortest(result)
        name = tlc.violated_property
        agreed = name in names if both and tlc.is_shortest and result.search == "bfs" else None
        rows.append(Row("violated first", ", ".join(names) or None, name, agreed))
        rows.append(_row("trace length", shortest, tlc.trace_length, agreed is not None))
    whole = result.complete and tlc.verdict == "holds"
    rows.append(_row("distinct states", result.distinct_states, tlc.distinct_states, whole and not tlc.symmetry))
    rows.append(_row("transitions", result.transitions, tlc.transitions, whole and not tlc.symmetry))
    rows.append(_row("depth", result.depth, tlc.depth, whole))
    return tuple(rows)


def _row(what: str, ours: str | int | None, tlc: str | int | None, comparable: bool) -> Row:
    return Row(what, ours, tlc, ours == tlc if comparable else None)


def _shortest(result: Result) -> tuple[int | None, list[str]]:
    """The length of the shortest witness and the properties that have one of that length."""
    lengths = {p.name: p.trace_length for p in result.properties if p.trace_length is not None}
    shortest = min(lengths.values(), default=None)
    return shortest, [name for name, length in lengths.items() if length == shortest]


def compare_states(model: str, ours: Iterable[WholeState], dump: Path, channel: str = "unordered") -> StateSets:
    """Compare the states of ours, mapped as `mapping` says, with those in a dump of TLC, as sets."""
    return compare_images((image_of(model, state, channel) for state in ours), read_dump(dump))


def compare_images(
    ours: Iterable[Image], theirs: Iterable[Image], orbits: tuple[int | None, int | None] = (None, None)
) -> StateSets:
    """Compare two sets of states, one by one."""
    mapped = set(map(frozen, ours))
    missing = set(mapped)
    only_tlc = set()
    for image in map(frozen, theirs):
        if image in mapped:
            missing.discard(image)
        else:
            only_tlc.add(image)
    return StateSets(
        len(mapped) - len(missing), len(missing), len(only_tlc), _examples(missing), _examples(only_tlc), *orbits
    )


def read_dump(path: Path) -> Iterator[Image]:
    """The states of a file that TLC wrote with -dump. Raises EnvironmentProblem where it is no such file."""
    try:
        with path.open(encoding="utf-8") as file:
            lines: list[str] = []
            for line in file:
                if line.startswith("State ") and line.rstrip().endswith(":"):
                    if lines:
                        yield parse_state("".join(lines))
                    lines = []
                else:
                    lines.append(line)
            if "".join(lines).strip():
                yield parse_state("".join(lines))
    except OSError as error:
        raise EnvironmentProblem(f"{path} cannot be read: {error.strerror}") from None
    except (NotAValue, UnicodeDecodeError) as error:
        raise EnvironmentProblem(f"{path} is no dump of TLC that precede can read: {error}") from None


FrozenImage = frozenset[tuple[str, object]]


def frozen(image: Image) -> FrozenImage:
    """The state as a member of a set."""
    return frozenset(image.items())


def _examples(images: set[FrozenImage]) -> tuple[Image, ...]:
    """The smallest few, always the same ones."""
    texts = {image: " ".join(f"{name} = {show(value)}" for name, value in sorted(image)) for image in images}
    first = sorted(texts, key=lambda image: (len(texts[image]), texts[image]))[:EXAMPLES]
    return tuple(dict(image) for image in first)
