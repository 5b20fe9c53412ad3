"""Planned turns, by rule system.

A plan holds its owner's answers to the decisions of one turn. A rule system with plans has a package with

plan_from_json(record), plan_to_json(plan)
                    a plan from plain values, and back; InvalidPlan if it is not one
check(plan, seen)   raises InvalidPlan, with the reason, unless the observer may plan this now
opening(plan)       the first move of a whole turn; InvalidPlan if only a part is planned
answer(plan, seen)  the plan's move for the observer's decision, OwnerMustDecide if the plan cannot be
                    followed exactly, None if it leaves the decision to its owner
proposal(plan, seen)
                    the legal move nearest to the plan, as a suggestion for its owner, or None

All are pure. `seen` is the observation of the owner's own seat, with `memory` if holdings are hidden: a plan
knows only what its owner could know.
"""

from types import ModuleType
from typing import Final

from games.engine.planned_turns.acquire import plan_system as acquire

PLANS: Final[dict[str, ModuleType]] = {"acquire": acquire}
