"""A turn planned ahead, or sent as a whole: the form, what it posts, and its words."""

from .form import Form, plan_form
from .reading import read_plan
from .words import question_of_turn, why_not

__all__ = ["Form", "plan_form", "question_of_turn", "read_plan", "why_not"]
