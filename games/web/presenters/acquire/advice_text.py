"""A bot's advice in words: the move, its reasons and the chances."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from games.engine.bots.move_estimate import Estimate
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.advice_reasons import reasons
from games.web.presenters.acquire.bonus_stakes import in_teams
from games.web.presenters.acquire.decision_forms import DecisionForm, decision
from games.web.presenters.acquire.prefilled_form import key_of
from games.web.presenters.advice_view import Advice, percent
from games.web.presenters.table_people import TablePeople, money

# More would be too long to read during a turn.
MAX_REASONS: Final = 2


def advice(seen: Observation, people: TablePeople, level: str, estimates: Sequence[Estimate]) -> Advice:
    """Word the best estimate, which comes first; `level` is the name of the bot's level.

    The observation must be that of the seat to move, as its page shows it.
    """
    form = decision(seen, people)
    assert form is not None
    best = estimates[0]
    why = reasons(seen, best.move)[:MAX_REASONS] or [_margin(level, best, in_teams(seen))]
    chances = _chances(form, level, estimates)
    return Advice(_order(form, best.move), " ".join([*why, chances]), key_of(form, best.move))


def in_words(seen: Observation, people: TablePeople, moves: Sequence[Move]) -> list[str]:
    """Word each move of the observer as on its button."""
    form = decision(seen, people)
    assert form is not None
    return [_order(form, move) for move in moves]


def _order(form: DecisionForm, move: Move) -> str:
    """The move as on its button."""
    texts = {option.value: option.text for option in form.options}
    key = key_of(form, move)
    return form.choices[key]["label"] if key in form.choices else texts[move.text]


def _chances(form: DecisionForm, level: str, estimates: Sequence[Estimate]) -> str:
    """The chance of winning with the best move and, if there is one, with another."""
    best, *others = estimates
    facts = {"level": level, "chance": percent(best.chance)}
    # The estimate of a move that was tried only a few times may be too high.
    others = [other for other in others if other.chance <= best.chance]
    if not others:
        return _("{level} puts your winning chance at {chance} with this move.").format(**facts)
    for other in others:
        if other.move.text == "buy nothing":
            text = _(
                "{level} puts your winning chance at {chance} with this move, and at {other} if "
                "you buy nothing."
            )
            return text.format(**facts, other=percent(other.chance))
    text = _(
        "{level} puts your winning chance at {chance} with this move, and at {other} with the "
        "next best one: {order}."
    )
    return text.format(**facts, other=percent(others[0].chance), order=_order(form, others[0].move))


def _margin(level: str, estimate: Estimate, by_team: bool) -> str:
    """The expected lead or deficit against the best other player or team, in whole hundreds."""
    dollars = round(estimate.lead / 100) * 100
    text = _team_margin(dollars) if by_team else _own_margin(dollars)
    return text.format(level=level, dollars=money(abs(dollars)))


def _own_margin(dollars: int) -> str:
    if dollars >= 0:
        return _("{level} expects you to finish {dollars} ahead of the best other player.")
    return _("{level} expects you to finish {dollars} behind the best other player.")


def _team_margin(dollars: int) -> str:
    if dollars >= 0:
        return _("{level} expects your team to finish {dollars} ahead of the best other team.")
    return _("{level} expects your team to finish {dollars} behind the best other team.")
