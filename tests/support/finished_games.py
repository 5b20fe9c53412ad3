"""Finished games without their moves, for tests of what comes after a game."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.models import User
from games.engine.rules.acquire.turns import end
from games.models import Game, Seat
from games.play.finished_game import RESULT_FINAL_AFTER, mark_result_due
from games.play.game_columns import set_position
from games.ratings.result_queue import count_results
from tests.support.games import NewGame, make_room

RATED: Any = {"rated": True, "visibility": "public"}


def finish(game: Game, cash: Sequence[int]) -> Game:
    """End the game by the rules with this cash by seat and no shares, and return it."""
    game = Game.with_secrets.get(pk=game.pk)
    state = game.rule_system.state_from_json(game.state)
    state.cash[:] = cash
    end(state, "declared")
    set_position(game, state, list(game.seats.all()), after=None)
    game.save()
    game.seats.update(ended=game.finished)
    mark_result_due(game)
    return Game.with_secrets.get(pk=game.pk)


def won_by(start: NewGame, *players: User | str, count: bool = True, **terms: Any) -> Game:
    """A rated game that these players finished in this order; counted at once, unless `count` is false."""
    game = start(*players, terms={**RATED, **terms})
    order = [player if isinstance(player, str) else player.pk for player in players]
    money = {who: 10_000 - 1000 * place for place, who in enumerate(order)}
    cash = [money[seat.user_id or seat.bot_level] for seat in game.seats.all()]
    game = finish(game, cash)
    if count:
        count_results()
    make_room(*(player for player in players if isinstance(player, User)))
    return game


def many_finished(host: User, ends: Sequence[datetime], system: str = "acquire") -> list[Game]:
    """Games that ended at these moments and consist of their rows only."""
    same = {"system": system, "preset": "classic", "host": host, "rated": True, "visibility": "public"}
    dealt = {"status": "finished", "state": {}, "seed": b"s" * 32}
    return Game.objects.bulk_create(Game(**same, **dealt, started=at, finished=at) for at in ends)


def users(number: int, named: str = "player") -> list[User]:
    """This many new members."""
    return User.objects.bulk_create(
        User(username=f"{named}-{n}", skeleton=f"{named}-{n}") for n in range(number)
    )


def seat_of(game: Game, user: User) -> Seat:
    return Seat.objects.get(game=game, user=user)


def with_final_result(game: Game) -> Game:
    """Let the game have ended so long ago that nobody can reopen it."""
    assert game.finished is not None
    Game.all_games.filter(pk=game.pk).update(finished=game.finished - RESULT_FINAL_AFTER)
    return Game.with_secrets.get(pk=game.pk)
