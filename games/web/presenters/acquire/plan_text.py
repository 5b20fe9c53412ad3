"""Planned turns in words, and why they are refused or not followed."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.acquire.turn_plan import KINDS
from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.rule_errors import IllegalMove
from games.web.presenters.acquire.chain_names import label
from games.web.presenters.acquire.event_text import refusal
from games.web.presenters.acquire.move_phrases import shares_to_buy
from games.web.presenters.acquire.plan_reader import read_plan
from games.web.presenters.table_people import join_alternatives


def sentences(record: dict[str, Any], rules: Rules) -> str:
    """Word a saved plan: "Place 5A. Found Imperial, otherwise Tower. Buy 2 Imperial."."""
    plan = PLANS["acquire"].plan_from_json(record)
    told = []
    if plan.square is not None:
        text = _("Place {tile} if nothing changes next to it.") if plan.board else _("Place {tile}.")
        told.append(text.format(tile=SQUARE_NAMES[plan.square]))
    told += [_answers(kind, moves, rules) for kind in KINDS if (moves := plan.answers.get(kind))]
    if plan.ends_alone:
        told.append(_("Declare the end without buying anything, if allowed."))
    elif plan.end:
        told.append(_("Declare the end, if allowed."))
    return " ".join(told)


def question_of_turn(data: Mapping[str, Any], rules: Rules) -> str:
    """The question for members who confirm their moves, for a whole turn; "" for an invalid form."""
    try:
        said = sentences(read_plan(data), rules)
    except InvalidPlan:
        # Sending the turn reports the error.
        return ""
    return _("Confirm this turn. {plan}").format(plan=said)


def _answers(kind: str, moves: Sequence[Any], rules: Rules) -> str:
    """A sentence on the answers to a kind of decision, in order of preference."""
    if kind == "buy":
        wanted = [
            shares_to_buy(move, rules) or pgettext("in a list of purchases", "nothing") for move in moves
        ]
        return _("Buy {shares}.").format(shares=join_alternatives(wanted))
    text = {
        "found": _("Found {chains}."),
        "survivor": _("Keep {chains}."),
        "next": _("Settle this chain first: {chains}."),
    }[kind]
    return text.format(chains=join_alternatives([label(rules, move.chain) for move in moves]))


def why_not(reason: OwnerMustDecide | InvalidPlan, rules: Rules) -> str:
    """A sentence on why a plan was refused or not followed."""
    words = _reasons().get(reason.reason)
    if words is None:
        return refusal(IllegalMove(reason.reason, **reason.facts), rules)
    return words.format(**reason.facts)


def _reasons() -> dict[str, str]:
    return {
        "changed": _("The board changed next to {tile}: {square}."),
        "does something else": _("{tile} would now do something different from what you planned."),
        "stuck": _("You cannot place any of your tiles."),
        "taken back": _("A move was taken back, so you need to decide again."),
        "choose a tile": _("Choose the tile to place."),
        "under way": _("Your turn has already begun. You can plan only the rest of it."),
        "nothing planned": _("Plan at least one move."),
        "over": _("The game is over, so there is nothing left to plan."),
        "no plan": _("This plan is not valid. Choose again and save it."),
        "no purchase": _("You can buy at most 3 shares. Choose again."),
        "no tile of the game": _("Tile {tile} does not exist. Choose one of yours."),
        "too many": _("You can keep at most {most} purchases in a plan. Remove one."),
    }
