"""Open a game and start it."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.rules.seeded_random import SEED_BYTES
from games.lobby.game_terms import GameTerms
from games.lobby.open_seats import Player, draw_seats, end_ready_check, fill_free_seats, seat_players
from games.models import Game
from games.notifications import notify
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.deadlines.ready_deadlines import READY_TIME
from games.play.game_columns import set_deal
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks
from games.players import limits
from games.players.admission import lock_admitted_user
from games.refusals import GameNotOpen, GuestsPlayComputers, NotHost, TooFewPlayers


@transaction.atomic
def create_game(*, host: User, terms: GameTerms, again_of: Game | None = None) -> Game:
    """Open a game on these terms, with its host and its bots seated, and return it.

    A game that has no seat for anybody else starts at once. Raises ValueError, with a sentence, for terms
    that cannot be kept, TooManyGames, NewGamesClosed, and GuestsPlayComputers for a guest who would wait
    for people.
    """
    lock_admitted_user(host)
    limits.check_games(host)
    if host.is_guest and len(terms.computers) < terms.most - 1:
        raise GuestsPlayComputers
    return open_game(terms, host, {0: host, **terms.computers}, again_of)


@transaction.atomic
def start_game(
    *,
    system: str,
    preset: str,
    host: User,
    players: Sequence[User | str],
    options: Mapping[str, Any] | None = None,
    **terms: Any,
) -> Game:
    """Deal a game to these players and return it, running.

    `players` are members and bot levels by name, in the order of joining; `options` differ from the preset's;
    `terms` are other fields of `GameTerms`. Raises ValueError, with a sentence, for what the rules do not
    know, TooManyGames, and NewGamesClosed.
    """
    lock_admitted_user(host)
    limits.check_games(host)
    terms = {"visibility": Game.Visibility.UNLISTED, **terms}
    seats = len(players)
    whole = GameTerms(system=system, preset=preset, options=options or {}, least=seats, most=seats, **terms)
    return open_game(whole, host, dict(enumerate(players)))


@transaction.atomic
def start_as_host(*, game_id: int, by: User) -> Game:
    """Start an open game, or its ready check, and return it; a game that runs already is returned as it is.

    Raises NotHost, GameNotOpen and TooFewPlayers.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    if game.host_id != by.pk:
        raise NotHost
    if game.is_running:
        return game
    if not game.is_open:
        raise GameNotOpen
    if game.seats_taken < game.min_players:
        raise TooFewPlayers
    if game.ready_by is None:
        begin_game(game, by)
    return game


def open_game(
    terms: GameTerms, host: User, players: Mapping[int, Player], again_of: Game | None = None
) -> Game:
    """Open a game on these terms with these players by the numbers of their seats, and return it.

    A game without a free seat starts at once. The host is locked. Raises NewGamesClosed.
    """
    limits.check_new_games()
    game = terms.new_game(host, again_of)
    seat_players(game, players)
    if game.free_seats:
        schedule_ticks(game)
    else:
        deal_game(game)
    return game


def begin_game(game: Game, by: User | None = None) -> None:
    """Start a game that is locked or new, after a ready check if several people play live.

    `by` has started it or taken the last seat, and so is ready. Bot accounts are ready as well.
    """
    players = list(game.seats.filter(user__isnull=False).select_related("user"))
    asked = {
        seat.pk: seat.user_id
        for seat in players
        if seat.user_id is not None and seat.user != by and not seat.is_bot_account
    }
    if not game.is_live or len(players) == 1 or not asked:
        deal_game(game, by)
        return
    game.seats.update(is_ready=True)
    game.seats.filter(pk__in=asked).update(is_ready=False)
    game.ready_by = timezone.now() + READY_TIME
    game.save(update_fields=["ready_by"])
    notify.notify_check(game, asked.values())
    schedule_ticks(game)


def deal_game(game: Game, by: User | None = None) -> None:
    """Start a game that is locked or new: fill its seats, draw the seed, and deal; `by` is who starts it."""
    end_ready_check(game)
    joined = fill_free_seats(game)
    seed = new_seed()
    seats = draw_seats(game, joined, seed)
    set_deal(game, seats, seed)
    game.save()
    play_automatic_moves(game)
    notify.notify_started(game, by)
    schedule_ticks(game)


def new_seed() -> bytes:
    """Return a secret from the operating system; everything random in a game comes from it."""
    return secrets.token_bytes(SEED_BYTES)
