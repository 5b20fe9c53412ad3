"""View of an exploration.

Reads only the columns and the public log of the game, not its state.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from games.analysis import exploration_steps
from games.log.handovers import handovers
from games.log.positions import taken_back
from games.models import Exploration, Game, Seat
from games.play.game_view import RECENT_ENTRIES, GameView
from games.play.spectator_position import shown_to


@dataclass(frozen=True)
class Explored:
    """An exploration and its current position.

    `asked` is the seat to move there, None at the end. `look` is the game as it was at the start of the
    exploration, from the explorer's seat, but with the explored position as `seen`, observed by the seat to
    move, or by the explorer's own at the end. `events` holds the events of each step.
    """

    exploration: Exploration
    look: GameView
    asked: int | None
    events: list[list[Any]]

    @property
    def has_moved_on(self) -> bool:
        """Return whether the game has moved on since the exploration began."""
        return self.look.game.version != self.exploration.version


def explored(public_id: str, user: Any) -> Explored | None:
    """Return the user's exploration of this game; None without one, and for an unknown game."""
    seated = Prefetch("seats", Seat.objects.select_related("user"))
    game = Game.objects.filter(public_id=public_id).prefetch_related(seated).first()
    exploration = Exploration.objects.filter(game=game, user=user).first() if game else None
    if game is None or exploration is None:
        return None
    game = exploration.game = shown_to(game, user)
    system, state = game.rule_system, exploration_steps.position(exploration)
    asked = system.decider(state)
    seen = system.observe(state, exploration.seat if asked is None else asked)
    return Explored(
        exploration, _game_view(exploration, seen), asked, list(exploration_steps.events(exploration))
    )


def _game_view(exploration: Exploration, seen: Any) -> GameView:
    game, last = exploration.game, exploration.version
    entries = list(game.moves.filter(number__range=(last - RECENT_ENTRIES, game.version)))
    for entry in entries:
        entry.game = game
    before = [entry for entry in entries if entry.number <= last]
    seats, gone = list(game.seats.all()), frozenset(taken_back(before))
    # Later entries, too, tell who held a seat then.
    told = handovers(entries, by_name=game.imported is not None)
    return GameView(game, seats, exploration.seat, seen, before, gone, told)
