"""Addresses of the actions that a table offers its reader besides the decision."""

from typing import Any

from django.urls import reverse

from games.play import takebacks
from games.play.game_view import GameView


def back_part(look: GameView) -> dict[str, Any]:
    """The address to take back moves, with the last step and the start of the turn as targets."""
    if look.seat is None:
        return {}
    goals = takebacks.takeback_targets(look.game, look.seats[look.seat], look.seen.turn, look.entries)
    if not goals:
        return {}
    url = reverse("take-back", args=[look.game.public_id, look.game.version + 1])
    return {"url": url, "step": goals[0], "turn": goals[-1], "steps": len(goals)}


def again_url(look: GameView) -> str:
    """Return the address for a rematch of a finished game, or "" if the reader may not ask for one."""
    plays = look.seat is not None or (look.game.is_practice and look.game.imported is None)
    return reverse("rematch", args=[look.game.public_id]) if plays and not look.game.is_running else ""


def plan_urls(look: GameView) -> dict[str, str]:
    """The addresses for plans and whole turns; empty at practice tables, where everybody plays at once."""
    if look.game.is_practice or look.game.paused is not None:
        return {}
    public_id = look.game.public_id
    return {
        "plan_url": reverse("plan", args=[public_id]),
        "turn_url": reverse("turn", args=[public_id, look.game.version + 1]),
    }
