"""Downloads of a game as JSON (see docs/export.md) and as plain text."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.archive import game_export
from games.archive.replay import redeals, revealed_seed
from games.models import Game
from games.play.game_view import GameView, game_view
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople
from games.web.text.game_titles import players, rules_title, title
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons


@require_safe
@never_cache
def export_json(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the game as JSON; while it runs, only what a spectator may know, also to its players."""
    record = game_export.exported(public_id, request.user)
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return _file(text, "application/json", f"acquire-{public_id}.json")


@require_safe
@never_cache
def export_text(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the game as text: its log in sentences and, once finished, every position."""
    look = game_view(public_id, request.user, whole_log=True)
    if look is None:
        raise Http404
    text = "\n\n".join(_paragraphs(replace(look, seat=None)))
    return _file(f"{text}\n", "text/plain; charset=utf-8", f"acquire-{public_id}.txt")


def _file(text: str, kind: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(text, content_type=kind, headers={"Content-Disposition": disposition})


def _paragraphs(look: GameView) -> Iterator[str]:
    """The paragraphs of the text, as a spectator may read them."""
    game, table, people = (
        look.game,
        PRESENTERS[look.game.system],
        TablePeople(tuple(table_persons(look.seats))),
    )
    yield _head(game, people)
    turns = table.turns(
        [_plain(entry) for entry in log_entry_views(look, look.entries)], people, look.seen.rules
    )[::-1]
    drawn = _positions(game, {0, *(turn.last for turn in turns)})
    if 0 in drawn:
        yield table.drawing(drawn[0], people)
    for turn in turns:
        span = str(turn.last) if turn.first == turn.last else f"{turn.first}–{turn.last}"
        yield f"{span}. " + "\n".join(turn.paragraphs)
        if turn.last in drawn:
            yield table.drawing(drawn[turn.last], people)
    if game.is_running:
        seen = game_export.spectator_view(game)
        yield table.drawing(seen, people)
        yield table.headline(seen, people)
    else:
        yield from _standings(game, people, drawn[game.version])
        yield _("Seed: {seed}").format(seed=revealed_seed(game))
        for one in redeals(game):
            yield _("Dealt again with entry {n}, seed: {seed}").format(n=one.number, seed=one.seed)
    if credit := table.credit():
        yield credit


def _head(game: Game, people: TablePeople) -> str:
    lines = [title(game), f"{rules_title(game)}, {players(game)}"]
    lines += [f"{number}. {person}" for number, person in enumerate(people.persons, start=1)]
    for sentence, when in ((_("Started: {when}"), game.started), (_("Ended: {when}"), game.finished)):
        if when is not None:
            lines.append(sentence.format(when=date_format(when, "j M Y H:i e")))
    return "\n".join(lines)


def _plain(entry: LogEntryView) -> LogEntryView:
    """The entry with a note in words if it was taken back, as plain text has no strikethrough."""
    if not entry.gone:
        return entry
    note = " ".join(filter(None, (_("Taken back later."), entry.note)))
    return replace(entry, gone=False, note=note)


def _positions(game: Game, numbers: set[int]) -> dict[int, Any]:
    return {} if game.is_running else game_export.seen_after(game, numbers | {game.version})


def _standings(game: Game, people: TablePeople, seen: Any) -> Iterator[str]:
    places = PRESENTERS[game.system].places(seen, people)
    score = PRESENTERS[game.system].score
    if places:
        yield "\n".join(
            f"{rank}. {people.at_the_end(seat, str(people[seat]))}, {score(points)}"
            for rank, seat, points in places
        )
    else:
        yield _("The game ended without a result.")
