"""Reasons why an order is refused; the caller words them."""

from typing import Any


class InvalidOrder(ValueError):
    """An impossible order, with the same kind of `reason` and `facts` as OwnerMustDecide."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts
