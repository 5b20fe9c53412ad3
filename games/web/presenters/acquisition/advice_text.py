"""A bot's advice in words: the move, its effect and the chances."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.engine.bots.move_estimate import Estimate
from games.engine.rules.acquisition.moves import Move, Place
from games.engine.rules.acquisition.observation import Observation
from games.web.presenters.acquisition.decision_forms import DecisionForm, decision
from games.web.presenters.acquisition.tile_effect_text import consequence
from games.web.presenters.advice_view import Advice, percent
from games.web.presenters.table_people import TablePeople


def advice(seen: Observation, people: TablePeople, level: str, estimates: Sequence[Estimate]) -> Advice:
    """Word the best estimate, which comes first; `level` is the name of the bot's level.

    The observation must be that of the seat to move, as its page shows it.
    """
    form = decision(seen, people)
    assert form is not None
    best = estimates[0]
    why = [consequence(seen, people, best.move.square)] if isinstance(best.move, Place) else []
    why.append(_chances(form, level, estimates))
    return Advice(_order(form, best.move), " ".join(why), _answer(form, best.move))


def in_words(seen: Observation, people: TablePeople, moves: Sequence[Move]) -> list[str]:
    """Word each move of the observer as on its button."""
    form = decision(seen, people)
    assert form is not None
    return [_order(form, move) for move in moves]


def _answer(form: DecisionForm, move: Move) -> str:
    """The key of the form's choice for this move; "" when the form has no fields."""
    square = move.text.rpartition(" ")[2]
    return square if square in form.choices else ""


def _order(form: DecisionForm, move: Move) -> str:
    """The move as on its button."""
    texts = {option.value: option.text for option in form.options}
    return texts[move.text] if move.text in texts else form.choices[_answer(form, move)]["label"]


def _chances(form: DecisionForm, level: str, estimates: Sequence[Estimate]) -> str:
    """The chance of winning with the best move and, if there is one, with the next best."""
    best, *others = estimates
    facts = {"level": level, "chance": percent(best.chance)}
    # The estimate of a move that was tried only a few times may be too high.
    others = [other for other in others if other.chance <= best.chance]
    if not others:
        return _("{level} puts your winning chance at {chance} with this move.").format(**facts)
    text = _(
        "{level} puts your winning chance at {chance} with this move, and at {other} with the "
        "next best one: {order}."
    )
    return text.format(**facts, other=percent(others[0].chance), order=_order(form, others[0].move))
