"""Planned turns of tests."""

from random import Random
from typing import Any

from accounts.models import User
from accounts.refusals import Refusal
from games.engine.planned_turns.acquire.turn_plan import board_seen
from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import MOVES
from games.models import Game
from games.play.automation.planned_turns import keep_plan, play_turn
from games.play.play_move import play_move

plans = PLANS["acquire"]


def random_plan(seen: acquire.Observation, rng: Random) -> dict[str, Any]:
    """Return a random plan, wise or not, that the observer may make now."""
    chains = list(CHAIN_BY_NAME)

    def some(kind: str) -> list[str]:
        return [f"{kind} {name}" for name in rng.sample(chains, rng.randrange(4))]

    wishes = [move.text for move in rng.sample(PURCHASES, rng.randrange(4))]
    hand = [SQUARE_NAMES[square] for square in seen.hand or ()]
    under_way = seen.turn == seen.seat and seen.decision.kind not in ("place", "stuck")
    return {
        "tile": "" if under_way or not hand else rng.choice(hand),
        "board": board_seen(seen) if rng.random() < 0.5 else "",
        "answers": {
            **{kind: some(kind) for kind in ("found", "survivor", "next")},
            "buy": [*wishes, "buy nothing"][: rng.randrange(5)],
        },
        "end": rng.random() < 0.3,
    }


PURCHASES = [move for move in MOVES if move.kind == "buy"]


def who(game: Game, seat: int) -> User:
    user = game.seats.get(number=seat).user
    assert user is not None
    return user


def plan_of(game: Game, seat: int, **plan: Any) -> None:
    keep_plan(game_id=game.pk, user=who(game, seat), plan=plan)


def board(game: Game) -> str:
    state = Game.with_secrets.get(pk=game.pk).state
    return str(state["board"]).replace("/", "")


def play(game: Game, *moves: str) -> Game:
    """Play these moves, each for the seat that is asked."""
    for move in moves:
        game = Game.with_secrets.get(pk=game.pk)
        assert game.seat_to_move is not None
        play_move(
            game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=move, by=game.waiting_for
        )
    return Game.with_secrets.get(pk=game.pk)


def log_of(game: Game) -> list[tuple[int | None, str, str]]:
    return list(game.moves.values_list("seat", "text", "origin"))


def somebody_plans(game: Game, rng: Random) -> None:
    """Have any person at the table plan any turn."""
    seat = rng.choice([seat for seat in game.seats.all() if seat.user_id is not None])
    seen = game.rule_system.observe(game.rule_system.state_from_json(game.state), seat.number)
    plan = random_plan(seen, rng)
    own_turn = game.seat_to_move == seat.number and plan["tile"] and rng.random() < 0.5
    try:
        if own_turn:
            play_turn(game_id=game.pk, number=game.version + 1, plan=plan, by=seat.user)
        else:
            keep_plan(game_id=game.pk, user=seat.user, plan=plan)
    except (InvalidPlan, Refusal):
        pass
