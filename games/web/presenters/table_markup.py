"""Markup that a page repeats often: squares, holdings, select options, log times.

Building these strings in Python avoids the template's lookup and escaping of every value, which for a board
of a hundred squares takes longer than the rest of the page.
"""

import html
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.utils.dates import MONTHS_3
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

_SQUARE = (
    '<div role="gridcell"><button id="square-{name}" class="square {css}" tabindex="{tab}" '
    'data-column="{column}" data-row="{row}" aria-label="{label}" title="{label}" {does}>{face}</button>'
    "</div>"
)
_CHOOSES = (
    'type="submit" form="decision" formnovalidate name="square" value="{name}" data-choose="{name}" '
    'aria-pressed="false"'
)
_OPTION = '<option value="{value}"{chosen}>{text}</option>'
_TIME = '<time class="dim" datetime="{exact}" data-local="short">{text}</time>'


def escape(value: object) -> str:
    """Escape text for use between tags or quotes; faster than Django's, as lazy texts are not considered."""
    return html.escape(str(value))


def squares(row: Iterable[Any], *, named: bool) -> SafeString:
    """The squares of a row of the board, as buttons; `named` ones show their name below their contents."""
    return SafeString("".join(_square(square, named) for square in row))


# Most squares of a board look the same after a move, and those without a tile on all boards.
@lru_cache(maxsize=8192)
def _square(square: Any, named: bool) -> str:
    name, letter = escape(square.name), escape(square.letter)
    face = f"<b>{letter}</b>" if letter else ""
    if named or not letter:
        face = f"<i>{name}</i>{face}"
    return _SQUARE.format(
        name=name,
        css=escape(square.css),
        tab=0 if square.stop else -1,
        column=square.column,
        row=square.row,
        label=escape(square.label),
        does=_CHOOSES.format(name=name) if square.choose else 'type="button"',
        face=face,
    )


def options(choices: Iterable[Any]) -> SafeString:
    """The options of a select; each choice has a `value`, a `text`, and whether it is `chosen`."""
    return SafeString(
        "".join(
            _OPTION.format(
                value=escape(choice.value),
                chosen=" selected" if choice.chosen else "",
                text=escape(choice.text),
            )
            for choice in choices
        )
    )


def moment(at: datetime) -> SafeString:
    """A time in small print, which the browser shows in the reader's time zone."""
    here = localtime(at)
    text = f"{here.day} {MONTHS_3[here.month].title()} {here:%Y %H:%M %Z}"
    return SafeString(_TIME.format(exact=here.isoformat(), text=escape(text)))


def held(holdings: Iterable[Any]) -> SafeString:
    """The number of shares of each player in a chain, as table cells."""
    hidden = f'<span title="{escape(_("hidden"))}">?</span>'
    return SafeString(
        "".join(
            f'<td class="n{"" if holding.me else " other"}">{_shares(holding) or hidden}</td>'
            for holding in holdings
        )
    )


def held_by_others(holdings: Iterable[Any]) -> SafeString:
    """The shares of all players but the reader, in one line."""
    others = [holding for holding in holdings if not holding.me]
    return SafeString(" · ".join(f"{escape(holding.who)} {_shares(holding) or '?'}" for holding in others))


def _shares(holding: Any) -> str:
    mark = f"<sup>{escape(holding.mark)}</sup>" if holding.mark else ""
    return f"{escape(holding.shares)}{mark}" if holding.shares else ""
