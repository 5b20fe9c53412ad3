"""Invariants: each fault is found."""

from collections.abc import Callable

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import LONE_TILE, SQUARE_BY_NAME, SQUARE_NAMES
from games.engine.rules.acquire.invariants import invariants
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import chain, play, position

MERGER = {"tower": "1A-3A", "american": "5A 6A"}
TIE = {"tower": "1A-3A", "american": "5A-7A", "luxor": "4B 4C"}


def quiet() -> State:
    return position(MERGER, hands=["4A 9I", "8I", "7I"], shares={"american": [3, 2, 0]})


def founding() -> State:
    state = position({"lone": "1I"}, hands=["2I", "8I", "7I"])
    play(state, "place 2I")
    return state


def surviving() -> State:
    state = position(TIE, hands=["4A", "8I", "7I"], shares={"american": [3, 2, 0]})
    play(state, "place 4A")
    return state


def disposing() -> State:
    state = quiet()
    play(state, "place 4A")
    return state


def over() -> State:
    state = position({"tower": "1A-11A"}, decision="buy 0")
    play(state, "buy nothing and end")
    return state


def put(state: State, square: str, value: int) -> None:
    state.board[SQUARE_BY_NAME[square]] = value


FAULTS: list[tuple[Callable[[], State], Callable[[State], object], str]] = [
    (quiet, lambda s: s.cash.append(0), "cash of 4 seats"),
    (quiet, lambda s: s.cash.__setitem__(1, -100), "seat 1 owes $100"),
    (quiet, lambda s: s.hands.pop(), "hands of 2 seats"),
    (quiet, lambda s: setattr(s, "first", 3), "no seat 3 (first)"),
    (quiet, lambda s: setattr(s, "turn", 5), "no seat 5 (turn)"),
    (quiet, lambda s: setattr(s, "seats", 7), "7 seats"),
    (quiet, lambda s: s.bag.pop(), "is in 0 places"),
    (quiet, lambda s: s.bag.append(SQUARE_BY_NAME["9I"]), "tile 9I is in 2 places"),
    (quiet, lambda s: s.hands[1].append(SQUARE_BY_NAME["1A"]), "tile 1A is in 2 places"),
    (quiet, lambda s: setattr(s, "aside", (0,)), "tile 1A is in 2 places"),
    (quiet, lambda s: s.hands[0].extend(s.bag.pop() for _ in range(5)), "seat 0 holds 7 tiles"),
    (quiet, lambda s: s.size.__setitem__(chain("tower"), 4), "tower counts 4 tiles and has 3"),
    (quiet, lambda s: put(s, "2A", chain("luxor")), "luxor is a single tile"),
    (quiet, lambda s: put(s, "2A", chain("luxor")), "tower is in pieces"),
    (quiet, lambda s: put(s, "3A", LONE_TILE), "2A and 3A touch"),
    (quiet, lambda s: s.bank.__setitem__(chain("tower"), 24), "tower has 0 shares held and 24 in the bank"),
    (quiet, lambda s: s.holdings[chain("tower")].__setitem__(0, -1), "tower has -1 shares held"),
    (quiet, lambda s: s.holdings[chain("tower")].append(0), "tower is held by 4 seats"),
    (quiet, lambda s: setattr(s, "ended", "declared"), "ended (declared) and goes on"),
    (quiet, lambda s: setattr(s, "playable", ()), "seat 0 has no legal answer (place)"),
    (quiet, lambda s: setattr(s, "tile", SQUARE_BY_NAME["4A"]), "a tile is pending"),
    (quiet, lambda s: setattr(s, "defunct", 1), "being disposed of without"),
    (quiet, lambda s: setattr(s, "survivor", 1), "no survivor, or one too early"),
    (over, lambda s: setattr(s, "ended", ""), "over without a reason"),
    (founding, lambda s: setattr(s, "tile", -1), "a tile is pending"),
    (founding, lambda s: setattr(s, "tile", SQUARE_BY_NAME["9A"]), "pending tile 9A does not lie alone"),
    (founding, lambda s: put(s, "1I", 0), "2I founds nothing"),
    (surviving, lambda s: setattr(s, "queue", (1, 3)), "does not merge these chains"),
    (surviving, lambda s: setattr(s, "queue", (1, 3, 7)), "does not merge these chains"),
    (surviving, lambda s: setattr(s, "queue", ()), "choice with one option"),
    (surviving, lambda s: setattr(s, "queue", (1, 6)), "choice with one option"),
    (disposing, lambda s: setattr(s, "survivor", chain("luxor")), "does not merge these chains"),
    (disposing, lambda s: s.__setattr__("survivor", 3) or s.__setattr__("defunct", 1), "not the largest"),
    (disposing, lambda s: setattr(s, "to_dispose", (1,)), "seat 0 has nothing to dispose of"),
    (disposing, lambda s: setattr(s, "to_dispose", (0, 2)), "seat 2 holds nothing of the defunct chain"),
    (disposing, lambda s: setattr(s, "to_dispose", (0, 9)), "seat 9 holds nothing of the defunct chain"),
    (disposing, lambda s: setattr(s, "rules", acquire.PRESETS["course"]), "nothing to dispose of"),
    (disposing, lambda s: setattr(s, "defunct", 0), "being disposed of without"),
]


@pytest.mark.parametrize(("make", "spoil", "fault"), FAULTS, ids=[fault for _, _, fault in FAULTS])
def test_fault_is_found(make: Callable[[], State], spoil: Callable[[State], object], fault: str) -> None:
    state = make()
    assert invariants(state) == []
    spoil(state)
    assert any(fault in found for found in invariants(state)), invariants(state)


def test_merger_of_safe_chains_is_a_fault() -> None:
    state = position(
        {"tower": "1A-11A", "american": "1C-10C"}, hands=["1B", "", ""], shares={"american": [1, 0, 0]}
    )
    play(state, "place 1B")
    tile = next(tile for tile in state.bag if SQUARE_NAMES[tile] == "11C")
    state.bag.remove(tile)
    state.board[tile] = chain("american")
    state.size[chain("american")] += 1
    assert "1B may not merge these chains" in invariants(state)


def test_touching_lone_tiles_are_no_fault() -> None:
    assert invariants(position({"lone": "1A 2A 1B"})) == []
