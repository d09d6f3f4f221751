"""The JSON format of an audit (`checker.formats`)."""

from __future__ import annotations

from .format_parts import Format

_EVENT = {
    "process": "the process",
    "file": "the log",
    "line": "the line, the row or the step",
    "text": "what the log says, or null",
}


def _event(name: str, what: str) -> dict[str, str]:
    return {name: what, **{f"{name}.{part}": text for part, text in _EVENT.items()}}


def _chain(name: str, what: str) -> dict[str, str]:
    return {
        name: what,
        f"{name}[].message": "its id",
        **_event(f"{name}[].sent", "its send"),
        **_event(f"{name}[].delivered", "the delivery that passes it on, or null"),
    }


def _pair(name: str, what: str) -> dict[str, str]:
    return {
        name: what,
        f"{name}.late": "the message that should have come first",
        f"{name}.early": "the message that was delivered before it",
        f"{name}.process": "where",
        **_event(f"{name}.late_sent", "the send of the late one"),
        **_event(f"{name}.early_sent", "the send of the early one, which the first causally precedes"),
        **_event(f"{name}.early_delivered", "the delivery of the early one"),
        **_event(f"{name}.late_delivered", "the delivery of the late one; null where the log has none"),
        **_chain(
            f"{name}.chain", "the messages of a causal chain from the one send to the other; empty at one process"
        ),
        f"{name}.smallest": "whether no pair has a shorter chain (false: not all were looked at)",
    }


_ONE = "executions[]"
AUDIT = Format(
    "precede-audit",
    1,
    {
        "verdict": "the worst of all executions: none, fifo, incomplete, causal, synchronous (in this order)",
        "exit_code": "that of `precede audit`",
        "engine": "one process, or Spark on which master",
        "verdicts": "how many executions have each verdict",
        "executions_total": "executions audited",
        "events_total": "their events",
        "problems_total": "what is not well-formed in them",
        "taken_from_out": "executions that --out had from an earlier run",
        "notes": "remarks on the logs",
        "executions": "the executions by name; of more than 1,000, those with violations and problems first",
        f"{_ONE}.execution": "its name",
        f"{_ONE}.verdict": "synchronous, causal, fifo, none (no class), or incomplete: too large, or no usable events",
        f"{_ONE}.well_formed": "whether there are no problems",
        f"{_ONE}.messages_from": "ids, or vector clocks (inferred)",
        f"{_ONE}.processes": "processes, also those that are only destinations",
        f"{_ONE}.events": "events of the log",
        f"{_ONE}.messages": "messages whose send the log has",
        f"{_ONE}.copies": "their copies, one for each destination",
        f"{_ONE}.undelivered": "copies that the log does not deliver",
        f"{_ONE}.problem_counts": "problems by code (`precede audit --help`)",
        f"{_ONE}.problems": "the first 100 of each code",
        f"{_ONE}.problems[].file": "the log",
        f"{_ONE}.problems[].line": "the line, the row or the step",
        f"{_ONE}.problems[].code": "what kind of problem",
        f"{_ONE}.problems[].text": "what is wrong",
        f"{_ONE}.not_told": "what vector clocks did not tell, by what it is: how often",
        f"{_ONE}.early_deliveries": "deliveries that violate causal order",
        f"{_ONE}.early_before_undelivered": "of them those that only overtook messages which are never delivered there",
        f"{_ONE}.early_in_channel": "of them those that violate FIFO",
        f"{_ONE}.crown": "why it is not synchronous: a crown; null where there is none",
        f"{_ONE}.crown.size": "its messages",
        f"{_ONE}.crown.smallest": "whether no crown has fewer",
        f"{_ONE}.crown.messages": "in their order: the send of each causally precedes a delivery of the next",
        f"{_ONE}.crown.messages[].message": "its id",
        **_event(f"{_ONE}.crown.messages[].sent", "its send"),
        **_chain(f"{_ONE}.crown.messages[].chain", "a causal chain from there; empty at one process"),
        **_event(f"{_ONE}.crown.messages[].next_delivered", "to this delivery of the next"),
        **_pair(f"{_ONE}.causal_pair", "the smallest violation of causal order, or null"),
        **_pair(f"{_ONE}.fifo_pair", "the smallest violation of FIFO, or null"),
        f"{_ONE}.violations": "the first 100 deliveries that violate causal order; --out has all",
        f"{_ONE}.violations[].early": "the message that was delivered too early",
        f"{_ONE}.violations[].process": "where",
        f"{_ONE}.violations[].early_file": "the log with this delivery",
        f"{_ONE}.violations[].early_line": "its line",
        f"{_ONE}.violations[].late": "the last one there that should have come before; null where it is not delivered",
        f"{_ONE}.violations[].late_line": "the line of its delivery, or null",
        f"{_ONE}.violations[].fifo": "whether FIFO is violated too",
        f"{_ONE}.violations[].held_events": "events of the process for which it should have been held; null: for ever",
        f"{_ONE}.violations[].held_time": "the same in the time of the log, or null",
        f"{_ONE}.delays": "what holding back would have cost",
        f"{_ONE}.delays.held": "deliveries that would have been held",
        f"{_ONE}.delays.held_for_ever": "those held for what the log never delivers",
        f"{_ONE}.delays.events_total": "events of their processes for which they would have been held, summed up",
        f"{_ONE}.delays.events_most": "the longest",
        f"{_ONE}.delays.time_total": "the same in the time of the log; null without times",
        f"{_ONE}.delays.time_most": "the longest",
        f"{_ONE}.control_information": "by algorithm what its packets would have carried; null: too large",
        f"{_ONE}.control_information.*.copies": "copies, without those to their own senders",
        f"{_ONE}.control_information.*.units_total": "units of the algorithm's own source",
        f"{_ONE}.control_information.*.units_mean": "per copy",
        f"{_ONE}.control_information.*.units_most": "of one copy",
        f"{_ONE}.control_information.*.bytes_total": "bytes by the byte model of Jang et al.",
        f"{_ONE}.control_information.*.bytes_mean": "per copy",
        f"{_ONE}.control_information.*.bytes_most": "of one copy",
        f"{_ONE}.control_information.*.held": "deliveries that it would have held back",
        f"{_ONE}.notes": "remarks",
    },
)
