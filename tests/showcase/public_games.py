"""Finished public games for tests."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from games.models import Game, GameReview, LogEntry, MoveAssessment
from tests.support.games import NewGame, play_to_the_end


def finish(start: NewGame, *players: User, seed: int = 1, rated: bool = True, **options: object) -> Game:
    """Play a public game to the end; its result is final since two days."""
    game = play_to_the_end(start(*players, **options), seed)
    return change(game, visibility="public", rated=rated, finished=timezone.now() - timedelta(days=3))


def change(game: Game, **columns: object) -> Game:
    Game.objects.filter(pk=game.pk).update(**columns)
    return Game.all_games.get(pk=game.pk)


def assess(game: Game, lost: float, at: datetime | None = None, decisions: int = 30) -> None:
    """Assess the first decisions of a game, each of which gave away this share of the win."""
    GameReview.objects.update_or_create(game=game, defaults={"done": at or timezone.now()})
    moves = LogEntry.objects.filter(game=game, kind=LogEntry.Kind.MOVE)[:decisions]
    MoveAssessment.objects.bulk_create(
        MoveAssessment(
            game=game,
            number=move.number,
            seat=move.seat,
            best=move.text,
            chance=0.5,
            best_chance=0.5 + lost,
            lead=0,
            best_lead=lost,
        )
        for move in moves
    )
