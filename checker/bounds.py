"""The system around a model: how many processes and sends, who may be addressed, what the channels promise."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from precede.models import Sets

from .errors import ConfigurationError, UsageError

DESTS = ("unicast", "multicast", "broadcast", "groups")
CHANNELS = ("unordered", "fifo", "fifo-delivery", "fifo-arrival", "rendezvous")
SELF = ("forbidden", "network", "at-send")
MOST_PROCESSES = 62
MOST_SENDS = 2000
MOST_MULTICASTING = 12
MOST_FAULTS = 100


@dataclass(frozen=True)
class Bounds:
    """The bounds of one exploration (design.md, section 5). Fewer sends than `sends` are allowed.

    `sends_per_process` is at most `sends`; `None` means no bound of its own. With destination sets `groups` a message
    goes to the other members of one of the `groups` of its sender. The faults are how many packets may be duplicated or
    lost, and how often a process may crash or come back.
    """

    processes: int = 3
    sends: int = 3
    sends_per_process: int | None = None
    dests: str = "multicast"
    channel: str = "unordered"
    self_addressed: str = "forbidden"
    groups: Sets = ()
    duplicates: int = 0
    losses: int = 0
    crashes: int = 0
    restarts: int = 0

    def __post_init__(self) -> None:
        for value, allowed, option in (
            (self.dests, DESTS, "--dests"),
            (self.channel, CHANNELS, "--channel"),
            (self.self_addressed, SELF, "--self"),
        ):
            if value not in allowed:
                raise UsageError(f"{option} {value}: choose one of {', '.join(allowed)}")
        for count, option in zip(self.faults, ("--duplicate", "--lose", "--crash", "--restart"), strict=True):
            if not 0 <= count <= MOST_FAULTS:
                raise ConfigurationError(f"{option} {count}: give 0 to {MOST_FAULTS}")
        if bool(self.groups) != (self.dests == "groups"):
            raise UsageError(
                "--dests groups and --groups go together: --groups 1,2;2,3 names the members of each group"
            )
        if any(not 1 <= p <= self.processes for group in self.groups for p in group) or any(
            len(group) < 2 for group in self.groups
        ):
            raise ConfigurationError(f"--groups: every group has two members or more of 1 to {self.processes}")
        if self.processes < 2:
            raise ConfigurationError(f"--processes {self.processes}: at least 2 processes are needed to order messages")
        if self.sends < 1:
            raise ConfigurationError(f"--sends {self.sends}: at least 1 send is needed")
        if self.sends_per_process is not None and self.sends_per_process < 1:
            raise ConfigurationError(f"--sends-per-process {self.sends_per_process}: at least 1 is needed")
        if self.processes > MOST_PROCESSES:
            raise ConfigurationError(f"--processes {self.processes}: at most {MOST_PROCESSES} are supported")

        if self.sends > MOST_SENDS:
            raise ConfigurationError(f"{self.sends} sends: at most {MOST_SENDS:,} are supported")

    @property
    def faults(self) -> tuple[int, int, int, int]:
        """The most duplicates, losses, crashes and restarts."""
        return self.duplicates, self.losses, self.crashes, self.restarts

    @property
    def per_process(self) -> int:
        """The largest number of sends of one process."""
        return min(self.sends, self.sends_per_process or self.sends)

    def destination_sets(self, sender: int) -> tuple[frozenset[int], ...]:
        """The destination sets `sender` may choose from, smaller ones first, then in lexicographic order.

        Raises ConfigurationError where there are too many to be tried.
        """
        others = [p for p in range(1, self.processes + 1) if p != sender or self.self_addressed != "forbidden"]
        if self.dests == "broadcast":
            return (frozenset(others),)
        if self.dests == "groups":
            own = {group & frozenset(others) for group in self.groups if sender in group}
            return tuple(sorted((dests for dests in own if dests), key=lambda dests: (len(dests), sorted(dests))))
        if self.dests == "multicast" and self.processes > MOST_MULTICASTING:
            raise ConfigurationError(
                f"--processes {self.processes} --dests multicast: every set of destinations would be tried; at most "
                f"{MOST_MULTICASTING} processes; or choose --dests unicast or broadcast, or script the sends"
            )
        sizes = (1,) if self.dests == "unicast" else range(1, len(others) + 1)
        return tuple(frozenset(c) for size in sizes for c in combinations(others, size))

    def as_json(self) -> dict[str, Any]:
        """The bounds as they appear in results and traces."""
        return asdict(self) | {"groups": [sorted(group) for group in self.groups]}
