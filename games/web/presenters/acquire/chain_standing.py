"""A player's standing among the shareholders of a chain, in a few words."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from games.engine.rules.acquire.observation import Observation
from games.web.presenters.table_people import TablePeople, join_list

# More names do not fit into a line.
MOST_GROUPS = 2

Holder = tuple[str, int]


def standing(seen: Observation, people: TablePeople, number: int, bought: int = 0) -> str:
    """The standing of the observer: "2nd with 3 · Ledger 4"; for others the largest holders.

    With `bought` shares, the standing after this purchase: "1st with 5 after this".
    """
    held = seen.holdings[number]
    mine = 0 if seen.seat is None else (held[seen.seat] or 0) + bought
    if None in held:
        if not mine:
            return ""
        return (_("you hold {n} after this") if bought else _("you hold {n}")).format(n=mine)
    others = [
        (_("you") if seat == people.reader else people[seat].name, count)
        for seat, count in enumerate(held)
        if count and seat != seen.seat
    ]
    others.sort(key=lambda holder: -holder[1])
    if mine:
        return _own(mine, others, bought)
    if not others:
        return _("nobody holds any")
    rivals = _in_groups(others)
    return rivals if seen.seat is None else _beside(_("none yet"), rivals)


def _own(mine: int, others: Sequence[Holder], bought: int) -> str:
    ahead = [holder for holder in others if holder[1] > mine]
    tied = [name for name, count in others if count == mine]
    rank = len(ahead) + 1
    if tied:
        text = (_tied_after(rank) if bought else _tied(rank)).format(who=join_list(tied), n=mine)
    else:
        text = (_alone_after(rank) if bought else _alone(rank)).format(n=mine)
    behind = [] if tied else [holder for holder in others if holder[1] == others[0][1]]
    return _beside(text, _in_groups(ahead or behind))


def _beside(mine: str, rivals: str) -> str:
    """The reader's standing and, as a fact of its own, the shares of others."""
    return f"{mine} · {rivals}" if rivals else mine


def _in_groups(holders: Iterable[Holder]) -> str:
    """The largest holders, those with equal numbers together: "Baron and devraj 9"."""
    groups = [
        (count, [name for name, _count in group]) for count, group in groupby(holders, lambda one: one[1])
    ]
    return ", ".join(f"{join_list(names)} {count}" for count, names in groups[:MOST_GROUPS])


def _alone(rank: int) -> str:
    return {
        1: _("1st with {n}"),
        2: _("2nd with {n}"),
        3: _("3rd with {n}"),
        4: _("4th with {n}"),
        5: _("5th with {n}"),
        6: _("6th with {n}"),
    }[rank]


def _tied(rank: int) -> str:
    return {
        1: _("tied 1st with {who}, {n} each"),
        2: _("tied 2nd with {who}, {n} each"),
        3: _("tied 3rd with {who}, {n} each"),
        4: _("tied 4th with {who}, {n} each"),
        5: _("tied 5th with {who}, {n} each"),
    }[rank]


def _alone_after(rank: int) -> str:
    return {
        1: _("1st with {n} after this"),
        2: _("2nd with {n} after this"),
        3: _("3rd with {n} after this"),
        4: _("4th with {n} after this"),
        5: _("5th with {n} after this"),
        6: _("6th with {n} after this"),
    }[rank]


def _tied_after(rank: int) -> str:
    return {
        1: _("tied 1st with {who} after this, {n} each"),
        2: _("tied 2nd with {who} after this, {n} each"),
        3: _("tied 3rd with {who} after this, {n} each"),
        4: _("tied 4th with {who} after this, {n} each"),
        5: _("tied 5th with {who} after this, {n} each"),
    }[rank]
