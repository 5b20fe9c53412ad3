"""Planned turns of Acquire."""

from games.engine.planned_turns.acquire.plan_check import check
from games.engine.planned_turns.acquire.plan_decision import answer, proposal
from games.engine.planned_turns.acquire.turn_plan import opening, plan_from_json, plan_to_json

__all__ = [
    "answer",
    "check",
    "opening",
    "plan_from_json",
    "plan_to_json",
    "proposal",
]
