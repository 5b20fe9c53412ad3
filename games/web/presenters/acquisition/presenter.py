"""Presenter of Acquisition, designed by Phil Leduc; see the contract in presenter_registry."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.rules.acquisition.board import COLUMNS, SQUARE_BY_NAME
from games.engine.rules.acquisition.events import Parked, Placed
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import Rules
from games.web.presenters.acquisition.about_text import (
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
from games.web.presenters.acquisition.advice_text import advice, in_words
from games.web.presenters.acquisition.board_picture import board_picture, sample_picture
from games.web.presenters.acquisition.board_view import board, shapes, small_shapes
from games.web.presenters.acquisition.choice_facts import choice_facts, choice_squares
from games.web.presenters.acquisition.deal_view import deal_context
from games.web.presenters.acquisition.decision_forms import decision, kept
from games.web.presenters.acquisition.event_text import ended_by, refusal, sentence, sentences, why_forced
from games.web.presenters.acquisition.headline import deed, headline, result, waiting_for, your_turn
from games.web.presenters.acquisition.log_text import gains, highlights, news, turns
from games.web.presenters.acquisition.mail_view import (
    LETTER_TEMPLATE,
    drawing,
    mail_context,
    mail_subject_question,
)
from games.web.presenters.acquisition.move_reader import confirmation_question, read_move
from games.web.presenters.acquisition.player_panel import places, players, standings
from games.web.presenters.acquisition.record_text import ahead, feat, opening, opening_title
from games.web.presenters.acquisition.review_text import better_move, breakdowns, was_made, would_be_made
from games.web.presenters.acquisition.rulebook import (
    game_rules,
    option_names,
    option_values,
    preset_name,
    preset_page,
    presets,
    rules_page,
)
from games.web.presenters.log_entry_view import LogEntryView, without_taken_back
from games.web.presenters.podium import podium
from games.web.presenters.table_people import TablePeople

TEMPLATE = "games/presenters/acquisition/_table.html"
BOARD_TEMPLATE = "games/presenters/acquisition/_board.html"
HOLDINGS_TEMPLATE = "games/presenters/acquisition/_players.html"
RULES_TEMPLATE = "games/presenters/acquisition/rules.html"
PRESET_TEMPLATE = "games/presenters/acquisition/preset.html"
LEGEND_TEMPLATE = "games/presenters/acquisition/_keys.html"
STYLESHEET = "games/css/acquisition.css"
RECENT_TURNS = 8

__all__ = [
    "BOARD_TEMPLATE",
    "HOLDINGS_TEMPLATE",
    "LETTER_TEMPLATE",
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
    "confirmation_question",
    "context",
    "credit",
    "deal_context",
    "deed",
    "designer",
    "drawing",
    "feat",
    "gains",
    "game_rules",
    "headline",
    "highlights",
    "in_words",
    "introduction",
    "kept",
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
    "pitch",
    "places",
    "preset_name",
    "preset_page",
    "presets",
    "read_move",
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
    "why_forced",
    "would_be_made",
    "your_turn",
]


def context(
    seen: Observation,
    people: TablePeople,
    entries: Sequence[LogEntryView],
    worth: Sequence[Sequence[int]] = (),
    changed: Collection[int] | None = None,
) -> dict[str, Any]:
    """The context of TEMPLATE.

    `people` is for the observation's seat. `entries` are the latest of the log, oldest first. `worth` is not
    shown, because the standings tell the end completely. `changed`, for past positions, are the squares that
    the last entry changed: the board then marks only these.
    """
    form = decision(seen, people)
    done = without_taken_back(entries)
    last = next(reversed(_placed(done)), None)
    if changed is not None and last not in changed:
        last = None
    new = [entry for entry in done if entry.new]
    spoken = TablePeople(people.persons, people.reader, html=True)
    told = turns(entries, spoken, seen.rules, most=RECENT_TURNS + 1)
    return {
        "headline": result(seen, people) if seen.ended else headline(seen, people),
        "my_turn": form is not None,
        "thinking": not seen.ended and people[seen.decision.seat].computer,
        "over": bool(seen.ended),
        "ended_by": ended_by(done, people, seen.rules),
        "legend": LEGEND_TEMPLATE,
        "legend_title": _("Keys"),
        "board": board(seen, people, last, _placed(new), changed or ()),
        "shapes": shapes(seen),
        "columns": COLUMNS,
        "players": players(seen, people),
        "parks": seen.parks,
        "decision": form,
        "choices": json.dumps(form.choices, ensure_ascii=False) if form else "",
        "turns": told[:RECENT_TURNS],
        "more_turns": len(told) > RECENT_TURNS or bool(entries and entries[0].number > 1),
        "podium": podium(places(seen, people), people, score) if seen.ended else (),
        "standings": standings(seen, people),
        "credit": credit(),
    }


def log_context(rules: Rules, people: TablePeople, entries: Sequence[LogEntryView]) -> dict[str, Any]:
    """The context of games/play/log.html: the whole log in sentences, the latest turn first."""
    spoken = TablePeople(people.persons, people.reader, html=True)
    return {"turns": turns(entries, spoken, rules)}


def theme_names() -> dict[str, str]:
    """The names of the themes, in their order."""
    return {"park": _("Place a park"), "place": _("Place a tile"), "buyout": _("Buy out")}


def tier_names() -> dict[int, str]:
    """Nothing: buildings have no tiers."""
    return {}


def money_source_names() -> dict[str, str]:
    """Nothing: there is no money."""
    return {}


def mini_board(seen: Observation, entries: Sequence[LogEntryView]) -> SafeString:
    """The board as a small SVG, with a ring round the piece placed last in these entries."""
    return small_shapes(seen, next(reversed(_placed(without_taken_back(entries))), None))


def _placed(entries: Iterable[LogEntryView]) -> list[int]:
    """The squares on which pieces were placed, oldest first."""
    return [
        SQUARE_BY_NAME[event.square]
        for entry in entries
        for event in entry.events
        if isinstance(event, Placed | Parked)
    ]
