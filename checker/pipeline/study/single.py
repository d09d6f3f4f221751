"""One simulation of a model, or of its kernel, with its figures."""

from __future__ import annotations

from typing import Any

from ...errors import UsageError
from ...loading import LoadedModel
from .outcome import figures
from .workload import Workload, draw


def simulated(loaded: LoadedModel, load: Workload, engine: str) -> dict[str, Any]:
    """The figures of one run, waits judged against the model's own order.

    Raises UsageError where the model is not made for the load or has no such kernel, ModelError where it fails.
    """
    widest = ("unicast", "multicast")
    if loaded.model.load == "unicast" and load.load != "unicast":
        raise UsageError(f"{loaded.name} is made for unicast: give --load unicast")
    if loaded.model.load == "broadcast" and load.load in widest:
        raise UsageError(f"{loaded.name} is made for broadcast: give --load broadcast")
    if loaded.model.semantic and load.dependence is None:
        raise UsageError(f"{loaded.name} orders what depends on each other: give --dependence SHARE, such as 0.5")
    truth = "semantic" if loaded.model.semantic else "causal"
    schedule = draw(load)
    if engine == "kernel":
        return figures(schedule, _compiled(loaded, load, schedule, truth))
    from .simulation import Simulation

    found = figures(schedule, Simulation(loaded.model, schedule, truth, load.channel).run())
    return {name: value for name, value in found.items() if name not in ("filled", "ids", "constraints", "senders")}


def _compiled(loaded: LoadedModel, load: Workload, schedule: Any, truth: str) -> Any:
    """The run of the kernel, if the model is one that has a kernel, with its default readings."""
    from .kernels import KERNELS, simulate

    changed = {id for id, (field, _) in type(loaded.model).readings().items() if loaded.readings[id] != field.default}
    kernel = KERNELS.get(loaded.name)
    if kernel is None or changed - set(kernel.readings) or (loaded.settings and loaded.name != "sa"):
        raise UsageError(
            f"--engine kernel: only {', '.join(KERNELS)} are compiled, with their default readings and those of "
            + ", ".join(id for each in KERNELS.values() for id in each.readings)
        )
    if loaded.name == "sa" and load.channel == "fifo":
        raise UsageError("--engine kernel: sa is compiled for unordered channels, which it is made for")
    if loaded.name == "gk" and load.channel != "fifo":
        raise UsageError("gk is made for fifo channels; give --channel fifo")
    extra: dict[str, Any] = {"readings": tuple(id + loaded.readings[id] for id in changed)} if changed else {}
    if loaded.name == "sa":
        extra = {"thresholds": (loaded.settings.get("K") or load.processes + 1,)}
    return simulate(loaded.name, schedule, truth, **extra)
