"""Acquire on the page: everything a template shows, made from an observation and the public log."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from games.plans import PLANS, Planned
from games.rules import acquire
from games.rules.acquire import Observation, Rules
from games.rules.acquire.events import Placed

from ..log import Entry, standing
from ..people import People
from .about import (
    about,
    amount,
    chance,
    credit,
    designer,
    luck,
    name,
    options_title,
    pitch,
    score,
    score_name,
    unseen,
)
from .advice import advice, in_words
from .board import board
from .board_picture import board_picture
from .breakdowns import breakdowns
from .dealt import deal_context
from .decisions import Decision, decision
from .feats import ahead, feat, opening, opening_title
from .filling import filled
from .final import final, places
from .hand import fates, hand
from .headline import headline, waiting_for, your_turn
from .letter import LETTER_TEMPLATE, asked, drawing, letter
from .log import events_of_turn, turns
from .merger import merger
from .order_previews import order_previews
from .orders import ORDER_FORM, order_fields, order_form, order_refusal, order_sentence, read_order, why_asked
from .phrases import phrase
from .planning import plan_form, question_of_turn, read_plan, why_not
from .previews import previews
from .reading import question, read_move
from .rulebook import option_names, option_values, preset_name, preset_page, presets, rules_page
from .stocks import stocks
from .wording import refusal, sentence, sentences, why_forced

TEMPLATE = "games/acquire/_table.html"
RULES_TEMPLATE = "rules/how_to_play.html"
PRESET_TEMPLATE = "rules/preset.html"
STYLESHEET = ""
RECENT_TURNS = 8

__all__ = [
    "LETTER_TEMPLATE", "ORDER_FORM", "PRESET_TEMPLATE", "RECENT_TURNS", "RULES_TEMPLATE", "STYLESHEET",
    "TEMPLATE", "about", "advice", "ahead", "amount", "asked", "board_picture", "breakdowns", "chance",
    "context", "credit", "deal_context", "designer", "drawing", "feat", "headline", "in_words",
    "letter", "log_context", "luck", "name", "opening", "opening_title", "option_names",
    "option_values", "options_title", "order_fields", "order_form", "order_previews", "order_refusal",
    "order_sentence", "phrase", "pitch", "places", "preset_name", "preset_page", "presets", "question",
    "question_of_turn", "read_move", "read_order", "read_plan", "refusal", "rules_page", "score",
    "score_name", "sentence", "sentences", "turns", "unseen", "waiting_for", "why_asked", "why_forced",
    "why_not", "your_turn",
]  # fmt: skip


def context(
    seen: Observation,
    people: People,
    entries: Sequence[Entry],
    worth: Sequence[Sequence[int]] = (),
    planned: Planned | None = None,
    changed: Collection[int] | None = None,
) -> dict[str, Any]:
    """What TEMPLATE shows.

    `people` reads as the observation's seat, `entries` are the latest of the log, oldest first: those of the
    turn going on at least, all of them once the game is over. `worth`, for a game that is over, is what each
    seat was worth after each turn. `planned` is the plan of the observation's own seat. `changed`, for
    whoever looks back, are the squares that the last entry has changed: then the board marks only these.
    """
    form = _proposed(decision(seen, people), seen, planned)
    choosing = form is not None and form.kind == "place"
    known = {} if seen.ended else fates(seen)
    spoken = People(people.persons, people.reader, html=True)
    told = turns(entries, spoken, seen.rules, brief=True, most=RECENT_TURNS + 1)
    done = standing(entries)
    last = next(reversed(_placed(done)), None)
    if changed is not None and last not in changed:
        last = None
    new = [entry for entry in done if entry.new]
    return {
        "headline": headline(seen, people),
        "my_turn": form is not None,
        "thinking": not seen.ended and people[seen.decision.seat].computer,
        "over": bool(seen.ended),
        "board": board(seen, known, last, _placed(new), changed or (), choosing=choosing),
        "columns": range(1, acquire.COLUMNS + 1),
        "hand": None if seen.hand is None or seen.ended else hand(seen, known, choosing=choosing),
        "stocks": stocks(seen, people),
        "merger": merger(seen, spoken, events_of_turn(done)),
        "previews": previews(seen, people, known) if choosing else [],
        "decision": form,
        "choices": json.dumps(form.choices, ensure_ascii=False) if form else "",
        "turns": told[:RECENT_TURNS],
        "more_turns": len(told) > RECENT_TURNS or bool(entries and entries[0].number > 1),
        "final": final(seen, people, done, worth),
        "plan": plan_form(seen, planned, away=people.is_away),
    }


def _proposed(form: Decision | None, seen: Observation, planned: Planned | None) -> Decision | None:
    """The form with what its player had planned for it."""
    if form is None or planned is None:
        return form
    move = PLANS["acquire"].proposal(PLANS["acquire"].plan_from_json(planned.record), seen)
    return form if move is None else filled(form, move)


def log_context(rules: Rules, people: People, entries: Sequence[Entry]) -> dict[str, Any]:
    """What templates/games/log.html shows: the whole log in sentences, the latest turn first."""
    spoken = People(people.persons, people.reader, html=True)
    return {"turns": turns(entries, spoken, rules, brief=True)}


def _placed(entries: Iterable[Entry]) -> list[int]:
    """The squares on which tiles were placed, in that order."""
    return [
        acquire.SQUARE_BY_NAME[event.square]
        for entry in entries
        for event in entry.events
        if isinstance(event, Placed)
    ]
