"""Scores of a match, as a table and as JSON."""

import json
from dataclasses import replace
from typing import Any

import pytest

from games.engine.bots.arena.match import Match, Result
from games.engine.bots.arena.match_scores import added, score, scores, tallies, wilson
from games.engine.bots.arena.score_text import as_json, table

MATCH = Match(("medium", "random", "random", "random"))


def result(number: int, won: tuple[float, ...], **fields: Any) -> Result:
    """The game of this number; each seat has $10,000 more than the one before, and 10 decisions of 2 ms."""
    usual: dict[str, Any] = {
        "money": (10_000, 20_000, 30_000, 40_000),
        "moves": 150,
        "decisions": (10,) * 4,
        "seconds": (0.02,) * 4,
        "slowest": (0.005,) * 4,
        "capped": (0,) * 4,
        "took": 1.0,
    }
    return Result(number, MATCH.seating(number), won, **{**usual, **fields})


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # Values from published tables.
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (90, 100, 0.8256, 0.9448),
    ],
)
def test_interval_matches_wilson_tables(wins: float, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-4)


@pytest.mark.parametrize(("wins", "games"), [(2.5, 10), (1 / 3, 7), (399.5, 400)])
def test_interval_ends_are_1_96_deviations_away(wins: float, games: int) -> None:
    """If the true share were at an end, the observed one would be 1.96 standard deviations from it."""
    for true in wilson(wins, games):
        assert abs(wins / games - true) == pytest.approx(1.96 * (true * (1 - true) / games) ** 0.5, rel=1e-4)


def test_each_distinct_player_has_one_score() -> None:
    """Medium wins in seat 0, shares the win in seat 1, and loses twice."""
    games = [
        result(0, (1, 0, 0, 0)),
        result(1, (0.5, 0, 0, 0.5)),
        result(2, (1, 0, 0, 0)),
        result(3, (0, 0, 1, 0)),
    ]
    assert [game.players.index("medium") for game in games] == [0, 3, 2, 1]
    medium, random = scores(MATCH, games)
    assert (medium.player, random.player) == ("medium", "random")
    assert (medium.games, medium.share, random.share) == (4, 1.5 / 4, 2.5 / 4)
    assert (medium.low, medium.high) == wilson(1.5, 4)
    assert (medium.parity, random.parity) == (0.25, 0.75)
    assert medium.mean_money == random.mean_money == 25_000


def test_mean_money_of_winners_counts_only_games_won() -> None:
    """Medium wins with $50,000 and $54,000, and its last places are worth nothing here."""
    games = [
        result(0, (1, 0, 0, 0), money=(50_000, 0, 0, 0)),
        result(1, (0, 0, 0, 1), money=(0, 0, 0, 54_000)),
        result(2, (0, 1, 0, 0), money=(0, 70_000, 1_000, 0)),
    ]
    medium, random = scores(MATCH, games)
    assert medium.win_money == 52_000
    # The standard deviation of the two amounts is $2,828, so that of their mean is $2,000.
    assert medium.win_money_reach == pytest.approx(1.96 * 2_000, rel=1e-4)
    assert (random.win_money, random.win_money_reach) == (70_000, None)


def test_tied_win_counts_by_its_share_of_money() -> None:
    games = [
        result(0, (1, 0, 0, 0), money=(60_000, 0, 0, 0)),
        result(1, (0.5, 0, 0, 0.5), money=(30_000, 0, 0, 30_000)),
    ]
    medium, random = scores(MATCH, games)
    assert medium.win_money == pytest.approx((60_000 + 0.5 * 30_000) / 1.5)
    assert random.win_money == 30_000


def test_equal_money_of_winners_leaves_no_doubt() -> None:
    """The sum of squares is rounded, so it can fall short by a little."""
    games = [result(number, (1 / 3, 1 / 3, 1 / 3, 0), money=(41_700,) * 4) for number in range(20)]
    for one in scores(MATCH, games):
        assert one.win_money == pytest.approx(41_700)
        assert one.win_money_reach == pytest.approx(0, abs=1)


def test_money_of_winners_is_unknown_without_a_win() -> None:
    medium, _ = scores(MATCH, [result(0, (0, 1, 0, 0))])
    assert (medium.win_money, medium.win_money_reach) == (None, None)


def test_added_tallies_count_money_of_winners_as_one_match() -> None:
    games = [result(number, (0.5, 0.5, 0, 0), money=(40_000 + number,) * 4) for number in range(8)]
    parts = added([*tallies(MATCH, games[:3]), *tallies(MATCH, games[3:])])
    assert [score(MATCH, tally) for tally in parts] == scores(MATCH, games)


def test_times_are_mean_and_longest_decision() -> None:
    games = [
        result(0, (1, 0, 0, 0), decisions=(10, 0, 0, 0), seconds=(0.5, 0, 0, 0), slowest=(0.2, 0, 0, 0)),
        result(4, (1, 0, 0, 0), decisions=(30, 0, 0, 0), seconds=(0.7, 0, 0, 0), slowest=(0.1, 0, 0, 0)),
    ]
    medium, random = scores(MATCH, games)
    assert medium.ms_mean == pytest.approx(30)
    assert medium.ms_max == pytest.approx(200)
    assert (random.ms_mean, random.decisions) == (None, 0)


def test_only_plain_python_is_timed() -> None:
    games = [
        result(0, (1.0, 0.0, 0.0, 0.0)),
        result(1, (0.0, 1.0, 0.0, 0.0), seconds=(9.0,) * 4, slowest=(9.0,) * 4, timed=False),
    ]
    plain, both = scores(MATCH, games[:1])[0], scores(MATCH, games)[0]
    assert (both.ms_mean, both.ms_max) == (plain.ms_mean, plain.ms_max)
    assert (both.games, both.decisions) == (2, 2 * plain.decisions)


def test_players_that_were_not_timed_have_no_times() -> None:
    compiled = scores(MATCH, [result(0, (1.0, 0.0, 0.0, 0.0), timed=False)])
    assert {(one.ms_mean, one.ms_max) for one in compiled} == {(None, None)}
    assert all(line.endswith("not timed  not timed") for line in table(MATCH, compiled).splitlines()[2:4])
    assert json.loads(as_json(compiled))["seats"][0]["ms_mean"] is None


def test_json_has_documented_fields_only() -> None:
    record = json.loads(as_json(scores(MATCH, [result(0, (1, 0, 0, 0))])))
    usual = {"ms_mean": 2, "ms_max": 5}
    medium = {"player": "medium", "share": 1, "low": 0.2065, "high": 1, "mean_money": 10_000}
    medium |= {"win_money": 10_000, "win_money_reach": None}
    random = {"player": "random", "share": 0, "low": 0, "high": 0.7935, "mean_money": 30_000}
    random |= {"win_money": None, "win_money_reach": None}
    assert record == {"games": 1, "seats": [medium | usual, random | usual]}


def test_table_of_scores() -> None:
    games = [result(0, (1, 0, 0, 0)), result(4, (1, 0, 0, 0), money=(12_000, 20_000, 30_000, 38_000))]
    text = table(MATCH, scores(MATCH, games))
    assert text.splitlines() == [
        "2 games of 4 players, acquire, avalon-hill, seed 1",
        "player    wins    95% interval  parity  mean money      when it wins  a decision  longest",
        "medium  100.0%  34.2 to 100.0%   25.0%     $11,000  $11,000 ± $1,960     2.00 ms  5.00 ms",
        "random    0.0%    0.0 to 65.8%   75.0%     $29,667                       2.00 ms  5.00 ms",
        "No time cap: everybody thinks to the end.",
    ]


def test_table_with_time_limit_counts_overruns() -> None:
    match = Match(MATCH.players, real_time=True)
    text = table(match, scores(match, [result(0, (1, 0, 0, 0), capped=(3, 0, 0, 1))]))
    assert text.splitlines()[-2:] == [
        "medium: a cap struck in 3 of 10 decisions",
        "random: a cap struck in 1 of 30 decisions",
    ]


def test_table_shows_score_of_rule_system() -> None:
    match = Match(("medium", "random"), system="acquisition")
    text = table(match, scores(match, [replace(GAME_OF_TWO, game=number) for number in range(2)]))
    heads, medium, _ = text.splitlines()[1:4]
    assert "mean large buildings" in heads
    assert "$" not in text
    assert " 5.0 " in medium


GAME_OF_TWO = Result(
    0, ("medium", "random"), (1, 0), (5, 1), 60, (20, 20), (0.1, 0.1), (0.01, 0.01), (0, 0), 0.3
)
