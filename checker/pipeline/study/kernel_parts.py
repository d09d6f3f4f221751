"""What the compiled algorithms define, and how the loop finds it: by the type of their arrays, when it is compiled.

An algorithm is a class of named tuples of arrays, registered with its functions; `i`, `j` are processes from 0, `m` a
message, `slot` the place of what its copies carry, `c` a copy. All change their arrays in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

from .compiled import part

PARTS = {
    "send": ("schedule", "out", "i", "m", "slot"),
    "blocker": ("schedule", "j", "i", "m", "slot"),
    "deliver": ("schedule", "j", "i", "m", "slot"),
    "digest": ("schedule", "i", "j", "m", "slot"),
    "emitted": (),
    "emission": ("e",),
    "signal_size": ("slot",),
    "signal_blocker": ("j", "slot"),
    "signal_receive": ("j", "i", "slot"),
    "failed": (),
}
"""The functions of an algorithm and their arguments after its arrays.

send: put what the copies of m carry into `slot`, write units and bytes of each, and change the state of i.
blocker: READY, or a sender whose next delivery at j may change the answer, or ANY delivery.
deliver: change the state of j.
digest: 64 bits of what the copy to j carries: the sum of `fold` over its facts.
emitted: how many signals the last step has sent; emission: (to, slot) of signal e of them; signal_size: (units, bytes).
failed: whether an array was too small, so that the run has to begin again with larger ones.
"""

READY = -1
ANY = -3

REGISTERED: dict[type, dict[str, Any]] = {}


def register(arrays: type, **functions: Callable[..., Any]) -> None:
    """Make `functions` those of the algorithm whose arrays are a `arrays`."""
    own = {name: part(function) for name, function in functions.items()}
    REGISTERED[arrays] = {**NOTHING, **own}


@part
def _no_signals(a: Any) -> int:
    return 0


@part
def _no_emission(a: Any, e: int) -> tuple[int, int]:
    return 0, 0


@part
def _no_size(a: Any, slot: int) -> tuple[int, int]:
    return 0, 0


@part
def _never_blocked(a: Any, j: int, slot: int) -> int:
    return READY


@part
def _nothing(a: Any, j: int, i: int, slot: int) -> None:
    pass


@part
def _never(a: Any) -> bool:
    return False


NOTHING: dict[str, Any] = {
    "emitted": _no_signals,
    "emission": _no_emission,
    "signal_size": _no_size,
    "signal_blocker": _never_blocked,
    "signal_receive": _nothing,
    "failed": _never,
}


def _declared(name: str) -> Callable[..., Any]:
    """A function that the loop may call, which is the one registered for the type of its first argument."""

    def of_type(a: Any) -> Any:
        return REGISTERED[a.instance_class][name]

    def stub(a: Any, *arguments: Any) -> Any:
        raise NotImplementedError(name)

    parameters = ", ".join(("a", *PARTS[name]))
    source = (
        f"def typed({parameters}):\n    f = of_type(a)\n"
        f"    def call({parameters}):\n        return f({parameters})\n    return call\n"
    )
    space: dict[str, Any] = {"of_type": of_type}
    exec(source, space)
    overload(stub)(space["typed"])
    return stub


send, blocker, deliver, digest = (_declared(name) for name in ("send", "blocker", "deliver", "digest"))
emitted, emission, signal_size = (_declared(name) for name in ("emitted", "emission", "signal_size"))
signal_blocker, signal_receive, failed = (_declared(name) for name in ("signal_blocker", "signal_receive", "failed"))
