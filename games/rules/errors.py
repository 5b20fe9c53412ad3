"""What can be wrong with what somebody hands to a rule system.

The rules speak no language: an error carries a short reason and the facts
that a sentence about it needs. The sentence is made where the reader is known.
"""

from typing import Any


class InvalidMove(ValueError):
    """The text names no move of this game at all."""


class IllegalMove(ValueError):
    """A move of this game that may not be made now.

    `reason` is one of the words listed by the rule system, `facts` what a
    sentence about it needs (names, numbers, dollars).
    """

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts


class InvalidPosition(ValueError):
    """A text or record that is no possible position; the message lists every fault."""
