"""The headline of the table: the current decision, or the winner."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.chain_names import label
from games.web.presenters.acquire.final_standings import places
from games.web.presenters.table_people import TablePeople, join_list, money


def headline(seen: Observation, people: TablePeople) -> str:
    """A line on the current decision, for the reader of the table; at the end, on the winner."""
    if seen.ended:
        return _over(seen, people)
    if people.decides(seen.decision.seat):
        return _mine(seen)
    return _theirs(seen, people)


def _mine(seen: Observation) -> str:
    if seen.decision.kind == "dispose":
        return ngettext(
            "You decide about {n} share of {chain}", "You decide about {n} shares of {chain}", _held(seen)
        ).format(n=_held(seen), chain=label(seen.rules, seen.defunct))
    return your_turn(seen.decision.kind)


def your_turn(kind: str) -> str:
    """A line on a decision of this kind for its own seat, without the position."""
    return {
        "place": _("Your turn: place a tile"),
        "stuck": _("Your turn: no tile can be placed"),
        "found": _("Your turn: choose the chain that you found"),
        "survivor": _("Your turn: choose the chain that survives"),
        "next": _("Your turn: choose which chain goes next"),
        "dispose": _("Your turn: decide about your shares"),
        "buy": _("Your turn: buy up to three shares"),
    }[kind]


def _theirs(seen: Observation, people: TablePeople) -> str:
    seat = seen.decision.seat
    # A reader whose seat has a stand-in is named like any other player.
    who = people[seat].name if seat == people.reader else people.sentence_start(seat)
    if seen.decision.kind == "dispose":
        return ngettext(
            "{who} decides about {n} {chain}", "{who} decides about {n} {chain}", _held(seen)
        ).format(who=who, n=_held(seen), chain=label(seen.rules, seen.defunct))
    return waiting_for(seen.decision.kind, who)


def waiting_for(kind: str, who: str) -> str:
    """A line on a decision of this kind for other readers, without the position."""
    return {
        "place": _("{who} places a tile"),
        "stuck": _("{who} places a tile"),
        "found": _("{who} chooses the chain to found"),
        "survivor": _("{who} chooses the chain that survives"),
        "next": _("{who} chooses which chain goes next"),
        "dispose": _("{who} decides about shares"),
        "buy": _("{who} buys shares"),
    }[kind].format(who=who)


def _held(seen: Observation) -> int:
    return seen.holdings[seen.defunct][seen.decision.seat] or 0


def _over(seen: Observation, people: TablePeople) -> str:
    first = [place for place in places(seen, people) if place[0] == 1]
    if not first:
        return _("The game ended without a result")
    winners, best = [seat for _rank, seat, _dollars in first], first[0][2]
    if len(winners) == 1:
        return _("{who} won with {dollars}").format(
            who=people.sentence_start(winners[0]), dollars=money(best)
        )
    names = [people.sentence_start(winners[0]), *(people.name(seat) for seat in winners[1:])]
    return _("{who} share the win with {dollars} each").format(who=join_list(names), dollars=money(best))
