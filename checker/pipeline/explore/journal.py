"""The journal of local steps: which were computed, in which order. Replayed, it gives every local object its number
again, from the model itself, so nothing that a folder holds is believed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...engine.bundles import Array
from ...engine.enabling import Missing
from ...engine.space import StateSpace
from ...errors import EnvironmentProblem
from .folder import Folder
from .tables import schema_of

KINDS = {0: "pairs", 1: "locals", 2: "others", 3: "joints", 6: "local", 7: "packet"}
"""The numbers of the table `asked` (those of `worker`), and what they stand for: the steps of (local state, packet),
the sends and the other steps of local states, joint steps, and local states and packets reached for the first time."""

ASKING = ("pairs", "locals", "others", "joints")
DAMAGED = "damaged, or of another version of the model; explore into a new folder"

Round = dict[str, Array]
"""What was asked at once, by the names of `KINDS`: pairs (k, 2), joints (k, n), the others (k,)."""


class Asked:
    """What was asked since the last level, round by round."""

    def __init__(self) -> None:
        self.rounds: list[Round] = []

    def together(self, name: str, width: int) -> Array:
        """Everything of one name, `width` numbers each, 0 for plain ones."""
        parts = [part[name] for part in self.rounds if name in part]
        return np.concatenate(parts) if parts else np.zeros((0, width) if width else 0, np.int32)


def asked_columns(asked: Asked, processes: int) -> list[Any]:
    """The columns of the table `asked`."""
    numbers: list[Array] = [np.zeros((4, 0), np.int32)]
    lists: list[Array] = [np.zeros(0, np.int32)]
    lengths: list[Array] = [np.zeros(1, np.int32)]
    for number, part in enumerate(asked.rounds):
        for kind, name in KINDS.items():
            found = part.get(name, lists[0])
            column = np.zeros(len(found), np.int32)
            first, second = (found[:, 0], found[:, 1]) if name == "pairs" else (found, column)
            if name == "joints" or not len(found):
                first = second = column
            numbers.append(np.array([column + number, column + kind, first, second], np.int32).reshape(4, -1))
            lists.append(found.reshape(-1) if name == "joints" else lists[0])
            lengths.append(column + (processes if name == "joints" else 0))
    offsets = np.cumsum(np.concatenate(lengths)).astype(np.int32)
    return [*np.concatenate(numbers, axis=1), pa.ListArray.from_arrays(offsets, np.concatenate(lists).astype(np.int32))]


def read_asked(folder: Folder, level: int, processes: int) -> list[Round]:
    """What was asked in the expansion of a level. Raises EnvironmentProblem for what no exploration wrote."""
    path = folder.part("asked", level) / "part-0.parquet"
    if not path.exists():
        return []
    try:
        table = pq.read_table(path, schema=schema_of("asked"))
        number, kind, first, second = (table.column(c).to_numpy() for c in range(4))
        more = table.column("more").combine_chunks()
        lists = more.flatten().to_numpy().astype(np.int32)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise EnvironmentProblem(f"{path}: {str(error).splitlines()[0]}") from None
    rounds: list[Round] = []
    for place in range(int(number.max(initial=-1)) + 1 if len(number) <= 2**31 else 0):
        here = number == place
        if not here.any():
            raise EnvironmentProblem(f"{path}: {DAMAGED}")
        part: Round = {}
        for code, name in KINDS.items():
            chosen = np.flatnonzero(here & (kind == code))
            if name == "pairs":
                part[name] = np.stack([first[chosen], second[chosen]], axis=1).astype(np.int32)
            elif name == "joints":
                if len(chosen) * processes > len(lists):
                    raise EnvironmentProblem(f"{path}: {DAMAGED}")
                part[name] = lists[: len(chosen) * processes].reshape(-1, processes)
                lists = lists[len(chosen) * processes :]
            else:
                part[name] = first[chosen].astype(np.int32)
        rounds.append(part)
    return rounds


def check_round(part: Round, space: StateSpace, where: str) -> None:
    """Raises EnvironmentProblem unless everything asked refers to what is there."""
    locals_, packets = int(space.locals.size[0]), int(space.packets.size[0])
    owner = space.pasts.owner[space.locals.past[:locals_]]
    pairs, joints = part["pairs"], part["joints"]
    mentioned = np.concatenate([pairs[:, 0], part["locals"], part["others"], joints.reshape(-1)])
    taken = pairs[:, 1]
    fits = bool(
        ((mentioned >= 0) & (mentioned < locals_)).all()
        and ((taken > 0) & (taken < packets)).all()
        and (space.packets.to[taken] == owner[pairs[:, 0]]).all()
        and (owner[joints] == np.arange(space.processes)).all()
    )
    if not fits:
        raise EnvironmentProblem(f"{where}: {DAMAGED}")


def check_reached(part: Round, space: StateSpace, where: str) -> None:
    """Raises EnvironmentProblem unless everything that was reached is there."""
    for name, size in (("local", space.locals.size[0]), ("packet", space.packets.size[0])):
        if len(part[name]) and not (part[name].min() >= 0 and part[name].max() < size):
            raise EnvironmentProblem(f"{where}: {DAMAGED}")


def missing_of(part: Round, processes: int) -> Missing:
    """What is asked, as the engine takes it (`StateSpace.complete`)."""

    def counted(name: str, shape: tuple[int, ...]) -> tuple[Array, Array]:
        found = part.get(name, np.zeros((0, *shape), np.int32))
        return np.ascontiguousarray(found, np.int32), np.array([len(found)], np.int64)

    return Missing(
        *counted("pairs", (2,)), *counted("locals", ()), *counted("others", ()), *counted("joints", (processes,)),
        np.zeros(0, np.int32), np.zeros(1, np.int64), np.array([0], np.int64),
    )  # fmt: skip
