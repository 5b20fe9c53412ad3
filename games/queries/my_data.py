"""What games keep about one person, for that person."""

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q

from accounts.models import User
from games.models import (
    Block,
    Departure,
    Exploration,
    Game,
    Invitation,
    Kick,
    LastChoices,
    Line,
    Move,
    MutedPerson,
    Note,
    Order,
    Plan,
    Presence,
    PuzzleAnswer,
    Rating,
    RatingChange,
    Reliability,
    Report,
    Seat,
    Vacation,
    Visit,
)
from games.services.inviting import invitations_of


def my_data(user: User) -> list[tuple[str, bytes]]:
    """The user's seats, moves, invitations, choices, orders, plans, words, notes, looks at games, and what
    the user tried beside them, and answers to puzzles, as files.

    All of it is public or the user's own: no hand, no state, no seed, nobody else's address. Games whose
    system may not be played here now are among it: what somebody did is theirs, whoever else may see it.
    """
    hosted = Game.every.filter(host=user).order_by("pk")
    return [
        ("games.json", _json([_game(seat) for seat in _seats(user)])),
        (
            "practice_tables.json",
            _json([_practice(game) for game in hosted.filter(practice=True, imported=None)]),
        ),
        ("imported_games.json", _json([_imported(game) for game in hosted.filter(imported__isnull=False)])),
        ("hosted_games.json", _json([_hosted(game) for game in hosted])),
        ("moves.json", _json([_move(move) for move in _moves(user)])),
        ("invitations.json", _json(_invitations(user))),
        ("last_choices.json", _json(list(LastChoices.objects.filter(user=user).values("new_game")))),
        ("orders.json", _json(_orders(user))),
        ("vacations.json", _json(_vacations(user))),
        ("ratings.json", _json(_ratings(user))),
        ("reliability.json", _json(_reliability(user))),
        ("looks_at_games.json", _json(_looks(user))),
        ("plans.json", _json(_plans(user))),
        ("visits.json", _json(_visits(user))),
        ("talk.json", _json(_talk(user))),
        ("blocks.json", _json(_blocks(user))),
        ("notes.json", _json(_notes(user))),
        ("explorations.json", _json(_explorations(user))),
        ("puzzles.json", _json(_puzzles(user))),
    ]


def systems_of(user: User) -> set[str]:
    """The rule systems of all games that the files tell of."""
    mine = Q(seats__user=user) | Q(host=user) | Q(moves__user=user)
    return set(Game.every.filter(mine).values_list("system", flat=True))


def _seats(user: User) -> Any:
    seats = Seat.objects.filter(user=user).select_related("game").prefetch_related("game__seats__user")
    return seats.order_by("game").defer("game__state", "game__seed")


def _moves(user: User) -> Any:
    moves = Move.objects.filter(user=user).select_related("game").order_by("game", "number")
    return moves.defer("game__state", "game__seed", "events")


def _game(seat: Seat) -> dict[str, Any]:
    return {
        **_hosted(seat.game),
        "my_seat": seat.number,
        "players": [other.name for other in seat.game.seats.all()],
    }


def _practice(game: Game) -> dict[str, Any]:
    return {**_hosted(game), "players": [seat.name for seat in game.seats.all()]}


def _imported(game: Game) -> dict[str, Any]:
    return {**_practice(game), "imported": game.imported}


def _hosted(game: Game) -> dict[str, Any]:
    columns = ("system", "preset", "options", "status", "paused", "started", "moved", "finished", "ending")
    return {
        "address": game.get_absolute_url(),
        "name": game.name,
        **{name: getattr(game, name) for name in columns},
    }


def _move(move: Move) -> dict[str, Any]:
    """A move of the user; its origin is an order or a plan of the user that made it, or empty."""
    return {
        "game": move.game.get_absolute_url(),
        "number": move.number,
        "seat": move.seat,
        "kind": move.kind,
        "move": move.text,
        "origin": move.origin,
        "made": move.made,
    }


def _invitations(user: User) -> dict[str, list[Any]]:
    """Who asked the user to a game or was asked, and where the user was sent away or left.

    Why somebody else was sent away is told to nobody but them, and it is not kept who did it.
    """
    asked = invitations_of(user).values("game__public_id", "invited_by__username", "state", "made")
    sent = Invitation.objects.filter(invited_by=user).values(
        "game__public_id", "user__username", "address", "state", "made"
    )
    kicks = Kick.objects.filter(user=user).values("game__public_id", "reason", "made")
    departures = Departure.objects.filter(user=user).values("game__public_id", "times")
    return {
        "received": list(asked),
        "sent": list(sent),
        "sent_away": list(kicks),
        "left": list(departures),
    }


def _orders(user: User) -> list[Any]:
    """The user's standing orders."""
    found = Order.objects.filter(user=user).order_by("game", "about")
    return list(found.values("game__public_id", "terms", "once", "given"))


def _plans(user: User) -> list[Any]:
    """The turns that the user has planned ahead."""
    return list(Plan.objects.filter(user=user).order_by("pk").values("game__public_id", "record", "made"))


def _vacations(user: User) -> list[Any]:
    return list(Vacation.objects.filter(user=user).values("first", "last", "starts", "ends"))


def _reliability(user: User) -> list[Any]:
    """How many decisions with a time limit the user made or missed, and the seats that were lost by it."""
    return list(Reliability.objects.filter(user=user).values("decisions", "late", "left"))


def _ratings(user: User) -> dict[str, list[Any]]:
    """The user's ratings and what each game made of them, in the numbers that they are reckoned with."""
    columns = ("system", "players", "month", "mu", "sigma", "games", "wins")
    kept = Rating.objects.filter(user=user).order_by("system", "month", "players")
    changes = RatingChange.objects.filter(user=user).order_by("finished", "game", "month", "players")
    return {
        "ratings": list(kept.values(*columns)),
        "changes": list(changes.values("game__public_id", "finished", "rank", "before", *columns)),
    }


def _looks(user: User) -> list[Any]:
    """Which games the user had open lately, and until when."""
    return list(Presence.objects.filter(user=user).order_by("pk").values("game__public_id", "until"))


def _visits(user: User) -> list[Any]:
    """How far the user has followed each game."""
    return list(
        Visit.objects.filter(user=user).order_by("pk").values("game__public_id", "since", "seen", "at")
    )


def _talk(user: User) -> dict[str, list[Any]]:
    """What the user said, whom the user muted, and what the user reported; nothing that others said."""
    lines = Line.objects.filter(user=user).values("game__public_id", "channel", "text", "made", "removed")
    muted = MutedPerson.objects.filter(user=user).order_by("pk")
    reports = Report.objects.filter(by=user).order_by("pk").values(
        "about", "trouble", "person__username", "called", "game__public_id", "reason", "made", "settled",
        "outcome", "answer",
    )  # fmt: skip
    return {
        "lines": list(lines),
        "muted": list(muted.values_list("person__username", flat=True)),
        "reports": list(reports),
    }


def _blocks(user: User) -> list[Any]:
    """From whom the user keeps away; nothing of who keeps away from the user."""
    return list(Block.objects.filter(user=user).order_by("pk").values("person__username", "made"))


def _notes(user: User) -> list[Any]:
    return list(Note.objects.filter(user=user).order_by("pk").values("game__public_id", "text", "saved"))


def _explorations(user: User) -> list[Any]:
    """Beside which games the user has tried moves, from where, and which."""
    found = Exploration.objects.filter(user=user).order_by("pk")
    return list(found.values("game__public_id", "seat", "version", "turn", "steps", "touched"))


def _puzzles(user: User) -> list[Any]:
    """The user's answers to puzzles; `day` is that for which an answer counted."""
    found = PuzzleAnswer.objects.filter(user=user).order_by("pk")
    return list(found.values("puzzle__day", "move", "right", "day", "streak", "made"))


def _json(value: Any) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False).encode()
