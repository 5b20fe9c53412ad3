"""Events and refusals in words, for log, mail and screen readers.

Sentences are in the past tense, so that a name and "you" take the same verb.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquisition.events import (
    BoughtOut,
    Completed,
    Declined,
    Ended,
    Event,
    Landmark,
    Parked,
    Placed,
    Scored,
)
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.web.presenters.acquisition.material_names import material
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople, join_list


def sentence(event: Event, people: TablePeople, rules: Rules) -> str:
    """The event in one sentence, for the reader of `people`."""
    return _SENTENCES[type(event)](event, people)


def sentences(events: Iterable[Event], people: TablePeople, rules: Rules) -> list[str]:
    """The events, one sentence each."""
    return [sentence(event, people, rules) for event in events]


def ended_by(entries: Iterable[LogEntryView], people: TablePeople, rules: Rules) -> str:
    """A sentence on what ended the game by its rules; "" if none of these entries did."""
    ends = (
        sentence(event, entry.people or people, rules)
        for entry in entries
        for event in entry.events
        if isinstance(event, Ended)
    )
    return next(ends, "")


def _parked(event: Parked, people: TablePeople) -> str:
    text = (
        _("{who} placed a park on {square}.") if event.left else _("{who} placed the last park on {square}.")
    )
    return people.say(text, who=people.sentence_start(event.seat), square=event.square)


def _placed(event: Placed, people: TablePeople) -> str:
    text = (
        _("{who} built on {square}. It was the only square left, so the move was automatic.")
        if event.forced
        else _("{who} built on {square}.")
    )
    return people.say(text, who=people.sentence_start(event.seat), square=event.square)


def _landmark(event: Landmark, people: TablePeople) -> str:
    text = _("{who} completed a large building of {material}: {squares}.")
    return people.say(
        text,
        who=people.sentence_start(event.seat),
        material=material(event.seat).label,
        squares=join_list(event.squares),
    )


def _completed(event: Completed, people: TablePeople) -> str:
    squares = join_list(event.squares)
    if event.buyer is None:
        text = _("That completed the group on {squares}. Nobody had the tiles for a buyout, so it stayed.")
        return people.say(text, squares=squares)
    text = _("That completed the group on {squares}. {who} could buy out {others}.")
    others = _names(people, set(event.owners) - {event.buyer})
    return people.say(text, squares=squares, who=people.sentence_start(event.buyer), others=others)


def _bought_out(event: BoughtOut, people: TablePeople) -> str:
    text = _("{who} bought out {others} on {squares} and completed a large building of {material}.")
    return people.say(
        text,
        who=people.sentence_start(event.seat),
        others=_names(people, set(event.owners)),
        squares=join_list(event.squares),
        material=material(event.seat).label,
    )


def _declined(event: Declined, people: TablePeople) -> str:
    text = _("{who} declined the buyout. The group on {squares} stayed as it was.")
    return people.say(text, who=people.sentence_start(event.seat), squares=join_list(event.squares))


def _ended(event: Ended, people: TablePeople) -> str:
    text = {
        "no tile": _("The game ended because {who} had no tiles left to place."),
        "no square": _("The game ended because {who} had no open square."),
    }[event.reason]
    return people.say(text, who=people.name(event.seat))


def _scored(event: Scored, people: TablePeople) -> str:
    text = ngettext(
        "{who} built {large} large, {medium} medium and {small} small building.",
        "{who} built {large} large, {medium} medium and {small} small buildings.",
        event.small,
    )
    return people.say(
        text, who=people.sentence_start(event.seat), large=event.large, medium=event.medium, small=event.small
    )


def _names(people: TablePeople, seats: Iterable[int]) -> str:
    return join_list([people.name(seat) for seat in sorted(seats)])


_SENTENCES: Final[dict[type[Event], Callable[[Any, TablePeople], str]]] = {
    Parked: _parked,
    Placed: _placed,
    Landmark: _landmark,
    Completed: _completed,
    BoughtOut: _bought_out,
    Declined: _declined,
    Ended: _ended,
    Scored: _scored,
}


def why_forced(move: str, rules: Rules, who: str) -> str:
    """A sentence about `who` on why a move, given by its notation, was the only one."""
    return _("{who} had only one possible move, so it was automatic.").format(who=who)


# -- Refusals ------------------------------------------------------------------------------------------


def refusal(error: IllegalMove | InvalidMove, rules: Rules) -> str:
    """A sentence on why a move was refused and what to do."""
    if isinstance(error, InvalidMove):
        return _("Choose a square on the board first, then send your move again.")
    return _REFUSALS[error.reason](error.facts)


def _too_large(facts: dict[str, Any]) -> str:
    return _(
        "A tile on {square} would make a group of {size}. Groups can have at most 3 tiles. Choose "
        "another square."
    ).format(**facts)


_REFUSALS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "over": lambda facts: _("The game is over."),
    "other decision": lambda facts: _(
        "The game is now waiting for a different move. Look at the table and choose again."
    ),
    "park there": lambda facts: _("There is a park on {square}. Choose an empty square.").format(**facts),
    "tile there": lambda facts: _("There is a tile on {square}. Choose an empty square.").format(**facts),
    "symmetrical": lambda facts: _(
        "The last park cannot go on {square} because the parks would be symmetrical. Choose another square."
    ).format(**facts),
    "too large": _too_large,
}
