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
from tests.support import wording
from tests.web.presenters.presenter_cases import ACQUIRE, random_game, readers

RULES = acquire.PRESETS["avalon-hill"]
CLASSIC = acquire.PRESETS["classic"]

TOLD = [
    (Placed(1, "5A", "alone"), wording.PLACED_A_LONE_TILE.format(who="marta", tile="5A")),
    (Placed(1, "5A", "grows"), "marta placed 5A."),
    (Founded(1, "luxor", 2, True), wording.FOUNDED.format(who="marta", chain="Sackson", n=2)),
    (
        Founded(1, "tower", 3, False),
        ("marta founded Tower with 3 tiles. The bank had no share left to give."),
    ),
    (ChainGrew("tower", 10), "Tower grew to 10 tiles."),
    (ChainGrew("tower", 11), "Tower grew to 11 tiles (safe)."),
    (Merged(1, "tower", ("american", "luxor")), "In the merger, Tower acquired American and Sackson."),
    (Dissolved("american", 4, 500, "tower"), "American went defunct with 4 tiles at $500 a share."),
    (
        BankTile("american", "7C", 7),
        wording.TURNED_UP_SOME.format(tile="7C", n=7, chain="American"),
    ),
    (
        BankTile("american", "1C", 1),
        wording.TURNED_UP_ONE.format(tile="1C", n=1, chain="American"),
    ),
    (
        BonusPaid(1, "tower", 9000, 4, 1, 1, True),
        "marta alone held Tower shares and received $9,000 for both bonuses.",
    ),
    (BonusPaid(1, "tower", 6000, 4, 1, 1, False), "marta received the Tower majority bonus of $6,000."),
    (
        BonusPaid(1, "tower", 4500, 4, 1, 2, False),
        ("marta tied for the most Tower shares and received $4,500."),
    ),
    (BonusPaid(1, "tower", 3000, 4, 2, 1, False), "marta received the Tower minority bonus of $3,000."),
    (
        BonusPaid(1, "tower", 1500, 4, 2, 2, False),
        "marta tied for the second most Tower shares and received $1,500.",
    ),
    (BonusPaid(1, "tower", 3000, 4, 3, 1, False), "marta came third in Tower shares and received $3,000."),
    (BonusPaid(1, "tower", 1500, 4, 4, 1, False), "marta came fourth in Tower shares and received $1,500."),
    (
        Disposed(1, "luxor", "tower", 1, 4, 2, 300),
        "marta traded 4 Sackson for 2 Tower, sold 1 for $300 and held 2.",
    ),
    (
        Disposed(1, "luxor", "tower", 1, 4, 0, 300),
        "marta traded 4 Sackson for 2 Tower and sold 1 for $300.",
    ),
    (Disposed(1, "luxor", "tower", 0, 4, 2, 0), "marta traded 4 Sackson for 2 Tower and held 2."),
    (Disposed(1, "luxor", "tower", 1, 0, 2, 300), "marta sold 1 Sackson for $300 and held 2."),
    (Disposed(1, "luxor", "tower", 0, 4, 0, 0), "marta traded 4 Sackson for 2 Tower."),
    (Disposed(1, "luxor", "tower", 1, 0, 0, 300), "marta sold 1 Sackson for $300."),
    (Disposed(1, "luxor", "tower", 0, 0, 2, 0), "marta held 2 Sackson."),
    (Absorbed("tower", 10), "Tower then had 10 tiles."),
    (Absorbed("tower", 12), "Tower then had 12 tiles and was safe."),
    (Bought(1, (), 0), wording.BOUGHT_NOTHING.format(who="marta")),
    (Bought(1, (("tower", 2), ("luxor", 1)), 1300), "marta bought 2 Tower and 1 Sackson for $1,300."),
    (Drew(1, 1), "marta drew 1 tile."),
    (DeadTilesShown(1, ("5A",)), "marta showed the dead tile 5A, which left the game."),
    (DeadTilesShown(1, ("5A", "6A")), "marta showed the dead tiles 5A and 6A, which left the game."),
    (
        HandRedrawn(1, ("5A", "6A", "7A"), 3),
        "marta could not place any tile, showed 5A, 6A and 7A, set them aside and drew 3 tiles.",
    ),
    (Passed(1), "marta could not place any tile."),
    (Ended(1, "declared"), "marta declared the end of the game."),
    (Ended(1, "unchanged"), "The game ended because no hand had changed for a whole round."),
    (Ended(1, "no tiles"), "The game ended because no tiles were left."),
    (SoldAtEnd(1, "tower", 3, 2700), "marta sold 3 Tower for $2,700 at the end of the game."),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_event_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    assert ACQUIRE.sentence(event, readers(), RULES) == sentence


def test_holders_who_share_a_bonus_have_one_sentence() -> None:
    paid = [BonusPaid(seat, "tower", 4500, 4, 1, 3, False) for seat in (0, 1, 2)]
    third = BonusPaid(0, "luxor", 500, 1, 2, 2, False)
    assert ACQUIRE.sentences([*paid, third], readers(3, 1), RULES) == [
        "sam, you and Rook tied for the most Tower shares and received $4,500 each.",
        "sam tied for the second most Sackson shares and received $500.",
    ]


@pytest.mark.parametrize(("place", "words"), [(2, "second most"), (3, "third most"), (4, "fourth most")])
def test_every_place_can_be_shared(place: int, words: str) -> None:
    paid = [BonusPaid(seat, "tower", 500, 1, place, 2, False) for seat in (1, 2)]
    told = ACQUIRE.sentences(paid, readers(3, 1), RULES)
    assert told == [f"You and Rook tied for the {words} Tower shares and received $500 each."]


def test_every_kind_of_event_has_a_sentence() -> None:
    assert {type(event) for event, _ in TOLD} == set(KINDS.values())


def test_reader_is_called_you() -> None:
    assert ACQUIRE.sentence(Bought(1, (), 0), readers(reader=1), RULES) == wording.BOUGHT_NOTHING.format(
        who="You"
    )


@pytest.mark.parametrize(("event", "sentence"), [told for told in TOLD if told[1].startswith("marta ")])
def test_same_text_serves_the_name_and_you(event: Event, sentence: str) -> None:
    expected = sentence.replace("marta", "You", 1)
    assert ACQUIRE.sentence(event, readers(reader=1), RULES) == expected


def test_forced_move_names_its_player_at_the_beginning() -> None:
    for who in ("marta", "You"):
        said = ACQUIRE.why_forced("buy nothing", RULES, who)
        assert said == f"{who} could not buy any shares, so this move was automatic."


def test_purple_chain_is_named_by_the_tiers() -> None:
    assert ACQUIRE.sentence(ChainGrew("luxor", 5), readers(), CLASSIC) == "Luxor grew to 5 tiles."


def test_name_cannot_bring_html_into_a_sentence() -> None:
    spoken = people([Person("<b>x</b>")], html=True)
    assert ACQUIRE.sentence(Passed(0), spoken, RULES) == (
        "<b>&lt;b&gt;x&lt;/b&gt;</b> could not place any tile."
    )


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
    ({"hands": ("5B 11I", "", "")}, "place 9I", "You do not have tile 9I. Choose one of yours."),
    (
        {"hands": ("5B 9I", "", "")},
        "place 5B",
        ("5B is dead because it would join safe chains. Choose another tile."),
    ),
    (
        {"hands": ("1H 9I", "", ""), "chains": BOARD | REST},
        "place 1H",
        "1H would found an eighth chain. Choose another tile for now.",
    ),
    (
        {"hands": ("5B 9I", "", "")},
        "pass",
        wording.WAITS_FOR_ANOTHER_MOVE,
    ),
    (
        {"decision": "buy 0"},
        "buy 1 festival",
        "Festival is not on the board, so you cannot buy its shares. Choose another chain.",
    ),
    (
        {"decision": "buy 0", "shares": {"american": [24, 0, 0]}},
        "buy 2 american",
        "The bank has only 1 American share left. Buy fewer.",
    ),
    (
        {"decision": "buy 0", "cash": [100, 0, 0]},
        "buy 1 american",
        wording.COSTS_MORE_THAN_CASH.format(dollars="$300", cash="$100"),
    ),
    (
        {"decision": "buy 0"},
        "buy nothing and end",
        (
            "You cannot end the game yet. Either all chains on the board must be safe, or one must "
            "have 41 or more tiles."
        ),
    ),
    (
        {"decision": "stuck 0", "hands": ("5B", "", ""), "bag": ""},
        "redraw",
        "You cannot replace your tiles now. Buy shares instead.",
    ),
    (
        {"decision": "found 0", "tile": "1G", "chains": BOARD | {"lone": "1G 1H"}},
        "found tower",
        "Tower is already on the board. Choose another chain to found.",
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
        (
            IllegalMove("not among the largest", chain="luxor"),
            "Sackson is not one of the largest chains here",
        ),
        (IllegalMove("too few held", chain="tower", held=2), "You hold only 2 Tower shares."),
        (
            IllegalMove("too few to trade for", chain="tower", stock=1),
            "The bank has only 1 Tower share left. Trade for fewer.",
        ),
        (InvalidMove("place"), wording.NOT_A_VALID_MOVE),
        (InvalidMove("buy 2 tower 2 american"), "You can buy at most 3 shares per turn."),
        (InvalidMove("dispose trade 3"), "You can trade only an even number of shares."),
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
