"""Why an order is not taken, or not followed. The sentences are made where the reader is known."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Ask:
    """The owner must decide after all: `reason` is a word of the rule system's orders, with its facts."""

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)


class InvalidOrder(ValueError):
    """Something that is no order; `reason` and `facts` are told as those of an `Ask`."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts
