"""Moves and turns of a finished game in words, for its review and its table."""

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.analysis import review_figures
from games.analysis.review_figures import Player, TurningPoint
from games.analysis.review_moments import Moment
from games.analysis.severity import severity
from games.engine.bots.bot_levels import ADVISERS
from games.models import Game, LogEntry, MoveAssessment
from games.play.game_view import GameView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import COMPUTER, TablePeople
from games.web.text.seat_names import level_name
from games.web.text.win_points import win_points

# The sign and the word of a good or bad decision.
_MARKS: Final = {
    "best": ("!", gettext_lazy("Best")),
    "slip": ("?!", gettext_lazy("Slip")),
    "mistake": ("?", gettext_lazy("Mistake")),
    "blunder": ("??", gettext_lazy("Blunder")),
}


def player_name(look: GameView, player: Player) -> str:
    """The name of the player who decided, as shown at the table, or "You"."""
    seat = look.seats[player.seat]
    if player.stand_in:
        return _("{name} (computer player)").format(name=player.name)
    if player.name != seat.name:
        return player.name
    if player.seat == look.seat:
        return pgettext("beginning of a sentence", "You")
    return f"{player.name} {COMPUTER}" if seat.is_bot_playing and not seat.is_replaced else player.name


def adviser_name(game: Game) -> str:
    """The name of the level that reviews games of this system, "" without one."""
    return level_name(game.system, ADVISERS.get(game.system, ""))


def turning_point(look: GameView, around: TablePeople, turning: TurningPoint) -> dict[str, Any]:
    """A turning point: its turn, the address of the position after it, and a sentence."""
    table = PRESENTERS[look.game.system]
    who = around.team_in_sentence(turning.side) if around.teams else around.sentence_start(turning.side)
    text = _("{who} gained {points} on everyone else and took the lead.")
    if not turning.took_lead:
        text = _("{who} gained {points} on everyone else.")
    return {
        "turn": turning.turn,
        "url": position_url(look, turning.after),
        "text": text.format(who=who, points=table.score(turning.gained)),
    }


def moment_title(moment: Moment) -> str:
    """The turn of a moment as a title."""
    return _("Turn {turn}").format(turn=moment.turn) if moment.turn else _("The deal")


def position_url(look: GameView, number: int) -> str:
    """The address of the position after this log entry."""
    return reverse("review-moment", args=[look.game.public_id, number])


def amount(look: GameView, points: float) -> str:
    """An amount of points, rounded to whole hundreds from 1000 on."""
    whole = round(points, -2) if points >= 1000 else round(points)
    text: str = PRESENTERS[look.game.system].amount(int(whole))
    return text


def mistake_mark(rated: MoveAssessment) -> dict[str, str] | None:
    """The class, sign and word of a decision that lost much, else None."""
    return _mark(severity(rated.lost_chance))


def move_mark(rated: MoveAssessment) -> dict[str, str] | None:
    """The same, also for a good decision that was not easily made."""
    return _mark(review_figures.mark(rated))


def _mark(name: str) -> dict[str, str] | None:
    if not name:
        return None
    sign, word = _MARKS[name]
    return {"css": name, "sign": sign, "word": str(word)}


def assessed_move(look: GameView, rated: MoveAssessment, entry: LogEntry) -> dict[str, Any]:
    """A move with its assessment; `lost_chance` is "" if it lost nothing, `mark` None if it lost little."""
    table, game = PRESENTERS[look.game.system], look.game
    parse = game.rule_system.parse_move
    name = player_name(look, review_figures.player_of(look, entry))
    return {
        "number": rated.number,
        "before": rated.number - 1,
        "url": position_url(look, rated.number),
        "retry_url": reverse("review-retry", args=[look.game.public_id, rated.number]),
        "played": table.was_made(parse(entry.text), game.rules, name),
        "best": table.would_be_made(parse(rated.best), game.rules, adviser_name(game)),
        "mark": mistake_mark(rated),
        "lost_chance": win_points(rated.lost_chance) if rated.lost_chance > 0 else "",
        "lost_lead": amount(look, rated.lost_lead) if round(rated.lost_lead) else "",
    }
