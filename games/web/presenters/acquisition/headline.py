"""The headline of the table: the current decision, or the winner."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine.rules.acquisition.observation import Observation
from games.web.presenters.acquisition.about_text import score
from games.web.presenters.acquisition.player_panel import places, scores
from games.web.presenters.table_people import TablePeople, join_list

_PLACES: Final = {
    2: gettext_lazy("Second, with {score}"),
    3: gettext_lazy("Third, with {score}"),
    4: gettext_lazy("Fourth, with {score}"),
}


def headline(seen: Observation, people: TablePeople) -> str:
    """A line on the current decision, for the reader of the table; at the end, on the winner."""
    if seen.ended:
        return _over(seen, people)
    seat = seen.decision.seat
    if people.decides(seat):
        return _mine(seen, people)
    # A reader whose seat has a stand-in is named like any other player.
    return waiting_for(
        seen.decision.kind, people[seat].name if seat == people.reader else people.sentence_start(seat)
    )


def result(seen: Observation, people: TablePeople) -> str:
    """A line on the end of the game: the reader's own place, for winners and others the winner."""
    mine = next((place for place in places(seen, people) if place[1] == people.reader), None)
    if mine is None or mine[0] == 1 or people.is_away or people.reader in people.conceded:
        return _over(seen, people)
    return str(_PLACES[mine[0]]).format(score=score(mine[2]))


def _mine(seen: Observation, people: TablePeople) -> str:
    if seen.decision.kind == "park":
        return ngettext(
            "Your turn: place the last park",
            "Your turn: place a park ({n} left)",
            seen.parks,
        ).format(n=seen.parks)
    if seen.decision.kind == "buyout":
        others = {seen.board[square] - 1 for square in seen.group} - {seen.seat}
        return _("Your turn: buy out {others} or decline").format(
            others=join_list([people.name(seat) for seat in sorted(others)])
        )
    return your_turn(seen.decision.kind)


def your_turn(kind: str) -> str:
    """A line on a decision of this kind for its own seat, without the position."""
    return {
        "park": _("Your turn: place a park"),
        "place": _("Your turn: place a building tile"),
        "buyout": _("Your turn: buy out the other players or decline"),
    }[kind]


def deed(kind: str) -> str:
    """A decision of this kind as on a button that leads to it."""
    return {
        "park": _("Place a park"),
        "place": _("Place a tile"),
        "buyout": _("Buy out or decline"),
    }[kind]


def waiting_for(kind: str, who: str) -> str:
    """A line on a decision of this kind for other readers, without the position."""
    return {
        "park": _("{who} is placing a park"),
        "place": _("{who} is placing a building tile"),
        "buyout": _("{who} is deciding on a buyout"),
    }[kind].format(who=who)


def _over(seen: Observation, people: TablePeople) -> str:
    first = [place for place in places(seen, people) if place[0] == 1]
    if not first:
        return _("The game ended without a result")
    winners, reached = [seat for _rank, seat, _large in first], scores(seen)
    best = reached[winners[0]]
    facts = {"score": score(best[0])}
    if len(winners) > 1:
        names = [people.winner(winners[0]), *(people.other_winner(seat) for seat in winners[1:])]
        return _("{who} shared the win with {score} each").format(who=join_list(names), **facts)
    who = people.winner(winners[0])
    rest = [
        reached[seat] for seat in range(seen.seats) if seat not in winners and seat not in people.conceded
    ]
    if all(other[0] < best[0] for other in rest):
        return _("{who} won with {score}").format(who=who, **facts)
    if all(other[:2] < best[:2] for other in rest):
        return _("{who} won with {score} and more medium buildings").format(who=who, **facts)
    return _("{who} won with {score} and more small buildings").format(who=who, **facts)
