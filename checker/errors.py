"""Every failure that a user can meet, with the exit code of design.md, section 9. Turned into text once, in `cli`."""

from __future__ import annotations

HOLDS = 0
USAGE = 2
INCOMPLETE = 3
STUCK = 11
VIOLATED = 12
UNFAIR_CYCLE = 13
DISAGREE = 1


class PrecedeError(Exception):
    """Base of all typed errors: `str(error)` is one line that says what is wrong and what to do."""

    exit_code = 1


class UsageError(PrecedeError):
    """The command was given something that does not exist or does not fit together."""

    exit_code = USAGE


class ModelError(PrecedeError):
    """A model broke its contract or raised while it was evaluated."""

    exit_code = 75


class PropertyError(PrecedeError):
    """A property raised, or returned something that is not a truth value, while it was evaluated."""

    exit_code = 76


class SpecificationError(PrecedeError):
    """A model, property or specification could not be loaded: a syntax error, a missing class, a parse error of TLC."""

    exit_code = 150


class ConfigurationError(PrecedeError):
    """Bounds, scenarios or configurations that describe nothing that could run."""

    exit_code = 151


class EnvironmentProblem(PrecedeError):
    """The surroundings: no Java, no jar, a full disk, a foreign or corrupt file."""

    exit_code = 153
