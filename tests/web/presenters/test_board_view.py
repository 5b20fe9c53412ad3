"""The board, the hand, and previews of tiles."""

import re

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_BY_NAME
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.board_view import Square, board, figure, shapes
from games.web.presenters.acquire.hand_view import hand, tile_effects
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording

CHAINS = {"tower": "1A-3A 1B-2B", "american": "5A-6A", "lone": "9I 1D"}


def squares(
    state: State, seat: int | None = 0, last: str = "9I", *, choosing: bool = True
) -> dict[str, Square]:
    seen = acquire.observe(state, seat)
    rows = board(seen, tile_effects(seen), SQUARE_BY_NAME[last], choosing=choosing)
    return {square.name: square for row in rows for square in row.squares}


def test_drawing_has_one_shape_for_each_chain_and_one_for_lone_tiles() -> None:
    drawn = str(shapes(acquire.observe(position(CHAINS), None)))
    assert re.findall('class="([^"]+)"', drawn) == [
        "shapes",
        "wells",
        "chain-american",
        "chain-tower",
        "lone",
    ]
    assert 'viewBox="0 0 1200 900"' in drawn


def test_figure_is_drawn_by_letters() -> None:
    drawn = str(figure("TT", "o."))
    assert re.findall('class="([^"]+)"', drawn) == ["shapes", "wells", "chain-tower", "lone"]
    assert 'viewBox="0 0 200 200"' in drawn


def test_tile_of_a_chain_has_its_colour() -> None:
    assert squares(position(CHAINS))["1A"].css == "in-chain chain-tower"


def test_square_says_what_is_on_it() -> None:
    shown = squares(position(CHAINS))
    assert shown["1A"].label == "1A, Tower, 5 tiles"
    assert shown["1D"].label == "1D, lone tile"
    assert shown["9I"].label == wording.LAST_TILE_PLACED.format(square="9I, lone tile")
    assert shown["12A"].label == "12A, empty"
    assert (shown["1A"].letter, shown["5A"].letter) == ("T", "A")


def test_purple_chain_is_s_or_l() -> None:
    assert squares(position({"luxor": "1A-2A"}))["1A"].letter == "S"
    assert squares(position({"luxor": "1A-2A"}, rules="classic"))["1A"].letter == "L"


EFFECTS = [
    ("12E", "·", "mine", "stands alone"),
    ("10I", "★", "mine", "founds a chain"),
    ("3B", "+T", "mine grows chain-tower", "grows Tower"),
    ("4A", "A›T", "mine merges chain-tower from-american", "merges American into Tower"),
]


@pytest.mark.parametrize(("tile", "mark", "css", "does"), EFFECTS)
def test_own_tiles_show_what_they_would_do(tile: str, mark: str, css: str, does: str) -> None:
    state = position(CHAINS, hands=(tile, "", ""))
    shown = squares(state)[tile]
    assert (shown.letter, shown.css, shown.choose) == (mark, css, True)
    assert shown.label == f"{tile}, your tile: {does}"


def test_merger_of_equals_is_shown_as_one() -> None:
    chains = {"tower": "1A-2A", "american": "4A-5A"}
    state = position(chains, hands=("3A", "", ""))
    assert squares(state)["3A"].letter == "T=A"
    [tile] = hand(acquire.observe(state, 0), tile_effects(acquire.observe(state, 0)), choosing=True)
    assert tile.does == "merges Tower and American"
    assert tile.why == "The largest chains are the same size, so you choose the survivor."


def test_unplayable_tile_is_shown_and_not_offered() -> None:
    chains = {"tower": "1A-12A", "continental": "1C-12C"}
    shown = squares(position(chains, hands=("5B 9I", "", "")), last="1A")
    assert (shown["5B"].choose, shown["5B"].css, shown["5B"].letter) == (False, "mine idle", "✕")
    assert shown["9I"].choose


def test_tiles_of_others_are_not_on_the_board() -> None:
    state = position(CHAINS, hands=("", "3B", ""))
    assert squares(state)["3B"].css == ""
    assert squares(state, None)["3B"].css == ""


def test_single_tab_stop_is_on_the_first_playable_tile() -> None:
    shown = squares(position(CHAINS, hands=("10I 3B", "", "")))
    assert [square.name for square in shown.values() if square.stop] == ["3B"]
    resting = squares(position(CHAINS), None, choosing=False)
    assert [square.name for square in resting.values() if square.stop] == ["1A"]


def test_preview_has_numbers() -> None:
    state = position({"tower": "1A-10A"}, hands=("11A 1I", "", ""))
    seen = acquire.observe(state, 0)
    why = {tile.name: tile.why for tile in hand(seen, tile_effects(seen), choosing=True)}
    assert why["11A"] == "Tower will have 11 tiles, be safe and cost $900 a share."


def test_founding_preview_names_the_available_chains() -> None:
    chains = {
        "tower": "1A-2A",
        "american": "4A-5A",
        "continental": "7A-8A",
        "imperial": "10A-11A",
        "lone": "1I",
    }
    state = position(chains | {"festival": "1C-2C"}, hands=("2I", "", ""))
    seen = acquire.observe(state, 0)
    [tile] = hand(seen, tile_effects(seen), choosing=True)
    assert tile.why == "You found Worldwide or Sackson. You get 1 free share."


def test_new_squares_are_marked_and_the_last_one_differently() -> None:
    state = position(CHAINS)
    seen = acquire.observe(state, 0)
    last, *others = (SQUARE_BY_NAME[name] for name in ("9I", "1A", "1D", "9I"))
    rows = board(seen, tile_effects(seen), last, others, choosing=True)
    shown = {square.name: square for row in rows for square in row.squares}
    assert shown["1A"].label == wording.PLACED_SINCE_LAST_VISIT.format(square="1A, Tower, 5 tiles")
    assert shown["1D"].css.split() == ["unseen", "lone"]
    assert shown["9I"].css.split() == ["new", "lone"]
    assert [square.name for square in shown.values() if "unseen" in square.css] == ["1A", "1D"]
