"""Acquire on the page: everything a template shows, made from an observation and the public log."""

import json
from collections.abc import Sequence
from typing import Any

from games.rules import acquire
from games.rules.acquire import Observation, Rules
from games.rules.acquire.events import Placed

from ..log import Entry
from ..people import People
from .advice import advice
from .board import board
from .dealt import deal_context
from .decisions import decision
from .final import final
from .hand import fates, hand
from .headline import headline, waiting_for, your_turn
from .letter import LETTER_TEMPLATE, asked, letter
from .log import events_of_turn, turns
from .merger import merger
from .previews import previews
from .reading import question, read_move
from .rulebook import option_names, option_values, preset_name, preset_page, presets, rules_page
from .stocks import stocks
from .wording import refusal, sentence, sentences

TEMPLATE = "games/acquire/_table.html"
RECENT_TURNS = 8

__all__ = [
    "LETTER_TEMPLATE", "RECENT_TURNS", "TEMPLATE", "advice", "asked", "context", "deal_context", "headline",
    "letter", "log_context", "option_names", "option_values", "preset_name", "preset_page", "presets",
    "question", "read_move", "refusal", "rules_page", "sentence", "sentences", "waiting_for", "your_turn",
]  # fmt: skip


def context(
    seen: Observation, people: People, entries: Sequence[Entry], worth: Sequence[Sequence[int]] = ()
) -> dict[str, Any]:
    """What TEMPLATE shows.

    `people` reads as the observation's seat, `entries` are the latest of the log, oldest first: those of the
    turn going on at least, all of them once the game is over. `worth`, for a game that is over, is what each
    seat was worth after each turn.
    """
    form = decision(seen, people)
    choosing = form is not None and form.kind == "place"
    known = {} if seen.ended else fates(seen)
    spoken = People(people.persons, people.reader, html=True)
    told = turns(entries, spoken, seen.rules, brief=True)
    return {
        "headline": headline(seen, people),
        "my_turn": form is not None,
        "thinking": not seen.ended and people[seen.decision.seat].computer,
        "over": bool(seen.ended),
        "board": board(seen, known, _last_placed(entries), choosing=choosing),
        "columns": range(1, acquire.COLUMNS + 1),
        "hand": None if seen.hand is None or seen.ended else hand(seen, known, choosing=choosing),
        "stocks": stocks(seen, people),
        "merger": merger(seen, spoken, events_of_turn(entries)),
        "previews": previews(seen, people, known) if choosing else [],
        "decision": form,
        "choices": json.dumps(form.choices, ensure_ascii=False) if form else "",
        "turns": told[:RECENT_TURNS],
        "more_turns": len(told) > RECENT_TURNS or bool(entries and entries[0].number > 1),
        "final": final(seen, people, entries, worth),
    }


def log_context(rules: Rules, people: People, entries: Sequence[Entry]) -> dict[str, Any]:
    """What templates/games/log.html shows: the whole log in sentences, the latest turn first."""
    spoken = People(people.persons, people.reader, html=True)
    return {"turns": turns(entries, spoken, rules, brief=True)}


def _last_placed(entries: Sequence[Entry]) -> int | None:
    for entry in reversed(entries):
        for event in reversed(entry.events):
            if isinstance(event, Placed):
                return acquire.SQUARE_BY_NAME[event.square]
    return None
