"""Acquisition, designed by Phil Leduc, on the page: all a template shows, from an observation and the log."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from games.rules import acquisition
from games.rules.acquisition import Observation, Rules
from games.rules.acquisition.events import Parked, Placed

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
from .dealt import deal_context
from .decisions import decision
from .feats import ahead, feat, opening, opening_title
from .headline import headline, waiting_for, your_turn
from .letter import LETTER_TEMPLATE, asked, drawing, letter
from .log import turns
from .players import places, players, standings
from .reading import question, read_move
from .rulebook import option_names, option_values, preset_name, preset_page, presets, rules_page
from .stories import breakdowns, phrase
from .wording import refusal, sentence, sentences, why_forced

TEMPLATE = "games/acquisition/_table.html"
RULES_TEMPLATE = "games/acquisition/rules.html"
PRESET_TEMPLATE = "games/acquisition/preset.html"
STYLESHEET = "games/css/acquisition.css"
RECENT_TURNS = 8

__all__ = [
    "LETTER_TEMPLATE", "PRESET_TEMPLATE", "RECENT_TURNS", "RULES_TEMPLATE", "STYLESHEET", "TEMPLATE",
    "about", "advice", "ahead", "amount", "asked", "board_picture", "breakdowns", "chance", "context",
    "credit", "deal_context", "designer", "drawing", "feat", "headline", "in_words", "letter",
    "log_context", "luck", "name", "opening", "opening_title", "option_names", "option_values",
    "options_title", "phrase", "pitch", "places", "preset_name", "preset_page", "presets", "question",
    "read_move", "refusal", "rules_page", "score", "score_name", "sentence", "sentences", "turns",
    "unseen", "waiting_for", "why_forced", "your_turn",
]  # fmt: skip


def context(
    seen: Observation,
    people: People,
    entries: Sequence[Entry],
    worth: Sequence[Sequence[int]] = (),
    changed: Collection[int] | None = None,
) -> dict[str, Any]:
    """What TEMPLATE shows.

    `people` reads as the observation's seat, `entries` are the latest of the log, oldest first. The standings
    say all that is to be said of the end, so `worth` is not shown. `changed`, for whoever looks back, are the
    squares that the last entry has changed: then the board marks only these.
    """
    form = decision(seen, people)
    done = standing(entries)
    last = next(reversed(_placed(done)), None)
    if changed is not None and last not in changed:
        last = None
    new = [entry for entry in done if entry.new]
    spoken = People(people.persons, people.reader, html=True)
    told = turns(entries, spoken, seen.rules, brief=True, most=RECENT_TURNS + 1)
    return {
        "headline": headline(seen, people),
        "my_turn": form is not None,
        "thinking": not seen.ended and people[seen.decision.seat].computer,
        "over": bool(seen.ended),
        "board": board(seen, people, last, _placed(new), changed or ()),
        "columns": acquisition.COLUMNS,
        "players": players(seen, people),
        "parks": seen.parks,
        "decision": form,
        "choices": json.dumps(form.choices, ensure_ascii=False) if form else "",
        "turns": told[:RECENT_TURNS],
        "more_turns": len(told) > RECENT_TURNS or bool(entries and entries[0].number > 1),
        "standings": standings(seen, people),
        "credit": credit(),
    }


def log_context(rules: Rules, people: People, entries: Sequence[Entry]) -> dict[str, Any]:
    """What templates/games/log.html shows: the whole log in sentences, the latest turn first."""
    spoken = People(people.persons, people.reader, html=True)
    return {"turns": turns(entries, spoken, rules, brief=True)}


def _placed(entries: Iterable[Entry]) -> list[int]:
    """The squares on which pieces were placed, in that order."""
    return [
        acquisition.SQUARE_BY_NAME[event.square]
        for entry in entries
        for event in entry.events
        if isinstance(event, Placed | Parked)
    ]
