"""Matches: players, seating, and repeatable games."""

from collections import Counter
from random import Random
from time import sleep
from typing import Any

import pytest

from games.engine.bots import random_bot
from games.engine.bots.arena.match import BrokenGame, Match, play, seatings
from games.engine.bots.bot_levels import BOTS, YARDSTICKS, Bot
from games.engine.rules.acquire import rule_system as acquire

FOUR = ("medium", "random", "random", "random")


def seated(monkeypatch: pytest.MonkeyPatch, choose: Any, seconds: float | None = None) -> Match:
    """A match of a new bot against a random one."""
    monkeypatch.setitem(BOTS["acquire"], "new", Bot("New", "is new.", choose, seconds))
    return Match(("new", "random"))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"players": ("medium",)}, "2 to 6 players sit at a table, not 1"),
        ({"players": ("random",) * 7}, "not 7"),
        ({"players": ("medium", "marta")}, "no player 'marta'; there are random"),
        ({"players": ("medium", "")}, "no player ''"),
        ({"players": FOUR, "preset": "poker"}, "no preset 'poker'; there are avalon-hill"),
        ({"players": FOUR, "system": "chess"}, "no rule system 'chess'; there are acquire"),
    ],
)
def test_impossible_match_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Match(**fields)


def test_empty_preset_stands_for_first() -> None:
    assert Match(FOUR) == Match(FOUR, preset="avalon-hill")


def test_matches_have_distinct_names_and_commands() -> None:
    matches = [
        Match(FOUR),
        Match(FOUR[::-1]),
        Match(FOUR[:3]),
        Match(FOUR, seed=2),
        Match(FOUR, preset="course"),
        Match(FOUR, real_time=True),
    ]
    assert len({match.name for match in matches}) == len(matches)
    assert Match(("medium", "random"), 2, "course", real_time=True).command(20) == (
        "manage.py arena --players medium,random --games 20 --seed 2 --preset course --real-time"
    )
    assert Match(FOUR).command(400).endswith("--games 400 --seed 1")


@pytest.mark.parametrize(
    ("players", "orders"), [("abbb", 4), ("aabb", 6), ("aaaa", 1), ("abc", 6), ("ab", 2), ("abcdef", 720)]
)
def test_each_order_is_played_once_per_round(players: str, orders: int) -> None:
    found = seatings(tuple(players))
    assert len(found) == len(set(found)) == orders
    assert all(sorted(order) == sorted(players) for order in found)


def test_every_player_has_every_seat_in_a_rotation() -> None:
    """Six different players have 720 orders; the first six of them are rotations."""
    found = seatings(tuple("abcdef"))
    for seat in range(6):
        assert {order[seat] for order in found[:6]} == set("abcdef")
    assert Counter(order[0] for order in found) == dict.fromkeys("abcdef", 120)


def test_game_is_repeatable() -> None:
    match = Match(FOUR, seed=5)
    first, again = play(match, 7), play(match, 7)
    assert first.repeats(again)
    assert (first.won, first.decisions, first.capped) == (again.won, again.decisions, again.capped)


@pytest.mark.parametrize(
    ("other", "number"),
    [(Match(FOUR, seed=6), 8), (Match(FOUR, seed=5), 12), (Match(FOUR, seed=5, preset="classic"), 8)],
    ids=["seed", "number", "preset"],
)
def test_other_seed_number_or_preset_gives_other_game(other: Match, number: int) -> None:
    assert not play(Match(FOUR, seed=5), 8).repeats(play(other, number))


def test_result_has_players_and_scores_by_seat() -> None:
    result = play(Match(FOUR), 2)
    assert result.game == 2
    assert result.players == ("random", "random", "medium", "random")
    assert sum(result.won) == 1
    assert max(range(4), key=result.money.__getitem__) in [seat for seat in range(4) if result.won[seat]]
    assert sum(result.decisions) < result.moves
    for seat in range(4):
        assert 0 <= result.slowest[seat] <= result.seconds[seat] < result.took
    assert result.capped == (0, 0, 0, 0)


def test_tied_winners_share_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        acquire, "standings", lambda state: [(1, 2, 900), (1, 0, 900), (3, 1, 500), (3, 3, 500)]
    )
    result = play(Match(("random",) * 4), 0)
    assert result.won == (0.5, 0, 0.5, 0)
    assert result.money == (900, 500, 900, 500)


def test_bot_gets_only_observation(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def choose(seen: Any, legal: Any, rng: Random, out_of_time: Any) -> Any:
        asked.append(type(seen))
        assert seen.decision.seat == seen.seat
        return rng.choice(legal)

    play(seated(monkeypatch, choose), 0)
    assert set(asked) == {acquire.Observation}


def test_seats_have_distinct_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    thrown: dict[int, float] = {}

    def choose(seen: Any, legal: Any, rng: Random, out_of_time: Any) -> Any:
        chance = rng.random()
        thrown.setdefault(seen.seat, chance)
        return legal[int(chance * len(legal))]

    seated(monkeypatch, choose)
    play(Match(("new",) * 6), 0)
    assert len(set(thrown.values())) == len(thrown) == 6


@pytest.mark.parametrize(("real_time", "seconds"), [(False, 0.0), (True, 0.0), (True, 1e9), (True, None)])
def test_time_limit_applies_in_real_time_only(
    monkeypatch: pytest.MonkeyPatch, real_time: bool, seconds: float | None
) -> None:
    def choose(seen: Any, legal: Any, rng: Random, out_of_time: Any) -> Any:
        struck.append(out_of_time())
        return rng.choice(legal)

    struck: list[bool] = []
    seated(monkeypatch, choose, seconds)
    result = play(Match(("new", "random"), real_time=real_time), 0)
    strikes = real_time and seconds == 0
    assert set(struck) == {strikes}
    # Decisions with a single legal move are not counted.
    assert result.capped == ((result.decisions[0] if strikes else 0), 0)
    assert result.decisions[0] <= len(struck)


@pytest.mark.parametrize(("real_time", "counted"), [(False, False), (True, True)])
def test_waiting_counts_in_real_time_only(
    monkeypatch: pytest.MonkeyPatch, real_time: bool, counted: bool
) -> None:
    pause = 0.002

    def choose(seen: Any, legal: Any, rng: Random, out_of_time: Any) -> Any:
        sleep(pause)
        return rng.choice(legal)

    seated(monkeypatch, choose)
    result = play(Match(("new", "random"), real_time=real_time), 0)
    assert result.decisions[0] > 20
    assert (result.seconds[0] >= pause * result.decisions[0]) is counted


def test_illegal_move_breaks_game(monkeypatch: pytest.MonkeyPatch) -> None:
    match = seated(monkeypatch, lambda *asked: acquire.parse_move("dispose sell 25"))
    with pytest.raises(
        BrokenGame, match=r"Game 3 of new-random-acquire-avalon-hill-seed1 broke(.|\n)*IllegalMove"
    ):
        play(match, 3)


def test_endless_game_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.engine.bots.arena.match.MAX_MOVES", 20)
    with pytest.raises(BrokenGame, match="did not end in 20 moves"):
        play(seated(monkeypatch, random_bot.choose), 0)


def test_yardstick_can_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(YARDSTICKS["acquire"], "plain-9", Bot("Plain", "is plain.", random_bot.choose))
    assert play(Match(("plain-9", "random")), 0).players == ("plain-9", "random")


def test_games_of_compiled_bots_are_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for compiled in (False, True):
        monkeypatch.setattr("games.engine.bots.arena.match.is_compiled", lambda compiled=compiled: compiled)
        assert play(Match(("random", "random")), 0).timed is not compiled
