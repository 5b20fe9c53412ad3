"""The table in a mail."""

from random import Random

import pytest
from django.template.loader import render_to_string

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.mail_view import drawing, mail_context, mail_subject_question
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.support import wording
from tests.web.presenters.presenter_cases import Played, random_game, readers

CHAINS = {"tower": "1A-3A", "american": "5A-6A", "lone": "9A"}
MERGING = {**CHAINS, "lone": "4A"}


def asks(state: State) -> str:
    return mail_subject_question(acquire.observe(state, state.decision.seat))


@pytest.mark.parametrize(
    ("decision", "words"), [("place 0", wording.PLACE_A_TILE), ("buy 0", wording.BUY_UP_TO_3)]
)
def test_mail_names_the_decision(decision: str, words: str) -> None:
    assert asks(position({"tower": "1A-3A"}, decision=decision)) == words


@pytest.mark.parametrize(
    ("held", "words"),
    [
        (1, wording.DISPOSE_OF_ONE.format(n=1, chain="American")),
        (6, wording.DISPOSE_OF_SOME.format(n=6, chain="American")),
    ],
)
def test_mail_names_the_shares_to_decide_about(held: int, words: str) -> None:
    state = position(
        MERGING,
        shares={"american": [1, held, 0]},
        tile="4A",
        merger="survivor tower, defunct american, to dispose 1",
        decision="dispose 1",
    )
    assert asks(state) == words


def test_mail_does_not_reveal_a_hand_without_playable_tile() -> None:
    chains = {"tower": "1A-12A", "continental": "1C-12C"}
    state = position(chains, hands=("5B", "1I", "1H"), decision="stuck 0")
    assert asks(state) == wording.PLACE_A_TILE


def test_mail_draws_the_board() -> None:
    board = mail_context(acquire.observe(position(CHAINS, decision="buy 0"), 0), readers(3, 0), [])["board"]
    head, first, second, *_ = board.split("\n")
    assert head.split() == [str(column) for column in range(1, 13)]
    assert first.split() == ["A", *"TTT·AA··o···"]
    assert second.split() == ["B", *"············"]
    assert len(board.split("\n")) == 10
    assert len({len(line) for line in board.split("\n")}) == 1


def test_lone_tile_on_a_board_in_letters_is_explained() -> None:
    sentence = "o is a lone tile, which belongs to no chain."
    for chains, explained in ((CHAINS, True), ({"tower": "1A-3A"}, False)):
        seen = acquire.observe(position(chains, decision="buy 0"), 0)
        shown = mail_context(seen, readers(3, 0), [])
        mail = render_to_string("games/presenters/acquire/_letter.txt", shown)
        assert [sentence in text for text in (mail, drawing(seen, readers(3, 0)))] == [explained] * 2


def test_mail_lists_the_chains_and_my_shares() -> None:
    shown = mail_context(
        acquire.observe(
            position(CHAINS, shares={"tower": [3, 0, 0]}, cash=[1200, 6000, 6000], decision="buy 0"), 0
        ),
        readers(3, 0),
        [],
    )
    assert [line.split(":")[0] for line in shown["chains"]] == ["T = Tower", "A = American"]
    assert "3 tiles, $500 a share, 22 in the bank" in shown["chains"][0]
    assert shown["mine"] == "You have $1,200 and hold 3 Tower."


def test_mail_tells_the_events_oldest_first_and_calls_the_reader_you() -> None:
    played = random_game(5, until=lambda state: len(state.board) - state.board.count(0) == 7)
    first, last = (entry.events[0].seat for entry in (played.entries[0], played.entries[-1]))
    news = mail_context(acquire.observe(played.state, first), readers(4, first), played.entries)["news"]
    assert len(news) >= len(played.entries)
    assert news[0].startswith("You placed")
    assert news[-1].startswith(f"{readers(4, first).sentence_start(last)} placed")


def test_mail_after_the_end_has_the_standings() -> None:
    played = random_game(3)
    shown = mail_context(acquire.observe(played.state, 1), readers(4, 1), played.entries)
    assert [line.rank for line in shown["standings"]] == [1, 2, 3, 4]
    assert "won with" in shown["headline"]
    assert shown["mine"] == ""


def hands_dealt_anew(played: Played, rng: Random) -> State:
    """Shuffle all hands and the bag, the reader's own hand too."""
    stored = acquire.state_to_json(played.state)
    hidden = [tile for hand in stored["hands"] for tile in hand.split()] + stored["bag"].split()
    rng.shuffle(hidden)
    hands = [" ".join(hidden.pop() for _ in hand.split()) for hand in stored["hands"]]
    return acquire.state_from_json({**stored, "hands": hands, "bag": " ".join(hidden)})


@pytest.mark.parametrize("seed", range(12))
def test_mail_depends_on_no_hand_not_even_the_readers(seed: int) -> None:
    rng = Random(seed)
    played = random_game(seed, until=lambda state: state.turn == 3 and rng.random() < 0.02)
    other = hands_dealt_anew(played, rng)
    for seat in range(4):
        one, two = (
            mail_context(acquire.observe(state, seat), readers(4, seat), played.entries)
            for state in (played.state, other)
        )
        assert one == two


@pytest.mark.parametrize("seed", range(20))
def test_every_position_can_be_told_to_everybody(seed: int) -> None:
    state = midgame(Random(seed))
    for seat in range(state.seats):
        seen = acquire.observe(state, seat)
        shown = mail_context(seen, readers(state.seats, seat), [])
        assert "{" not in "".join([shown["board"], *shown["chains"], shown["mine"], shown["headline"]])
        if seen.decision.seat == seat:
            assert mail_subject_question(seen)
