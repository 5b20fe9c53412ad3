"""Reasons why an order is refused or not followed; the caller words them."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class OwnerMustDecide:
    """The owner must decide: `reason` is one of the reasons of the rule system's orders, with its facts."""

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)


class InvalidOrder(ValueError):
    """An impossible order, with the same kind of `reason` and `facts` as OwnerMustDecide."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts
