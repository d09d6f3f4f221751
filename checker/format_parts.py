"""Fields that several parts of one format share (`checker.formats`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Format:
    """One versioned format; `fields` says what is in each field."""

    name: str
    version: int
    fields: Mapping[str, str]

    def document(self, **values: Any) -> dict[str, Any]:
        """The JSON object with these fields, headed by the format and its version."""
        return {"format": self.name, "version": self.version, **values}


BOUNDS = {
    "bounds": "the bound that the runs stay within",
    "bounds.processes": "the number of processes",
    "bounds.sends": "sends in the whole run, at most",
    "bounds.sends_per_process": "sends of each process, at most; null without such a limit",
    "bounds.dests": "unicast, multicast, broadcast or groups",
    "bounds.groups": "the members of each group; empty unless the destinations are groups",
    "bounds.channel": "unordered, fifo, fifo-delivery, fifo-arrival or rendezvous",
    "bounds.self_addressed": "forbidden, network or at-send",
    "bounds.duplicates": "packets duplicated in the whole run, at most",
    "bounds.losses": "packets lost, at most",
    "bounds.crashes": "crashes of processes, at most",
    "bounds.restarts": "restarts of crashed processes, at most",
}

COMPARISON = {
    "comparison": "the figures of both side by side, or null without TLC",
    "comparison[].what": "what the figure is of: verdict, distinct states, ...",
    "comparison[].ours": "that of precede",
    "comparison[].tlc": "that of TLC",
    "comparison[].equal": "whether they are equal; null where the two cannot be compared",
}


def measured(name: str, what: str) -> dict[str, str]:
    """The fields of the sizes of packets or signals."""
    fields = {name: f"the {what} that were in transit", f"{name}.count": "how many are distinct"}
    for measure, unit in (("units", "in the paper's own unit"), ("bytes", "by the byte model of Jang et al.")):
        fields[f"{name}.{measure}"] = f"their sizes {unit}; null where the model gives none, or there is nothing"
        fields[f"{name}.{measure}.count"] = "the number measured"
        fields[f"{name}.{measure}.smallest"] = "the smallest"
        fields[f"{name}.{measure}.mean"] = "the mean"
        fields[f"{name}.{measure}.largest"] = "the largest"
    return fields


def compared_model(side: str) -> dict[str, str]:
    """The fields of one of two algorithms."""
    return {
        side: f"algorithm {side.upper()}",
        f"{side}.model": "the model as it was named",
        f"{side}.readings": "the letter of every reading of the model",
        f"{side}.settings": "the parameters that were set, a text for each, such as K=5",
    }


def differences(name: str) -> dict[str, str]:
    """The fields of what is more in either of two algorithms."""
    fields = {}
    for side in ("a", "b"):
        more = f"{name}.more_{side}"
        fields[more] = f"where {side.upper()} alone, or {side.upper()} more"
        fields[f"{more}.cases"] = "how many distinct ones; null where they are not counted"
        fields[f"{more}.explanation"] = "what differs at the end of a shortest run to one, or null"
        fields[f"{more}.trace_length"] = "steps of that run, or null"
        fields[f"{more}.steps"] = "that run, a text for each step, or null"
    return fields


def compared(name: str, what: str, more: str) -> dict[str, str]:
    """The fields of one thing that is compared over copies or process states."""
    return {
        name: f"{what}; null where one of the two does not say; more is {more}",
        f"{name}.count": "how many were compared; null where they are not counted",
        f"{name}.equal": "of them those where both have the same; null where they are not counted",
        f"{name}.mean_a": "the mean of A; null where it is not counted",
        f"{name}.mean_b": "the mean of B; null where it is not counted",
        **differences(name),
    }
