"""Games in which players do anything they are allowed to."""

from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.engine.standing_orders.acquire.merger_order import order_to_json
from games.log import rulings
from games.models import Game, LogEntry
from games.play.automation.standing_orders import save_order
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.play.takebacks import take_back
from tests.support.games import play_on
from tests.support.planned_turns import somebody_plans
from tests.support.standing_orders import random_order
from tests.support.timed_games import sweep


class Chance:
    """Players and spectators of one table who do random things now and then."""

    def __init__(self, seed: str, people: list[User], outsiders: list[User], clock: Any) -> None:
        self.rng = Random(seed)
        self.people = people
        self.outsiders = outsiders
        self.clock = clock

    def act(self, game: Game) -> None:
        """Have somebody do, or try to do, one thing."""
        deeds = [self.plan, self.order, self.take_back, self.run_late, self.come_back, self.take_over]
        # Things that may end the game are rare, so that games are long enough for the rest.
        rare = [self.concede, self.vote] if self.rng.random() < 0.04 else []
        with suppress(Refusal):
            self.rng.choice([*deeds, *rare])(game)

    def anybody(self) -> User:
        return self.rng.choice(self.people + self.outsiders)

    def plan(self, game: Game) -> None:
        if game.seats.filter(user__isnull=False).exists():
            somebody_plans(game, self.rng)

    def order(self, game: Game) -> None:
        terms, once = order_to_json(random_order(self.rng)), self.rng.random() < 0.3
        save_order(game_id=game.pk, by=self.anybody(), terms=terms, once=once)

    def take_back(self, game: Game) -> None:
        to = game.version - self.rng.randint(1, 3)
        by = game.waiting_for or self.anybody()
        take_back(game_id=game.pk, number=game.version + 1, to=to, by=by)

    def run_late(self, game: Game) -> None:
        """Let the decider's time run out."""
        if game.deadline is not None and self.rng.random() < 0.3:
            self.clock.move_to(max(game.deadline, timezone.now()) + timedelta(seconds=1))
            sweep()

    def come_back(self, game: Game) -> None:
        reclaim_seat(game_id=game.pk, user=self.anybody())

    def take_over(self, game: Game) -> None:
        number = self.rng.randrange(game.seats.count())
        take_over_seat(game_id=game.pk, number=number, user=self.rng.choice(self.outsiders))

    def concede(self, game: Game) -> None:
        concede(game_id=game.pk, by=self.anybody())

    def vote(self, game: Game) -> None:
        kind = self.rng.choice(["standings", "none"])
        propose_end(game_id=game.pk, by=self.anybody(), kind=kind)
        # Most people want to play on.
        yes = self.rng.random() < 0.4
        vote_on_end(game_id=game.pk, by=self.anybody(), kind=kind, yes=yes)


def kinds(game: Game) -> set[str]:
    """The kinds of log entries besides moves made by hand."""
    found = {entry.origin for entry in game.moves.all() if entry.origin}
    return found | {
        rulings.parse_ruling(entry.text).kind
        for entry in game.moves.all()
        if entry.kind == LogEntry.Kind.RULING
    }


def play_anything(game: Game, chance: Chance) -> Game:
    """Play to the end, with other actions before some of the moves."""
    while game.is_running:
        if chance.rng.random() < 0.4:
            chance.act(game)
            game = Game.with_secrets.get(pk=game.pk)
        game = play_on(game, 1, seed=chance.rng.randrange(1 << 30))
    return game
