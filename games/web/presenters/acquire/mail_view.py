"""The table in mails: words, a board of letters and one of colours, and nothing of any hand."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.rules.acquire.board import COLUMNS, EMPTY, LONE_TILE, ROWS
from games.engine.rules.acquire.chains import SAFE
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.board_picture import board_picture, chain_colours
from games.web.presenters.acquire.chain_names import chain, label, price, tier_order
from games.web.presenters.acquire.final_standings import final
from games.web.presenters.acquire.headline import headline
from games.web.presenters.acquire.log_text import turns
from games.web.presenters.board_drawing import fill_class, letter_class
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople, join_list, money

LETTER_TEMPLATE = "games/presenters/acquire/_letter"

_FREE, _ALONE = "·", "o"

# "stuck" would reveal the hand, so a mail words it like "place".
_ASKED: Final = {
    "place": gettext_lazy("place a tile"),
    "stuck": gettext_lazy("place a tile"),
    "found": gettext_lazy("choose a chain to found"),
    "survivor": gettext_lazy("choose the surviving chain"),
    "next": gettext_lazy("choose which chain goes defunct first"),
    "buy": gettext_lazy("buy up to 3 shares"),
}


def mail_subject_question(seen: Observation) -> str:
    """The observer's decision, short enough for a subject."""
    if seen.decision.kind != "dispose":
        return str(_ASKED[seen.decision.kind])
    held = seen.holdings[seen.defunct][seen.decision.seat] or 0
    return ngettext(
        "sell, trade or hold {n} {chain} share", "sell, trade or hold {n} {chain} shares", held
    ).format(n=held, chain=label(seen.rules, seen.defunct))


def mail_context(seen: Observation, people: TablePeople, entries: Sequence[LogEntryView]) -> dict[str, Any]:
    """The context of the templates LETTER_TEMPLATE (.txt and .html).

    `entries` are those since the reader's last move, oldest first. `news` are paragraphs on them, `board`
    draws the board in letters and `picture` in colours, `board_legend` explains the letter that is no
    chain's, `chains` and `mine` are lines and `stocks` the same as a table; `standings` are there at the
    end only.
    """
    over = final(seen, people, entries, ())
    return {
        "headline": headline(seen, people) if over else "",
        "news": [text for turn in reversed(turns(entries, people, seen.rules)) for text in turn.paragraphs],
        "board": _board(seen),
        "board_legend": _legend(seen),
        "picture": board_picture(seen),
        "chains": [_chain(seen, number) for number in tier_order(seen.rules) if seen.size[number]],
        "stocks": [_stock(seen, number) for number in tier_order(seen.rules) if seen.size[number]],
        "mine": "" if over or seen.seat is None else _mine(seen, seen.seat),
        "standings": over.standings if over else (),
    }


def drawing(seen: Observation, people: TablePeople) -> str:
    """The position in plain text: the board, its chains, and everybody's visible holdings."""
    return "\n".join(
        (
            _board(seen),
            *filter(None, [_legend(seen)]),
            *(_chain(seen, number) for number in tier_order(seen.rules) if seen.size[number]),
            *(_has(seen, people, seat) for seat in range(seen.seats) if seen.cash[seat] is not None),
        )
    )


def _board(seen: Observation) -> str:
    """The board in lines of equal width: letters of chains, lone tiles, and dots for free squares."""
    head = "  " + "".join(f"{column:>3}" for column in range(1, COLUMNS + 1))
    rows = (
        f"{name} " + "".join(f"{_square(seen, value):>3}" for value in seen.board[first : first + COLUMNS])
        for name, first in zip(ROWS, range(0, len(seen.board), COLUMNS), strict=True)
    )
    return "\n".join((head, *rows))


def _legend(seen: Observation) -> str:
    """A sentence on the letter that is no chain's, "" if it is not on the board."""
    if LONE_TILE not in seen.board:
        return ""
    return _("{letter} is a lone tile, which belongs to no chain.").format(letter=_ALONE)


def _square(seen: Observation, value: int) -> str:
    if value == EMPTY:
        return _FREE
    return _ALONE if value == LONE_TILE else chain(seen.rules, value).letter


def _chain(seen: Observation, number: int) -> str:
    shown, size = chain(seen.rules, number), seen.size[number]
    if size >= SAFE:
        text = ngettext(
            "{letter} = {chain}: {n} tile, safe, {price} a share, {bank} in the bank",
            "{letter} = {chain}: {n} tiles, safe, {price} a share, {bank} in the bank",
            size,
        )
    else:
        text = ngettext(
            "{letter} = {chain}: {n} tile, {price} a share, {bank} in the bank",
            "{letter} = {chain}: {n} tiles, {price} a share, {bank} in the bank",
            size,
        )
    return text.format(
        letter=shown.letter,
        chain=shown.label,
        n=size,
        price=money(price(seen.rules, number, size)),
        bank=seen.bank[number],
    )


def _stock(seen: Observation, number: int) -> dict[str, Any]:
    """The same as a row of a table."""
    shown, size = chain(seen.rules, number), seen.size[number]
    fill, ink = chain_colours(shown.name)
    return {
        "letter": shown.letter,
        "css": fill_class(fill),
        "fill": fill,
        "letter_css": letter_class(ink),
        "label": shown.label,
        "size": size,
        "safe": size >= SAFE,
        "price": money(price(seen.rules, number, size)),
        "bank": seen.bank[number],
    }


def _has(seen: Observation, people: TablePeople, seat: int) -> str:
    return f"{people[seat]}: {join_list([money(seen.cash[seat] or 0), *_held(seen, seat)])}"


def _held(seen: Observation, seat: int) -> list[str]:
    """The shares of a seat, one item for each chain."""
    return [
        f"{count} {label(seen.rules, number)}"
        for number in tier_order(seen.rules)
        if (count := seen.holdings[number][seat])
    ]


def _mine(seen: Observation, seat: int) -> str:
    held = _held(seen, seat)
    cash = money(seen.cash[seat] or 0)
    if not held:
        return _("You have {dollars} and no shares.").format(dollars=cash)
    return _("You have {dollars} and hold {shares}.").format(dollars=cash, shares=join_list(held))
