"""What somebody tries beside a game, for nobody else.

Of the game itself no more is read than its columns and the log as everybody can read it: its state is not.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from games.analysis import exploration_steps
from games.log.handovers import handovers
from games.log.positions import taken_back
from games.models import Exploration, Game, Seat
from games.play.game_view import RECENT_ENTRIES, GameView


@dataclass(frozen=True)
class Explored:
    """Where an exploration has come to.

    `asked` is the seat that decides next there, None at the end. `look` is at the game as it was where this
    began, from the explorer's seat; only that its `seen` is the explored position, for the seat that is
    asked, at the end for the explorer's own. `events` has what each step caused.
    """

    exploration: Exploration
    look: GameView
    asked: int | None
    events: list[list[Any]]

    @property
    def has_moved_on(self) -> bool:
        """Whether the game is not any more where this began."""
        return self.exploration.turn is None and self.look.game.version != self.exploration.version


def explored(public_id: str, user: Any) -> Explored | None:
    """What the user explores beside this game; None for nothing, and where there is no such game."""
    seated = Prefetch("seats", Seat.objects.select_related("user"))
    game = Game.objects.filter(public_id=public_id).prefetch_related(seated).first()
    exploration = Exploration.objects.filter(game=game, user=user).first() if game else None
    if game is None or exploration is None:
        return None
    exploration.game = game
    system, state = game.rule_system, exploration_steps.position(exploration)
    asked = system.decider(state)
    seen = system.observe(state, exploration.seat if asked is None else asked)
    return Explored(exploration, _look(exploration, seen), asked, list(exploration_steps.events(exploration)))


def _look(exploration: Exploration, seen: Any) -> GameView:
    game, last = exploration.game, exploration.version
    entries = list(game.moves.filter(number__range=(last - RECENT_ENTRIES, game.version)))
    for entry in entries:
        entry.game = game
    before = [entry for entry in entries if entry.number <= last]
    seats, gone = list(game.seats.all()), frozenset(taken_back(before))
    # Who sat there then is told by what came later, too.
    told = handovers(entries, by_name=game.imported is not None)
    return GameView(game, seats, exploration.seat, seen, before, gone, told)
