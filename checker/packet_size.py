"""The size of one packet or signal as its model gives it."""

from __future__ import annotations

from precede.models import Model, Packet, Signal

from .errors import ModelError
from .user_code import one_line, prints_to_stderr


def size_of(model: Model, measure: str, packet: Packet | Signal) -> int | None:
    """What `control_units`, `control_bytes` (of a packet), `signal_units` or `signal_bytes` says: `measure` is units or
    bytes. None where the model does not define it; raises ModelError where it is no size."""
    method = f"{'control' if isinstance(packet, Packet) else 'signal'}_{measure}"
    if getattr(type(model), method) is getattr(Model, method):
        return None
    try:
        with prints_to_stderr():
            size = getattr(model, method)(packet)
    except NotImplementedError:
        return None
    except Exception as error:
        raise ModelError(f"{type(model).__name__}.{method} raised {one_line(error)}") from error
    if type(size) is not int or size < 0:
        raise ModelError(f"{type(model).__name__}.{method} returned {size!r}; return a size, an int of at least 0")
    return size
