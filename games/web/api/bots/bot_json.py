"""Games and decisions as JSON for bot accounts."""

from typing import Any

from django.utils import timezone

from games.log.public_times import deadline_shown
from games.models import Game, Seat
from games.play.open_decisions import OpenDecision


def decision(asked: OpenDecision) -> dict[str, Any]:
    """Return an open decision: the observation of its seat, the legal moves and the deadline."""
    game = asked.game
    seen = game.rule_system.observation_to_json(asked.seen)
    legal = seen.pop("legal")
    deadline = deadline_shown(game.deadline, timezone.now())
    return {
        **table(game, asked.seats),
        "number": asked.number,
        "seat": asked.seat,
        "kind": asked.seen.decision.kind,
        "legal": legal,
        "deadline": None if deadline is None else deadline.isoformat(),
        "observation": seen,
    }


def table(game: Game, seats: list[Seat]) -> dict[str, Any]:
    """Return a game and its players, in the order of the seats."""
    return {
        "game": game.public_id,
        "address": game.get_absolute_url(),
        "system": game.system,
        "preset": game.preset,
        "rated": game.rated,
        "status": game.status,
        "version": game.version,
        "players": [_player(seat) for seat in seats],
    }


def _player(seat: Seat) -> dict[str, Any]:
    return {"name": seat.name, "computer": seat.bot_level or None, "program": seat.is_bot_account}
