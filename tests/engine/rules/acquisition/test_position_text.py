"""Positions as text that people can read and write."""

from random import Random

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SQUARE_NAMES
from games.engine.rules.acquisition.position_text import __doc__, position_from_text
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.rule_errors import InvalidPosition
from tests.engine.rules.acquisition.acquisition_positions import ACQUISITION, decision, legal, on

EMPTY = "............"
LAST = ".P.P....P...\n...........P\nP.P........."
SMALL = "\n".join(["seats: 2", "board:", "BS..........", "..BB........", *[EMPTY] * 7, LAST])


def test_seats_and_board_are_enough() -> None:
    state = position_from_text(SMALL)
    assert state.rules == Rules()
    assert state.reserve == [37, 39]
    # Six parks and four tiles are ten pieces, so the first seat is on turn.
    assert decision(state) == "place 0"
    assert decision(position_from_text(SMALL.replace("BS", "B."))) == "place 1"
    assert decision(position_from_text(SMALL + "\nturn: 1")) == "place 1"


def test_park_is_asked_before_last_park() -> None:
    text = SMALL.replace("BS..", "....").replace("..BB", "....").replace("P.P.........", "P...........")
    state = position_from_text(text)
    assert decision(state) == "park 1"
    assert "park c12" in legal(state)


def test_example_in_docstring_can_be_parsed() -> None:
    example = (__doc__ or "").split("\n\n")[1]
    state = position_from_text(example)
    assert state.rules == Rules(30)
    assert (state.turn, state.seats) == (1, 2)
    assert decision(state) == "buyout 0"
    assert on(state, "B") == {"e4", "e5", "g10", "k7"}
    assert state.reserve == [26, 26]


def test_turn_during_buyout_is_that_of_last_tile() -> None:
    example = (__doc__ or "").split("\n\n")[1]
    state = position_from_text(example.replace("turn: 1", ""))
    assert (state.turn, decision(state)) == (1, "buyout 0")


def test_case_and_spaces_do_not_matter() -> None:
    text = SMALL.lower().replace("seats: 2", "  SEATS :  2 ") + "\n Rules: standard  tiles=40\n"
    assert acquisition.state_to_json(position_from_text(text)) == acquisition.state_to_json(
        position_from_text(SMALL)
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("seats: 2", "seats: 1"), "2 to 4 players, not 1"),
        (("seats: 2", "seats: 5"), "2 to 4 players, not 5"),
        (("seats: 2", "seats: 0"), "2 to 4 players, not 0"),
        (("seats: 2", "seats: many"), "many"),
        (("seats: 2\n", ""), "seats"),
        (("seats: 2", "seats: 4"), "6 parks are on the board and -2 to come"),
        (("seats: 2", "seats: 2\nseats: 2"), "stands there twice"),
        (("seats: 2", "seats: 2\nturn: 2"), "no seat 2"),
        (("seats: 2", "seats: 2\nturn: -1"), "no seat -1"),
        (("seats: 2", "seats: 2\nturn: me"), "me"),
        (("seats: 2", "seats: 2\nhand: a1"), "no field hand"),
        (("seats: 2", "seats: 2\nrules: classic"), "classic"),
        (("seats: 2", "seats: 2\nrules: standard parks=3"), "no option 'parks'"),
        (("seats: 2", "seats: 2\nrules: standard tiles=41"), "tiles is a number from 1 to 40"),
        (("seats: 2", "seats: 2\nrules: standard tiles=few"), "few"),
        (("seats: 2", "seats: 2\nrules: standard tiles=2"), "3 tiles on the board and -1 in reserve"),
        (("seats: 2", "seats: 2\nrules: standard tiles=3\nturn: 0"), "seat 0 has no tile to place"),
        (("seats: 2", "seats: 2\ntile: a1"), "can buy out the group of a1"),
        (("seats: 2", "seats: 2\ntile: e9"), "can buy out the group of e9"),
        (("seats: 2", "seats: 2\ntile: m1"), "m1"),
        (("seats: 2", "seats: 2\nseed: 00zz"), "cannot be read"),
        (("seats: 2", "seats: 2\nended: no tile"), "the game is over and seat 0 has a tile"),
        (("seats: 2", "seats: 2\nended: no square"), "the game is over and there is a square"),
        (("seats: 2", "seats: 2\nended: bored"), "over without a reason (bored)"),
        ((f"{EMPTY}\n", ""), "12 rows of 12 marks"),
        ((f"{EMPTY}\n", "...........\n"), "12 rows of 12 marks"),
        (("BS..", "BX.."), "marks out of . P B S"),
        (("BS..", "BC.."), "marks out of . P B S"),
        (("BS..", "BSBS"), "A group has 6 tiles"),
        (("P.P.........", "P..........."), "a tile is on the board before the last park"),
        ((LAST, "P..........P\nPP........PP\n............"), "symmetrical"),
        (("BS..", "BSPP"), "8 parks are on the board and -2 to come"),
    ],
)  # fmt: skip
def test_impossible_position_is_refused_with_fault(change: tuple[str, str], fault: str) -> None:
    text = SMALL.replace(*change, 1)
    assert text != SMALL
    with pytest.raises(InvalidPosition) as refusal:
        position_from_text(text)
    assert fault in str(refusal.value)


def test_all_faults_are_reported_at_once() -> None:
    text = SMALL.replace("seats: 2", "seats: 2\nrules: standard tiles=2").replace("BS..", "BSP.")
    with pytest.raises(InvalidPosition, match=r"7 parks.*-1 in reserve"):
        position_from_text(text)


def spoiled(text: str, rng: Random) -> str:
    """The text with one to three marks, words or lines changed or dropped."""
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 2, 3])):
        number = rng.randrange(len(lines))
        name, colon, value = lines[number].partition(":")
        if not colon:
            marks = list(name)
            marks[rng.randrange(len(marks))] = rng.choice("..PBSCG")
            lines[number] = "".join(marks)
        elif value:
            lines[number] = f"{name}: {rng.choice(['0', '1', '2', '3', '4', 'no tile', 'c4', 'standard'])}"
        else:
            lines.append(f"tile: {rng.choice(SQUARE_NAMES)}")
    return "\n".join(lines)


@pytest.mark.parametrize("chance", range(2))
def test_parsed_position_can_be_played_to_end(chance: int) -> None:
    ACQUISITION.check_spoiled_positions(spoiled, Random(chance), 30)
