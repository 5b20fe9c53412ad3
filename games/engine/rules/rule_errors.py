"""Exceptions for invalid moves and positions.

The rules contain no sentences for people: an exception carries a short reason and
the facts that a sentence needs. The caller words it for the reader.
"""

from typing import Any


class InvalidMove(ValueError):
    """The text names no move of this rule system."""


class IllegalMove(ValueError):
    """A move that is not legal now.

    `reason` is one of the reasons listed by the rule system; `facts` holds the
    names, numbers and dollars for a sentence about it.
    """

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class InvalidPosition(ValueError):
    """A text or record that describes no possible position; the message lists every fault."""
