"""Addresses of the actions that a table offers its reader besides the decision."""

from typing import Any

from django.conf import settings

from games.archive.past_position import MAX_REPLAYED
from games.log.positions import standing_moves
from games.play import takebacks
from games.play.game_view import GameView
from games.web.addresses import address


def back_part(look: GameView) -> dict[str, Any]:
    """The address to take back moves, with the last step and the start of the turn as targets."""
    if look.seat is None:
        return {}
    goals = takebacks.takeback_targets(look.game, look.seats[look.seat], look.seen.turn, look.entries)
    if not goals:
        return {}
    url = address("take-back", look.game.public_id, look.game.version + 1)
    return {"url": url, "step": goals[0], "turn": goals[-1], "steps": len(goals)}


def again_url(look: GameView) -> str:
    """Return the address for a rematch of a finished game, or "" if the reader may not ask for one."""
    plays = look.seat is not None or (look.game.is_practice and look.game.imported is None)
    return address("rematch", look.game.public_id) if plays and not look.game.is_running else ""


def missed_moves(look: GameView, since: int) -> dict[str, Any] | None:
    """Return the moves after entry `since`, with the addresses of their boards; None below two moves.

    They are those among the entries of the view; `moves` are the latest, as many as the table plays by
    itself. A practice table shows its moves to everybody as they are made. A finished game begins with its
    result, and has a review.
    """
    game = look.game
    if game.is_practice or not game.is_running:
        return None
    new = [move.number for move in standing_moves(look.entries) if move.number > since]
    if len(new) < 2:
        return None
    return {
        "moves": " ".join(map(str, new[-MAX_REPLAYED:])),
        "number": len(new),
        "url": address("past-positions", game.public_id),
        "begins": address("past-position", game.public_id, new[0]),
    }


def share_url(look: GameView) -> str:
    """Return the address of a finished game for others, or "" if they may not see it."""
    may_be_seen = look.game.is_finished and not look.game.is_practice
    return f"{settings.SITE_URL}{look.game.get_absolute_url()}" if may_be_seen else ""


def plan_urls(look: GameView) -> dict[str, str]:
    """The addresses for plans and whole turns; empty at practice tables, where everybody plays at once."""
    if look.game.is_practice or look.game.paused is not None:
        return {}
    public_id = look.game.public_id
    return {
        "plan_url": address("plan", public_id),
        "turn_url": address("turn", public_id, look.game.version + 1),
    }
