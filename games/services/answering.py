"""Answers without asking: the database as the store of what somebody who is asked has ready."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games import answers
from games.models import Game, Move, Plan
from games.plans import PLANS, Ask

from . import orders, plans


@dataclass(frozen=True)
class Stored:
    """What the person has in store who is asked in a game; the game is locked.

    What is used up on the way is written in the transaction of the move, and undone with it.
    """

    game: Game

    @property
    def skips(self) -> bool:
        return self.game.skips

    def orders(self, occasion: str) -> Mapping[str, Any]:
        return orders.there(self.game, orders.of(self.game, self.game.asked_id), occasion)

    def used(self, about: str, occasion: str) -> None:
        orders.used(self.game, self.game.asked_id, about, occasion)

    @cached_property
    def _plan(self) -> Plan | None:
        return plans.standing(self.game, self.game.asked_id)

    def plan(self) -> Any:
        return PLANS[self.game.system].plan_from_json(self._plan.record) if self._plan else None

    def stop(self, reason: Ask) -> None:
        """Keep the plan with the reason: its owner is shown it, and decides the rest of the turn."""
        assert self._plan is not None
        self._plan.stop(reason)


def ready_answer(game: Game, state: Any) -> tuple[Any, Move.Origin] | None:
    """The move of the person who is asked, if it is there already, and where it comes from."""
    found = answers.ready_answer(game.system, state, Stored(game))
    return None if found is None else (found[0], Move.Origin(found[1]))
