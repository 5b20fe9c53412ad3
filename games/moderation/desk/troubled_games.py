"""Cases of troubled games. Each kind has an index of its own, so that no query reads all games."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import BotFailure, Game
from games.moderation import site_health
from games.moderation.desk.desk_case import MOST, DeskCase, DeskTopic
from games.moderation.desk.game_people import people_by_game


def troubled_games(now: datetime, reader: User) -> list[DeskCase]:
    """Cases of games that are stuck, overdue, paused by a moderator, or whose bot fails."""
    found = list(_found(now))
    people = people_by_game([game.pk for game in found])
    return [case for game in found for case in _cases(game, people.get(game.pk, str(game)), now)]


def _found(now: datetime) -> QuerySet[Any]:
    """Troubled games of any kind, each with the last bot failure at its current version."""
    late, asks_nobody, waits_for_nothing = site_health.ways_to_be_stuck(now)
    first, *others = [
        _first_of(late, "bot_due_at"),
        _first_of(asks_nobody, "last_change_at"),
        _first_of(waits_for_nothing, "last_change_at"),
        _first_of(site_health.overdue(now), "deadline"),
        _first_of(Game.objects.filter(paused__isnull=False, held_at__isnull=False), "paused"),
        _failing(now),
    ]
    failure = BotFailure.objects.filter(game=OuterRef("pk"), version=OuterRef("version")).order_by("-last")
    told = {f"failed_{name}": Subquery(failure.values(name)[:1]) for name in ("times", "first")}
    return (
        Game.objects.filter(pk__in=first.union(*others)[: 7 * MOST])
        .annotate(**told)
        .order_by("last_change_at", "pk")
    )


def _first_of(games: QuerySet[Game], column: str) -> QuerySet[Any]:
    """The keys of the first of these games in the order of an index.

    The limit makes the database use the index: it cannot know that the condition is rarely true.
    """
    return _keys(games.order_by(column).values("pk")[:MOST])


def _failing(now: datetime) -> QuerySet[Any]:
    """The keys of games with the latest bot failures, most of which have gone on since."""
    failed = BotFailure.objects.filter(last__gt=now - site_health.FRESH).order_by("-last")
    return _keys(failed.values("game")[: 2 * MOST])


def _keys(chosen: Any) -> QuerySet[Any]:
    return Game.all_games.filter(pk__in=chosen).order_by().values("pk")


def _cases(game: Any, people: str, now: datetime) -> Iterator[DeskCase]:
    told = {"model": "games.game", "key": game.pk}
    if game.failed_times and game.bot_due_at is not None and game.paused is None:
        yield DeskCase(DeskTopic.FAILED, _failed(game, people), game.failed_first, **told)
    elif site_health.is_stuck(game, now):
        why = site_health.why_stuck(game, now)
        yield DeskCase(
            DeskTopic.STUCK,
            _("{game}: {why}").format(game=people, why=why),
            game.bot_due_at or game.last_change_at,
            **told,
        )
    if game.held_at is not None:
        sentence = _("{game}: a moderator has paused it. Resume or end it.")
        yield DeskCase(DeskTopic.HELD, sentence.format(game=people), game.held_at, **told)
    if site_health.is_overdue(game, now):
        sentence = _("{game}: seat {seat} ran out of time and nothing happened.")
        seat = (game.seat_to_move or 0) + 1
        yield DeskCase(DeskTopic.OVERDUE, sentence.format(game=people, seat=seat), game.deadline, **told)


def _failed(game: Any, people: str) -> str:
    sentence = ngettext(
        "{game}: the computer player in seat {seat} failed.",
        "{game}: the computer player in seat {seat} failed {times} times.",
        game.failed_times,
    )
    return sentence.format(game=people, seat=game.seat_to_move + 1, times=game.failed_times)
