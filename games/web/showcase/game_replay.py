"""A finished game that replays itself: a board for each turn, made once and then cached."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from heapq import nlargest
from types import ModuleType
from typing import Any, Final

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.html import conditional_escape, escape, format_html_join
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.models.write_if_free import write_if_free
from games.archive.past_position import spectator_positions
from games.play.game_view import GameView
from games.showcase import prepared_game
from games.showcase.replayed_game import check_replayable, replayed_game
from games.web.presenters.log_entry_view import LogEntryView, without_taken_back
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople
from games.web.presenters.turn_text import Turn
from games.web.showcase.lettered_board import lettered_board
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import level_name, table_persons

# Increase it with every change of the frames, to drop cached ones.
_DESIGN: Final = 3
# Members change their names, and may delete their accounts.
_SECONDS: Final = 600
# The number of frames whose words are measured in the page for the room that they need.
_LONGEST: Final = 12
# The final position, among those by log entry.
_END: Final = -1


@dataclass(frozen=True, slots=True)
class Frame:
    """The board after a turn as SVG, and what happened as HTML.

    Each seat has a score and a gain; there are no scores while they are hidden.
    """

    board: str
    words: str
    scores: Sequence[str]
    gains: Sequence[str]


@dataclass(frozen=True, slots=True)
class Replay:
    """The frames of a game, oldest first, with its players, and the names of the board's columns and rows."""

    url: str
    players: Sequence[dict[str, Any]]
    columns: Sequence[str]
    rows: Sequence[str]
    frames: Sequence[dict[str, Any]] = field(repr=False)

    @property
    def last(self) -> dict[str, Any]:
        return self.frames[-1]

    @property
    def longest(self) -> list[str]:
        """The words of the frames that tell most; it depends on the width which of them needs most room."""
        return nlargest(_LONGEST, sorted({frame["words"] for frame in self.frames}), key=len)

    @property
    def seats(self) -> list[tuple[dict[str, Any], str]]:
        """The players, each with the last score, "" while it is hidden."""
        scores = self.last["scores"] or [""] * len(self.players)
        return list(zip(self.players, scores, strict=True))


@require_safe
def game_replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the frames of a finished public game."""
    check_replayable(public_id)
    return _sent(replay_of(public_id))


@require_safe
def prepared_replay(request: HttpRequest) -> HttpResponse:
    """Return the frames of the game that computer players have played for this site."""
    return _sent(replay_of_prepared())


def _sent(replay: Replay) -> HttpResponse:
    answer = HttpResponse(render_to_string("games/showcase/_frames.html", {"frames": replay.frames}))
    patch_cache_control(answer, public=True, max_age=_SECONDS)
    return answer


def replay_of(public_id: str) -> Replay:
    """The replay of a finished public game, from the cache if it is there. Raises Http404 for other games."""
    return _kept(public_id, lambda: _made(replayed_game(public_id)))


def replay_of_prepared() -> Replay:
    """The replay of the prepared game."""
    return _made_of_prepared(get_language())


def _kept(name: str, make: Any) -> Replay:
    key = f"replay-{_DESIGN}-{get_language()}-{name}"
    text = cache.get(key)
    if text is None:
        text = json.dumps(asdict(make()))
        write_if_free(partial(cache.set, key, text, _SECONDS))
    return Replay(**json.loads(text))


def _made(look: GameView) -> Replay:
    entries = without_taken_back(log_entry_views(look, look.entries))
    people = TablePeople(tuple(table_persons(look.seats)), html=True)
    table = PRESENTERS[look.game.system]
    ends = [turn.last for turn in table.turns(entries, people, look.seen.rules)]
    url = reverse("game-replay", args=[look.game.public_id])
    seen = {**spectator_positions(look.game, look.entries, ends), _END: look.seen}
    return _replay(url, table, people, entries, seen)


# The moves never change, so each process makes it once.
@lru_cache(maxsize=8)
def _made_of_prepared(language: str | None) -> Replay:
    played = prepared_game.prepared_moves()
    people = TablePeople(tuple(prepared_players()), html=True)
    entries = [LogEntryView(move.number, move.events) for move in played]
    seen = {move.number: move.seen for move in played} | {_END: played[-1].seen}
    return _replay(reverse("prepared-replay"), PRESENTERS[prepared_game.SYSTEM], people, entries, seen)


def prepared_players() -> list[Person]:
    """The players of the prepared game, numbered, because some have the same level."""
    names = [level_name(prepared_game.SYSTEM, level) for level in prepared_game.LEVELS]
    return [Person(f"{name} {number}", computer=True) for number, name in enumerate(names, start=1)]


def _replay(
    url: str, table: ModuleType, people: TablePeople, entries: Sequence[LogEntryView], seen: dict[int, Any]
) -> Replay:
    rules = seen[_END].rules
    by_number = {entry.number: entry for entry in entries}
    frames = []
    for turn in reversed(table.turns(entries, people, rules)):
        if turn.paragraphs and turn.last in seen:
            told = [by_number[number] for number in range(turn.first, turn.last + 1) if number in by_number]
            words = _words(table, people, rules, turn, told)
            gains = table.gains([event for entry in told for event in entry.events])
            frames.append(_frame(table, people, seen[turn.last], told, words, gains))
    frames[-1] = _frame(table, people, seen[_END], entries, _headline(table, seen[_END], people), {})
    picture = table.board_picture(seen[_END])
    players = [{"name": person.name, "computer": person.is_machine} for person in people.persons]
    return Replay(url, players, picture.column_names, picture.row_names, [asdict(frame) for frame in frames])


def _words(
    table: ModuleType, people: TablePeople, rules: Any, turn: Turn, told: Iterable[LogEntryView]
) -> str:
    """The events of a turn as HTML: its first paragraph, and the rest that matters most."""
    first = conditional_escape(turn.paragraphs[0])
    best = [
        replace(entry, events=table.highlights(entry.events), note="") for entry in told if not entry.text
    ]
    more = [paragraph for one in reversed(table.turns(best, people, rules)) for paragraph in one.paragraphs]
    # The first paragraph may tell of a merger, too.
    return format_html_join(
        " ", "{}", ((text,) for text in (first, *(one for one in more if one not in first)))
    )


def _headline(table: ModuleType, seen: Any, people: TablePeople) -> str:
    """The end of the game in a sentence, as HTML."""
    return escape(table.headline(seen, replace(people, html=False)))


def _frame(
    table: ModuleType,
    people: TablePeople,
    seen: Any,
    told: Iterable[LogEntryView],
    words: str,
    gains: dict[int, str],
) -> Frame:
    scores = {seat: table.score(points) for _rank, seat, points in table.places(seen, people)}
    return Frame(
        str(lettered_board(table, seen, list(told))),
        str(conditional_escape(words)),
        [scores[seat] for seat in sorted(scores)] if len(scores) == len(people) else [],
        [gains.get(seat, "") for seat in range(len(people))],
    )
