"""Teams: who plays with whom, and which team wins."""

from collections import Counter
from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import SEATS
from games.engine.rules.rule_errors import InvalidPosition
from tests.engine.rules.acquire.acquire_positions import play, position

TWO, THREE = Rules(teams="two"), Rules(teams="three")
TABLES = [(TWO, 4), (TWO, 6), (THREE, 6)]


def test_partners_sit_evenly_spaced() -> None:
    assert acquire.teams(TWO, 4) == ((0, 2), (1, 3))
    assert acquire.teams(TWO, 6) == ((0, 2, 4), (1, 3, 5))
    assert acquire.teams(THREE, 6) == ((0, 3), (1, 4), (2, 5))
    for rules, seats in TABLES:
        for team in acquire.teams(rules, seats):
            assert all(acquire.partners(rules, seats, seat) == team for seat in team)


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_plays_alone_without_teams(seats: int) -> None:
    assert acquire.teams(Rules(), seats) == ()
    assert [acquire.partners(Rules(), seats, seat) for seat in range(seats)] == [
        (seat,) for seat in range(seats)
    ]


@pytest.mark.parametrize(("rules", "counts"), [(TWO, (4, 6)), (THREE, (6,)), (Rules(), tuple(SEATS))])
def test_teams_are_of_equal_size(rules: Rules, counts: tuple[int, ...]) -> None:
    assert acquire.seat_counts(rules) == counts
    for seats in SEATS:
        if seats in counts:
            assert acquire.invariants(acquire.deal(rules, seats, bytes(32))) == []
        else:
            with pytest.raises(ValueError, match=r"for (4 or )?6 players, not \d\.$"):
                acquire.deal(rules, seats, bytes(32))


def test_position_with_a_seat_too_many_is_refused() -> None:
    with pytest.raises(InvalidPosition, match="5 seats for teams=two"):
        position(rules="avalon-hill teams=two", hands=[""] * 5)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_seating_keeps_partners_and_draws_the_rest(rules: Rules, seats: int) -> None:
    sides = [frozenset(team) for team in acquire.teams(rules, seats)]
    rng, drawn, first = Random(3), Counter(), Counter()
    for _ in range(2000):
        order = acquire.seating(rules, seats, rng.randbytes(32))
        assert sorted(order) == list(range(seats))
        assert {frozenset(order[seat] for seat in side) for side in sides} == set(sides)
        drawn[tuple(order)] += 1
        first[order[0]] += 1
    # Every order that keeps the teams is drawn, and everybody sits in seat 0 equally often.
    assert len(drawn) == {(2, 4): 8, (2, 6): 72, (3, 6): 48}[len(sides), seats]
    assert all(abs(count - 2000 / seats) < 150 for count in first.values())


def test_seating_by_joining_keeps_the_numbers() -> None:
    assert acquire.seating(Rules(teams="two", seating="joining"), 4, bytes(32)) == [0, 1, 2, 3]


def ended(cash: list[int], rules: str) -> list[tuple[int, int, int]]:
    """The standings of a game that ends at once with this money."""
    state = position({"tower": "1A-12A"}, rules=rules, hands=[""] * len(cash), cash=cash, decision="buy 0")
    play(state, "buy nothing and end")
    return acquire.standings(state)


def test_sum_of_money_decides() -> None:
    # Seat 1 is the richest player, and loses.
    assert ended([7000, 9000, 6000, 3000], "avalon-hill teams=two") == [
        (1, 0, 7000), (1, 2, 6000), (2, 1, 9000), (2, 3, 3000),
    ]  # fmt: skip
    assert ended([7000, 9000, 6000, 3000], "avalon-hill")[0] == (1, 1, 9000)


def test_three_teams_have_three_places() -> None:
    assert ended([1000, 2000, 3000, 9000, 9500, 0], "avalon-hill teams=three") == [
        (1, 4, 9500), (1, 1, 2000), (2, 3, 9000), (2, 0, 1000), (3, 2, 3000), (3, 5, 0),
    ]  # fmt: skip


def test_equal_sums_share_a_place() -> None:
    places = ended([1000, 4000, 5000, 2000], "avalon-hill teams=two")
    assert {rank for rank, _, _ in places} == {1}
    places = ended([1000, 4000, 0, 3000, 0, 8000], "avalon-hill teams=three")
    assert [(rank, seat) for rank, seat, _ in places] == [(1, 5), (1, 2), (2, 3), (2, 0), (2, 1), (2, 4)]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_teams_change_nothing_but_the_winner(rules: Rules, seats: int) -> None:
    """The same seed and moves give the same game, and each seat sees what it would see alone."""
    rng = Random(7)
    for _ in range(20):
        seed = rng.randbytes(32)
        team, alone = acquire.deal(rules, seats, seed), acquire.deal(Rules(), seats, seed)
        while moves := acquire.legal_moves(team):
            assert [move.text for move in moves] == [move.text for move in acquire.legal_moves(alone)]
            for seat in range(seats):
                seen, same = acquire.observe(team, seat), acquire.observe(alone, seat)
                assert seen.hand == same.hand
                assert {**acquire.observation_to_json(seen), "rules": {}} == acquire.observation_to_json(same)
            move = rng.choice(moves)
            acquire.apply(team, move)
            acquire.apply(alone, move)
        assert team.cash == alone.cash
        sums = [sum(team.cash[seat] for seat in side) for side in acquire.teams(rules, seats)]
        best = {seat for rank, seat, _ in acquire.standings(team) if rank == 1}
        assert best == {
            seat
            for side, total in zip(acquire.teams(rules, seats), sums, strict=True)
            if total == max(sums)
            for seat in side
        }
        assert [
            dollars for _, seat, dollars in sorted(acquire.standings(team), key=lambda place: place[1])
        ] == team.cash
