"""The notation of moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.rules.acquire.chains import CHAIN_NAMES, SHARES
from games.engine.rules.acquire.moves import MOVES, Buy, Dispose, parse_move
from games.engine.rules.rule_errors import InvalidMove


def test_moves_are_553_with_distinct_texts() -> None:
    kinds = [move.kind for move in MOVES]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "place": 108, "found": 7, "survivor": 7, "next": 7, "dispose": 182, "buy": 240,
        "redraw": 1, "pass": 1,
    }  # fmt: skip
    assert len(MOVES) == len({move.text for move in MOVES}) == 553


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("place 5a", "place 5A"),
        ("PLACE 12i", "place 12I"),
        ("Found Sackson", "found luxor"),
        ("buy 1 american 2 tower", "buy 2 tower 1 american"),
        ("buy 1 Sackson 1 worldwide 1 tower and end", "buy 1 tower 1 luxor 1 worldwide and end"),
        ("dispose trade 4 sell 3", "dispose sell 3 trade 4"),
        ("buy\tnothing\n and end", "buy nothing and end"),
    ],
)
def test_case_spaces_and_order_do_not_matter(text: str, canonical: str) -> None:
    assert parse_move(text).text == canonical


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "place", "place 13A", "place 0A", "place 1J", "place A1", "place 01A",
        "place 1A 2A", "found", "found hilton", "survivor", "next", "buy", "buy 4 tower",
        "buy 0 tower", "buy 2 tower 2 luxor", "buy 1 tower 1 tower", "buy tower", "buy 1 hilton",
        "buy -1 tower", "buy nothing 1 tower", "buy 1 tower end", "buy and end", "dispose",
        "dispose trade 3", "dispose sell 26", "dispose sell 0", "dispose sell 24 trade 2",
        "dispose sell 1 sell 1", "dispose trade 2 trade 2", "pass now", "redraw 1", "resign",
        "sell 1", "buy 1 tower\x00", "buy ١ tower", "place 1A;", "buy nothing" + " and end" * 100,
        "x" * 100_000,
    ],
)  # fmt: skip
def test_unknown_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidMove) as refusal:
        parse_move(text)
    assert len(str(refusal.value)) <= 200


@given(st.sampled_from([move for move in MOVES if isinstance(move, Buy)]), st.randoms())
def test_purchase_is_parsed_in_any_order_of_chains(move: Buy, rng: object) -> None:
    counts = {chain: move.shares.count(chain) for chain in move.shares}
    chains = sorted(counts, key=lambda _: rng.random())  # type: ignore[attr-defined]
    words = " ".join(f"{counts[chain]} {CHAIN_NAMES[chain]}" for chain in chains)
    assert parse_move(f"buy {words or 'nothing'}{' and end' if move.end else ''}") is move


def test_disposal_trades_pairs_and_at_most_all_shares() -> None:
    for move in MOVES:
        if isinstance(move, Dispose):
            assert move.trade % 2 == 0
            assert 0 <= move.sell + move.trade <= SHARES


def test_purchase_has_shares_in_ascending_order() -> None:
    for move in MOVES:
        if isinstance(move, Buy):
            assert list(move.shares) == sorted(move.shares)
            assert (*move.shares, 0, 0, 0)[:3] == (move.first, move.second, move.third)
