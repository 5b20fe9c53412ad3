"""The history checker sees every difference between record and answers."""

import pytest

from games.web.presenters.acquire.move_reader import read_move
from tests.safety.crash_players import Attempt, notation
from tests.safety.history_checker import as_sent, moves

ENTRY = ("game", 5, "marta", "place 5A")


def attempts(*outcomes: str) -> list[Attempt]:
    return [Attempt("marta", "game", 5, "place 5A", outcome) for outcome in outcomes]


@pytest.mark.parametrize(
    ("outcomes", "recorded"),
    [(["ok"], 1), (["fail"], 0), (["unknown"], 0), (["unknown"], 1), (["fail", "ok"], 1), ([], 0)],
)
def test_answered_moves_are_recorded_and_unknown_ones_may_be(outcomes: list[str], recorded: int) -> None:
    assert moves(attempts(*outcomes), [ENTRY] * recorded) == []


@pytest.mark.parametrize(
    ("outcomes", "recorded", "fault"),
    [
        (["ok"], 0, "lost, though it was acknowledged"),
        (["unknown", "ok"], 0, "lost, though it was acknowledged"),
        (["ok"], 2, "recorded twice"),
        (["fail"], 1, "recorded, though it was refused"),
        ([], 1, "invented"),
    ],
)
def test_each_difference_is_a_fault(outcomes: list[str], recorded: int, fault: str) -> None:
    (found,) = moves(attempts(*outcomes), [ENTRY] * recorded)
    assert found.startswith(fault)


def test_move_sent_before_an_extension_counts_after_it() -> None:
    later = ("game", 7, "marta", "place 5A")
    extensions = {("game", 5), ("game", 6)}
    assert as_sent(later, attempts("ok"), extensions) == ENTRY
    assert as_sent(later, attempts("ok"), {("game", 5)}) == later
    assert as_sent(later, [], extensions) == later


def test_move_in_place_of_another_is_lost_and_invented() -> None:
    found = moves(attempts("ok"), [("game", 5, "marta", "place 6A")])
    assert [fault.partition(":")[0] for fault in found] == ["invented", "lost, though it was acknowledged"]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "place", "tile": "5A"},
        {"kind": "found", "chain": "tower"},
        {"kind": "survivor", "chain": "luxor"},
        {"kind": "next", "chain": "american"},
        {"kind": "dispose", "sell": "3", "trade": "4"},
        {"kind": "dispose", "sell": "0", "trade": "0"},
        {"kind": "buy", "american": "1", "tower": "2", "end": "1"},
        {"kind": "buy"},
        {"move": "pass"},
    ],
)
def test_players_know_which_move_a_form_asks_for(fields: dict[str, str]) -> None:
    assert notation(fields) == read_move(fields)
