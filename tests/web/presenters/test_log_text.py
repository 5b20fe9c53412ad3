"""The log, turn by turn."""

from django.utils.safestring import SafeString

from games.engine.rules.acquire import rule_system as acquire
from games.web.presenters.acquire.log_text import events_of_turn, turns
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import Person, TablePeople
from tests.engine.rules.acquire.acquire_positions import position
from tests.support import wording
from tests.web.presenters.presenter_cases import ACQUIRE, Played, random_game, readers

RULES = acquire.PRESETS["avalon-hill"]


def played() -> Played:
    game = Played(position({"lone": "5A"}, hands=("6A 12I", "12H", "12G"), bag="1I 2I 3I"))
    for move in ("place 6A", "found tower", "buy 2 tower", "place 12H"):
        game.play(move)
    return game


def test_entries_are_grouped_by_turn_with_the_latest_first() -> None:
    second, first = turns(played().entries, readers(3), RULES)
    assert (first.first, first.last) == (1, 3)
    assert first.paragraphs == (
        "sam placed 6A.",
        wording.FOUNDED.format(who="sam", chain="Tower", n=2),
        "sam bought 2 Tower for $800.",
    )
    assert second.paragraphs == (wording.PLACED_A_LONE_TILE.format(who="marta", tile="12H"),)


def test_every_line_of_a_page_names_its_player() -> None:
    _, first = turns(played().entries, readers(3, html=True), RULES)
    assert first.paragraphs == (
        "<b>sam</b> placed 6A.",
        wording.FOUNDED.format(who="<b>sam</b>", chain="Tower", n=2),
        "<b>sam</b> bought 2 Tower for $800.",
    )
    assert all(isinstance(text, SafeString) for text in first.paragraphs)


def test_every_line_of_the_readers_own_turn_begins_with_you() -> None:
    _, first = turns(played().entries, readers(3, 0), RULES)
    assert [text.split()[0] for text in first.paragraphs] == ["You", "You", "You"]


def test_name_that_looks_like_markup_stays_escaped() -> None:
    sam = TablePeople((Person("<i>"), Person("bob"), Person("carol")), html=True)
    for turn in turns(played().entries, sam, RULES):
        assert "<i>" not in "".join(turn.paragraphs)


def test_note_stands_before_its_move() -> None:
    first, *rest = played().entries
    entries = [first, LogEntryView(2, rest[0].events, note="Time was up."), *rest[1:]]
    _, told = turns(entries, readers(3), RULES)
    assert told.paragraphs[1:3] == (
        "Time was up.",
        wording.FOUNDED.format(who="sam", chain="Tower", n=2),
    )


def test_ruling_is_a_paragraph_of_its_own() -> None:
    entries = [*played().entries, LogEntryView(5, text="A computer plays on for <marta>.")]
    ruling, *_ = turns(entries, readers(3, html=True), RULES)
    assert ruling.paragraphs == ("A computer plays on for <marta>.",)


def test_payment_for_another_chain_begins_a_new_paragraph() -> None:
    game = random_game(4, 3)
    last = turns(game.entries, readers(3), RULES)[0]
    ended = next(n for n, text in enumerate(last.paragraphs) if "ended" in text or "the end" in text)
    assert len(last.paragraphs) > ended + 2


def test_current_turn_begins_after_the_last_purchase() -> None:
    game = played()
    assert events_of_turn(game.entries) == list(game.entries[3].events)
    assert events_of_turn(game.entries[:3]) == []


def test_whole_log_is_told() -> None:
    game = random_game(4, 3)
    told = ACQUIRE.log_context(RULES, readers(3), game.entries)["turns"]
    assert [turn.last for turn in told] == sorted((turn.last for turn in told), reverse=True)
    assert told[0].last == len(game.entries)
