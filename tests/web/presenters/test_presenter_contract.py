"""The contract of presenters, checked for each of them."""

import json
import re
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template, render_to_string

from games.engine.rules.acquire import moves as acquire_moves
from games.engine.rules.acquisition import moves as acquisition_moves
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.engine.rules.rule_systems import SYSTEMS
from games.web.presenters import presenter_registry
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from tests.web.presenters.presenter_cases import NO_REQUEST, persons, readers

FUNCTIONS = (  # noqa: SIM905 - words are easier to read
    "context log_context turns highlights news gains drawing read_move kept confirmation_question refusal"
    " why_forced sentence sentences headline your_turn deed waiting_for mail_subject_question mail_context"
    " advice choice_facts choice_squares presets preset_name option_names option_values deal_context"
    " rules_page preset_page game_rules in_words name pitch"
    " designer credit about score score_name options_title chance unseen amount breakdowns was_made"
    " would_be_made luck mini_board board_picture sample_picture introduction"
    " theme_names tier_names money_source_names"
).split()
MOVES = {"acquire": acquire_moves.MOVES, "acquisition": acquisition_moves.MOVES}
TEMPLATES = ("TEMPLATE", "RULES_TEMPLATE", "PRESET_TEMPLATE")

pytestmark = pytest.mark.parametrize("name", list(PRESENTERS))


def positions(name: str, seed: int = 1, every: int = 7) -> Iterator[tuple[Any, list[LogEntryView]]]:
    """States of a random game with the log up to each, including the end."""
    rules, rng = SYSTEMS[name], Random(seed)
    seats = list(rules.SEATS)[-1]
    state, entries = rules.deal(next(iter(rules.PRESETS.values())), seats, rng.randbytes(32)), []
    kinds = set()
    while legal := rules.legal_moves(state):
        if state.decision.kind not in kinds or len(entries) % every == 0:
            kinds.add(state.decision.kind)
            yield state, entries
        entries.append(LogEntryView(len(entries) + 1, rules.play(state, rng.choice(list(legal)))))
    yield state, entries


def page(table: ModuleType, context: dict[str, Any], **more: Any) -> str:
    return render_to_string(
        table.TEMPLATE, {**NO_REQUEST, "version": 1, "move_url": "/move/", **context, **more}
    )


def test_every_system_has_a_presenter_with_the_whole_contract(name: str) -> None:
    assert list(PRESENTERS) == list(SYSTEMS)
    table = PRESENTERS[name]
    for function in FUNCTIONS:
        assert callable(getattr(table, function)), function
        assert function in (presenter_registry.__doc__ or ""), function
        assert function in table.__all__, function
    for template in TEMPLATES:
        assert get_template(getattr(table, template))
    for kind in ("txt", "html"):
        assert get_template(f"{table.LETTER_TEMPLATE}.{kind}")
    assert not table.STYLESHEET or finders.find(table.STYLESHEET)


def test_names_of_systems_and_presets_are_distinct_in_addresses(name: str) -> None:
    names = [*SYSTEMS, *(preset for rules in SYSTEMS.values() for preset in rules.PRESETS)]
    assert len(names) == len(set(names))


def test_every_preset_and_option_has_words(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    assert [preset.name for preset in table.presets()] == list(rules.PRESETS)
    for preset in table.presets():
        assert table.preset_name(preset.name) == preset.title
        assert preset.line.endswith(".")
        assert table.designer() in preset.credit or table.designer() in table.credit()
    assert set(table.option_names()) == set(rules.OPTIONS)
    sentences = table.option_values()
    for option, values in rules.OPTIONS.items():
        for value in values:
            assert sentences[option, value].endswith(".")


def test_rules_pages_credit_the_designer(name: str) -> None:
    table = PRESENTERS[name]
    assert table.designer() in render_to_string(table.RULES_TEMPLATE, table.rules_page())
    for preset in table.presets():
        assert table.designer() in render_to_string(table.PRESET_TEMPLATE, table.preset_page(preset.name))
    assert table.designer() in " ".join(table.about())
    assert table.designer() in table.credit()


def test_table_is_drawn_for_everybody_in_every_position(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    for state, entries in positions(name):
        decider = rules.decider(state)
        for seat in {None, 0, decider}:
            seen, reader = rules.observe(state, seat), readers(state.seats, seat)
            shown = page(table, table.context(seen, reader, entries, [rules.worth(state)] * 2))
            assert table.headline(seen, reader).strip()
            assert ("data-my-turn" in shown) == (seat is not None and seat == decider)
            assert ('id="decision"' in shown) == (seat is not None and seat == decider)
            # One tab stop on the board, which the arrow keys move.
            assert len(re.findall(r'class="square[^>]*tabindex="0"', shown)) == 1


def test_every_legal_answer_can_be_given_by_the_form(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    for state, entries in positions(name):
        decider = rules.decider(state)
        if decider is None:
            continue
        context = table.context(rules.observe(state, decider), readers(state.seats, decider), entries)
        form = context["decision"]
        given = set() if form.choices else {option.value for option in form.options}
        for key, words in json.loads(context["choices"]).items():
            fields = dict(zip(form.fields, key.split(","), strict=bool(form.fields)))
            given.add(str(rules.parse_move(table.read_move({"kind": form.kind, **fields}))))
            assert words["label"]
        assert given == {str(move) for move in rules.legal_moves(state)}


def test_every_event_has_a_sentence(name: str) -> None:
    table = PRESENTERS[name]
    *_, (state, entries) = positions(name)
    for reader in (readers(state.seats), readers(state.seats, 1, html=True)):
        for entry in entries:
            for sentence in table.sentences(entry.events, reader, state.rules):
                assert sentence.endswith((".", "…"))
                assert "{" not in sentence
    shown = table.log_context(state.rules, readers(state.seats), entries)["turns"]
    assert shown[0].last == len(entries)


def test_decision_is_named_from_the_columns_of_a_game_too(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    for state, _ in positions(name):
        if (decider := rules.decider(state)) is not None:
            kind = rules.observe(state, None).decision.kind
            assert table.your_turn(kind)
            assert table.deed(kind)
            assert table.waiting_for(kind, "marta").startswith("marta ")
            assert table.mail_subject_question(rules.observe(state, decider))


def test_mail_tells_the_news_and_draws_the_board(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    for state, entries in positions(name, every=40):
        seen, reader = rules.observe(state, 0), readers(state.seats, 0)
        facts = table.mail_context(seen, reader, entries[-6:])
        for kind in ("txt", "html"):
            told = render_to_string(f"{table.LETTER_TEMPLATE}.{kind}", facts)
            assert facts["board"] in told or kind == "html"
            assert state.seed.hex() not in told
        if seen.ended:
            assert table.headline(seen, reader) in render_to_string(f"{table.LETTER_TEMPLATE}.txt", facts)


def test_every_refusal_says_what_to_do(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    reasons = set()
    for state, _ in positions(name):
        for move in MOVES[name][::5]:
            try:
                rules.check_move(state, move)
            except IllegalMove as error:
                reasons.add(error.reason)
                assert re.fullmatch(r"[A-Z0-9].*\.", table.refusal(error, state.rules)), error.reason
    assert len(reasons) > 3
    with pytest.raises(InvalidMove) as caught:
        rules.parse_move("no move")
    assert table.refusal(caught.value, state.rules).endswith(".")


def test_deal_can_be_repeated_from_its_seed(name: str) -> None:
    rules, table = SYSTEMS[name], PRESENTERS[name]
    names = [person.name for person in persons(3)]
    seed = bytes(range(32))
    facts = table.deal_context(next(iter(rules.PRESETS.values())), names, seed)
    assert facts["seats"] == names
    assert seed.hex() in facts["verify_command"]
    shown = render_to_string("games/play/deal.html", {"seed": seed.hex(), "chance": table.chance(), **facts})
    assert table.chance() in shown


def test_points_are_told_in_the_words_of_the_game(name: str) -> None:
    table = PRESENTERS[name]
    assert table.score(1) != table.score(2)
    assert "1,200" in table.score(1200) or "1200" in table.score(1200)


def test_every_move_can_be_told(name: str) -> None:
    rules = SYSTEMS[name]
    options = next(iter(rules.PRESETS.values()))
    for told in (PRESENTERS[name].was_made, PRESENTERS[name].would_be_made):
        sentences = {told(move, options, "Ann & Bob") for move in MOVES[name]}
        assert len(sentences) == len(MOVES[name])
        assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)


def test_names_in_made_moves_are_escaped(name: str) -> None:
    options = next(iter(SYSTEMS[name].PRESETS.values()))
    for move in MOVES[name]:
        assert PRESENTERS[name].was_made(move, options, "<i>").startswith("<b>&lt;i&gt;</b> ")


def test_sample_picture_is_a_whole_board(name: str) -> None:
    drawn = PRESENTERS[name].sample_picture()
    assert len(drawn.cells) == drawn.columns * drawn.rows == len(drawn.column_names) * len(drawn.row_names)
    assert len({cell.letter for cell in drawn.cells}) > 3


def test_share_picture_draws_board_and_end(name: str) -> None:
    rules = SYSTEMS[name]
    *_, (state, entries) = positions(name)
    seen = rules.observe(state, None)
    drawn = PRESENTERS[name].board_picture(seen)
    assert len(drawn.cells) == drawn.columns * drawn.rows == len(seen.board)
    assert len({cell.fill for cell in drawn.cells}) > 2
    names = [str(seat) for seat in range(seen.seats)]
    tables_shown = PRESENTERS[name].breakdowns(seen, names, entries)
    assert tables_shown
    for table in tables_shown:
        assert all(len(points) == seen.seats for _part, points in table.rows)
        points = tuple(zip(names, map(PRESENTERS[name].amount, rules.worth(state)), strict=True))
        assert table.sums in ((), points)


def test_themes_and_sources_of_money_have_names(name: str) -> None:
    table, system = PRESENTERS[name], SYSTEMS[name]
    assert tuple(table.theme_names()) == system.THEMES
    assert tuple(table.money_source_names()) == system.MONEY_SOURCES
    assert all([*table.theme_names().values(), *table.tier_names().values()])
