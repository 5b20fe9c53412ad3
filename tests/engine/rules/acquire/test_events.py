"""Events of a game."""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.events import KINDS, event_to_json
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.state import CASH
from tests.engine.rules.acquire.acquire_positions import dealt, play, position, whole_game


def test_events_account_for_all_dollars_and_shares() -> None:
    for number in range(40):
        state, events = whole_game(Random(number))
        cash = [CASH] * state.seats
        shares = {name: [0] * state.seats for name in CHAIN_BY_NAME}
        for record in map(event_to_json, events):
            seat = record.get("seat")
            match record["kind"]:
                case "founded":
                    shares[record["chain"]][seat] += record["free"]
                case "bought":
                    cash[seat] -= record["dollars"]
                    for name, count in record["shares"]:
                        shares[name][seat] += count
                case "disposed":
                    cash[seat] += record["dollars"]
                    shares[record["chain"]][seat] -= record["sold"] + record["traded"]
                    shares[record["survivor"]][seat] += record["traded"] // 2
                    assert shares[record["chain"]][seat] == record["held"]
                case "bonuspaid":
                    cash[seat] += record["dollars"]
                    assert shares[record["chain"]][seat] == record["shares"]
                case "soldatend":
                    cash[seat] += record["dollars"]
                    assert shares[record["chain"]][seat] == record["shares"]
        assert cash == state.cash
        assert [shares[name] for name in shares] == state.holdings[1:]


def test_every_turn_has_purchase_event() -> None:
    """Turns are counted by tiles and passes, and each must end with a purchase, even an empty one."""
    _, events = whole_game(Random(5))
    kinds = [event_to_json(event)["kind"] for event in events]
    turns = kinds.count("placed") + kinds.count("passed")
    assert kinds.count("bought") == turns
    assert kinds.count("ended") == 1


def test_events_name_no_tile_in_hand_or_bag() -> None:
    """Squares appear once the tile is on the board, out of the game, or turned up for the bank."""
    rng = Random(6)
    for _ in range(30):
        state = dealt(rng)
        while moves := legal_moves(state):
            for record in map(event_to_json, acquire_rule_system.play(state, rng.choice(moves))):
                if record["kind"] == "banktile":
                    continue
                public = {SQUARE_NAMES[tile] for tile in state.aside} | {
                    SQUARE_NAMES[square] for square in SQUARES if state.board[square]
                }
                assert {record["square"]} <= public if "square" in record else True
                assert set(record.get("squares", ())) <= public


def test_events_are_immutable_values() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "", ""])
    (placed, grew) = play(state, "place 4A")
    assert placed == KINDS["placed"](seat=0, square="4A", effect="grows")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        grew.size = 5


def test_failed_move_stops_recording() -> None:
    state = position({"tower": "1A-3A"}, hands=["4A", "", ""])
    with pytest.raises(ValueError, match="not in list"):
        acquire_rule_system.play(state, acquire_rule_system.parse_move("place 9I"))
    assert state.events is None
