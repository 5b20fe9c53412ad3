"""Plans as they are kept, and why one is refused or not followed.

The sentences are made where the reader is known.
"""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Ask:
    """The owner must decide after all: `reason` is a word of the rule system's plans, or of its refusals."""

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan as its owner is shown it.

    record    the plan as plain values
    stopped   why it was not followed, so that its owner decides the rest of the turn; None while it stands
    kept      whether it is in store, or only what somebody has just sent and may correct
    """

    record: dict[str, Any]
    stopped: Ask | None = None
    kept: bool = True


class InvalidPlan(ValueError):
    """Something that is no plan, or not one for now; `reason` and `facts` are told as those of an `Ask`."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts
