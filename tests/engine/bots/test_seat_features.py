"""Features of a seat."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from games.engine.bots.acquire import evaluation
from games.engine.bots.acquire import seat_features as seat_features_module
from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.evaluation import seat_scores
from games.engine.bots.acquire.feature_list import CHAIN_FEATURES, COUNT, NAMES, SEAT_FEATURES
from games.engine.bots.acquire.seat_features import features_of, seat_features, unpacked
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.board import EMPTY
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.tile_placement import TileEffect, tile_effect
from tests.engine.bots.bot_positions import any_time
from tests.engine.rules.acquire.acquire_positions import position

# The features that the weights in use have learned from, in some positions.
DIGEST = "c9fe5fe973161ecb"

CACHED: Any = (
    seat_features_module._cash_features,
    seat_features_module._chain_features,
    seat_features_module._shelved_chain_features,
    evaluation._scores_on_board,
)


def a_few_moves(rng: Random) -> Iterator[State]:
    """Positions of one game, in which little changes from one to the next."""
    state = any_time(rng)
    for _ in range(12):
        if moves := legal_moves(state):
            apply(state, rng.choice(moves))
        yield state.copy()


def features(state: State, seat: int = 0) -> dict[str, float]:
    """The features of a seat by name."""
    rows = seat_features(state, payments_for(state.rules, state.seats))
    return dict(zip(NAMES, rows[seat], strict=True))


def test_every_feature_has_a_name_of_its_own_a_unit_and_a_reason() -> None:
    assert COUNT == len(set(NAMES)) == 160
    assert all(feature.unit and feature.reason for feature in (*SEAT_FEATURES, *CHAIN_FEATURES))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_seat_has_all_features_at_any_time_under_any_rules(seats: int) -> None:
    rng = Random(seats)
    for _ in range(40):
        state = any_time(rng, seats)
        rows = seat_features(state, payments_for(state.rules, seats))
        assert [len(row) for row in rows] == [COUNT] * seats
        assert all(abs(value) < 20 for row in rows for value in row)


def test_features_are_those_that_the_weights_in_use_learned_from() -> None:
    """The weights file names the features, but a scale or a formula can change under the same name."""
    rng = Random(1)
    lines = []
    for _ in range(60):
        state = any_time(rng)
        for row in seat_features(state, payments_for(state.rules, state.seats)):
            lines.append(" ".join(str(round(value, 6) + 0.0) for value in row))
    digest = sha256("\n".join(lines).encode()).hexdigest()[:16]
    assert digest == DIGEST, "Features have changed: learn new weights. Or only positions have: pin them."


@pytest.mark.plain
def test_position_is_not_changed() -> None:
    state = any_time(Random(5), 4)
    before = {name: repr(getattr(state, name)) for name in State.__slots__}
    seat_features(state, payments_for(state.rules, 4))
    assert {name: repr(getattr(state, name)) for name in State.__slots__} == before


@pytest.mark.parametrize(
    ("hand", "turn", "board", "shares"),
    [
        ("5A 9C", 0, "1A-3A", {"tower": [3, 1, 0]}),
        ("4A 9C", 0, "1A-3A", {"tower": [3, 1, 0]}),
        ("5A 9C", 1, "1A-3A", {"tower": [3, 1, 0]}),
        ("5A 9C", 0, "1A-4A", {"tower": [3, 1, 0]}),
        ("5A 9C", 0, "1A-3A", {"tower": [3, 4, 0]}),
        ("5A 9C", 0, "1A-3A", {"tower": [3, 1, 0], "luxor": [0, 0, 2]}),
    ],
    ids=["nothing", "hand", "turn", "board", "shares", "shares of a chain off the board"],
)
def test_similar_positions_each_get_their_own_features(
    hand: str, turn: int, board: str, shares: dict[str, list[int]]
) -> None:
    hands = ["2B 8C", "1I"]
    first = position({"tower": "1A-3A"}, hands=["5A 9C", *hands], bag="2I 3I", shares={"tower": [3, 1, 0]})
    second = position(
        {"tower": board}, hands=[hand, *hands], bag="2I 3I", shares=shares, cash=[700, 800, 900]
    )
    second.turn = turn
    payments = payments_for(first.rules, 3)
    states = [first, second, first]
    found = [[unpacked(row) for row in rows] for rows in features_of(states, payments)]
    assert found == [seat_features(state, payments) for state in states]


@pytest.mark.parametrize("turn", [0, 1])
def test_empty_hands_of_two_seats_are_not_confused(turn: int) -> None:
    first = position({"tower": "1A-3A"}, hands=["", "", ""], bag="2I 3I")
    second = first.copy()
    second.turn = turn
    payments = payments_for(first.rules, 3)
    found = [[unpacked(row) for row in rows] for rows in features_of([first, second], payments)]
    assert found == [seat_features(state, payments) for state in (first, second)]


def test_remembered_features_and_scores_are_those_computed_anew() -> None:
    positions = [position for number in range(40) for position in a_few_moves(Random(number))]
    remembered = [seat_features(state, payments_for(state.rules, state.seats)) for state in positions]
    for state, rows in zip(positions, remembered, strict=True):
        for cached in CACHED:
            cached.cache_clear()
        assert seat_features(state, payments_for(state.rules, state.seats)) == rows


def test_scores_differ_as_those_of_the_linear_valuation() -> None:
    state = any_time(Random(7), 4)
    payments = payments_for(state.rules, 4)
    scores = seat_scores(state, payments)
    units = [row[0] for row in seat_features(state, payments)]
    assert sum(units) == pytest.approx(0)
    assert [5 * (unit - units[0]) for unit in units] == pytest.approx([score - scores[0] for score in scores])


def test_other_hands_and_the_order_of_the_bag_do_not_count() -> None:
    hands = ["1A 2A", "3C 4C", "5E 6E"]
    one = position(hands=hands, bag="1I 2I 3I", shares={})
    other = position(hands=[hands[0], "3I 5E", "2I 4C"], bag="6E 3C 1I", shares={})
    payments = payments_for(one.rules, 3)
    assert seat_features(one, payments) == seat_features(other, payments)


def test_money_is_counted_in_steps_and_against_the_others() -> None:
    found = features(position({"tower": "1A-3A"}, cash=[800, 3000, 1400]))
    assert found["cash"] == pytest.approx(800 / 6000)
    assert (found["first_500"], found["first_1000"], found["first_2000"]) == (1, 0.8, 0.4)
    assert found["cash_lead"] == pytest.approx(-2200 / 6000)
    assert (found["rank"], found["broke"]) == (pytest.approx(2 / 3), 0)


def test_seat_that_can_buy_nothing_is_broke() -> None:
    assert features(position({"tower": "1A-3A"}, cash=[100, 3000, 1400]))["broke"] == 1


def test_final_lead_counts_shares_and_bonuses() -> None:
    # Tower, of three tiles, costs $500 a share: $5,000 for the majority, $2,500 for the minority.
    state = position({"tower": "1A-3A"}, cash=[1000, 1000, 1000], shares={"tower": [4, 2, 0]})
    found = features(state)
    price = state.rules.prices[1][3]
    assert found["stock"] == pytest.approx(4 * price / 10_000)
    assert found["bonuses"] == pytest.approx(10 * price / 10_000)
    assert found["final_lead"] == pytest.approx((2 * price + 5 * price) / 10_000)
    assert (found["end_allowed"], found["wins_at_end"]) == (0, 0)


def test_end_that_may_be_declared_tells_who_would_win() -> None:
    state = position({"tower": "1A-11A"}, cash=[1000, 900, 800])
    assert [features(state, seat)["wins_at_end"] for seat in range(3)] == [1, 0, 0]


def test_chains_come_in_order_of_size() -> None:
    found = features(position({"tower": "1A-3A", "luxor": "1C-6C"}, shares={"luxor": [3, 1, 0]}))
    assert (found["chain_1_size"], found["chain_2_size"], found["chain_3_size"]) == (0.3, 0.15, 0)
    assert (found["chain_1_shares"], found["chain_2_shares"]) == (0.3, 0)


def test_lead_of_shares_names_majority_and_minority() -> None:
    state = position({"tower": "1A-3A"}, shares={"tower": [9, 2, 0]})
    first, second, third = (features(state, seat) for seat in range(3))
    assert (first["chain_1_lead"], first["chain_1_majority"], first["chain_1_minority"]) == (1, 1, 0)
    assert (second["chain_1_lead"], second["chain_1_majority"], second["chain_1_minority"]) == (-1, 0, 1)
    assert (third["chain_1_majority"], third["chain_1_minority"]) == (0, 0)


def test_shares_of_a_chain_off_the_board_count_as_shelved() -> None:
    found = features(position({"tower": "1A-3A"}, shares={"imperial": [5, 0, 1]}))
    assert found["shelved"] == 0.5
    assert 0.5 in {found[f"chain_{place}_shares"] for place in range(2, 8)}


def test_squares_and_tiles_count_by_their_effect_under_the_rules() -> None:
    rng = Random(3)
    for _ in range(60):
        state = any_time(rng)
        found = features(state, state.turn)
        for name, (counted, scale) in squares_by_effect(state).items():
            assert found[name] == pytest.approx(counted / scale), name


def squares_by_effect(state: State) -> dict[str, tuple[float, int]]:
    """Counts for the seat on turn as `tile_effect` gives them, each with the scale of its feature."""
    empty = [square for square, value in enumerate(state.board) if value == EMPTY]
    effects = {square: tile_effect(state, square) for square in empty}
    in_hand = [effects[square] for square in state.hands[state.turn]]
    kinds = Counter(effect.kind for effect in effects.values())
    of_hand = Counter(effect.kind for effect in in_hand)
    counted: dict[str, tuple[float, int]] = {
        "founding_squares": (kinds["founds"] + kinds["blocked"] + kinds["joins"], 20),
        "merging_squares": (kinds["merges"], 10),
        "hand_founds": (of_hand["founds"], 3),
        "hand_alone": (of_hand["alone"], 3),
        "hand_dead": (of_hand["dead"] + of_hand["blocked"], 3),
        "hand_merges": (of_hand["merges"], 3),
    }
    for place, chain in enumerate(seat_features_module._by_size(state), 1):
        if state.size[chain]:
            counted |= {
                f"chain_{place}_growth": (grows(effects.values(), chain), 12),
                f"chain_{place}_threat": (threatens(effects.values(), chain), 4),
                f"chain_{place}_hand_growth": (grows(in_hand, chain), 2),
                f"chain_{place}_hand_threat": (threatens(in_hand, chain), 2),
                f"chain_{place}_hand_survives": (sum(chain in effect.survivors for effect in in_hand), 2),
            }
    return counted


def grows(effects: Iterable[TileEffect], chain: int) -> int:
    return sum(effect.kind == "grows" and chain in effect.chains for effect in effects)


def threatens(effects: Iterable[TileEffect], chain: int) -> float:
    """Mergers that would absorb the chain; a half for each that it may survive only as one of several."""
    merging = [effect for effect in effects if effect.kind == "merges" and chain in effect.chains]
    tied = [effect for effect in merging if chain in effect.survivors and len(effect.survivors) > 1]
    return sum(chain not in effect.survivors for effect in merging) + len(tied) / 2


def test_square_between_two_chains_threatens_the_smaller() -> None:
    chains = {"tower": "1A-3A", "luxor": "5A-6A"}
    state = position(chains, hands=["4A 9I", "", ""], shares={"luxor": [4, 0, 0]})
    found = features(state)
    assert found["merging_squares"] == 0.1
    assert (found["chain_1_threat"], found["chain_2_threat"]) == (0, 0.25)
    assert (found["chain_1_hand_survives"], found["chain_2_hand_threat"]) == (0.5, 0.5)
    assert found["chain_2_hand_bonus"] == pytest.approx(found["chain_2_bonus"]) != 0
    assert (found["hand_merges"], found["hand_alone"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_chains_of_the_same_size_are_threatened_by_half() -> None:
    found = features(position({"tower": "1A-3A", "luxor": "5A-7A"}))
    assert (found["chain_1_threat"], found["chain_2_threat"]) == (0.125, 0.125)


def test_square_between_safe_chains_threatens_nobody_and_its_tile_is_dead() -> None:
    state = position({"tower": "1A-12A", "luxor": "1C-12C"}, hands=["5B", "", ""])
    found = features(state)
    assert (found["merging_squares"], found["chain_1_threat"]) == (0, 0)
    assert found["hand_dead"] == pytest.approx(1 / 3)


def test_tile_beside_a_lone_one_founds() -> None:
    found = features(position({"lone": "5E"}, hands=["5F 1A", "5D", ""]))
    assert found["founding_squares"] == 0.2
    assert found["hand_founds"] == pytest.approx(1 / 3)


def test_hand_is_that_of_the_seat_on_turn_alone() -> None:
    found = features(position({"lone": "5E"}, hands=["5F 1A", "5D", ""]), seat=1)
    assert (found["on_turn"], found["hand_founds"], found["hand_alone"]) == (0, 0, 0)
    assert found["wait"] == pytest.approx(1 / 3)
