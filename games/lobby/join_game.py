"""Join a game before it starts, leave it, and kick a player out of it."""

from django.db import transaction

from accounts.models import User
from games.lobby import live_queue
from games.lobby.game_start import begin_game
from games.lobby.join_check import check_joining
from games.lobby.open_seats import change_seat, is_seated, remove_player, take_seat
from games.lobby.stale_games import close_game
from games.models import DepartureCount, Game, Kick, Seat
from games.notifications import notify
from games.play.game_lock import lock_game, lock_paused_game
from games.play.game_ticks import schedule_ticks
from games.players.admission import lock_admitted_user
from games.players.invitations import accept_invitations, invitations_for
from games.refusals import GameNotOpen, NotAtTable, NotHost, NotSeated


@transaction.atomic
def join(*, game_id: int, user: User, code: str = "", team: int | None = None) -> Game:
    """Take a free seat and return the game; a member who is seated already gets the game as it is.

    The game starts, or its ready check, if that was the last seat and its host has chosen so. `code` is that
    of the link by which the user came; `team` is the one to join in a team game, by its number from 0, None
    for the first with a free seat. Raises what `lock_admitted_user`, `lock_game`, `check_joining` and
    `take_seat` raise.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    if is_seated(seats, user):
        return game
    check_joining(game, user, code)
    take_seat(game, seats, user, team)
    accept_invitations(game, user, code)
    notify.notify_joined(game, user)
    if _starts_by_itself(game):
        begin_game(game, user)
        return game
    if _has_become_ready(game):
        notify.notify_ready(game)
    schedule_ticks(game)
    return game


@transaction.atomic
def change_team(*, game_id: int, user: User, team: int) -> Game:
    """Move a seated user to another team of a game that has not started, and return the game.

    Raises what `lock_admitted_user` and `lock_game` raise, GameNotOpen, NotSeated, NoSuchTeam and TeamFull.
    """
    lock_admitted_user(user)
    game = lock_game(game_id)
    if not game.is_open:
        raise GameNotOpen
    seats = list(game.seats.all())
    if not is_seated(seats, user):
        raise NotSeated
    change_seat(game, seats, user, team)
    schedule_ticks(game)
    return game


@transaction.atomic
def leave(*, game_id: int, user: User) -> bool:
    """Give up a seat of an open game; return whether the user had one.

    When the host leaves, the player who has waited longest becomes host. A game without players, or with
    bot accounts alone, is closed. So is a game that the queue has made; the others wait there again. Raises
    GameNotOpen.
    """
    game = lock_paused_game(game_id)
    if not game.is_open:
        raise GameNotOpen
    seats = list(game.seats.select_related("user"))
    if not is_seated(seats, user):
        return False
    left = remove_player(game, seats, user)
    count_departure(game, user)
    if not live_queue.put_back(game, left):
        notify.notify_left(game, user)
        find_host(game, left, user)
    schedule_ticks(game, besides=[user])
    return True


@transaction.atomic
def kick(*, game_id: int, user: User, by: User, reason: str) -> None:
    """Remove a player before the start, for a reason that they read; only an invitation lets them back.

    A game that the queue has made is closed, and the others wait there again. Raises NotHost,
    GameNotOpen, NotAtTable, and ValueError without a reason.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    if game.host_id != by.pk:
        raise NotHost
    if not game.is_open:
        raise GameNotOpen
    seats = list(game.seats.select_related("user"))
    if user.pk == by.pk or not is_seated(seats, user):
        raise NotAtTable
    if not reason.strip():
        raise ValueError("Who is sent away is told why.")
    Kick.objects.create(game=game, user=user, reason=reason.strip())
    invitations_for(game, user).delete()
    left = remove_player(game, seats, user)
    notify.notify_kicked(game, user, reason.strip())
    live_queue.put_back(game, left)
    schedule_ticks(game, besides=[user])


def find_host(game: Game, left: list[Seat], user: User) -> None:
    """Make the first of the remaining players host if the host has left; close a game without players."""
    # In the order of joining, which numbers do not tell in a team game.
    joined = sorted(left, key=lambda seat: seat.pk)
    players = [seat.user for seat in joined if seat.user and not seat.user.is_bot_account]
    if not players:
        close_game(game)
    elif game.host_id == user.pk:
        game.host = players[0]
        game.save(update_fields=["host"])
        notify.notify_new_host(game, user)


def count_departure(game: Game, user: User, *, missed_ready_check: bool = False) -> None:
    """Count how often the user has left: the host is notified each time, so this has a limit."""
    departure, _ = DepartureCount.objects.get_or_create(game=game, user=user, defaults={"times": 0})
    departure.times += 1
    departure.missed_ready_check = missed_ready_check
    departure.save(update_fields=["times", "missed_ready_check"])


def _starts_by_itself(game: Game) -> bool:
    return game.start == Game.Start.FULL and not game.free_seats and game.ready_by is None


def _has_become_ready(game: Game) -> bool:
    """Return whether the player who has just joined lets the host start, or fills the last seat."""
    if game.ready_by is not None:
        return False
    return game.start == Game.Start.HOST and (game.seats_taken == game.min_players or not game.free_seats)
