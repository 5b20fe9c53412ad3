"""The reason why an order or a plan leaves a decision to its owner; the caller words it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class OwnerMustDecide:
    """The owner must decide: `reason` is one of the rule system's orders or plans, or one of IllegalMove."""

    reason: str
    facts: dict[str, Any] = field(default_factory=dict)
