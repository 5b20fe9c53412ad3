"""The end of a game: declared, without changed hands, or without tiles."""

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import Buy
from tests.engine.rules.acquire.acquire_positions import decision, hand, held, legal, play, position, records

SAFE = {"tower": "1A-11A"}
DEAD = {"tower": "1A-12A", "american": "1C-12C"}


def may_end(chains: dict[str, str], **fields: object) -> bool:
    state = position(chains, decision="buy 0", **fields)  # type: ignore[arg-type]
    ending = {move for move in acquire.legal_moves(state) if isinstance(move, Buy) and move.end}
    others = {move for move in acquire.legal_moves(state) if isinstance(move, Buy) and not move.end}
    assert not ending or len(ending) == len(others)
    return bool(ending)


@pytest.mark.parametrize(
    ("chains", "allowed"),
    [
        ({}, False),
        ({"lone": "1A"}, False),
        ({"tower": "1A-10A"}, False),
        ({"tower": "1A-11A"}, True),
        ({"tower": "1A-11A", "american": "1C-11C"}, True),
        ({"tower": "1A-11A", "american": "1C-10C"}, False),
        ({"tower": "1A-11A", "lone": "1I"}, True),
        ({"tower": "1A-12A 1B-12B 1C-12C 1D-4D", "american": "1F 2F"}, False),
        ({"tower": "1A-12A 1B-12B 1C-12C 1D-5D", "american": "1G 2G"}, True),
    ],
)
def test_end_may_be_declared_if_all_chains_are_safe_or_one_has_41_tiles(
    chains: dict[str, str], allowed: bool
) -> None:
    assert may_end(chains) is allowed


@pytest.mark.parametrize("preset", acquire.PRESETS)
def test_end_is_optional_in_every_preset(preset: str) -> None:
    state = position(SAFE, rules=preset, hands=["12I", "12H", "12G"], decision="buy 0")
    assert {"buy nothing", "buy nothing and end"} <= legal(state)
    play(state, "buy nothing")
    assert decision(state) == "place 1"


def test_declared_end_completes_turn_without_drawing() -> None:
    state = position(SAFE, hands=["12I", "12H", "12G"], cash=[1500, 0, 0])
    events = play(state, "place 12I", "buy 1 tower and end")
    assert records(events, "ended") == [{"seat": 0, "reason": "declared"}]
    assert held(state, "tower") == [1, 0, 0]
    assert hand(state, 0) == set()
    assert records(events, "drew") == []
    # Bought for $900; then the only holder of Tower gets both bonuses and the price of the share.
    assert state.cash == [1500 - 900 + 13_500 + 900, 0, 0]


def test_end_may_be_declared_after_pass() -> None:
    state = position(DEAD, hands=["1B", "12H", "12G"], bag="")
    play(state, "pass")
    assert "buy nothing and end" in legal(state)
    play(state, "buy nothing and end")
    assert state.ended == "declared"


def test_finished_game_has_no_decision() -> None:
    state = position(SAFE, decision="buy 0")
    play(state, "buy nothing and end")
    assert acquire.decider(state) is None
    assert acquire.legal_moves(state) == ()
    assert decision(state) == "over -1"


@pytest.mark.parametrize("seats", acquire.SEATS)
def test_game_ends_after_round_without_changed_hand(seats: int) -> None:
    state = position(DEAD, hands=[f"{number + 1}B" for number in range(seats)], bag="")
    for seat in range(seats):
        assert state.ended == ""
        assert decision(state) == f"stuck {seat}"
        events = play(state, "pass", "buy nothing")
    assert state.ended == "unchanged"
    assert records(events, "ended") == [{"seat": seats - 1, "reason": "unchanged"}]


def test_placed_tile_restarts_unchanged_round() -> None:
    state = position(DEAD, hands=["1B 1E", "2B", "3B"], bag="", turn=1, decision="place 1")
    play(state, "pass", "buy nothing", "pass", "buy nothing", "place 1E", "buy nothing")
    assert state.unchanged == 1
    for _ in range(3):
        assert state.ended == ""
        play(state, "pass", "buy nothing")
    assert state.ended == "unchanged"


def test_full_hands_of_dead_tiles_end_game() -> None:
    """Without redraws no hand changes, no matter how many tiles are left."""
    hands = ["1B 2B 3B 4B 5B 6B", "7B 8B 9B 10B 11B 12B"]
    state = position(DEAD, hands=hands, rules="avalon-hill redraw_hand=false")
    for _ in range(2):
        assert state.ended == ""
        play(state, "pass", "buy nothing")
    assert state.ended == "unchanged"
    assert len(state.bag) > 50


def test_redraw_restarts_unchanged_round() -> None:
    state = position(DEAD, hands=["1B", "2B"], bag="3B")
    play(state, "redraw", "pass", "buy nothing")
    assert state.ended == ""
    play(state, "pass", "buy nothing")
    assert state.ended == ""
    play(state, "pass", "buy nothing")
    assert state.ended == "unchanged"


def test_replaced_dead_tiles_restart_unchanged_round() -> None:
    hands = ["1B 2B 3B 4B 5B 6B", "7B 8B 9B 10B 11B 12B"]
    state = position(DEAD, hands=hands, bag="1G", rules="quick-reference")
    play(state, "pass", "buy nothing")
    assert hand(state, 0) == {"1G"}
    play(state, "pass", "buy nothing")
    assert state.ended == ""
    assert legal(state) == {"place 1G"}


def test_filled_hand_counts_as_changed() -> None:
    state = position(DEAD, hands=["1B", "2B 3B 4B 5B 6B 7B"], bag="1E 9E", unchanged=2)
    play(state, "pass", "buy nothing")
    assert state.ended == ""
    assert hand(state, 0) == {"1B", "1E", "9E"}


def test_game_ends_after_purchase_of_last_tile() -> None:
    state = position({"tower": "1A-3A"}, hands=["12I", "", ""], bag="")
    play(state, "place 12I")
    assert decision(state) == "buy 0"
    events = play(state, "buy 3 tower")
    assert records(events, "ended") == [{"seat": 0, "reason": "no tiles"}]
    assert state.ended == "no tiles"
    assert state.cash[0] == 6000 - 1500 + 7500 + 1500


def test_empty_bag_alone_does_not_end_game() -> None:
    state = position({"tower": "1A-3A"}, hands=["12I", "12H", ""], bag="")
    play(state, "place 12I", "buy nothing")
    assert state.ended == ""
    assert decision(state) == "place 1"


def test_player_without_tiles_still_buys() -> None:
    state = position({"tower": "1A-3A"}, hands=["12I", "", "12F"], bag="")
    play(state, "place 12I", "buy nothing", "pass", "buy 1 tower")
    assert held(state, "tower") == [0, 1, 0]
    assert decision(state) == "place 2"


def test_final_bonuses_are_paid_at_forced_end() -> None:
    state = position(
        {"tower": "1A-12A", "american": "1C-12C"},
        hands=["1B", "2B"],
        bag="",
        cash=[0, 0],
        shares={"tower": [2, 1], "american": [0, 3], "luxor": [5, 5]},
        bank_tiles="12I 1I",
    )
    play(state, "pass", "buy nothing", "pass", "buy nothing")
    # American first: seat 1 is second to the bank's 12. Then Tower: the bank's 1 ties for second.
    assert state.cash == [9000 + 2 * 900, 4000 + 3 * 800 + 2300 + 900]
