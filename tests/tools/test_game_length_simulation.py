"""The simulation of games by correspondence uses the code of the site, and waits as people do."""

from random import Random

import pytest

from games.engine import ready_move
from games.engine.planned_turns.acquire.plan_check import check
from games.engine.rules.acquire import rule_system as acquire
from tests.tools import game_length_simulation

GAME = "1 4 0"


def test_stored_answers_save_hand_offs_and_days() -> None:
    handoffs, days = game_length_simulation.play(4, GAME, stored=True)
    plain, days_plain = game_length_simulation.play(4, GAME, stored=False)
    assert handoffs < 0.8 * plain
    assert days < days_plain


def test_same_number_gives_the_same_game() -> None:
    assert game_length_simulation.play_twice(3, 1, 7) == game_length_simulation.play_twice(3, 1, 7)


@pytest.mark.parametrize("origin", [ready_move.ORDER, ready_move.PLAN])
def test_simulation_uses_every_source_of_stored_answers(origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one of the site's sources, more people must be asked.

    Forced moves save no hand-off: a person who has just placed a tile is there anyway.
    """
    handoffs = sum(game_length_simulation.play(4, f"1 4 {number}", stored=True)[0] for number in range(6))
    fewer = [(source, name) for source, name in ready_move.SOURCES if name != origin]
    monkeypatch.setattr(ready_move, "SOURCES", fewer)
    without = sum(game_length_simulation.play(4, f"1 4 {number}", stored=True)[0] for number in range(6))
    assert without > handoffs


def test_half_of_the_answers_come_within_five_hours_and_none_at_night() -> None:
    clock = game_length_simulation.Clock(Random(1), 10.0)
    answered = [clock.answer() for _ in range(4000)]
    assert all(
        game_length_simulation.MORNING <= hour % 24 <= game_length_simulation.NIGHT for hour in answered
    )
    assert 0.47 < sum(hour <= 15 for hour in answered) / 4000 < 0.53
    assert 0.08 < sum(hour > 34 for hour in answered) / 4000 < 0.14


def test_simulated_plan_is_accepted_by_the_site() -> None:
    rng = Random(2)
    state = acquire.deal(game_length_simulation.RULES, 3, rng.randbytes(32))
    for _ in range(60):
        acquire.apply(state, game_length_simulation.choose(state, rng))
    seat = next(seat for seat in range(3) if seat != state.turn)
    seen = acquire.observe(state, seat, memory=True)
    planned = game_length_simulation.plan(seen, rng)
    assert planned is not None
    check(planned, seen)
    assert "buy" in planned.answers
