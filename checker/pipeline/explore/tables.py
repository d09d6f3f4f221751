"""The Parquet tables of an exploration, each with a column `level` besides those listed.

A level of `states` is the number of steps to them; a level of the other tables is that of the states in whose expansion
the rows came up. Numbers of local states, packets and model states are alike in every exploration of one question.
"""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

INT, LONG, TEXT, INTS = pa.int32(), pa.int64(), pa.string(), pa.list_(pa.int32())


class Column(NamedTuple):
    """One column: its name, its type, and what is in it."""

    name: str
    type: pa.DataType
    says: str


NAME = (
    Column("high", LONG, "the upper 64 bits of the name: a hash of the content, alike in every run"),
    Column("low", LONG, "the lower 64 bits of the name"),
)
VIOLATIONS = Column("violations", TEXT, "the properties that it violates by itself, separated by commas; or empty")

TABLES: dict[str, tuple[Column, ...]] = {
    "states": (
        *NAME,
        Column("locals", INTS, "the number of the local state of each process, process 1 first"),
        Column("faults", INT, "how many faults were used: 7 bits each for duplicates, losses, crashes, restarts"),
        Column("packets", INTS, "the numbers of the packets in transit"),
        Column("ways", LONG, "how many transitions of the level before lead to it; 0 for the initial state"),
    ),
    "locals": (
        Column("local", INT, "the number of the local state: model state, causal past, messages held"),
        *NAME,
        Column("process", INT, "whose it is, from 1"),
        Column("model_state", INT, "the number of the model state"),
        Column("sent", INT, "how many messages the process has sent"),
        Column("delivered", INT, "how many messages are delivered there"),
        Column("held", INT, "how many messages have arrived and are not delivered"),
        Column("required", INT, "how many (message, destination) its past requires it to know to be outstanding"),
        VIOLATIONS,
    ),
    "model_states": (
        Column("model_state", INT, "the number of the model state; 0 is that of a crashed process"),
        Column("state", TEXT, "its value as JSON, encoded as in traces"),
        Column("facts", INT, "how many (message, destination) it asserts to be outstanding; null if it does not say"),
    ),
    "packets": (
        Column("packet", INT, "the number of the packet: what is transmitted, and the past before its message's send"),
        *NAME,
        Column("sender", INT, "who transmits it"),
        Column("to", INT, "to whom"),
        Column("message", TEXT, 'the message that it carries, as "sender.number"; null for a signal of the protocol'),
        Column("control", TEXT, "the control information as JSON, encoded as in traces"),
        Column("units", INT, "its size in the paper's own unit; null if the model gives none"),
        Column("bytes", INT, "its size by the byte model; null if the model gives none"),
        Column("facts", INT, "how many (message, destination) it asserts to be outstanding; null if it does not say"),
        VIOLATIONS,
    ),
    "steps": (
        Column("local", INT, "the local state before"),
        Column("event", TEXT, "send, receive, internal, crash or restart; steps of all processes are not listed"),
        Column("packet", INT, "what is received; null for other events"),
        Column("dests", INTS, "to whom is sent; null for other events"),
        Column("alternative", INT, "which of several answers of the model, from 0"),
        Column("outcome", TEXT, "step, waits, waits needlessly (all that must precede is delivered), or disabled"),
        Column("next", INT, "the local state after; null without a step"),
        Column("transmitted", INTS, "the packets that are transmitted; null without a step"),
        VIOLATIONS,
    ),
    "asked": (
        Column("round", INT, "the order in which the local steps were computed"),
        Column("kind", INT, "0 a receipt, 1 sends, 2 other steps of one process, 3 of all; 6, 7: what was reached"),
        Column("first", INT, "the local state, or the packet reached"),
        Column("second", INT, "the packet received, or 0"),
        Column("more", INTS, "the local states of all processes, or empty"),
    ),
}
"""By name. `asked` is all that is needed to compute everything local again, which is how an exploration is resumed."""


def schema_of(table: str) -> pa.Schema:
    """The schema of the files of a table; `level` is in the names of their folders."""
    return pa.schema([(column.name, column.type) for column in TABLES[table]])


def spark_schema_of(table: str) -> str:
    """The same as Spark's text."""
    names = {INT: "int", LONG: "long", TEXT: "string", INTS: "array<int>"}
    return ", ".join(f"`{column.name}` {names[column.type]}" for column in TABLES[table])
