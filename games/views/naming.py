"""Games, seats and log entries in the words of `games.tables`."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import BOTS
from games.models import Game, Move, Report, Seat
from games.models.systems import withheld
from games.queries.ratings import points
from games.tables import TABLES, Card, Entry, People, Person
from games.tables.people import listing

from . import rulings

MINUTE, HOUR, DAY = 60, 3600, 86400


def persons(seats: Iterable[Seat]) -> list[Person]:
    """Who sits at a table, in the order of the seats."""
    return [
        Person(
            seat.name,
            seat.by_computer,
            _level(seat),
            seat.conceded,
            seat.is_replaced,
            seat.is_programs,
            _points(seat),
        )
        for seat in seats
    ]


def _points(seat: Seat) -> int | None:
    """The rating of whoever sits there, where lists have read it along."""
    mu = getattr(seat, "mu", None)
    return None if mu is None else points(mu)


def bare(person: Person) -> Person:
    """The person where it does not matter whether a computer plays for them."""
    return replace(person, computer=False, level="", replaced=False)


def _level(seat: Seat) -> str:
    if seat.computer:
        return level_name(seat.game.system, seat.computer)
    return _("program") if seat.is_programs else ""


def level_name(system: str, level: str) -> str:
    """What people call a level of computer opponent; its own word if the site does not have it any more."""
    bot = BOTS[system].get(level)
    return _(bot.name) if bot else level


def title(game: Game) -> str:
    """What a game is called: the name that its host gave it, or its rules and its id."""
    return game.name or _("{rules}, game {id}").format(rules=preset_title(game), id=game.public_id)


def reported(report: Report) -> str:
    """What a report is about, within a sentence. A game that is hidden or deleted has no name."""
    if report.about == Report.About.NAME:
        return _("the name {name}").format(name=report.called)
    if report.about == Report.About.GAME:
        assert report.game is not None
        shown = report.game.system not in withheld() and report.game.deleted is None
        return _("the game {game}").format(game=title(report.game)) if shown else _("a game")
    said = _("what {name} said") if report.about == Report.About.LINE else "{name}"
    return said.format(name=report.person)


def preset_title(game: Game) -> str:
    """The name for people of the rules that a game is played by."""
    return next(
        (preset.title for preset in TABLES[game.system].presets() if preset.name == game.preset), game.preset
    )


def rules_title(game: Game) -> str:
    """The same, and whether options of the game differ from it."""
    if game.is_by_preset:
        return preset_title(game)
    return _("{rules}, changed").format(rules=preset_title(game))


def withheld_names() -> list[str]:
    """The names of the games that may not be played here, which no page says."""
    return [TABLES[system].name() for system in withheld()]


def pace(game: Game) -> str:
    """How long a decision may take, in a few words."""
    if game.pace is None:
        return _("no time limit")
    if game.bank is not None:
        return _("{bank} and {pace} a move").format(bank=span(game.bank), pace=span(game.pace))
    return _("{pace} a move").format(pace=span(game.pace))


def span(seconds: float) -> str:
    """So much time in its largest whole unit: "3 days", "36 hours", "5 minutes"."""
    whole = ((unit, words) for unit, words in _UNITS if seconds >= unit and seconds % unit == 0)
    unit, words = next(whole, _UNITS[-1])
    number = max(1, round(seconds / unit))
    return words(number).format(n=number)


_UNITS: Final[list[tuple[int, Callable[[int], str]]]] = [
    (DAY, lambda n: ngettext("{n} day", "{n} days", n)),
    (HOUR, lambda n: ngettext("{n} hour", "{n} hours", n)),
    (MINUTE, lambda n: ngettext("{n} minute", "{n} minutes", n)),
]


def players(game: Game) -> str:
    """How many play, or may."""
    if game.is_open and game.least != game.most:
        return _("{least}–{most} players").format(least=game.least, most=game.most)
    number = game.most if game.is_open else game.taken
    return ngettext("{n} player", "{n} players", number).format(n=number)


def entry(
    move: Move,
    people: Sequence[Person],
    reader: int | None,
    gone: Collection[int] = (),
    since: int | None = None,
    then: People | None = None,
    before: str = "",
) -> Entry:
    """An entry of the log for a table, as the seat `reader` may read it; `then` sat there others than now.

    A ruling has a sentence instead of events. `gone` are the numbers of the moves that were taken back.
    Those after entry `since` are new to the reader, none if it is None. `before` is the name of whose seat
    somebody takes over by this entry.
    """
    new = since is not None and move.number > since
    table = then or People(tuple(people), reader)
    if move.kind == Move.Kind.MOVE:
        note, is_gone = _note(move, table), move.number in gone
        return Entry(move.number, move.told, move.made, note=note, gone=is_gone, new=new, people=then)
    return Entry(move.number, at=move.made, text=rulings.sentence(move, table, before), new=new, people=then)


def _note(move: Move, people: People) -> str:
    """How the move came to be made, if there is anything to say that the reader may know."""
    assert move.seat is not None
    name = people.name(move.seat)
    if move.origin == Move.Origin.FORCED:
        why = TABLES[move.game.system].why_forced(move.text, move.game.rules)
        return _("Nothing to decide for {name}: {why}").format(name=name, why=why)
    if move.author == Move.Author.HOUSE:
        return _("Time was up: a computer decided this once for {name}.").format(name=name)
    if not move.origin:
        return ""
    mine = people.reader == move.seat and _still_sits_there(move)
    if not mine and not move.game.is_finished:
        return ""
    sentences = {
        Move.Origin.ORDER: _("{name}’s standing order decided this."),
        Move.Origin.PLAN: _("{name} had planned this."),
    }
    if mine:
        sentences = {
            Move.Origin.ORDER: _("Your standing order decided this."),
            Move.Origin.PLAN: _("You had planned this."),
        }
    # Whoever took the seat over did not give that order.
    return sentences[Move.Origin(move.origin)].format(name=people[move.seat].name)


def _still_sits_there(move: Move) -> bool:
    """Whether the seat of a move is that of whoever made it, and of nobody who took it over."""
    seats = move.game.seats.all()
    return any(seat.number == move.seat and seat.user_id == move.user_id for seat in seats)


def card(game: Game, me: Any) -> Card:
    """A game in a list, from its columns alone."""
    seats = list(game.seats.all())
    people = persons(seats)
    my_turn = game.asked_id is not None and game.asked_id == me.pk and game.paused is None
    seated = any(seat.user_id is not None and seat.user_id == me.pk for seat in seats)
    can_ask = game.is_open and game.free > 0 and not seated and me.is_authenticated and not me.is_guest
    return Card(
        url=game.get_absolute_url(),
        title=title(game),
        line=_("A computer plays for you until you come back")
        if game.is_running and any(seat.is_kept and seat.user_id == me.pk for seat in seats)
        else _line(game, people, me, my_turn),
        details=" · ".join(_details(game)),
        people=people,
        my_turn=my_turn,
        to_decide=game.decider,
        deadline=game.deadline,
        ended=game.finished,
        key=game.public_id,
        free=game.free if game.is_open else 0,
        join_url=reverse("join", args=[game.public_id]) if can_ask else "",
    )


def _details(game: Game) -> list[str]:
    found = [rules_title(game), players(game)]
    if game.imported is not None:
        found.append(_("imported"))
    elif game.practice:
        found.append(_("practice table"))
    return [*found, pace(game)] if game.pace else found


def _line(game: Game, people: list[Person], me: Any, my_turn: bool) -> str:
    table = TABLES[game.system]
    if game.held is not None:
        return _("Paused by a moderator")
    if game.is_open:
        return waiting_for_players(game)
    if game.status == Game.Status.CLOSED:
        return _("Closed by a moderator") if game.overruled else _("Closed before it began")
    if game.is_finished and game.overruled:
        return _("Ended by a moderator")
    if game.is_finished:
        return _ended(game, people, me)
    assert game.decider is not None
    if my_turn:
        return table.your_turn(game.decision)
    return table.waiting_for(game.decision, people[game.decider].name)


def _ended(game: Game, people: list[Person], me: Any) -> str:
    """How a game ended, and who won it where the list has read that along and it was a member."""
    how = {
        Game.Ending.RULES: _("Finished"),
        Game.Ending.STANDINGS: _("Ended by agreement"),
        Game.Ending.NONE: _("Ended without a result"),
        Game.Ending.CONCEDED: _("Ended by concession"),
    }[Game.Ending(game.ending)]
    scores = {result.user_id: result.points for result in getattr(game, "winners", ())}
    won = [seat for seat in game.seats.all() if seat.user_id in scores]
    if not won:
        return how
    names = listing([_("you") if seat.user_id == me.pk else people[seat.number].name for seat in won])
    score = TABLES[game.system].score(scores[won[0].user_id])
    return _("{how}: won by {names} with {score}").format(how=how, names=names, score=score)


def waiting_for_players(game: Game) -> str:
    """What an open game waits for."""
    if game.held is not None:
        return _(
            "A moderator has paused this game. It will go on; nobody can sit down or start it meanwhile."
        )
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
