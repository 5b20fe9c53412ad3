"""The table in mails: words, a board of letters and one of colours."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquisition.board import COLUMNS, EMPTY, PARK, ROWS, SIDE
from games.engine.rules.acquisition.observation import Observation
from games.web.presenters.acquisition.about_text import credit
from games.web.presenters.acquisition.board_picture import board_picture, material_colours
from games.web.presenters.acquisition.headline import headline
from games.web.presenters.acquisition.log_text import turns
from games.web.presenters.acquisition.material_names import material
from games.web.presenters.acquisition.player_panel import Player, players, standings
from games.web.presenters.board_drawing import fill_class, letter_class
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople

LETTER_TEMPLATE = "games/presenters/acquisition/_letter"

_FREE, _PARK = "·", "P"


def mail_subject_question(seen: Observation) -> str:
    """The observer's decision, short enough for a subject."""
    return {
        "park": _("place a park"),
        "place": _("place a building tile"),
        "buyout": _("buy out the other players or decline"),
    }[seen.decision.kind]


def mail_context(seen: Observation, people: TablePeople, entries: Sequence[LogEntryView]) -> dict[str, Any]:
    """The context of the templates LETTER_TEMPLATE (.txt and .html).

    `entries` are those since the reader's last move, oldest first. `news` are paragraphs on them, `board`
    draws the board in letters and `picture` in colours, `board_legend` explains the letter that is no
    material's, `players` are lines and `builders` the same with
    their colours; `standings` are there at the end only.
    """
    lines = [] if seen.ended else players(seen, people)
    return {
        "headline": headline(seen, people) if seen.ended else "",
        "news": [text for turn in reversed(turns(entries, people, seen.rules)) for text in turn.paragraphs],
        "board": _board(seen),
        "board_legend": _legend(seen),
        "picture": board_picture(seen),
        "players": [_line(player) for player in lines],
        "builders": [_builder(seat, player) for seat, player in enumerate(lines)],
        "standings": [(player.rank, _built(player)) for player in standings(seen, people)],
        "credit": credit(),
    }


def drawing(seen: Observation, people: TablePeople) -> str:
    """The position in plain text: the board, and everybody's buildings."""
    return "\n".join(
        (_board(seen), *filter(None, [_legend(seen)]), *(_line(player) for player in players(seen, people)))
    )


def _board(seen: Observation) -> str:
    """The board in lines of equal width: letters of materials, parks, and dots for free squares."""
    head = "   " + "".join(f" {column}" for column in COLUMNS)
    rows = (
        f"{row:>2} " + "".join(f" {_square(value)}" for value in seen.board[(row - 1) * SIDE : row * SIDE])
        for row in ROWS
    )
    return "\n".join((head, *rows))


def _legend(seen: Observation) -> str:
    """A sentence on the letter that is no material's, "" if it is not on the board."""
    return _("{letter} is a park.").format(letter=_PARK) if PARK in seen.board else ""


def _square(value: int) -> str:
    if value == EMPTY:
        return _FREE
    return _PARK if value == PARK else material(value - 1).letter


def _line(player: Player) -> str:
    left = ngettext("{n} tile left", "{n} tiles left", player.reserve).format(n=player.reserve)
    return _("{letter} = {material}: {built}, {left}").format(
        letter=player.material.letter, material=player.material.label, built=_built(player), left=left
    )


def _builder(seat: int, player: Player) -> dict[str, Any]:
    """The same line with the colours of the player's material."""
    fill, ink = material_colours(seat)
    return {
        "letter": player.material.letter,
        "css": fill_class(fill),
        "fill": fill,
        "letter_css": letter_class(ink),
        "line": _line(player),
    }


def _built(player: Player) -> str:
    return _("{name}: {large} large, {medium} medium, {small} small").format(
        name=player.name, large=player.large, medium=player.medium, small=player.small
    )
