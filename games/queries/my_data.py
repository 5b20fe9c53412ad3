"""What games keep about one person, for that person."""

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from games.models import Departure, Game, Invitation, Kick, LastChoices, Move, Presence, Seat
from games.services.inviting import invitations_of


def my_data(user: User) -> list[tuple[str, bytes]]:
    """The user's seats, moves, invitations, choices and looks at games as files.

    All of it is public or the user's own: no hand, no state, no seed, nobody else's address.
    """
    hosted = Game.objects.filter(host=user).order_by("pk")
    return [
        ("games.json", _json([_game(seat) for seat in _seats(user)])),
        ("hosted_games.json", _json([_hosted(game) for game in hosted])),
        ("moves.json", _json([_move(move) for move in _moves(user)])),
        ("invitations.json", _json(_invitations(user))),
        ("last_choices.json", _json(list(LastChoices.objects.filter(user=user).values("new_game")))),
        ("looks_at_games.json", _json(_looks(user))),
    ]


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


def _hosted(game: Game) -> dict[str, Any]:
    columns = ("system", "preset", "options", "status", "started", "moved", "finished")
    return {
        "address": game.get_absolute_url(),
        "name": game.name,
        **{name: getattr(game, name) for name in columns},
    }


def _move(move: Move) -> dict[str, Any]:
    return {
        "game": move.game.get_absolute_url(),
        "number": move.number,
        "seat": move.seat,
        "kind": move.kind,
        "move": move.text,
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


def _looks(user: User) -> list[Any]:
    """Which games the user had open lately, and until when."""
    return list(Presence.objects.filter(user=user).order_by("pk").values("game__public_id", "until"))


def _json(value: Any) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False).encode()
