"""A direct model with arrivals of its own, or with multicasts sent one copy at a time (rows X-1, X-3, X-6, X-7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .arrivals import Arrivals
from .buffered import buffered
from .interface import Model
from .unicasts import InterleavedUnicasts, Unicasts
from .witnessed import witnessed

WRAPPERS: dict[str, tuple[str, Callable[[Model], Model]]] = {
    "any": ("X-3a: packets arrive in a buffer, any that may be is delivered", lambda m: buffered(m, "a", "a")),
    "oldest": ("X-3b: of those that may be, the one that arrived first", lambda m: buffered(m, "b", "a")),
    "per-sender": ("X-3c: of those that may be, one that arrived first of its sender", lambda m: buffered(m, "c", "a")),
    "blocking": ("X-6b: while the oldest waits nothing else is delivered", lambda m: buffered(m, "a", "b")),
    "silent": ("X-6c: while the oldest waits nothing is delivered or sent", lambda m: buffered(m, "a", "c")),
    "arrivals": ("X-1a: as any, with a record of happens-before over arrivals", Arrivals),
    "facts": ("X-8: rst and ses, with what their counters assert", witnessed),
    "unicasts": ("X-7b: a multicast is consecutive unicasts", Unicasts),
    "interleaved": ("X-7c: a multicast is unicasts with other events in between", InterleavedUnicasts),
}
"""What may follow the name of a model, as in ks@oldest."""


def wrapped(inner: Model, how: str) -> Model:
    """`inner` in the wrapper `how`, with the load, the channel and the claims of `inner`.

    Raises ValueError for a model that is not direct or whose order is semantic.
    """
    if not inner.direct or inner.semantic:
        raise ValueError("only a direct model with causal order can be wrapped")
    meaning, wrap = WRAPPERS[how]
    outer: Any = wrap(inner)
    words = {
        "title": f"{inner.title}; {meaning}",
        "load": inner.load,
        "channel": inner.channel,
        "claims": type(inner).claims,
        "__module__": type(outer).__module__,
    }
    return type(type(outer).__name__, (type(outer),), words)(**vars(outer))  # type: ignore[no-any-return]
