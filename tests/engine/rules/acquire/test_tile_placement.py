"""The effect of a tile on its square, and the tiles that may be placed."""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import EMPTY, LONE_TILE, SQUARE_BY_NAME, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_NAMES
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.tile_placement import TileEffect, joined_squares, tile_effect
from tests.engine.rules.acquire.acquire_positions import (
    chain,
    decision,
    hand,
    held,
    legal,
    midgame,
    play,
    position,
    records,
    size,
)
from tests.engine.rules.acquire.reference_acquire import Table

# Seven chains on the board; 12A and 12I are far from all of them.
SEVEN = {
    "tower": "1A 2A",
    "continental": "4A 5A",
    "american": "7A 8A",
    "imperial": "1C 2C",
    "festival": "4C 5C",
    "luxor": "7C 8C",
    "worldwide": "1E 2E",
}
SAFE_PAIR = {"tower": "1A-11A", "american": "1C-11C"}


def on(state: State, name: str) -> TileEffect:
    return tile_effect(state, SQUARE_BY_NAME[name])


def test_tile_without_neighbours_lies_alone() -> None:
    state = position({"tower": "1A-3A"}, hands=["9I", "", ""])
    assert on(state, "9I") == TileEffect("alone")
    events = play(state, "place 9I")
    assert records(events, "placed") == [{"seat": 0, "square": "9I", "effect": "alone"}]
    assert state.board[SQUARE_BY_NAME["9I"]] == LONE_TILE
    assert decision(state) == "buy 0"


def test_tile_touches_four_neighbours_but_not_diagonals() -> None:
    state = position({"lone": "5E"}, hands=["4D 6F 5D", "", ""])
    assert [on(state, name).kind for name in ("4D", "6D", "4F", "6F")] == ["alone"] * 4
    assert [on(state, name).kind for name in ("5D", "4E", "6E", "5F")] == ["founds"] * 4


def test_edges_of_board_are_not_connected() -> None:
    state = position({"lone": "12A 1I"}, hands=["1B", "", ""])
    assert [on(state, name).kind for name in ("1B", "1A", "12I")] == ["alone"] * 3


def test_tile_next_to_lone_tile_founds_chain() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""])
    assert on(state, "5F") == TileEffect("founds", size=2)
    play(state, "place 5F")
    assert decision(state) == "found 0"
    assert legal(state) == {f"found {name}" for name in CHAIN_BY_NAME}
    events = play(state, "found festival")
    assert records(events, "founded") == [{"seat": 0, "chain": "festival", "size": 2, "free": True}]
    assert (size(state, "festival"), held(state, "festival")) == (2, [1, 0, 0])
    assert state.bank[chain("festival")] == 24
    assert state.cash[0] == 6000
    assert decision(state) == "buy 0"


def test_founded_chain_takes_connected_lone_tiles() -> None:
    state = position({"lone": "5E 5F 5G 3E 2E"}, hands=["4E", "", ""])
    assert on(state, "4E") == TileEffect("founds", size=6)
    play(state, "place 4E", "found tower")
    assert size(state, "tower") == 6


def test_only_chains_off_board_can_be_founded() -> None:
    state = position({"tower": "1A 2A", "luxor": "1C 2C", "lone": "9I"}, hands=["9H", "", ""])
    play(state, "place 9H")
    assert legal(state) == {"found continental", "found american", "found imperial", "found festival"} | {
        "found worldwide"
    }


@pytest.mark.parametrize("seed", range(30))
def test_chain_after_a_tile_has_the_squares_that_were_told(seed: int) -> None:
    state = midgame(Random(seed))
    for square in SQUARES:
        if state.board[square] != EMPTY:
            continue
        told = tile_effect(state, square)
        if told.size:
            assert len(joined_squares(state, square)) == told.size


def test_last_free_chain_is_founded_without_asking() -> None:
    six = {name: where for name, where in SEVEN.items() if name != "worldwide"}
    state = position({**six, "lone": "9I"}, hands=["9H", "", ""])
    events = play(state, "place 9H")
    assert records(events, "founded") == [{"seat": 0, "chain": "worldwide", "size": 2, "free": True}]
    assert decision(state) == "buy 0"
    assert held(state, "worldwide") == [1, 0, 0]


def test_founder_gets_nothing_from_empty_bank() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""], shares={"tower": [0, 13, 12]})
    events = play(state, "place 5F", "found tower")
    assert records(events, "founded") == [{"seat": 0, "chain": "tower", "size": 2, "free": False}]
    assert held(state, "tower") == [0, 13, 12]
    assert "buy 1 tower" not in legal(state)


def test_founder_gets_last_share() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""], shares={"tower": [0, 12, 12]})
    events = play(state, "place 5F", "found tower")
    assert records(events, "founded")[0]["free"] is True
    assert held(state, "tower") == [1, 12, 12]


def test_chain_grows_by_tile() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "", ""])
    assert on(state, "4A") == TileEffect("grows", (chain("tower"),), size=4)
    assert records(play(state, "place 4A"), "grew") == [{"chain": "tower", "size": 4}]
    assert size(state, "tower") == 4


def test_growing_chain_takes_touched_clusters() -> None:
    state = position({"tower": "1A-3A", "lone": "5A 6A 4B 4C 5C 9I"}, hands=["4A", "", ""])
    assert on(state, "4A") == TileEffect("grows", (chain("tower"),), size=9)
    play(state, "place 4A")
    assert size(state, "tower") == 9
    assert state.board.count(LONE_TILE) == 1


def test_tile_may_touch_one_chain_twice() -> None:
    state = position({"tower": "1A-3A 1B 1C-3C 3B"}, hands=["2B", "", ""])
    assert on(state, "2B") == TileEffect("grows", (chain("tower"),), size=9)


def test_tile_between_two_chains_merges_them() -> None:
    state = position({"tower": "1A-3A", "american": "5A 6A"}, hands=["4A", "", ""])
    assert on(state, "4A") == TileEffect("merges", (chain("tower"), chain("american")), (chain("tower"),), 6)


def test_largest_chains_of_equal_size_may_survive() -> None:
    state = position({"tower": "1A-3A", "american": "5A-7A", "luxor": "4B 4C"}, hands=["4A", "", ""])
    assert on(state, "4A") == TileEffect(
        "merges", (chain("tower"), chain("american"), chain("luxor")), (chain("tower"), chain("american")), 9
    )


def test_tile_founding_eighth_chain_is_blocked() -> None:
    state = position({**SEVEN, "lone": "12A"}, hands=["12B 9I", "", ""])
    assert on(state, "12B") == TileEffect("blocked")
    assert legal(state) == {"place 9I"}


def test_blocked_tile_is_playable_after_merger() -> None:
    state = position({**SEVEN, "lone": "12A"}, hands=["12B 3A", "9I", ""])
    play(state, "place 3A", "survivor tower", "buy nothing")
    assert on(state, "12B").kind == "founds"


def test_course_lets_eighth_chain_tile_found_nothing() -> None:
    state = position({**SEVEN, "lone": "12A"}, hands=["12B", "", ""], rules="avalon-hill eighth_chain=place")
    assert on(state, "12B") == TileEffect("joins")
    events = play(state, "place 12B")
    assert records(events, "placed")[0]["effect"] == "joins"
    assert [state.board[SQUARE_BY_NAME[name]] for name in ("12A", "12B")] == [LONE_TILE, LONE_TILE]
    assert decision(state) == "buy 0"


def test_later_chain_takes_whole_cluster_of_course() -> None:
    state = position({"lone": "12A 12B 12C 11B"}, hands=["12D", "", ""], rules="course")
    assert on(state, "12D") == TileEffect("founds", size=5)
    play(state, "place 12D", "found tower")
    assert size(state, "tower") == 5


def test_tile_between_two_safe_chains_is_dead() -> None:
    state = position(SAFE_PAIR, hands=["1B 12I", "", ""])
    assert on(state, "1B").kind == "dead"
    assert set(on(state, "1B").chains) == {chain("tower"), chain("american")}
    assert legal(state) == {"place 12I"}


def test_two_safe_chains_bar_merger_with_third() -> None:
    chains = {"tower": "5D-12D 10C-12C", "american": "5F-12F 10G-12G", "luxor": "3E 4E"}
    state = position(chains, hands=["5E 12I", "", ""])
    assert on(state, "5E").kind == "dead"
    assert len(on(state, "5E").chains) == 3


@pytest.mark.parametrize("length", [10, 11])
def test_eleven_tiles_make_chain_safe(length: int) -> None:
    state = position({"tower": "1A-11A", "american": f"1C-{length}C"}, hands=["1B 12I", "", ""])
    assert on(state, "1B").kind == ("merges" if length == 10 else "dead")


def test_safe_chain_may_absorb_unsafe_one() -> None:
    state = position({"tower": "1A-11A", "american": "1C-4C"}, hands=["1B", "", ""])
    play(state, "place 1B")
    assert (size(state, "tower"), size(state, "american")) == (16, 0)


def test_course_bars_merger_with_safe_chain() -> None:
    state = position(
        {"tower": "1A-11A", "american": "1C-4C", "luxor": "9I 10I"},
        hands=["1B 11I", "", ""],
        rules="avalon-hill safe_merger=false",
    )
    assert on(state, "1B").kind == "dead"
    assert on(state, "12A").kind == "grows"
    assert legal(state) == {"place 11I"}


def test_dead_tile_is_not_merely_blocked() -> None:
    """A dead tile touches chains, so the rule about the eighth chain does not apply."""
    state = position({**SEVEN, "lone": "12A"}, hands=["12B", "", ""])
    assert tile_effect(state, SQUARE_BY_NAME["12B"]).kind == "blocked"
    long = position(
        {**SAFE_PAIR, "lone": "12I"}, hands=["1B", "", ""], rules="avalon-hill eighth_chain=place"
    )
    assert on(long, "1B").kind == "dead"


def test_playable_tile_must_be_placed() -> None:
    state = position({"tower": "1A-3A"}, hands=["9I 4A", "", ""])
    assert legal(state) == {"place 9I", "place 4A"}


def test_tile_is_followed_by_purchase() -> None:
    for name in ("9I", "4A", "2B"):
        state = position({"tower": "1A-3A"}, hands=["9I 4A 2B", "12I", "12H"])
        play(state, f"place {name}")
        assert decision(state) == "buy 0"
        assert name not in hand(state, 0)


def test_tile_effect_matches_placement() -> None:
    """Compare every empty square of many random positions with the reference and a real placement."""
    rng = Random(7)
    seen = set()
    for _ in range(150):
        state = midgame(rng)
        if state.decision.kind != "place":
            continue
        table = Table(state)
        for square in SQUARES:
            if state.board[square] != EMPTY:
                continue
            what = tile_effect(state, square)
            name = SQUARE_NAMES[square]
            seen.add(what.kind)
            assert table.is_dead(name) == (what.kind == "dead")
            assert table.is_blocked(name) == (what.kind == "blocked")
            assert table.chains_at(name) == {CHAIN_NAMES[number] for number in what.chains}
            if what.kind in ("alone", "joins", "founds", "grows", "merges"):
                assert_that_it_happens(state, square, what)
    assert seen == {"alone", "joins", "founds", "grows", "merges", "dead", "blocked"}


def assert_that_it_happens(state: State, square: int, what: TileEffect) -> None:
    copy = state.copy()
    if square not in copy.hands[copy.turn]:
        copy.hands[copy.turn].append(square)
    events = acquire_rule_system.play(copy, acquire_rule_system.parse_move(f"place {SQUARE_NAMES[square]}"))
    assert records(events, "placed")[0]["effect"] == what.kind
    if copy.decision.kind == "survivor":
        assert {move.chain for move in acquire_rule_system.legal_moves(copy)} == set(what.survivors)  # type: ignore[attr-defined]
    elif what.kind == "merges":
        assert [merged["survivor"] for merged in records(events, "merged")] == [
            CHAIN_NAMES[what.survivors[0]]
        ]
    while copy.decision.kind not in ("buy", "over"):
        acquire_rule_system.apply(copy, acquire_rule_system.legal_moves(copy)[0])
    value = copy.board[square]
    assert (copy.size[value] if value != LONE_TILE else 0) == what.size


def test_tile_effect_works_on_observation() -> None:
    rng = Random(8)
    for _ in range(40):
        state = midgame(rng)
        seen = acquire_rule_system.observe(state, None)
        for square in SQUARES:
            if state.board[square] == EMPTY:
                assert tile_effect(seen, square) == tile_effect(state, square)
