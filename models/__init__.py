"""The algorithms: pure state machines, one file each, reading like the paper."""

from .interface import Fact, Message, Model, Packet, Reading, State, Step, Steps, reading

__all__ = ["Fact", "Message", "Model", "Packet", "Reading", "State", "Step", "Steps", "reading"]
