"""Public games for the read-only API."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import Http404

from accounts.models import User
from games import keyset_page
from games.archive.game_export import entry_written, export_game, moment, prefetch_for_export
from games.archive.past_position import position_at
from games.lobby import game_lists
from games.lobby.game_lists import Page, with_seats
from games.log.public_times import entry_time
from games.models import Game, Seat
from games.play.spectator_position import all_shown_to, shown_to

# The lists and the column that orders each, the latest first.
ORDERED_BY: Final = {
    Game.Status.FINISHED: "finished",
    Game.Status.RUNNING: "last_change_at",
    Game.Status.OPEN: "opened",
}


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Filter of a list; None and "" match everything. `since` applies to finished games."""

    status: str = Game.Status.FINISHED
    system: str = ""
    preset: str = ""
    player: User | None = None
    since: datetime | None = None


def public_games(choice: Choice, after: str = "", size: int = game_lists.PAGE) -> Page:
    """A page of the matching public games, the latest first, with their seats, as spectators see them."""
    column = ORDERED_BY[Game.Status(choice.status)]
    games = _public().filter(status=choice.status)
    if choice.system:
        games = games.filter(system=choice.system)
    if choice.preset:
        games = games.filter(preset=choice.preset)
    if choice.since is not None:
        games = games.filter(finished__gte=choice.since)
    if choice.player is not None:
        page = _page_of_player(choice.player, games, column, after, size)
    else:
        page = game_lists.page_of(games.order_by(f"-{column}", "-pk"), column, after, size)
    with_seats(page.games)
    return replace(page, games=all_shown_to(page.games, AnonymousUser()))


def _page_of_player(player: User, games: QuerySet[Game], column: str, after: str, size: int) -> Page:
    """A page of one player's matching games, found by the player's seats, which are fewer than all games."""
    seats = Seat.objects.filter(user=player, game__in=games)
    if column != "finished":
        keys = list(seats.filter(ended=None).values_list("game", flat=True))
        mine = Game.objects.filter(pk__in=keys)
        return game_lists.page_of(mine.order_by(f"-{column}", "-pk"), column, after, size)
    ended = seats.filter(ended__isnull=False).order_by("-ended", "-game_id")
    found = list(
        keyset_page.after_cursor(ended, "ended", "game_id", after).values_list("game_id", "ended")[: size + 1]
    )
    by_key = Game.objects.in_bulk([key for key, _ in found[:size]])
    return Page([by_key[key] for key, _ in found[:size]], keyset_page.next_cursor(found, size))


def public_game(public_id: str) -> dict[str, Any]:
    """Return the export of a public game that has begun. Raises Http404 otherwise."""
    game = prefetch_for_export(_public().filter(public_id=public_id)).first()
    if game is None:
        raise Http404
    return export_game(shown_to(game, AnonymousUser()))


def public_position(public_id: str, number: int, nobody: Any) -> dict[str, Any]:
    """Return a position of a public game as a spectator sees it. Raises Http404 and NoSuchPosition.

    `nobody` is an anonymous user.
    """
    if not _public().filter(public_id=public_id, state__isnull=False).exists():
        raise Http404
    position = position_at(public_id, nobody, number)
    game = position.look.game
    return {
        "game": public_id,
        "number": position.number,
        "last": position.last,
        "turns": list(position.turns),
        "status": game.status,
        "entry": entry_written(game, position.entry) if position.entry is not None else None,
        "position": game.rule_system.observation_to_json(position.look.seen),
        "uncovered": position.uncovered,
    }


def summary(game: Game) -> dict[str, Any]:
    """The summary of a game in a list, from its columns and seats."""
    return {
        "id": game.public_id,
        "address": game.get_absolute_url(),
        "name": game.name,
        "system": game.system,
        "preset": game.preset,
        "options": game.options,
        "status": game.status,
        "rated": game.rated,
        "pace": game.seconds_per_move,
        "least": game.min_players,
        "most": game.max_players,
        "rounds_late": game.spectator_delay,
        "seats": [_seat(seat) for seat in game.seats.all()],
        "entries": game.version,
        "to_decide": game.seat_to_move,
        "opened": moment(game.opened),
        "started": moment(entry_time(game, game.started) if game.started else None),
        "moved": moment(entry_time(game, game.last_change_at)),
        "finished": moment(game.finished),
        "ending": (game.ending or "rules") if game.is_finished else None,
    }


def _seat(seat: Seat) -> dict[str, Any]:
    return {
        "name": seat.name,
        "member": seat.user_id is not None,
        "program": seat.is_bot_account,
        "computer": seat.bot_level or None,
    }


def _public() -> QuerySet[Game]:
    return Game.objects.filter(visibility=Game.Visibility.PUBLIC, is_practice=False)
