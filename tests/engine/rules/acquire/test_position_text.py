"""Positions as text that people can read and write."""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.position_text import __doc__, position_from_text
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.rule_errors import InvalidPosition
from tests.engine.rules.acquire.acquire_positions import ACQUIRE, chain, decision, position

EMPTY_BOARD = "\n".join(["............"] * 9)
SMALL = f"board:\n{EMPTY_BOARD}\nhand 0: 1A\nhand 1: 2C\ncash: 6000 5000\n"


def test_board_hands_and_cash_are_enough() -> None:
    state = position_from_text(SMALL)
    assert state.rules == Rules()
    assert state.seats == 2
    assert state.cash == [6000, 5000]
    assert decision(state) == "place 0"
    assert len(state.bag) == 106
    assert SQUARE_NAMES[state.bag[-1]] == "2A"
    assert state.unchanged == 1


def test_example_in_docstring_can_be_parsed() -> None:
    example = (__doc__ or "").split("\n\n")[1]
    state = position_from_text(example)
    assert state.rules == Rules(tiers="1962", payout="four")
    assert (state.first, state.turn) == (1, 0)
    assert state.holdings[chain("continental")] == [3, 1]
    assert state.bank[chain("continental")] == 21
    assert state.size[chain("continental")] == 6


@pytest.mark.parametrize(
    "word",
    [
        "redraw_hand=yes",
        "redraw_hand=true",
        "redraw_hand=True",
        "redraw_hand=no",
        "redraw_hand=false",
        "redraw_hand=False",
    ],
)
def test_boolean_option_has_several_spellings(word: str) -> None:
    expected = word.split("=")[1].lower() in ("yes", "true")
    assert position(rules=f"avalon-hill {word}").rules.redraw_hand is expected


def test_sackson_and_luxor_are_one_chain() -> None:
    rows = EMPTY_BOARD.replace("............", "SSLL........", 1)
    state = position_from_text(f"board:\n{rows}\nhand 0: 9I\nhand 1: 8I\ncash: 1 2\nsackson: 3 4")
    assert state.size[chain("luxor")] == 4
    assert state.holdings[chain("luxor")] == [3, 4]


def test_case_and_spaces_do_not_matter() -> None:
    text = SMALL.replace("hand 0: 1A", "  Hand 0 :  1a ").replace("cash", "CASH")
    assert acquire.state_to_json(position_from_text(text)) == acquire.state_to_json(position_from_text(SMALL))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("hand 1: 2C", "hand 1: 1A"), "tile 1A is in 2 places"),
        (("hand 1: 2C", "hand 1: 13A"), "13A"),
        (("cash: 6000 5000", "cash: 6000"), "cash of 1 seats instead of 2"),
        (("cash: 6000 5000", "cash: 6000 -5"), "seat 1 owes $5"),
        (("cash: 6000 5000", "cash: 6000 much"), "much"),
        (("cash: 6000 5000\n", ""), "cash"),
        (("............\n", "...........\n"), "9 rows of 12 marks"),
        (("............\n", ""), "9 rows of 12 marks"),
        (("............\n", "....x.......\n"), "marks out of"),
        (("............\n", "T...........\n"), "tower is a single tile"),
        (("............\n", "TT.TT.......\n"), "tower is in pieces"),
        (("............\n", "...TTo......\n"), "touch and are not one chain"),
        (("............\n", "...TTCC.....\n"), "touch and are not one chain"),
        (("hand 1: 2C", "hand 1: 2C\ntower: 20 6"), "tower has 26 shares held"),
        (("hand 1: 2C", "hand 1: 2C\ntower: -1 6"), "tower has 5 shares held"),
        (("hand 1: 2C", "hand 1: 2C\ntower: 1"), "tower is held by 1 seats instead of 2"),
        (("hand 1: 2C", "hand 1: 2C\ntower: 1 2 3"), "tower is held by 3 seats instead of 2"),
        (("hand 1: 2C", "hand 1: 2C\nhilton: 1 2"), "no field hilton"),
        (("hand 1: 2C", "hand 1: 2C\nrules: chess"), "chess"),
        (("hand 1: 2C", "hand 1: 2C\nrules: classic colour=red"), "colour"),
        (("hand 1: 2C", "hand 1: 2C\nrules: classic payout=three"), "payout is one of"),
        (("hand 1: 2C", "hand 1: 2C\nturn: 2"), "no seat 2"),
        (("hand 1: 2C", "hand 1: 2C\nfirst: 2"), "no seat 2"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: place 1"), "in the turn of seat 0"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: buy 1"), "in the turn of seat 0"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: think 0"), "think"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: found 0"), "pending"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: dispose 0"), "nothing to dispose of"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: over -1"), "over without a reason"),
        (("hand 1: 2C", "hand 1: 2C\ndecision: buy"), "cannot be read"),
        (("hand 1: 2C", "hand 1: 2C\nended: declared"), "ended (declared) and goes on"),
        (("hand 1: 2C", "hand 1: 2C\nseed: 00zz"), "cannot be read"),
        (("hand 1: 2C", "hand 1: 2C\nbag: 1A"), "1A is in 2 places"),
        (("hand 1: 2C", "hand 1: 2C 3C 4C 5C 6C 7C 8C"), "seat 1 holds 7 tiles"),
        (("hand 1: 2C\n", ""), "1 seats"),
        (("hand 1: 2C", "hand 2: 2C"), "hand 1"),
    ],
)  # fmt: skip
def test_impossible_position_is_refused_with_fault(change: tuple[str, str], fault: str) -> None:
    text = SMALL.replace(*change, 1)
    assert text != SMALL
    with pytest.raises(InvalidPosition) as refusal:
        position_from_text(text)
    assert fault in str(refusal.value)


def test_all_faults_are_reported_at_once() -> None:
    text = SMALL.replace("hand 1: 2C", "hand 1: 1A").replace("5000", "-5000")
    with pytest.raises(InvalidPosition, match=r"owes.*2 places"):
        position_from_text(text)


def spoiled(text: str, rng: Random) -> str:
    """The text with one to three words or marks changed, dropped, doubled or moved."""
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        number = rng.randrange(len(lines))
        name, colon, value = lines[number].partition(":")
        words = value.split()
        if not colon:
            marks = list(name)
            marks[rng.randrange(len(marks))] = rng.choice(".oTCAIFLWS")
            lines[number] = "".join(marks)
        elif words:
            place = rng.randrange(len(words))
            match rng.randrange(5):
                case 0:
                    words[place] = rng.choice(["0", "1", "2", "3", "4", "5", "-1", "25", "26", "100"])
                case 1:
                    words[place] = rng.choice(SQUARE_NAMES)
                case 2:
                    words[place] = rng.choice(
                        ["place", "buy", "dispose", "found", "survivor", "next", "over", "tower", "luxor"]
                    )
                case 3:
                    del words[place]
                case 4:
                    rng.shuffle(words)
            lines[number] = f"{name}: {' '.join(words)}"
    return "\n".join(lines)


@pytest.mark.parametrize("chance", range(4))
def test_parsed_position_can_be_played_to_end(chance: int) -> None:
    ACQUIRE.check_spoiled_positions(spoiled, Random(chance), 60)
