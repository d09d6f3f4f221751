"""The algorithms: pure state machines, one file each, reading like the paper."""

from .interface import (
    Fact,
    Joint,
    Message,
    Model,
    Packet,
    Parameter,
    Reading,
    Sets,
    Signal,
    State,
    Step,
    Steps,
    parameter,
    reading,
)

__all__ = [
    "Fact",
    "Joint",
    "Message",
    "Model",
    "Packet",
    "Parameter",
    "Reading",
    "Sets",
    "Signal",
    "State",
    "Step",
    "Steps",
    "parameter",
    "reading",
]
