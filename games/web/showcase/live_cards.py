"""Cards of live games, drawn once for all readers until their game goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.lobby.game_lists import with_seats
from games.lobby.listed_positions import ListedPosition, listed_positions
from games.models import Game
from games.play.page_presence import watching_members
from games.play.spectator_position import all_shown_to
from games.web.clocks.live_clock import live_clock, time_left
from games.web.lobby.game_cards import card
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople
from games.web.showcase.lettered_board import lettered_board
from games.web.text import log_view
from games.web.text.seat_names import table_persons

# Stands for the running clock, which is filled in for each reader. No name can contain it: they are escaped.
_CLOCK: Final = "<!--clock-->"
_MOST_KEPT: Final = 512

# By everything that a card depends on; the version stands for the moves.
_kept: dict[tuple[Any, ...], str] = {}


@dataclass(frozen=True, slots=True)
class LiveCard:
    """A game as HTML; `key` identifies it in element ids, and a card that has changed has another `stamp`."""

    key: str
    stamp: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class LiveSeat:
    """A seat on a card; `score` is "" while it is hidden, `clock` for computers.

    `ends` is the end of its clock, None while that does not run.
    """

    number: int
    name: str
    person: Person
    score: str
    clock: str
    decides: bool
    ends: int | None = None


def live_cards(games: Sequence[Game], *, large: bool) -> list[LiveCard]:
    """The cards of live games as spectators see them; with `large` the first has a large board.

    Cards that are drawn now share their queries.
    """
    # Copies of late games keep the seats that they are made with.
    with_seats([game for game in games if game.spectator_delay])
    games = all_shown_to(games, AnonymousUser())
    keys = {game.pk: _key(game, large and game == games[0]) for game in games}
    _make([game for game in games if keys[game.pk] not in _kept], keys)
    return [
        LiveCard(game.public_id, f"{crc32(repr(key).encode()):08x}", _with_clock(html, game))
        for game in games
        if (html := _kept.get(key := keys[game.pk])) is not None
    ]


def forget() -> None:
    """Draw all cards anew."""
    _kept.clear()


def _key(game: Game, is_large: bool) -> tuple[Any, ...]:
    return game.public_id, game.version, game.last_change_at, game.deadline, is_large, get_language()


def _make(games: list[Game], keys: dict[int, tuple[Any, ...]]) -> None:
    """Draw the cards of these games; one that was deleted meanwhile gets none."""
    if not games:
        return
    if len(_kept) > _MOST_KEPT:
        _kept.clear()
    with_seats(games)
    positions, watching = listed_positions(games), watching_members(games)
    for game in games:
        if game.pk in positions:
            is_large = keys[game.pk] == _key(game, True)
            _kept[keys[game.pk]] = _drawn(game, positions[game.pk], watching.get(game.pk, 0), is_large)


def _drawn(game: Game, position: ListedPosition, watching: int, is_large: bool) -> str:
    table, people = PRESENTERS[game.system], TablePeople(tuple(table_persons(game.seats.all())))
    told = [log_view.entry(move, people.persons, None) for move in position.moves]
    context = {
        "card": card(game, AnonymousUser()),
        "seats": _seats(game, people, position.seen),
        "clock": SafeString(_CLOCK),
        "watching": watching,
        "large": is_large,
    }
    if is_large:
        picture = table.board_picture(position.seen)
        context["board"] = lettered_board(table, position.seen, told)
        context |= {"columns": picture.column_names, "rows": picture.row_names}
    else:
        context["board"] = table.mini_board(position.seen, told)
    return str(render_to_string("games/showcase/_live_card.html", context))


def _seats(game: Game, people: TablePeople, seen: Any) -> list[LiveSeat]:
    table, clock = PRESENTERS[game.system], live_clock(game, list(game.seats.all()))
    scores = {seat: table.score(points) for _rank, seat, points in table.places(seen, people)}
    return [
        LiveSeat(
            number,
            people.in_list(number, person.name),
            person,
            scores.get(number, ""),
            "" if clock is None else clock.shown[number],
            number == game.seat_to_move,
            clock.ends if clock is not None and number == game.seat_to_move else None,
        )
        for number, person in enumerate(people.persons)
    ]


def _with_clock(html: str, game: Game) -> SafeString:
    return SafeString(html.replace(_CLOCK, time_left(game)))
