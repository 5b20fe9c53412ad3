"""Presenter of Acquire; see the contract in presenter_registry."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.utils.safestring import SafeString

from games.engine.planned_turns.plan_errors import PlanView
from games.engine.planned_turns.plan_systems import PLANS
from games.engine.rules.acquire.board import COLUMNS, SQUARE_BY_NAME
from games.engine.rules.acquire.events import Placed
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.rule_options import Rules
from games.web.presenters.acquire.about_text import (
    about,
    amount,
    chance,
    credit,
    designer,
    introduction,
    luck,
    name,
    options_title,
    pitch,
    score,
    score_name,
    unseen,
)
from games.web.presenters.acquire.advice_text import advice, in_words
from games.web.presenters.acquire.better_move import better_move
from games.web.presenters.acquire.board_outcomes import outcomes
from games.web.presenters.acquire.board_picture import board_picture, sample_picture
from games.web.presenters.acquire.board_view import board, shapes, small_shapes
from games.web.presenters.acquire.choice_facts import choice_facts, choice_squares
from games.web.presenters.acquire.coach_text import coach_mark
from games.web.presenters.acquire.deal_view import deal_context
from games.web.presenters.acquire.decision_forms import DecisionForm, decision
from games.web.presenters.acquire.event_text import ended_by, refusal, sentence, sentences, why_forced
from games.web.presenters.acquire.final_standings import final, places
from games.web.presenters.acquire.hand_view import hand, tile_effects
from games.web.presenters.acquire.headline import deed, headline, result, waiting_for, your_turn
from games.web.presenters.acquire.how_it_works import how_it_works
from games.web.presenters.acquire.lesson_view import lesson_marks
from games.web.presenters.acquire.log_text import events_of_turn, gains, highlights, news, turns
from games.web.presenters.acquire.mail_view import (
    LETTER_TEMPLATE,
    drawing,
    mail_context,
    mail_subject_question,
)
from games.web.presenters.acquire.merger_panel import merger
from games.web.presenters.acquire.merger_preview import previews
from games.web.presenters.acquire.money_breakdown import breakdowns
from games.web.presenters.acquire.move_phrases import was_made, would_be_made
from games.web.presenters.acquire.move_reader import confirmation_question, read_move
from games.web.presenters.acquire.order_form import (
    ORDER_FORM,
    order_fields,
    order_form,
    order_refusal,
    order_sentence,
    read_order,
    why_asked,
)
from games.web.presenters.acquire.order_preview import order_previews
from games.web.presenters.acquire.payouts import payouts
from games.web.presenters.acquire.plan_form import plan_form
from games.web.presenters.acquire.plan_reader import read_plan
from games.web.presenters.acquire.plan_text import question_of_turn, why_not
from games.web.presenters.acquire.prefilled_form import filled, kept
from games.web.presenters.acquire.record_text import ahead, feat, opening, opening_title
from games.web.presenters.acquire.rulebook import (
    game_rules,
    option_names,
    option_values,
    preset_name,
    preset_page,
    presets,
    rules_page,
)
from games.web.presenters.acquire.stock_panel import stocks
from games.web.presenters.acquire.theme_text import money_source_names, theme_names, tier_names
from games.web.presenters.log_entry_view import LogEntryView, without_taken_back
from games.web.presenters.podium import podium
from games.web.presenters.table_people import TablePeople, money

TEMPLATE = "games/presenters/acquire/_table.html"
BOARD_TEMPLATE = "games/presenters/acquire/_board.html"
HOLDINGS_TEMPLATE = "games/presenters/acquire/_stocks.html"
LEGEND_TEMPLATE = "games/presenters/acquire/_legend.html"
LESSON_TEMPLATE = "games/presenters/acquire/_lesson.html"
RULES_TEMPLATE = "games/presenters/acquire/how_to_play.html"
PRESET_TEMPLATE = "games/presenters/acquire/preset.html"
STYLESHEET = ""
RECENT_TURNS = 8

__all__ = [
    "BOARD_TEMPLATE",
    "HOLDINGS_TEMPLATE",
    "LESSON_TEMPLATE",
    "LETTER_TEMPLATE",
    "ORDER_FORM",
    "PRESET_TEMPLATE",
    "RECENT_TURNS",
    "RULES_TEMPLATE",
    "STYLESHEET",
    "TEMPLATE",
    "about",
    "advice",
    "ahead",
    "amount",
    "better_move",
    "board_picture",
    "breakdowns",
    "chance",
    "choice_facts",
    "choice_squares",
    "coach_mark",
    "confirmation_question",
    "context",
    "credit",
    "deal_context",
    "deed",
    "designer",
    "drawing",
    "feat",
    "filled",
    "gains",
    "game_rules",
    "headline",
    "highlights",
    "how_it_works",
    "in_words",
    "introduction",
    "kept",
    "lesson_marks",
    "log_context",
    "luck",
    "mail_context",
    "mail_subject_question",
    "mini_board",
    "money_source_names",
    "name",
    "news",
    "opening",
    "opening_title",
    "option_names",
    "option_values",
    "options_title",
    "order_fields",
    "order_form",
    "order_previews",
    "order_refusal",
    "order_sentence",
    "pitch",
    "places",
    "preset_name",
    "preset_page",
    "presets",
    "question_of_turn",
    "read_move",
    "read_order",
    "read_plan",
    "refusal",
    "result",
    "rules_page",
    "sample_picture",
    "score",
    "score_name",
    "sentence",
    "sentences",
    "theme_names",
    "tier_names",
    "turns",
    "unseen",
    "waiting_for",
    "was_made",
    "why_asked",
    "why_forced",
    "why_not",
    "would_be_made",
    "your_turn",
]


def context(
    seen: Observation,
    people: TablePeople,
    entries: Sequence[LogEntryView],
    worth: Sequence[Sequence[int]] = (),
    planned: PlanView | None = None,
    changed: Collection[int] | None = None,
) -> dict[str, Any]:
    """The context of TEMPLATE.

    `people` is for the observation's seat. `entries` are the latest of the log, oldest first: at least those
    of the current turn, all of them once the game is over. `worth`, for a finished game, is each seat's
    worth after each turn. `planned` is the plan of the observation's own seat. `changed`, for past
    positions, are the squares that the last entry changed: the board then marks only these.
    """
    form = _proposed(decision(seen, people), seen, planned)
    choosing = form is not None and form.kind == "place"
    known = {} if seen.ended else tile_effects(seen)
    spoken = TablePeople(people.persons, people.reader, html=True)
    told = turns(entries, spoken, seen.rules, most=RECENT_TURNS + 1)
    done = without_taken_back(entries)
    last = next(reversed(_placed(done)), None)
    if changed is not None and last not in changed:
        last = None
    new = [entry for entry in done if entry.new]
    return {
        "headline": result(seen, people) if seen.ended else headline(seen, people),
        "my_turn": form is not None,
        "thinking": not seen.ended and people[seen.decision.seat].computer,
        "over": bool(seen.ended),
        "ended_by": ended_by(done, people, seen.rules),
        "tiles_left": seen.bag_size,
        "legend": LEGEND_TEMPLATE,
        "board": board(seen, known, last, _placed(new), changed or (), choosing=choosing),
        "shapes": shapes(seen),
        "outcomes": outcomes(seen, people, known),
        "columns": range(1, COLUMNS + 1),
        "hand": None if seen.hand is None or seen.ended else hand(seen, known, choosing=choosing),
        "stocks": stocks(seen, people),
        "merger": merger(seen, spoken, events_of_turn(done)),
        "payouts": payouts(seen, people, known, events_of_turn(done)),
        "previews": previews(seen, people, known) if choosing else [],
        "decision": form,
        "choices": json.dumps(form.choices, ensure_ascii=False) if form else "",
        "turns": told[:RECENT_TURNS],
        "more_turns": len(told) > RECENT_TURNS or bool(entries and entries[0].number > 1),
        "podium": podium(places(seen, people), people, money) if seen.ended else (),
        "final": final(seen, people, done, worth),
        "plan": plan_form(seen, planned, away=people.is_away),
    }


def _proposed(form: DecisionForm | None, seen: Observation, planned: PlanView | None) -> DecisionForm | None:
    """Fill the form in with the move that the plan proposes."""
    if form is None or planned is None:
        return form
    move = PLANS["acquire"].proposal(PLANS["acquire"].plan_from_json(planned.record), seen)
    return form if move is None else filled(form, move)


def log_context(rules: Rules, people: TablePeople, entries: Sequence[LogEntryView]) -> dict[str, Any]:
    """The context of games/play/log.html: the whole log in sentences, the latest turn first."""
    spoken = TablePeople(people.persons, people.reader, html=True)
    return {"turns": turns(entries, spoken, rules)}


def mini_board(seen: Observation, entries: Sequence[LogEntryView]) -> SafeString:
    """The board as a small SVG, with a ring round the tile placed last in these entries."""
    return small_shapes(seen, next(reversed(_placed(without_taken_back(entries))), None))


def _placed(entries: Iterable[LogEntryView]) -> list[int]:
    """The squares on which tiles were placed, oldest first."""
    return [
        SQUARE_BY_NAME[event.square]
        for entry in entries
        for event in entry.events
        if isinstance(event, Placed)
    ]
