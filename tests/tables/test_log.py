"""The log, turn by turn."""

from games.rules import acquire
from games.tables import Entry
from games.tables.acquire.log import events_of_turn, turns
from tests.rules.positions import position
from tests.tables.tables import ACQUIRE, Played, random_game, readers

RULES = acquire.PRESETS["avalon-hill"]


def played() -> Played:
    game = Played(position({"lone": "5A"}, hands=("6A 12I", "12H", "12G"), bag="1I 2I 3I"))
    for move in ("place 6A", "found tower", "buy 2 tower", "place 12H"):
        game.play(move)
    return game


def test_entries_are_grouped_by_turn_and_the_latest_turn_comes_first() -> None:
    second, first = turns(played().entries, readers(3), RULES)
    assert (first.first, first.last) == (1, 3)
    assert first.paragraphs == (
        "sam placed 6A.",
        "sam founded Tower with 2 tiles and took a free share.",
        "sam bought 2 Tower for $800.",
    )
    assert second.paragraphs == ("marta placed 12H, which stands alone.",)


def test_a_ruling_stands_by_itself() -> None:
    entries = [*played().entries, Entry(5, text="A computer plays on for <marta>.")]
    ruling, *_ = turns(entries, readers(3, html=True), RULES)
    assert ruling.paragraphs == ("A computer plays on for <marta>.",)


def test_a_payment_for_another_chain_begins_a_new_paragraph() -> None:
    game = random_game(4, 3)
    last = turns(game.entries, readers(3), RULES)[0]
    ended = next(n for n, text in enumerate(last.paragraphs) if "ended" in text or "the end" in text)
    assert len(last.paragraphs) > ended + 2


def test_the_events_of_the_turn_going_on_are_those_since_the_last_purchase() -> None:
    game = played()
    assert events_of_turn(game.entries) == list(game.entries[3].events)
    assert events_of_turn(game.entries[:3]) == []


def test_the_whole_log_is_told() -> None:
    game = random_game(4, 3)
    told = ACQUIRE.log_context(RULES, readers(3), game.entries)["turns"]
    assert [turn.last for turn in told] == sorted((turn.last for turn in told), reverse=True)
    assert told[0].last == len(game.entries)
