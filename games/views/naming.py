"""Games, seats and log entries in the words of `games.tables`."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import BOTS
from games.models import Game, Move, Seat
from games.tables import TABLES, Card, Entry, Person

HOUR, DAY = 3600, 86400


def persons(seats: Iterable[Seat]) -> list[Person]:
    """Who sits at a table, in the order of the seats."""
    return [Person(seat.name, bool(seat.computer), _level(seat)) for seat in seats]


def _level(seat: Seat) -> str:
    return level_name(seat.game.system, seat.computer) if seat.computer else ""


def level_name(system: str, level: str) -> str:
    """What people call a level of computer opponent; its own word if the site does not have it any more."""
    bot = BOTS[system].get(level)
    return _(bot.name) if bot else level


def title(game: Game) -> str:
    """What a game is called: the name that its host gave it, or its rules and its id."""
    return game.name or _("{rules}, game {id}").format(rules=preset_title(game), id=game.public_id)


def preset_title(game: Game) -> str:
    """The name for people of the rules that a game is played by."""
    return next(
        (preset.title for preset in TABLES[game.system].presets() if preset.name == game.preset), game.preset
    )


def rules_title(game: Game) -> str:
    """The same, and whether options of the game differ from it."""
    usual = game.rule_system.PRESETS.get(game.preset)
    if usual is not None and game.options == game.rule_system.to_options(usual):
        return preset_title(game)
    return _("{rules}, changed").format(rules=preset_title(game))


def pace(seconds: int | None) -> str:
    """How long a decision may take, in a few words."""
    if seconds is None:
        return _("no time limit")
    if seconds % DAY == 0:
        return ngettext("{n} day a move", "{n} days a move", seconds // DAY).format(n=seconds // DAY)
    hours = max(1, round(seconds / HOUR))
    return ngettext("{n} hour a move", "{n} hours a move", hours).format(n=hours)


def players(game: Game) -> str:
    """How many play, or may."""
    if game.is_open and game.least != game.most:
        return _("{least}–{most} players").format(least=game.least, most=game.most)
    number = game.most if game.is_open else game.taken
    return ngettext("{n} player", "{n} players", number).format(n=number)


def entry(move: Move, people: list[Person]) -> Entry:
    """An entry of the log for a table; a ruling has a sentence instead of events."""
    name = people[move.seat].name if move.seat is not None else ""
    if move.kind == Move.Kind.MOVE:
        late = move.author == Move.Author.HOUSE
        note = _("Time was up: a computer decided this once for {name}.").format(name=name) if late else ""
        return Entry(move.number, move.told, move.made, note=note)
    return Entry(
        move.number, at=move.made, text=_("{name} plays on for the player who left.").format(name=name)
    )


def card(game: Game, me: Any) -> Card:
    """A game in a list, from its columns alone."""
    seats = list(game.seats.all())
    people = persons(seats)
    my_turn = game.asked_id is not None and game.asked_id == me.pk
    seated = any(seat.user_id is not None and seat.user_id == me.pk for seat in seats)
    can_ask = game.is_open and game.free > 0 and not seated and me.is_authenticated and not me.is_guest
    return Card(
        url=game.get_absolute_url(),
        title=title(game),
        line=_line(game, people, my_turn),
        details=" · ".join([rules_title(game), players(game), *([pace(game.pace)] if game.pace else [])]),
        people=people,
        my_turn=my_turn,
        to_decide=game.decider,
        deadline=game.deadline,
        key=game.public_id,
        free=game.free if game.is_open else 0,
        join_url=reverse("join", args=[game.public_id]) if can_ask else "",
    )


def _line(game: Game, people: list[Person], my_turn: bool) -> str:
    table = TABLES[game.system]
    if game.is_open:
        return waiting_for_players(game)
    if game.status == Game.Status.CLOSED:
        return _("Closed before it began")
    if game.decider is None:
        return _("Finished")
    if my_turn:
        return table.your_turn(game.decision)
    return table.waiting_for(game.decision, people[game.decider].name)


def waiting_for_players(game: Game) -> str:
    """What an open game waits for."""
    if not game.free:
        return _("All seats are taken; the host starts the game")
    if game.start == Game.Start.FULL:
        return ngettext(
            "Starts when {n} more player joins", "Starts when {n} more players join", game.free
        ).format(n=game.free)
    missing = game.least - game.taken
    if missing > 0:
        return ngettext("Needs {n} more player at least", "Needs {n} more players at least", missing).format(
            n=missing
        )
    return ngettext(
        "The host can start it; {n} seat is free", "The host can start it; {n} seats are free", game.free
    ).format(n=game.free)
