"""Seats of a game before the start: taken in the order of joining, drawn anew at the start."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.models import Game, Seat
from games.players.nicknames import free_nicknames
from games.refusals import NoSuchTeam, TeamFull

# Moves all numbers out of the way while the seats are renumbered, as they are unique in a game.
_SEAT_OFFSET = 100


@dataclass(frozen=True, slots=True)
class PracticePlayer:
    """A person at the device of a practice table, known by name alone."""

    name: str


# A member, a person at a practice table, or the level of a bot.
Player = User | PracticePlayer | str


def is_seated(seats: Collection[Seat], user: User) -> bool:
    return any(seat.user_id == user.pk for seat in seats)


def take_seat(game: Game, seats: Collection[Seat], user: User, team: int | None = None) -> None:
    """Give the user the first free seat of a locked game that has these seats, and save the game.

    With a `team` it is the first one of that team. Raises NoSuchTeam and TeamFull.
    """
    # Members who join during a ready check are ready.
    is_ready = game.ready_by is not None
    Seat.objects.create(game=game, number=_free_seat(game, seats, team), user=user, is_ready=is_ready)
    _save_count(game, len(seats) + 1)


def change_seat(game: Game, seats: Collection[Seat], user: User, team: int) -> None:
    """Give a seated user the first free seat of another team of a locked game, and save the game.

    Nothing changes for a user who is in that team. Raises NoSuchTeam and TeamFull.
    """
    mine = next(seat for seat in seats if seat.user_id == user.pk)
    if mine.team == team:
        return
    mine.number = _free_seat(game, seats, team)
    mine.save(update_fields=["number"])
    _save_count(game, len(seats))


def _free_seat(game: Game, seats: Collection[Seat], team: int | None) -> int:
    """The lowest number of a free seat, of this team if one is given."""
    if team is None:
        numbers: Sequence[int] = range(game.max_players)
    elif team in range(len(game.teams)):
        numbers = game.teams[team]
    else:
        raise NoSuchTeam
    taken = {seat.number for seat in seats}
    free = [number for number in numbers if number not in taken]
    if not free:
        raise TeamFull
    return free[0]


def remove_player(game: Game, seats: Collection[Seat], user: User) -> list[Seat]:
    """Delete the user's seat, save the game, and return the seats that are left; a ready check is over.

    Players behind it move up, because their order is that of joining; bots keep their seats. In a team game
    nobody moves, because the number of a seat says which team it is in.
    """
    game.seats.filter(user=user).delete()
    left = [seat for seat in seats if seat.user_id != user.pk]
    if not game.teams:
        _move_up(game, left)
    end_ready_check(game)
    _save_count(game, len(left))
    return left


def end_ready_check(game: Game) -> None:
    """End the ready check of a locked game, if there is one; does not save the game."""
    if game.ready_by is not None:
        game.ready_by = None
        game.seats.update(is_ready=False)


def _move_up(game: Game, left: Collection[Seat]) -> None:
    taken = {seat.number for seat in left if seat.bot_level}
    free = (number for number in range(game.max_players) if number not in taken)
    for seat in left:
        if not seat.bot_level and seat.number != (number := next(free)):
            seat.number = number
            seat.save(update_fields=["number"])


def seat_players(game: Game, players: Mapping[int, Player]) -> None:
    """Save a new game with these players by the numbers of their seats."""
    game.seats_taken = len(players)
    game.save()
    Seat.objects.bulk_create(_seats(game, players))


def fill_free_seats(game: Game) -> list[Seat]:
    """Seat bots where the host wants them, and return all seats in the order of joining."""
    seats = list(game.seats.select_related("user"))
    if not game.fill_level:
        return seats
    free = sorted(set(range(game.max_players)) - {seat.number for seat in seats})
    filled = _seats(game, dict.fromkeys(free, game.fill_level), taken={seat.nickname for seat in seats})
    return sorted([*seats, *Seat.objects.bulk_create(filled)], key=lambda seat: seat.number)


def draw_seats(game: Game, seats: list[Seat], seed: bytes) -> list[Seat]:
    """Number the seats in the order that the rule system draws with the seed, and return them in it."""
    drawn = [seats[place] for place in game.rule_system.seating(game.rules, len(seats), seed)]
    game.seats.update(number=F("number") + _SEAT_OFFSET)
    for number, seat in enumerate(drawn):
        seat.number = number
    Seat.objects.bulk_update(drawn, ["number"])
    return drawn


def _seats(game: Game, players: Mapping[int, Player], taken: Collection[str] = ()) -> list[Seat]:
    """Unsaved seats for these players by number; bots get nicknames that nobody at the table has."""
    named = [player.name for player in players.values() if isinstance(player, PracticePlayer)]
    nicknames = iter(free_nicknames([*taken, *named], len(players)))
    return [_seat(game, number, player, nicknames) for number, player in players.items()]


def _seat(game: Game, number: int, player: Player, nicknames: Iterator[str]) -> Seat:
    if isinstance(player, User):
        return Seat(game=game, number=number, user=player)
    if isinstance(player, PracticePlayer):
        return Seat(game=game, number=number, nickname=player.name)
    return Seat(game=game, number=number, bot_level=player, nickname=next(nicknames))


def _save_count(game: Game, taken: int) -> None:
    game.seats_taken = taken
    game.last_change_at = timezone.now()
    game.save(update_fields=["seats_taken", "last_change_at", "ready_by"])
