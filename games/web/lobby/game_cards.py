"""Cards that show games in lists."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.lobby.game_lists import waits_for
from games.lobby.listed_positions import ListedPosition, listed_positions
from games.log.public_times import deadline_shown
from games.log.standings import team_places
from games.models import Game
from games.play.spectator_position import all_shown_to, shown_to
from games.web.clocks.clock_bar import ClockBar, clock_bar
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople, join_list, team_name
from games.web.text import late_text, log_view
from games.web.text.game_titles import format_pace, players, rules_title, title, title_for
from games.web.text.seat_names import table_persons

_MAX_PARAGRAPHS: Final = 2
# The same for moves since the reader's last visit.
_MAX_NEWS: Final = 5


_STANDINGS: Final = {
    1: gettext_lazy("you are 1st"),
    2: gettext_lazy("you are 2nd"),
    3: gettext_lazy("you are 3rd"),
    4: gettext_lazy("you are 4th"),
    5: gettext_lazy("you are 5th"),
    6: gettext_lazy("you are 6th"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings: rank, name, score, and whether it is the reader's."""

    rank: int
    person: Person
    name: str
    score: str
    me: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A game in a list.

    `line` says what the game waits for or how it ended, `details` the rules and the number of players;
    `to_decide` is the seat to move, or None. `key` identifies the game in element ids, `free` is the number
    of free seats, and `join_url` the target of the form to join. Games that are dealt have a `board`, and
    `places` unless money is hidden; running ones have their last `moves`, which with `is_news` are those
    since the reader's last visit. `deed` is the reader's decision as on a button.
    """

    url: str
    title: str
    line: str
    details: str
    people: Sequence[Person]
    my_turn: bool = False
    to_decide: int | None = None
    deadline: datetime | None = None
    ended: datetime | None = None
    key: str = ""
    free: int = 0
    join_url: str = ""
    clock: ClockBar | None = None
    board: str = ""
    places: Sequence[Place] = ()
    moves: Sequence[str] = ()
    is_news: bool = False
    deed: str = ""

    @property
    def decider(self) -> Person | None:
        """The player to move."""
        return None if self.to_decide is None else self.people[self.to_decide]

    @property
    def standing(self) -> str:
        """The reader's place at this moment in words; "" without one."""
        mine = next((place.rank for place in self.places if place.me), 0)
        return str(_STANDINGS[mine]) if mine else ""

    @property
    def lead(self) -> str:
        """The name of the leader in a sentence; "" while that is hidden or all are equal."""
        first = [place.name for place in self.places if place.rank == 1]
        if len(first) == len(self.places):
            return ""
        if len({place.person.team for place in self.places if place.rank == 1} - {None}) == 1:
            team = next(place.person.team for place in self.places if place.rank == 1)
            return _("{name} leads").format(name=team_name(team or 0))
        if len(first) == 1:
            return _("{name} leads").format(name=first[0])
        return _("{names} share the lead").format(names=join_list(first))

    @property
    def scores_are_words(self) -> bool:
        """Return whether scores are more than a number, and so need a line each."""
        return any(" " in place.score for place in self.places)

    @property
    def open_seats(self) -> range:
        return range(self.free)


def cards(games: Iterable[Game], me: Any) -> list[Card]:
    """Return the cards of games for a reader, with what everybody may see of their positions."""
    games = all_shown_to(games, me)
    positions = listed_positions(games, me)
    return [card(game, me, positions.get(game.pk)) for game in games]


def card(game: Game, me: Any, position: ListedPosition | None = None) -> Card:
    """Return the card of a game for a reader, as the reader may see it now."""
    game = shown_to(game, me)
    seats = list(game.seats.all())
    people = table_persons(seats)
    mine = next((seat.number for seat in seats if seat.user_id is not None and seat.user_id == me.pk), None)
    table = TablePeople(tuple(people), mine)
    my_turn = waits_for(game, me)
    can_ask = (
        game.is_open and game.free_seats > 0 and mine is None and me.is_authenticated and not me.is_guest
    )
    return Card(
        url=game.get_absolute_url(),
        title=title(game) if game.name or mine is None else title_for(game, me),
        line=_("A computer player is playing for you until you come back")
        if game.is_running and any(seat.can_be_reclaimed and seat.user_id == me.pk for seat in seats)
        else _line(game, table, position, me, my_turn),
        details=" · ".join(_details(game)),
        people=people,
        my_turn=my_turn,
        deed=_deed(game) if my_turn else "",
        to_decide=game.seat_to_move,
        deadline=deadline_shown(game.deadline, timezone.now()),
        ended=game.finished,
        key=game.public_id,
        free=game.free_seats if game.is_open else 0,
        join_url=reverse("join", args=[game.public_id]) if can_ask else "",
        clock=clock_bar(game, seats),
        **({} if position is None else _position(game, table, position)),
    )


def _position(game: Game, people: TablePeople, position: ListedPosition) -> dict[str, Any]:
    """The parts of a card that show the position and how it came about."""
    table = PRESENTERS[game.system]
    entries = [log_view.entry(move, people.persons, people.reader) for move in position.moves]
    return {
        "board": table.mini_board(position.seen, entries),
        "places": [
            Place(
                rank,
                people[seat],
                people.in_list(seat, _("you") if seat == people.reader else people[seat].name),
                table.score(points),
                seat == people.reader,
            )
            for rank, seat, points in table.places(position.seen, people)
        ],
        "moves": _moves(
            table, people, position.seen.rules, entries, _MAX_NEWS if position.is_news else _MAX_PARAGRAPHS
        ),
        "is_news": position.is_news,
    }


def _moves(
    table: ModuleType, people: TablePeople, rules: Any, entries: Sequence[LogEntryView], most: int
) -> list[str]:
    """The last paragraphs of the log, `most` of them at most, as far as it is read, oldest first."""
    if not entries:
        return []
    spoken = TablePeople(people.persons, people.reader, html=True)
    told = table.turns(entries, spoken, rules)
    return [paragraph for turn in reversed(told) for paragraph in turn.paragraphs][-most:]


def _details(game: Game) -> list[str]:
    found = [rules_title(game), players(game)]
    if game.imported is not None:
        found.append(_("imported"))
    elif game.is_practice:
        found.append(_("practice table"))
    if game.seconds_per_move:
        found.append(format_pace(game))
    late = late_text.label(game) if game.is_open or game.rounds_late else ""
    return [*found, late] if late else found


def _line(game: Game, people: TablePeople, position: ListedPosition | None, me: Any, my_turn: bool) -> str:
    table = PRESENTERS[game.system]
    if game.held_at is not None:
        return _("Paused by a moderator")
    if game.is_open and my_turn:
        return _("Are you ready?")
    if game.is_open:
        return waiting_for_players(game, is_host=me.pk is not None and me.pk == game.host_id)
    if game.status == Game.Status.CLOSED:
        return _("Closed by a moderator") if game.ended_by_moderator else _("Closed before the game began")
    if game.is_finished and game.ended_by_moderator:
        return _("Ended by a moderator")
    if game.is_finished:
        return _ended(game, people, position, me)
    assert game.seat_to_move is not None
    if my_turn:
        return table.your_turn(game.decision_kind)
    return table.waiting_for(game.decision_kind, people[game.seat_to_move].name)


def _deed(game: Game) -> str:
    """The reader’s part in a game that waits, as on a button that leads to it."""
    if game.is_open:
        return _("Say you’re ready")
    return str(PRESENTERS[game.system].deed(game.decision_kind))


def _ended(game: Game, people: TablePeople, position: ListedPosition | None, me: Any) -> str:
    """Return how a game ended, and its winners if the query has loaded them; teams need only the position."""
    how, won_by = {
        Game.Ending.RULES: (_("Finished"), _("{names} won with {score}")),
        Game.Ending.STANDINGS: (
            _("Ended by agreement"),
            _("Ended by agreement. {names} won with {score}."),
        ),
        Game.Ending.NONE: (_("Ended without a result"), _("{names} won with {score}")),
        Game.Ending.CONCEDED: (
            _("Ended by concession"),
            _("Ended by concession. {names} won with {score}."),
        ),
        Game.Ending.UNRATED: (_("Ended unrated"), _("Ended unrated. {names} won with {score}.")),
    }[Game.Ending(game.ending)]
    names, score = _winning_teams(game, people, position) if people.teams else _winners(game, people, me)
    return won_by.format(names=names, score=score) if names else how


def _winners(game: Game, people: TablePeople, me: Any) -> tuple[str, str]:
    """The members who won, and their score; empty unless the query has loaded them."""
    scores = {result.user_id: result.points for result in getattr(game, "winners", ())}
    won = [seat for seat in game.seats.all() if seat.user_id in scores]
    if not won:
        return "", ""
    mine = [pgettext("beginning of a sentence", "You") for seat in won if seat.user_id == me.pk]
    names = join_list(mine + [people[seat.number].name for seat in won if seat.user_id != me.pk])
    return names, PRESENTERS[game.system].score(scores[won[0].user_id])


def _winning_teams(game: Game, people: TablePeople, position: ListedPosition | None) -> tuple[str, str]:
    """The teams that won, and the sum of each; empty without a position or a result."""
    if position is None:
        return "", ""
    table = PRESENTERS[game.system]
    standing = team_places(table.places(position.seen, people), people.teams)
    first = [place for place in standing if place.rank == 1]
    if not first:
        return "", ""
    return join_list([people.team_in_sentence(place.team) for place in first]), table.score(first[0].points)


def waiting_for_players(game: Game, *, is_host: bool) -> str:
    """Return what an open game waits for, as its host or anyone else reads it."""
    if game.held_at is not None:
        return _("A moderator has paused this game. Nobody can join or start it until it resumes.")
    if game.ready_by is not None:
        return _("Starts when everyone is ready")
    if not game.free_seats:
        if is_host:
            return _("All seats are taken. You can start the game.")
        return _("All seats are taken. The host can start the game.")
    if game.start == Game.Start.FULL:
        return ngettext(
            "Starts when {n} more player joins", "Starts when {n} more players join", game.free_seats
        ).format(n=game.free_seats)
    missing = game.min_players - game.seats_taken
    if missing > 0:
        return ngettext("Needs {n} more player to start", "Needs {n} more players to start", missing).format(
            n=missing
        )
    if is_host:
        return ngettext(
            "You can start the game. {n} seat is open.",
            "You can start the game. {n} seats are open.",
            game.free_seats,
        ).format(n=game.free_seats)
    return ngettext(
        "The host can start the game. {n} seat is open.",
        "The host can start the game. {n} seats are open.",
        game.free_seats,
    ).format(n=game.free_seats)
