"""How a game begins: opened by its host, then dealt. To play at once is both in one."""

import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.models import Game, Seat
from games.rules.chance import SEED_BYTES

from . import limits, notifying
from .admission import lock_admitted_user
from .automatic_moves import play_automatic_moves
from .errors import GuestsPlayComputers, NotHost, NotOpen, TooFew
from .game_columns import set_position
from .game_lock import lock_game
from .game_ticks import schedule_ticks
from .terms import Terms

# What computer opponents are called: short, and not anybody's name on the site.
NICKNAMES = (
    "Rook",
    "Mogul",
    "Ledger",
    "Baron",
    "Penny",
    "Tycoon",
    "Ticker",
    "Magnate",
    "Bellhop",
    "Concierge",
)

# Far enough from the numbers of seats that none is taken while they are numbered anew.
_AWAY = 100


@dataclass(frozen=True, slots=True)
class Named:
    """A person at the device of a practice table, who is there by name alone."""

    name: str


@transaction.atomic
def create_game(*, host: User, terms: Terms, again_of: Game | None = None) -> Game:
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
    whole = Terms(system=system, preset=preset, options=options or {}, least=seats, most=seats, **terms)
    return seat_and_deal(whole, host, dict(enumerate(players)))


@transaction.atomic
def start_by_host(*, game_id: int, by: User) -> Game:
    """Start an open game; the same success again when it runs already. Raises NotHost, NotOpen, TooFew."""
    lock_admitted_user(by)
    game = lock_game(game_id)
    if game.host_id != by.pk:
        raise NotHost
    if game.is_running:
        return game
    if not game.is_open:
        raise NotOpen
    if game.taken < game.least:
        raise TooFew
    deal(game)
    return game


def seat_and_deal(
    terms: Terms, host: User, players: Mapping[int, User | Named | str], again_of: Game | None = None
) -> Game:
    """Open a game on these terms with these players by the numbers of their seats, and return it.

    One that has no seat for anybody else starts at once. Raises GamesClosed.
    """
    limits.check_new_games()
    game = terms.new_game(host, again_of)
    game.taken = len(players)
    game.save()
    Seat.objects.bulk_create(_seats(game, players))
    if game.free:
        schedule_ticks(game)
    else:
        deal(game)
    return game


def draw_seed() -> bytes:
    """A secret that nobody can guess, from the operating system; all chance of a game comes from it."""
    return secrets.token_bytes(SEED_BYTES)


def deal(game: Game) -> None:
    """Start a game, locked or just made: fill its seats as its host chose, draw the seed, deal."""
    joined = list(game.seats.select_related("user"))
    if game.fill:
        free = sorted(set(range(game.most)) - {seat.number for seat in joined})
        filled = _seats(game, dict.fromkeys(free, game.fill), taken={seat.nickname for seat in joined})
        joined = sorted([*joined, *Seat.objects.bulk_create(filled)], key=lambda seat: seat.number)
    system = game.rule_system
    seed = draw_seed()
    seats = _number(game, [joined[place] for place in system.seating(game.rules, len(joined), seed)])
    game.seed = seed
    game.commitment = system.commitment(seed)
    game.taken = len(seats)
    game.status = Game.Status.RUNNING
    game.started = timezone.now()
    set_position(game, system.deal(game.rules, len(seats), seed), seats, after=None)
    game.save()
    play_automatic_moves(game)
    notifying.game_started(game)
    schedule_ticks(game)


def _number(game: Game, seats: list[Seat]) -> list[Seat]:
    """Number the seats in this order."""
    game.seats.update(number=F("number") + _AWAY)
    for number, seat in enumerate(seats):
        seat.number = number
    Seat.objects.bulk_update(seats, ["number"])
    return seats


def _seats(game: Game, players: Mapping[int, User | Named | str], taken: Collection[str] = ()) -> list[Seat]:
    """Seats for these players by number; computers get names that nobody at the table has."""
    named = [player.name for player in players.values() if isinstance(player, Named)]
    nicknames = iter(free_nicknames([*taken, *named], len(players)))
    return [_seat(game, number, player, nicknames) for number, player in players.items()]


def _seat(game: Game, number: int, player: User | Named | str, nicknames: Iterator[str]) -> Seat:
    if isinstance(player, User):
        return Seat(game=game, number=number, user=player)
    if isinstance(player, Named):
        return Seat(game=game, number=number, nickname=player.name)
    return Seat(game=game, number=number, computer=player, nickname=next(nicknames))


def free_nicknames(taken: Collection[str], count: int) -> list[str]:
    """So many names for computers that nobody at the table has."""
    return SystemRandom().sample([name for name in NICKNAMES if name not in taken], count)
