"""How a game begins: opened by its host, then dealt. To play at once is both in one."""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.engine.rules.seeded_random import SEED_BYTES
from games.lobby.game_terms import GameTerms
from games.models import Game, Seat
from games.notifications import notify
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.game_columns import set_position
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks
from games.players import limits
from games.players.admission import lock_admitted_user
from games.players.nicknames import free_nicknames
from games.refusals import GameNotOpen, GuestsPlayComputers, NotHost, TooFewPlayers

# Far enough from the numbers of seats that none is taken while they are numbered anew.
_SEAT_OFFSET = 100


@dataclass(frozen=True, slots=True)
class PracticePlayer:
    """A person at the device of a practice table, who is there by name alone."""

    name: str


@transaction.atomic
def create_game(*, host: User, terms: GameTerms, again_of: Game | None = None) -> Game:
    """Open a game on these terms, with its host and its computers seated, and return it.

    A game that has no seat for anybody else starts at once. Raises ValueError, with a sentence, for
    terms that cannot be kept, TooManyGames, and GuestsPlayComputers for a guest who would wait for people.
    """
    limits.check_games(host)
    if host.is_guest and len(terms.computers) < terms.most - 1:
        raise GuestsPlayComputers
    return seat_and_deal(terms, host, {0: host, **terms.computers}, again_of)


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

    `players` are people, and levels of computer opponents by name, in the order of joining;
    `options` differ from the preset's; `terms` are other fields of `Terms`. Raises ValueError, with
    a sentence, for what the rules do not know, and TooManyGames.
    """
    limits.check_games(host)
    terms = {"visibility": Game.Visibility.UNLISTED, **terms}
    seats = len(players)
    whole = GameTerms(system=system, preset=preset, options=options or {}, least=seats, most=seats, **terms)
    return seat_and_deal(whole, host, dict(enumerate(players)))


@transaction.atomic
def start_as_host(*, game_id: int, by: User) -> Game:
    """Start an open game; the same success again when it runs already. Raises NotHost, NotOpen, TooFew."""
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
    deal_game(game)
    return game


def seat_and_deal(
    terms: GameTerms,
    host: User,
    players: Mapping[int, User | PracticePlayer | str],
    again_of: Game | None = None,
) -> Game:
    """Open a game on these terms with these players by the numbers of their seats, and return it.

    One that has no seat for anybody else starts at once. Raises GamesClosed.
    """
    limits.check_new_games()
    game = terms.new_game(host, again_of)
    game.seats_taken = len(players)
    game.save()
    Seat.objects.bulk_create(_seats(game, players))
    if game.free_seats:
        schedule_ticks(game)
    else:
        deal_game(game)
    return game


def new_seed() -> bytes:
    """A secret that nobody can guess, from the operating system; all chance of a game comes from it."""
    return secrets.token_bytes(SEED_BYTES)


def deal_game(game: Game) -> None:
    """Start a game, locked or just made: fill its seats as its host chose, draw the seed, deal."""
    joined = list(game.seats.select_related("user"))
    if game.fill_level:
        free = sorted(set(range(game.max_players)) - {seat.number for seat in joined})
        filled = _seats(game, dict.fromkeys(free, game.fill_level), taken={seat.nickname for seat in joined})
        joined = sorted([*joined, *Seat.objects.bulk_create(filled)], key=lambda seat: seat.number)
    system = game.rule_system
    seed = new_seed()
    seats = _number(game, [joined[place] for place in system.seating(game.rules, len(joined), seed)])
    game.seed = seed
    game.seed_hash = system.seed_hash(seed)
    game.seats_taken = len(seats)
    game.status = Game.Status.RUNNING
    game.started = timezone.now()
    set_position(game, system.deal(game.rules, len(seats), seed), seats, after=None)
    game.save()
    play_automatic_moves(game)
    notify.game_started(game)
    schedule_ticks(game)


def _number(game: Game, seats: list[Seat]) -> list[Seat]:
    """Number the seats in this order."""
    game.seats.update(number=F("number") + _SEAT_OFFSET)
    for number, seat in enumerate(seats):
        seat.number = number
    Seat.objects.bulk_update(seats, ["number"])
    return seats


def _seats(
    game: Game, players: Mapping[int, User | PracticePlayer | str], taken: Collection[str] = ()
) -> list[Seat]:
    """Seats for these players by number; computers get names that nobody at the table has."""
    named = [player.name for player in players.values() if isinstance(player, PracticePlayer)]
    nicknames = iter(free_nicknames([*taken, *named], len(players)))
    return [_seat(game, number, player, nicknames) for number, player in players.items()]


def _seat(game: Game, number: int, player: User | PracticePlayer | str, nicknames: Iterator[str]) -> Seat:
    if isinstance(player, User):
        return Seat(game=game, number=number, user=player)
    if isinstance(player, PracticePlayer):
        return Seat(game=game, number=number, nickname=player.name)
    return Seat(game=game, number=number, bot_level=player, nickname=next(nicknames))
