"""Replays of whole games recorded by an independent engine."""

import gzip
import json
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.board import COLUMNS, LONE_TILE, SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAIN_LETTERS, CHAINS, chain_label
from games.engine.rules.acquire.state import CASH, State

GAMES = sorted(Path(__file__).with_name("recorded_games").glob("*.json.gz"))
REASONS = {"declared": "declared", "unchanged": "no tile placed for a round", "no tiles": "no tiles left"}


@cache
def read(path: Path) -> dict[str, Any]:
    return json.loads(gzip.decompress(path.read_bytes()))


def start(game: dict[str, Any]) -> State:
    """The position before the first decision, with the recorded board, hands, bag and bank tiles."""
    initial = game["initial"]
    marks = ["o" if name in initial["board"] else "." for name in SQUARE_NAMES]
    rows = ["".join(marks[row : row + COLUMNS]) for row in range(0, len(marks), COLUMNS)]
    options = [f"{name}={str(value).lower()}" for name, value in game["rules"].items()]
    lines = [f"rules: avalon-hill {' '.join(options)}", "board:", *rows]
    lines += [f"hand {seat}: {' '.join(hand)}" for seat, hand in enumerate(initial["hands"])]
    lines += [
        f"bag: {' '.join(initial['bag'])}",
        f"cash: {' '.join(['6000'] * game['players'])}",
        f"first: {game['first']}",
        f"turn: {game['first']}",
        f"bank tiles: {' '.join(square for _, square in game['bank_tiles'])}",
    ]
    return acquire_rule_system.position_from_text("\n".join(lines))


def notation(decision: list[Any]) -> str:
    """The notation of a recorded decision."""
    match decision:
        case ["place", tile]:
            return f"place {tile}"
        case ["pass" | "redraw" as word]:
            return word
        case ["found" | "survivor" as word, chain]:
            return f"{word} {chain}"
        case ["next_defunct", chain]:
            return f"next {chain}"
        case ["dispose", sell, trade]:
            words = [f"{word} {count}" for word, count in (("sell", sell), ("trade", trade)) if count]
            return f"dispose {' '.join(words) or 'nothing'}"
        case ["buy", shares, end]:
            words = [f"{count} {name}" for name, count in shares.items() if count]
            return f"buy {' '.join(words) or 'nothing'}{' and end' if end else ''}"
    raise AssertionError(decision)


def digest(state: State) -> dict[str, Any]:
    """The state in the format of the recordings."""

    def label(chain: int) -> str:
        return chain_label(state.rules.tiers, chain)

    names = SQUARE_NAMES
    board = "".join("o" if value == LONE_TILE else CHAIN_LETTERS[value] for value in state.board)
    if state.rules.tiers == "2008":
        board = board.replace("L", "S")
    rows = [board[row : row + COLUMNS] for row in range(0, len(board), COLUMNS)]
    kinds = {"next": "next_defunct", "over": "end"}
    return {
        "cash": state.cash,
        "stocks": [{label(c): state.holdings[c][seat] for c in CHAINS} for seat in range(state.seats)],
        "sizes": {label(c): state.size[c] for c in CHAINS},
        "bank": {label(c): state.bank[c] for c in CHAINS},
        "hands": [sorted(names[tile] for tile in hand) for hand in state.hands],
        "board": rows,
        "bag_count": len(state.bag),
        "set_aside": sorted(names[tile] for tile in state.aside),
        "turn": state.turn,
        "to_act": acquire_rule_system.decider(state),
        "kind": kinds.get(state.decision.kind, state.decision.kind),
        "ended": bool(state.ended),
    }


def comparable(recorded: dict[str, Any]) -> dict[str, Any]:
    return {
        **recorded,
        "hands": [sorted(hand) for hand in recorded["hands"]],
        "set_aside": sorted(recorded["set_aside"]),
    }


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    assert ours.keys() == theirs.keys()
    return {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}


def test_recorded_games_cover_presets_and_seats() -> None:
    assert len(GAMES) == 20
    assert {(read(path)["preset"], read(path)["players"]) for path in GAMES} == {
        (preset, seats) for preset in acquire_rule_system.PRESETS for seats in acquire_rule_system.SEATS
    }


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_recorded_game_has_same_states(path: Path) -> None:
    game = read(path)
    state = start(game)
    assert differences(digest(state), comparable(game["initial"]["digest"])) == {}
    for number, entry in enumerate(game["decisions"]):
        assert acquire_rule_system.decider(state) == entry["actor"], number
        move = acquire_rule_system.parse_move(notation(entry["decision"]))
        acquire_rule_system.check_move(state, move)
        acquire_rule_system.apply(state, move)
        assert acquire_rule_system.invariants(state) == []
        assert differences(digest(state), comparable(entry["after"])) == {}, (number, entry["decision"])
    assert REASONS[state.ended] == game["end_reason"]
    assert state.cash == game["final_cash"]
    assert [{"seat": s, "cash": c, "rank": r} for r, s, c in acquire_rule_system.standings(state)] == game[
        "ranking"
    ]


def bonuses_in_order(payments: list[tuple[int, int, str]]) -> list[str]:
    return [reason for reason, _ in groupby(reason for _, _, reason in payments if "bonus" in reason)]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_events_add_up_to_recorded_ledger(path: Path) -> None:
    """The ledger has purchases, bonuses, sales and the final payments."""
    game = read(path)
    state = start(game)
    payments: list[tuple[int, int, str]] = []
    bank_tiles: list[list[str]] = []

    def label(name: str) -> str:
        return chain_label(state.rules.tiers, CHAIN_BY_NAME[name])

    for entry in game["decisions"]:
        prices = {c: state.rules.prices[CHAIN_BY_NAME[c]] for c in CHAIN_BY_NAME}
        for event in acquire_rule_system.play(
            state, acquire_rule_system.parse_move(notation(entry["decision"]))
        ):
            record = acquire_rule_system.event_to_json(event)
            kind, seat = record["kind"], record.get("seat")
            if kind == "bought":
                for name, count in record["shares"]:
                    dollars = count * prices[name][state.size[CHAIN_BY_NAME[name]]]
                    payments.append((seat, -dollars, f"bought {count} {label(name)}"))
            elif kind == "bonuspaid" and record["dollars"]:
                word = "final" if state.ended else "merger"
                payments.append((seat, record["dollars"], f"{word} bonus {label(record['chain'])}"))
            elif kind == "disposed" and record["sold"]:
                payments.append((seat, record["dollars"], f"sold {record['sold']} {label(record['chain'])}"))
            elif kind == "soldatend":
                payments.append(
                    (seat, record["dollars"], f"final sale of {record['shares']} {label(record['chain'])}")
                )
            elif kind == "banktile":
                bank_tiles.append([label(record["chain"]), record["square"]])
    assert bank_tiles == game["bank_tiles"]
    ledger = [(seat, dollars, reason) for _, seat, dollars, reason in game["ledger"]]
    assert sorted(payments) == sorted(ledger)
    # The order of chains is a rule; the order of holders is arbitrary.
    assert bonuses_in_order(payments) == bonuses_in_order(ledger)
    for seat, cash in enumerate(game["final_cash"]):
        assert CASH + sum(dollars for who, dollars, _ in payments if who == seat) == cash


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_recorded_game_survives_text_and_json(path: Path) -> None:
    game = read(path)
    state = start(game)
    for entry in game["decisions"]:
        acquire_rule_system.apply(state, acquire_rule_system.parse_move(notation(entry["decision"])))
        text = acquire_rule_system.position_to_text(state)
        again = acquire_rule_system.position_from_text(text)
        assert acquire_rule_system.position_to_text(again) == text
        stored = acquire_rule_system.state_from_json(
            json.loads(json.dumps(acquire_rule_system.state_to_json(again)))
        )
        assert acquire_rule_system.state_to_json(stored) == acquire_rule_system.state_to_json(state)
        state = stored
    assert state.cash == game["final_cash"]
