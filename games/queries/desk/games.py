"""Games on the desk. Each way of finding one has an index of its own, so that no list of all is walked."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from games.models import Failure, Game
from games.queries import health

from .case import MOST, Case, Concern


def in_need(now: datetime) -> list[Case]:
    """Games that nobody can go on with, whose computer fails, or where time was over and nothing followed."""
    return [case for game in _found(now) for case in _cases(game, now)]


def _found(now: datetime) -> QuerySet[Any]:
    keys = [*health.ways_to_be_stuck(now), health.overdue(now), _failing(now)]
    first, *others = [games.order_by().values("pk") for games in keys]
    failure = Failure.objects.filter(game=OuterRef("pk"), version=OuterRef("version")).order_by("-last")
    return (
        Game.objects.filter(pk__in=first.union(*others))
        .annotate(
            **{f"failed_{name}": Subquery(failure.values(name)[:1]) for name in ("level", "times", "first")}
        )
        .order_by("moved", "pk")[:MOST]
    )


def _failing(now: datetime) -> QuerySet[Game]:
    """Games that wait for a computer that has failed in their present position."""
    failed = Failure.objects.filter(last__gt=now - health.FRESH, version=F("game__version"))
    waiting = Game.objects.filter(due__isnull=False, paused=None)
    return waiting.filter(pk__in=failed.order_by().values("game"))


def _cases(game: Any, now: datetime) -> Iterator[Case]:
    told = {"model": "games.game", "key": game.pk}
    if game.failed_times and game.due is not None:
        yield Case(Concern.FAILED, _failed(game), game.failed_first, **told)
    elif health.is_stuck(game, now):
        why = health.why_stuck(game, now)
        yield Case(
            Concern.STUCK, _("{game}: {why}.").format(game=game, why=why), game.due or game.moved, **told
        )
    if health.is_overdue(game, now):
        sentence = _("{game}: the time of seat {seat} was over, and nothing followed.")
        seat = (game.decider or 0) + 1
        yield Case(Concern.OVERDUE, sentence.format(game=game, seat=seat), game.deadline, **told)


def _failed(game: Any) -> str:
    sentence = _("{game}: the computer in seat {seat} failed {times} times.")
    if game.failed_times == 1:
        sentence = _("{game}: the computer in seat {seat} failed.")
    return sentence.format(game=game, seat=game.decider + 1, times=game.failed_times)
