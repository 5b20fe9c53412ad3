"""Texts and squares that a process keeps: forgotten, and kept by less than all that they depend on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.core.cache import cache

from games.models import log_entry
from games.models.log_entry import decode_events
from games.web.presenters import board_shapes, table_markup, turn_text
from games.web.showcase import front_page, watch_page


def forget() -> None:
    """Forget what is kept."""
    for kept in (
        turn_text._told,
        table_markup._square,
        board_shapes._svg,
        board_shapes.outline,
        decode_events,
    ):
        getattr(kept, "cache_clear", lambda: None)()


def forget_pages() -> None:
    """Forget the parts of pages that all processes share."""
    cache.delete_many([front_page._cache_key(), watch_page._cache_key()])


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Make every text and square anew for a while, and keep none of them."""
    with (
        mock.patch.object(turn_text, "_told", turn_text._told.__wrapped__),
        mock.patch.object(table_markup, "_square", table_markup._square.__wrapped__),
        mock.patch.object(board_shapes, "_svg", board_shapes._svg.__wrapped__),
        mock.patch.object(board_shapes, "outline", board_shapes.outline.__wrapped__),
        mock.patch.object(log_entry, "decode_events", decode_events.__wrapped__),
    ):
        yield


def keep_by(real: Any, key: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its results kept by another key."""
    known: dict[Any, Any] = {}
    make = real.__wrapped__

    def get(*inputs: Any) -> Any:
        if (short := key(*inputs)) not in known:
            known[short] = make(*inputs)
        return known[short]

    get.__wrapped__ = make  # type: ignore[attr-defined]
    return get


def without_reader(events: Any, people: Any, *rest: Any) -> Any:
    """A key of a paragraph that lacks its reader."""
    return (events, people.persons, people.html, *rest)


def by_name_and_chain(square: Any, named: bool) -> Any:
    """A key of a square that lacks all but its name and chain."""
    return square.name, square.letter, named


def by_number_of_pieces(columns: int, pieces: tuple[str, ...], *rest: Any) -> Any:
    """A key of a drawing of the board that lacks where the pieces lie."""
    return columns, sum(map(bool, pieces)), *rest
