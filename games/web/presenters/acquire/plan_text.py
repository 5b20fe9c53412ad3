"""Planned turns in words, and why they are refused or not followed."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine.planned_turns.plan_errors import InvalidPlan, OwnerMustDecide
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.moves import Buy
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.rule_errors import IllegalMove
from games.web.presenters.acquire.chain_names import label
from games.web.presenters.acquire.event_text import refusal
from games.web.presenters.acquire.move_phrases import phrase, shares_to_buy
from games.web.presenters.acquire.plan_reader import read_plan


def sentence(record: dict[str, Any], rules: Rules) -> str:
    """Word a saved plan: "Place 5A; found Imperial, else Tower; buy 2 Imperial, else nothing."."""
    plan = PLANS["acquire"].plan_from_json(record)
    parts = []
    if plan.square is not None:
        text = _("place {tile} if nothing changes next to it") if plan.board else _("place {tile}")
        parts.append(text.format(tile=SQUARE_NAMES[plan.square]))
    for kind in ("found", "survivor", "next", "buy"):
        if moves := plan.answers.get(kind):
            first, *others = moves
            parts.append(", ".join([phrase(first, rules), *(_else(move, rules) for move in others)]))
    if plan.ends_alone:
        parts.append(_("declare the end without buying anything if it may be declared"))
    elif plan.end:
        parts.append(_("declare the end if it may be declared"))
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."


def question_of_turn(data: Mapping[str, Any], rules: Rules) -> str:
    """The question for members who confirm their moves, for a whole turn; "" for an invalid form."""
    try:
        said = sentence(read_plan(data), rules)
    except InvalidPlan:
        # Sending the turn reports the error.
        return ""
    return _("Really? {turn}").format(turn=said)


def _else(move: Any, rules: Rules) -> str:
    """An alternative to the first choice of its kind."""
    what = shares_to_buy(move, rules) if isinstance(move, Buy) else label(rules, move.chain)
    return _("else {what}").format(what=what)


def why_not(reason: OwnerMustDecide | InvalidPlan, rules: Rules) -> str:
    """A sentence on why a plan was refused or not followed."""
    words = _reasons().get(reason.reason)
    if words is None:
        return refusal(IllegalMove(reason.reason, **reason.facts), rules)
    return words.format(**reason.facts)


def _reasons() -> dict[str, str]:
    return {
        "changed": _("Something has changed next to {tile}: look at {square}."),
        "does something else": _("{tile} would now do something else than when you planned it."),
        "stuck": _("None of your tiles can be placed."),
        "taken back": _("A move was taken back, so you decide anew."),
        "choose a tile": _("Choose the tile that is to be placed."),
        "under way": _("Your turn has begun meanwhile, so only the rest of it can be planned."),
        "nothing planned": _("Choose at least one thing that is to be done."),
        "over": _("The game is over, so there is nothing left to plan."),
        "no plan": _("This is no plan for a turn of Acquire. Choose again and send the form once more."),
        "no purchase": _("You may buy three shares at most. Choose again."),
        "no tile of the game": _("There is no tile {tile}. Choose one of yours."),
        "too many": _("At most {most} wishes can be kept. Take one away."),
    }
