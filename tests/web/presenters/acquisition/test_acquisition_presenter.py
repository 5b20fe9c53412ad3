"""The table of Acquisition: board, decisions and log."""

import re

import pytest
from django.template.loader import render_to_string

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.board import SQUARE_BY_NAME, SQUARE_NAMES
from games.engine.rules.acquisition.events import Scored
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import State
from games.engine.rules.acquisition.tile_effect import tile_effect
from games.engine.rules.rule_errors import IllegalMove
from games.web.presenters.acquisition.board_view import Square, board, shapes
from games.web.presenters.acquisition.tile_effect_text import consequence
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from tests.engine.rules.acquisition.acquisition_positions import FULL, position
from tests.support import wording
from tests.web.presenters.presenter_cases import NO_REQUEST, persons, readers

TABLE = PRESENTERS["acquisition"]

# With these parks, two squares of the full board are open: a12 and e12.
LAST_TWO = "b2 d4 c6 f8 g10 i12"


def square(state: State, name: str, seat: int | None = 0) -> Square:
    seen = acquisition.observe(state, seat)
    rows = board(seen, readers(state.seats, seat), None)
    return next(square for row in rows for square in row.squares if square.name == name)


def told(state: State, move: str, reader: int | None = None) -> list[str]:
    events = acquisition.play(state, acquisition.parse_move(move))
    return TABLE.sentences(events, readers(state.seats, reader), state.rules)


# -- The board -----------------------------------------------------------------------------------------


def test_tile_shows_its_material_owner_and_building() -> None:
    state = position({"B": "a1 a2", "S": "d4"})
    assert square(state, "a1").label == "a1, your brick, medium building"
    assert square(state, "d4").label == "d4, marta’s steel, small building"
    assert square(state, "d4", None).letter == "S"
    assert "of-steel" in square(state, "d4").css


def test_building_is_one_shape_and_a_park_is_another() -> None:
    drawn = str(shapes(acquisition.observe(position({"B": "a1 a2", "S": "d4"}), None)))
    assert 'class="of-brick"' in drawn and 'class="of-steel"' in drawn
    brick, park = (drawn.split(f'class="{css}" d="')[1].split('"')[0] for css in ("of-brick", "park"))
    assert brick.count("M") == 1 < park.count("M")


def test_park_is_marked() -> None:
    state = position({})
    assert square(state, "l12").css == "park"
    assert square(state, "l12").label == "l12, park"


def test_tiles_placed_since_the_readers_last_visit_are_marked() -> None:
    state = position({"B": "a1 a2", "S": "d4"})
    seen = acquisition.observe(state, 0)
    last, other = SQUARE_BY_NAME["d4"], SQUARE_BY_NAME["a1"]
    rows = board(seen, readers(state.seats, 0), last, [other, last])
    shown = {square.name: square for row in rows for square in row.squares}
    assert (
        shown["a1"].label.endswith(wording.PLACED_SINCE_LAST_VISIT.format(square=""))
        and "unseen" in shown["a1"].css
    )
    assert (
        shown["d4"].label.endswith(wording.LAST_TILE_PLACED.format(square=""))
        and "unseen" not in shown["d4"].css
    )
    assert "unseen" not in shown["a2"].css


def test_closed_square_says_why() -> None:
    state = position({"B": "a1 a2", "S": "b3"})
    closed = square(state, "a3")
    assert "closed" in closed.css
    assert closed.label == "a3, empty, closed because the group would have 4 tiles"
    assert not closed.choose
    assert square(state, "c1").label == "c1, empty, open to you"
    assert square(state, "c1").choose
    assert square(state, "c1", 1).label == "c1, empty"
    assert not square(state, "c1", 1).choose


def test_last_park_says_where_it_may_not_go() -> None:
    state = position({}, parks="a1 a12 l1 b1 b12", turn=1)
    closed = [name for name in SQUARE_NAMES if "closed" in square(state, name, 1).css]
    assert closed
    for name in closed:
        assert "symmetrical" in square(state, name, 1).label


def test_settled_group_has_a_line_around_it() -> None:
    state = position({"B": "b2 b3", "S": "c2", "C": "h8"}, seats=3)
    assert "settled" in square(state, "b2").css
    assert {"end-n", "end-w"} <= set(square(state, "b2").css.split())
    assert not {"end-e", "end-s"} & set(square(state, "b2").css.split())
    assert square(state, "b2").label.endswith("medium building, settled")
    assert "settled" not in square(state, "h8").css


def test_line_runs_along_the_edge_of_the_board_too() -> None:
    state = position({"B": "a1 a2 b1"})
    assert {"end-n", "end-w"} <= set(square(state, "a1").css.split())
    assert "end-e" in square(state, "a2").css
    # Row 1 ends with l1, which is no neighbour of a2.
    state = position({"B": "l1 l2 k1", "S": "a2"})
    assert "end-e" in square(state, "l1").css


def test_group_of_the_decision_stands_out() -> None:
    state = position({"B": "a1 a2", "S": "a3"}, turn=1, tile="a3")
    assert "at-stake" in square(state, "a1").css.split()
    assert square(state, "a1").label.endswith("buyout being decided")


def test_nothing_is_closed_after_the_end() -> None:
    state = position(FULL, parks=LAST_TWO)
    assert "closed" in square(state, "b1").css or "closed" in square(state, "d1").css
    told(state, "place e12")
    assert state.ended
    assert not any("closed" in square(state, name).css for name in SQUARE_NAMES)


# -- Previews of tiles ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "seats", "sentence"),
    [
        ({}, 2, "It begins a group of its own."),
        ({"B": "a1"}, 2, "It makes a medium building."),
        ({"S": "a1"}, 2, "It makes a group of two with marta."),
        ({"B": "a1 a3"}, 2, "It completes a large building."),
        ({"B": "a1", "S": "a3"}, 2, "It completes a group, and you can buy out marta."),
        ({"S": "a1 a3"}, 2, "It completes a group, and marta can buy you out."),
        ({"S": "a1", "C": "a3"}, 3, "It completes a group, and you can buy out marta and Rook."),
    ],
)
def test_square_says_what_a_tile_there_would_do(tiles: dict, seats: int, sentence: str) -> None:
    state = position(tiles, seats=seats)
    seen = acquisition.observe(state, 0)
    assert consequence(seen, readers(seats, 0), SQUARE_BY_NAME["a2"]) == sentence


def test_no_buyout_is_promised_without_tiles_for_it() -> None:
    state = position({"B": "a1", "S": "a3"}, tiles_each=2)
    seen = acquisition.observe(state, 0)
    said = consequence(seen, readers(2, 0), SQUARE_BY_NAME["a2"])
    assert said == "It completes a group that stays as it is, because nobody has the tiles for a buyout."


@pytest.mark.parametrize("tiles", [{"B": "a1", "S": "a3"}, {"S": "a1 a3"}, {"B": "a1 a3"}])
def test_preview_is_what_happens(tiles: dict) -> None:
    state = position(tiles)
    promised = tile_effect(state, SQUARE_BY_NAME["a2"]).buyer
    acquisition.apply(state, acquisition.parse_move("place a2"))
    asked = state.decision.seat if state.decision.kind == "buyout" else None
    assert promised == asked


# -- Log -----------------------------------------------------------------------------------------------


def test_buyout_is_told_in_order() -> None:
    state = position({"B": "a1", "S": "a3"})
    assert told(state, "place a2") == [
        "sam built on a2.",
        "That completed the group on a1, a2 and a3. sam could buy out marta.",
    ]
    assert told(state, "buy out", reader=1) == [
        ("sam bought out you on a3 and completed a large building of brick.")
    ]


def test_declined_buyout_is_told() -> None:
    state = position({"B": "a1", "S": "a3"})
    told(state, "place a2")
    assert told(state, "decline", reader=0) == [
        "You declined the buyout. The group on a1, a2 and a3 stayed as it was."
    ]


def test_large_building_is_told() -> None:
    state = position({"B": "a1 a3"})
    assert told(state, "place a2")[1] == "sam completed a large building of brick: a1, a2 and a3."


def test_tile_without_a_choice_is_told_as_such() -> None:
    sentences = told(position(FULL, parks=LAST_TWO), "place e12")
    assert sentences[:3] == [
        "sam built on e12.",
        "marta built on a12. It was the only square left, so the move was automatic.",
        "The game ended because sam had no open square.",
    ]
    assert re.fullmatch(r"sam built \d+ large, \d+ medium and \d+ small buildings?\.", sentences[3])


def test_player_who_could_buy_out_is_called_you_at_the_beginning() -> None:
    state = position({"B": "a1", "S": "a3"})
    assert told(state, "place a2", 0)[1] == (
        "That completed the group on a1, a2 and a3. You could buy out marta."
    )


def test_one_small_building_is_singular() -> None:
    for small, words in ((1, "1 small building."), (2, "2 small buildings.")):
        assert TABLE.sentence(Scored(0, 3, 0, small), readers(2), Rules(tiles=40)).endswith(words)


def test_buyout_belongs_to_the_turn_that_led_to_it() -> None:
    state = position({"B": "a1", "S": "a3"})
    entries = []
    for move in ("place a2", "buy out", "place h8"):
        entries.append(LogEntryView(len(entries) + 1, acquisition.play(state, acquisition.parse_move(move))))
    turns = TABLE.log_context(state.rules, readers(2), entries)["turns"]
    assert [(turn.first, turn.last) for turn in turns] == [(3, 3), (1, 2)]
    assert turns[1].paragraphs[1] == (
        "<b>sam</b> bought out <b>marta</b> on a3 and completed a large building of brick."
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("place a3", "a group of 4"),
        ("place a1", "There is a tile on a1."),
        ("place l12", "There is a park on l12."),
        ("park c1", "waiting for a different move"),
    ],
)
def test_refusal_says_why(move: str, words: str) -> None:
    state = position({"B": "a1 a2", "S": "b3"})
    with pytest.raises(IllegalMove) as refused:
        acquisition.check_move(state, acquisition.parse_move(move))
    assert words in TABLE.refusal(refused.value, state.rules)


# -- Headline and end ----------------------------------------------------------------------------------


def test_headline_says_whom_i_may_buy_out() -> None:
    state = position({"B": "a1 a2", "S": "a3"}, turn=1, tile="a3")
    assert (
        TABLE.headline(acquisition.observe(state, 0), readers(2, 0)) == "Your turn: buy out marta or decline"
    )
    assert TABLE.headline(acquisition.observe(state, 1), readers(2, 1)) == "sam is deciding on a buyout"


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        ({"B": "a1 a2 a3", "S": "d1 d2"}, "sam won with 1 large building"),
        (
            {"B": "a1 a2 a3 f1 f2", "S": "d1 d2 d3 h1"},
            ("sam won with 1 large building and more medium buildings"),
        ),
        ({"B": "a1 f1", "S": "d1"}, "sam won with 0 large buildings and more small buildings"),
        (
            {"B": "a1", "S": "d1"},
            wording.SHARED_THE_WIN.format(who="sam and marta", dollars="0 large buildings"),
        ),
    ],
)
def test_headline_after_the_end_says_what_decided(tiles: dict, words: str) -> None:
    seen = acquisition.observe(position(tiles), None, ended="standings")
    assert TABLE.headline(seen, readers(2)) == words


def test_conceding_player_ranks_below_those_who_stayed() -> None:
    seen = acquisition.observe(position({"B": "a1 a2 a3", "S": "d1 d2"}), None, ended="standings")
    seated = persons(2)
    seated[0] = type(seated[0])("sam", conceded=1)
    context = TABLE.context(seen, people(seated), [])
    assert [player.name for player in context["standings"]] == ["marta", "sam (conceded)"]
    assert context["headline"] == "marta won with 0 large buildings"


def test_standings_are_empty_without_a_result() -> None:
    seen = acquisition.observe(position({"B": "a1 a2 a3"}), None, ended="none")
    context = TABLE.context(seen, readers(2), [])
    assert context["headline"] == wording.ENDED_WITHOUT_RESULT
    assert context["standings"] == []


# -- Page ----------------------------------------------------------------------------------------------


def test_page_credits_the_designer_and_shows_reserves() -> None:
    state = position({"B": "a1 a2 a3", "S": "d1"})
    context = TABLE.context(acquisition.observe(state, 0), readers(2, 0), [])
    page = render_to_string(TABLE.TEMPLATE, {**NO_REQUEST, **context, "version": 1, "move_url": "/move/"})
    assert "Acquisition was designed by Phil Leduc (2011)." in page
    [mine, hers] = context["players"]
    assert (mine.large, mine.medium, mine.small, mine.reserve, mine.leads) == (1, 0, 0, 37, True)
    assert (hers.large, hers.small, hers.reserve, hers.leads) == (0, 1, 39, False)
    assert hers.material.letter == "S"


def test_square_is_chosen_first_and_sent_without_a_script() -> None:
    assert TABLE.read_move({"kind": "place", "chosen": "a1"}) == "place a1"
    assert TABLE.read_move({"kind": "place", "chosen": "", "square": "b2"}) == "place b2"
    assert TABLE.read_move({"kind": "park", "chosen": "c3"}) == "park c3"
    assert TABLE.read_move({"move": "buy out"}) == "buy out"
    assert TABLE.read_move({"kind": "nonsense", "square": "a1"}) == ""


def test_member_who_confirms_moves_is_asked() -> None:
    rules = Rules()
    assert TABLE.confirmation_question({"kind": "place", "square": "a1"}, rules) == "Confirm: build on a1"
    assert TABLE.confirmation_question({"kind": "park", "square": "a1"}, rules) == (
        "Confirm: place a park on a1"
    )
    assert TABLE.confirmation_question({"move": "buy out"}, rules) == ""
    assert TABLE.confirmation_question({"move": "buy out"}, rules, every=True) == "Confirm: buy out"
    assert TABLE.confirmation_question({"kind": "place", "square": "z9"}, rules) == ""
