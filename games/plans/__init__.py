"""What players plan for a turn of theirs, by rule system.

A plan says what its owner would answer to the decisions of one turn. The package of a rule system that
knows plans offers

plan_from_json(record), plan_to_json(plan)
                    a plan out of plain values, and back; InvalidPlan unless it is one
check(plan, seen)   raises InvalidPlan, with the reason, unless the observer may plan this now
opening(plan)       the move with which a whole turn begins; InvalidPlan when the plan is not for one
answer(plan, seen)  the move that the plan has for the decision asked of the observer, an `Ask` when
                    the plan cannot be followed to the letter, None when it leaves the decision to its owner
proposal(plan, seen)
                    the legal move that comes nearest to the plan, to be offered to its owner, or None

All are pure. `seen` is the observation of the owner's own seat, with `memory` where holdings are hidden:
a plan knows what its owner could know, and no more.
"""

from types import ModuleType
from typing import Final

from . import acquire
from .asking import Ask, InvalidPlan, Planned

__all__ = ["PLANS", "Ask", "InvalidPlan", "Planned"]

PLANS: Final[dict[str, ModuleType]] = {"acquire": acquire}
