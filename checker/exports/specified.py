"""States of one of our specifications, from whatever tool, as a run that the Python model takes."""

from __future__ import annotations

from collections.abc import Sequence

from ..bounds import Bounds
from ..calls import ModelCalls
from ..errors import SpecificationError
from ..result import Witness
from ..tlc.configuration import require_specification
from ..tlc.mapping import Image
from ..tlc.schedule import schedule_of
from ..trace import Trace, record
from ..trace.replay import replay


def trace_of(
    calls: ModelCalls,
    bounds: Bounds,
    images: Sequence[Image],
    *,
    loop: int | None = None,
    property: str | None = None,
    source: str,
) -> Trace:
    """The run whose states these are, the initial one first; `loop` is the number, from 0, of the state that its last
    step returns to, `property` what the tool says is violated at its end.

    Raises UsageError (no specification) or SpecificationError (they are not states of the model's specification,
    or the property holds of them).
    """
    require_specification(calls.loaded.name, ())
    try:
        schedule = schedule_of(calls, bounds, images, loop)
    except (KeyError, TypeError, AttributeError) as error:
        raise SpecificationError(
            f"these are no states of the specification of {calls.loaded.name}: {type(error).__name__} {error}"
        ) from None
    explanation = f"{source} found that {property} does not hold here"
    witness = None if property is None else Witness(schedule, explanation, loop=loop)
    trace = record(calls, bounds, schedule, property=property, witness=witness, source=source)
    if property is not None and replay(trace).violation == "gone":
        raise SpecificationError(f"{source} says that {property} does not hold, and in the Python model's run it does")
    return trace
