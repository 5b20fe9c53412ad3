"""Every event and every refusal has a sentence."""

from collections.abc import Sequence

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.events import (
    KINDS,
    Absorbed,
    BankTile,
    BonusPaid,
    Bought,
    ChainGrew,
    DeadTilesShown,
    Disposed,
    Dissolved,
    Drew,
    Ended,
    Event,
    Founded,
    HandRedrawn,
    Merged,
    Passed,
    Placed,
    SoldAtEnd,
)
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.web.presenters.table_people import Person, people
from tests.engine.rules.acquire.acquire_positions import position
from tests.web.presenters.presenter_cases import ACQUIRE, random_game, readers

RULES = acquire.PRESETS["avalon-hill"]
CLASSIC = acquire.PRESETS["classic"]

TOLD = [
    (Placed(1, "5A", "alone"), "marta placed 5A, which stands alone."),
    (Placed(1, "5A", "grows"), "marta placed 5A."),
    (Founded(1, "luxor", 2, True), "marta founded Sackson with 2 tiles and took a free share."),
    (Founded(1, "tower", 3, False), "marta founded Tower with 3 tiles; the bank had no share left to give."),
    (ChainGrew("tower", 10), "Tower grew to 10 tiles."),
    (ChainGrew("tower", 11), "Tower grew to 11 tiles and is safe."),
    (Merged(1, "tower", ("american", "luxor")), "It joined chains: Tower takes over American and Sackson."),
    (Dissolved("american", 4, 500, "tower"), "American went defunct with 4 tiles, at $500 a share."),
    (
        BankTile("american", "7C", 7),
        "7C was turned up for the bank, which counts as holding 7 shares of American.",
    ),
    (
        BankTile("american", "1C", 1),
        "1C was turned up for the bank, which counts as holding 1 share of American.",
    ),
    (
        BonusPaid(1, "tower", 9000, 4, 1, 1, True),
        "marta alone held shares of Tower and got both bonuses, $9,000.",
    ),
    (BonusPaid(1, "tower", 6000, 4, 1, 1, False), "marta got the majority bonus for Tower, $6,000."),
    (BonusPaid(1, "tower", 4500, 4, 1, 2, False), "marta tied for the most shares of Tower and got $4,500."),
    (BonusPaid(1, "tower", 3000, 4, 2, 1, False), "marta got the minority bonus for Tower, $3,000."),
    (
        BonusPaid(1, "tower", 1500, 4, 2, 2, False),
        "marta tied for the second most shares of Tower and got $1,500.",
    ),
    (BonusPaid(1, "tower", 3000, 4, 3, 1, False), "marta came third in shares of Tower and got $3,000."),
    (BonusPaid(1, "tower", 1500, 4, 4, 1, False), "marta came fourth in shares of Tower and got $1,500."),
    (
        Disposed(1, "luxor", "tower", 1, 4, 2, 300),
        "marta decided about Sackson: traded 4 for 2 Tower, sold 1 for $300, held 2.",
    ),
    (Absorbed("tower", 10), "Tower now has 10 tiles."),
    (Absorbed("tower", 12), "Tower now has 12 tiles and is safe."),
    (Bought(1, (), 0), "marta bought nothing."),
    (Bought(1, (("tower", 2), ("luxor", 1)), 1300), "marta bought 2 Tower, 1 Sackson for $1,300."),
    (Drew(1, 1), "marta drew 1 tile."),
    (DeadTilesShown(1, ("5A",)), "marta turned up the dead tile 5A, which is out of the game."),
    (DeadTilesShown(1, ("5A", "6A")), "marta turned up the dead tiles 5A and 6A, which are out of the game."),
    (
        HandRedrawn(1, ("5A", "6A", "7A"), 3),
        "marta had no tile to place, showed 5A, 6A and 7A, set them aside and drew 3 tiles.",
    ),
    (Passed(1), "marta had no tile to place."),
    (Ended(1, "declared"), "marta declared the end of the game."),
    (Ended(1, "unchanged"), "The game ended: for a whole round nobody’s hand had changed."),
    (Ended(1, "no tiles"), "The game ended: no tiles are left."),
    (SoldAtEnd(1, "tower", 3, 2700), "marta sold 3 Tower for $2,700."),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_event_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    assert ACQUIRE.sentence(event, readers(), RULES) == sentence


def test_every_kind_of_event_has_a_sentence() -> None:
    assert {type(event) for event, _ in TOLD} == set(KINDS.values())


def test_reader_is_called_you() -> None:
    assert ACQUIRE.sentence(Bought(1, (), 0), readers(reader=1), RULES) == "You bought nothing."


def test_purple_chain_is_named_by_the_tiers() -> None:
    assert ACQUIRE.sentence(ChainGrew("luxor", 5), readers(), CLASSIC) == "Luxor grew to 5 tiles."


def test_name_cannot_bring_html_into_a_sentence() -> None:
    spoken = people([Person("<b>x</b>")], html=True)
    assert ACQUIRE.sentence(Passed(0), spoken, RULES) == "<b>&lt;b&gt;x&lt;/b&gt;</b> had no tile to place."


@pytest.mark.parametrize("preset", acquire.PRESETS)
def test_whole_games_can_be_told(preset: str) -> None:
    rules = acquire.PRESETS[preset]
    played = random_game(7, 2, **acquire.to_options(rules))
    told = [text for entry in played.entries for text in ACQUIRE.sentences(entry.events, readers(2), rules)]
    assert len(told) > len(played.entries)
    assert all(text.endswith(".") and "{" not in text for text in told)


BOARD = {"tower": "1A-12A", "continental": "1C-12C", "american": "1E-2E", "lone": "1G"}
REST = {"imperial": "6E-7E", "festival": "11E-12E", "luxor": "6G-7G", "worldwide": "11G-12G"}

REFUSED: list[tuple[dict[str, object], str, str]] = [
    ({"hands": ("5B 11I", "", "")}, "place 9I", "You do not hold the tile 9I. Choose one of yours."),
    ({"hands": ("5B 9I", "", "")}, "place 5B", "5B is dead: it would join safe chains. Choose another tile."),
    (
        {"hands": ("1H 9I", "", ""), "chains": BOARD | REST},
        "place 1H",
        "1H would found an eighth chain, so it must wait. Choose another tile.",
    ),
    (
        {"hands": ("5B 9I", "", "")},
        "pass",
        "Something else is asked of you now. Look at the bar at the bottom and answer that.",
    ),
    (
        {"decision": "buy 0"},
        "buy 1 festival",
        "Festival is not on the board, so its shares are not for sale.",
    ),
    (
        {"decision": "buy 0", "shares": {"american": [24, 0, 0]}},
        "buy 2 american",
        "The bank has only 1 share of American left. Buy fewer.",
    ),
    (
        {"decision": "buy 0", "cash": [100, 0, 0]},
        "buy 1 american",
        "That costs $300 and you have $100. Buy less.",
    ),
    (
        {"decision": "buy 0"},
        "buy nothing and end",
        "The end cannot be declared yet: all chains on the board must be safe, or one must have 41 tiles.",
    ),
    (
        {"decision": "stuck 0", "hands": ("5B", "", ""), "bag": ""},
        "redraw",
        "The hand cannot be replaced now. Go on to buying.",
    ),
    (
        {"decision": "found 0", "tile": "1G", "chains": BOARD | {"lone": "1G 1H"}},
        "found tower",
        "Tower is on the board already. Found another chain.",
    ),
]


@pytest.mark.parametrize(("fields", "move", "sentence"), REFUSED)
def test_refusal_says_why_and_what_to_do(fields: dict[str, object], move: str, sentence: str) -> None:
    fields = dict(fields)
    state = position(fields.pop("chains", BOARD), **fields)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove) as refused:
        acquire.check_move(state, acquire.parse_move(move))
    assert ACQUIRE.refusal(refused.value, RULES) == sentence


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (IllegalMove("over"), "The game is over."),
        (IllegalMove("not among the largest", chain="luxor"), "Sackson is not among the largest chains here"),
        (IllegalMove("too few held", chain="tower", held=2), "You hold only 2 shares of Tower"),
        (
            IllegalMove("too few to trade for", chain="tower", stock=1),
            "The bank has only 1 share of Tower left to trade for.",
        ),
        (InvalidMove("place"), "This is no move of Acquire"),
        (InvalidMove("buy 2 tower 2 american"), "You may buy three shares at most"),
        (InvalidMove("dispose trade 3"), "Trade an even number"),
    ],
)
def test_rare_refusals_have_sentences_too(error: IllegalMove | InvalidMove, words: str) -> None:
    assert ACQUIRE.refusal(error, RULES).startswith(words)


def test_every_reason_of_the_rules_has_a_sentence() -> None:
    listed = acquire.check_move.__doc__ or ""
    reasons: Sequence[str] = listed.partition("The reasons:")[2].split('"')[1::2]
    assert len(reasons) > 10
    facts = {"chain": "tower", "tile": "5A", "held": 1, "stock": 1, "dollars": 1, "cash": 1}
    assert all(ACQUIRE.refusal(IllegalMove(reason, **facts), RULES) for reason in reasons)
