"""Finished public games that are worth a look: the game of the day, and the best reviews."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import Final

from django.db.models import Avg, Count, F

from games.lobby.game_lists import with_seats
from games.models import Game, MoveAssessment
from games.play.finished_game import RESULT_FINAL_AFTER
from games.puzzles.shown_puzzles import public_games

# The game of the day is one of so many, the latest.
CANDIDATES: Final = 50
# The best reviews are sought among so many games, the latest.
REVIEWED: Final = 40
# A game with fewer assessed decisions says little about how well it was played.
_MIN_DECISIONS: Final = 20


def game_of_the_day(day: date) -> Game | None:
    """The game of this day, with its seats; None without any rated public game that ended by the rules.

    It is the same all day: it depends on the date and on games whose results were final when the day began.
    """
    begins = datetime.combine(day, time(), UTC)
    final = public_games().filter(
        rated=True, ending=Game.Ending.RULES, finished__lte=begins - RESULT_FINAL_AFTER
    )
    return _drawn(list(final.values_list("pk", flat=True)[:CANDIDATES]), day)


def _drawn(keys: list[int], day: date) -> Game | None:
    """Draw one of these games by the date; a game stays drawn although others are added or deleted."""
    if not keys:
        return None
    key = min(keys, key=lambda pk: sha256(f"{day.isoformat()} {pk}".encode()).digest())
    found = Game.objects.filter(pk=key).first()
    return None if found is None else with_seats([found])[0]


def latest_game() -> Game | None:
    """The public game that was the last to end, its result being final; None without any."""
    return public_games().filter(ending=Game.Ending.RULES).first()


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game whose decisions are assessed: how many, and the average share of the win they gave away."""

    game: Game
    decisions: int
    lost_chance: float


def best_reviews(most: int, now: datetime) -> list[ReviewedGame]:
    """The best played of the latest reviewed public games, with their seats, the best first.

    The best are those whose decisions gave away least on average.
    """
    recent = public_games().filter(finished__gte=now - timedelta(days=90), story__done__isnull=False)
    games = {game.pk: game for game in recent[:REVIEWED]}
    played = (
        MoveAssessment.objects.filter(game__in=games)
        .order_by()
        .values("game")
        .annotate(decisions=Count("pk"), lost=Avg(F("best_chance") - F("chance")))
        .filter(decisions__gte=_MIN_DECISIONS)
        .order_by("lost", "game")[:most]
    )
    found = [ReviewedGame(games[row["game"]], row["decisions"], row["lost"]) for row in played]
    with_seats([review.game for review in found])
    return found
