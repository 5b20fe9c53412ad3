"""Planned turns of Acquire."""

from .answering import answer, proposal
from .checking import check, is_under_way
from .plan import KINDS, MOST_PURCHASES, Plan, board_seen, opening, plan_from_json, plan_to_json

__all__ = [
    "KINDS", "MOST_PURCHASES", "Plan", "answer", "board_seen", "check", "is_under_way", "opening",
    "plan_from_json", "plan_to_json", "proposal",
]  # fmt: skip
