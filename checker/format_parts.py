"""Fields that several parts of one format share (`checker.formats`)."""

from __future__ import annotations


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
