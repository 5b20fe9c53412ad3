"""Rated games, and all ratings that follow from them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from accounts.models import User
from games.models import Game, GameOutcome, Rating, RatingChange
from games.ratings import rating_history
from games.ratings.rating_history import recount
from tests.support.finished_games import many_finished

FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def all_ratings() -> tuple[list[Any], list[Any]]:
    """All ratings and rating changes, without their keys."""
    pool = ("system", "month", "players", "user")
    strength = ("mu", "sigma", "games", "wins")
    ratings = Rating.objects.order_by(*pool).values_list(*pool, *strength, "standing", "ranked")
    changes = RatingChange.objects.order_by(*pool, "finished", "game")
    return list(ratings), list(changes.values_list(*pool, *strength, "game", "mu_before", "rank"))


def from_the_beginning() -> tuple[list[Any], list[Any]]:
    recount("acquire")
    return all_ratings()


# Places by game, which `count_outcomes` of a test reads instead of the games' logs.
PLACES_BY_GAME: dict[int, Any] = {}


def write(games: Sequence[Game], places: Sequence[Any]) -> None:
    """Give games outcomes, as if they had been read and nobody had counted them yet."""
    GameOutcome.objects.bulk_create(
        GameOutcome(game=game, system=game.system, players=len(found), finished=game.finished, places=None)
        for game, found in zip(games, places, strict=True)
    )
    PLACES_BY_GAME.update({game.pk: found for game, found in zip(games, places, strict=True)})


def read(*games: Game) -> None:
    """Count games, as if they had just been read."""
    from django.db import transaction

    for game in games:
        GameOutcome.objects.filter(pk=game.pk).update(places=PLACES_BY_GAME[game.pk])
    with transaction.atomic():
        ledger = rating_history.lock("acquire")
        for outcome in GameOutcome.objects.filter(pk__in=[game.pk for game in games]):
            rating_history.mark_stale(ledger, outcome)
    while rating_history.update_ratings("acquire"):
        pass


def some_places(rng: Random, people: Sequence[User]) -> list[list[Any]]:
    """Places of a game of two to six players, some of them bots, some of them tied."""
    number = rng.randint(2, 6)
    who: list[Any] = [user.pk for user in rng.sample(people, number)]
    who = [
        rng.choice(("easy", "medium", "expert")) if n and rng.random() < 0.2 else k for n, k in enumerate(who)
    ]
    ranks = sorted(rng.choice((place, max(1, place - 1))) for place in range(1, number + 1))
    rng.shuffle(who)
    return [[one, rank] for one, rank in zip(who, ranks, strict=True)]


def played(rng: Random, host: User, number: int, people: Sequence[User]) -> list[Game]:
    ends = [FIRST + timedelta(minutes=37 * n) for n in range(number)]
    games = many_finished(host, ends)
    write(games, [some_places(rng, people) for _ in games])
    return games


def counted_bit_by_bit(rng: Random, games: Sequence[Game], most: int) -> None:
    """Count games in batches; some come late, and some stop counting after a while."""
    waiting, late = list(games), []
    while waiting or late:
        lot = [waiting.pop(0) for _ in range(min(len(waiting), rng.randint(1, most)))]
        kept = [game for game in lot if rng.random() < 0.01]
        read(*(game for game in lot if game not in kept), *late)
        late = kept
    gone = rng.sample(list(games), max(2, len(games) // 500))
    PLACES_BY_GAME.update({game.pk: None for game in gone})
    for lot in (gone[::2], gone[1::2]):  # each goes far back, so most of the time goes there
        read(*lot)
