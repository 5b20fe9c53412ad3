"""The headline of the table: the current decision, or the winner."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.rules.acquire.observation import Observation
from games.log.standings import TeamPlace, team_places
from games.web.presenters.acquire.chain_names import label
from games.web.presenters.acquire.final_standings import places
from games.web.presenters.table_people import TablePeople, join_list, money

_BEHIND: Final = {
    2: gettext_lazy("Second, {dollars} behind"),
    3: gettext_lazy("Third, {dollars} behind"),
    4: gettext_lazy("Fourth, {dollars} behind"),
    5: gettext_lazy("Fifth, {dollars} behind"),
    6: gettext_lazy("Sixth, {dollars} behind"),
}

_TEAM_BEHIND: Final = {
    2: gettext_lazy("Your team is second, {dollars} behind"),
    3: gettext_lazy("Your team is third, {dollars} behind"),
}


def headline(seen: Observation, people: TablePeople) -> str:
    """A line on the current decision, for the reader of the table; at the end, on the winner."""
    if seen.ended:
        return _over(seen, people)
    if people.decides(seen.decision.seat):
        return _mine(seen)
    return _theirs(seen, people)


def result(seen: Observation, people: TablePeople) -> str:
    """A line on the end of the game: the reader's own place with the distance, for others the winner."""
    standing = places(seen, people)
    if people.teams:
        return _team_result(seen, people)
    mine = next((place for place in standing if place[1] == people.reader), None)
    if mine is None or people.is_away or people.reader in people.conceded:
        return _over(seen, people)
    rank, seat, dollars = mine
    if rank > 1:
        return str(_BEHIND[rank]).format(dollars=money(standing[0][2] - dollars))
    others = [place for place in standing if place[1] != seat and place[1] not in people.conceded]
    if not others or others[0][0] == 1:
        return _over(seen, people)
    return _("You won by {dollars}").format(dollars=money(dollars - others[0][2]))


def _mine(seen: Observation) -> str:
    if seen.decision.kind == "dispose":
        return ngettext(
            "Your turn: sell, trade or hold {n} {chain} share",
            "Your turn: sell, trade or hold {n} {chain} shares",
            _held(seen),
        ).format(n=_held(seen), chain=label(seen.rules, seen.defunct))
    return your_turn(seen.decision.kind)


def your_turn(kind: str) -> str:
    """A line on a decision of this kind for its own seat, without the position."""
    return {
        "place": _("Your turn: place a tile"),
        "stuck": _("Your turn: you cannot place any tile"),
        "found": _("Your turn: choose a chain to found"),
        "survivor": _("Your turn: choose the surviving chain"),
        "next": _("Your turn: choose which chain goes defunct first"),
        "dispose": _("Your turn: sell, trade or hold your shares"),
        "buy": _("Your turn: buy up to 3 shares"),
    }[kind]


def _theirs(seen: Observation, people: TablePeople) -> str:
    seat = seen.decision.seat
    # A reader whose seat has a stand-in is named like any other player.
    who = people[seat].name if seat == people.reader else people.sentence_start(seat)
    if seen.decision.kind == "dispose":
        return ngettext(
            "{who} is deciding what to do with {n} {chain} share",
            "{who} is deciding what to do with {n} {chain} shares",
            _held(seen),
        ).format(who=who, n=_held(seen), chain=label(seen.rules, seen.defunct))
    return waiting_for(seen.decision.kind, who)


def deed(kind: str) -> str:
    """A decision of this kind as on a button that leads to it."""
    return {
        "place": _("Place a tile"),
        "stuck": _("See your tiles"),
        "found": _("Choose a chain"),
        "survivor": _("Choose the survivor"),
        "next": _("Choose a chain"),
        "dispose": _("Sell, trade or hold"),
        "buy": _("Buy shares"),
    }[kind]


def waiting_for(kind: str, who: str) -> str:
    """A line on a decision of this kind for other readers, without the position."""
    return {
        "place": _("{who} is placing a tile"),
        "stuck": _("{who} is placing a tile"),
        "found": _("{who} is choosing a chain to found"),
        "survivor": _("{who} is choosing the surviving chain"),
        "next": _("{who} is choosing which chain goes defunct first"),
        "dispose": _("{who} is deciding what to do with their shares"),
        "buy": _("{who} is buying shares"),
    }[kind].format(who=who)


def _held(seen: Observation) -> int:
    return seen.holdings[seen.defunct][seen.decision.seat] or 0


def _team_result(seen: Observation, people: TablePeople) -> str:
    """The same of a team game: the place of the reader's team with its distance."""
    standing = team_places(places(seen, people), people.teams)
    mine = next((place for place in standing if people.reader in people.teams[place.team]), None)
    if mine is None or people.is_away or people.reader in people.conceded:
        return _over(seen, people)
    if mine.rank > 1:
        behind = money(standing[0].points - mine.points)
        return str(_TEAM_BEHIND[mine.rank]).format(dollars=behind)
    others = [place for place in standing if place != mine]
    if others[0].rank == 1 or any(seat in people.conceded for seat in people.teams[others[0].team]):
        return _over(seen, people)
    return _("Your team won by {dollars}").format(dollars=money(mine.points - others[0].points))


def _winning_teams(standing: Sequence[TeamPlace], people: TablePeople) -> str:
    first = [place for place in standing if place.rank == 1]
    dollars = money(first[0].points)
    if len(first) == 1:
        return _("{team} won with {dollars}").format(
            team=people.team_in_sentence(first[0].team), dollars=dollars
        )
    names = [people.team_in_sentence(place.team) for place in first]
    return _("{teams} shared the win with {dollars} each").format(teams=join_list(names), dollars=dollars)


def _over(seen: Observation, people: TablePeople) -> str:
    first = [place for place in places(seen, people) if place[0] == 1]
    if not first:
        return _("The game ended without a result")
    if people.teams:
        return _winning_teams(team_places(places(seen, people), people.teams), people)
    winners, best = [seat for _rank, seat, _dollars in first], first[0][2]
    if len(winners) == 1:
        return _("{who} won with {dollars}").format(who=people.winner(winners[0]), dollars=money(best))
    names = [people.winner(winners[0]), *(people.other_winner(seat) for seat in winners[1:])]
    return _("{who} shared the win with {dollars} each").format(who=join_list(names), dollars=money(best))
