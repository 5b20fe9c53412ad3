"""All lists of the lobby for one reader, in one query for the games and one for the seats."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import CharField, F, QuerySet, Value

from games import keyset_page
from games.keyset_page import EPOCH
from games.lobby import game_lists
from games.lobby.game_lists import FEW, PAGE, OpenGameFilter, Page
from games.lobby.paused_games import paused_games
from games.models import Game
from games.models.playable_systems import withheld_systems


@dataclass(frozen=True)
class Lobby:
    """The lists of the lobby for one reader; of paused games only their number."""

    invited: list[Game]
    waiting: list[Game]
    others: list[Game]
    practice: list[Game]
    open: Page
    vacant: list[Game]
    running: Page
    finished: Page
    paused: int = 0

    def all_games(self) -> list[Game]:
        pages = (self.open, self.running, self.finished)
        games = (
            self.invited,
            self.waiting,
            self.others,
            self.practice,
            self.vacant,
            *(page.games for page in pages),
        )
        return [game for listed in games for game in listed]


def lobby(user: Any, wanted: OpenGameFilter) -> Lobby:
    """The lists of the lobby, each cut to its first page, with seats and their users."""
    listed = _read_together(_parts(user, wanted))
    found = Lobby(
        invited=_newest(listed["invited"]),
        waiting=sorted(listed["waiting"], key=_soonest),
        others=_newest(listed["others"]),
        practice=_newest(listed["practice"]),
        open=_page(listed["open"], PAGE),
        vacant=_newest(listed["vacant"]),
        running=_page(listed["running"], FEW),
        finished=_page(listed["finished"], FEW),
        paused=paused_games(user).filter(finished=None).count() if withheld_systems() else 0,
    )
    game_lists.with_seats(found.all_games())
    return found


# The column by which each list is ordered, except that of the games that wait for the reader.
_BY: Final = {
    "invited": "opened",
    "waiting": "last_change_at",
    "others": "last_change_at",
    "practice": "last_change_at",
    "open": "opened",
    "vacant": "last_change_at",
    "running": "last_change_at",
}


def _parts(user: Any, wanted: OpenGameFilter) -> list[QuerySet[Any]]:
    """The query of each list, annotated with its name as `listed` and its order as `at`."""
    cut: dict[str, QuerySet[Game]] = {
        "open": game_lists.open_games(user, wanted)[: PAGE + 1],
        "vacant": game_lists.vacant_games(user)[:FEW],
        "running": game_lists.running_games(user)[: FEW + 1],
    }
    if not user.is_authenticated:
        return [_part(name, games) for name, games in cut.items()]
    cut |= {
        "invited": game_lists.invited(user),
        "waiting": game_lists.games_to_move(user),
        "others": game_lists.other_games(user),
        "practice": game_lists.practice_tables(user),
    }
    ended = Game.objects.filter(seats__in=game_lists.own_ended(user)[: FEW + 1].values("pk"))
    practised = Game.objects.filter(pk__in=game_lists.own_practised(user)[: FEW + 1].values("pk"))
    return [
        *(_part(name, games) for name, games in cut.items()),
        _named("finished", ended, "seats__ended"),
        _named("finished", practised, "finished"),
    ]


def _part(name: str, games: QuerySet[Game]) -> QuerySet[Any]:
    # Cut in a subquery: SQLite neither cuts nor orders a part of a union.
    return _named(name, Game.objects.filter(pk__in=games.values("pk")), _BY[name])


def _named(name: str, games: QuerySet[Game], by: str) -> QuerySet[Any]:
    return games.annotate(listed=Value(name, CharField()), at=F(by))


def _read_together(parts: list[QuerySet[Any]]) -> dict[str, list[Any]]:
    """The games of all lists by list name, unordered, in one query."""
    listed = defaultdict(list)
    for game in parts[0].union(*parts[1:], all=True):
        listed[game.listed].append(game)
    return listed


def _newest(games: list[Any]) -> list[Any]:
    return sorted(games, key=lambda game: (game.at, game.pk), reverse=True)


def _soonest(game: Game) -> tuple[Any, ...]:
    due = game.ready_by or game.deadline
    return due is None, due or EPOCH, game.last_change_at, game.pk


def _page(games: list[Any], size: int) -> Page:
    found = _newest(games)[: size + 1]
    return Page(found[:size], keyset_page.next_cursor([(game.pk, game.at) for game in found], size))
