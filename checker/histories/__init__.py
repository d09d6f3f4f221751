"""The histories engine: the closure of local states and packets that can be parts of one run, without interleavings."""

from .applying import why_not
from .explore import FailedCall, explore_histories

__all__ = ["FailedCall", "explore_histories", "why_not"]
