"""Plans as shown to their owners, and reasons why one is refused; the caller words them."""

from dataclasses import dataclass
from typing import Any

from games.engine.owner_must_decide import OwnerMustDecide


@dataclass(frozen=True, slots=True)
class PlanView:
    """A plan as shown to its owner.

    record    the plan as plain values
    stopped   why it was stopped, so that its owner decides the rest of the turn; None while it stands
    kept      whether it is saved, or has just been sent and may be corrected
    """

    record: dict[str, Any]
    stopped: OwnerMustDecide | None = None
    kept: bool = True


class InvalidPlan(ValueError):
    """An impossible plan, with the same kind of `reason` and `facts` as OwnerMustDecide."""

    def __init__(self, reason: str, **facts: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts = facts
