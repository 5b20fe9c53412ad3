"""Breakdowns of the money in a finished game, by gain and by cash flow."""

from collections.abc import Sequence
from dataclasses import astuple

from django.utils.translation import gettext as _

from games.engine.rules.acquire.money_gains import gains
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.final_standings import source_names
from games.web.presenters.acquire.money_sources import sources
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.score_breakdown import ScoreBreakdown, breakdown
from games.web.presenters.table_people import money


def breakdowns(
    seen: Observation, names: Sequence[str], entries: Sequence[LogEntryView]
) -> list[ScoreBreakdown]:
    """The breakdowns that add up to each seat's money; games from a given position have none.

    `entries` are the whole log without moves taken back.
    """
    worth = [dollars or 0 for dollars in seen.worth]
    events = [event for entry in entries for event in entry.events]
    gained = gains(seen.rules, seen.seats, events, worth)
    spent = sources(seen.seats, events)
    found = []
    if all(gain.total() == dollars for gain, dollars in zip(gained, worth, strict=True)):
        note = _(
            "Shares count at the current price. Buying or selling changes nothing, but when a chain "
            "grows, all its shareholders gain."
        )
        found.append(
            breakdown(_("Where the money came from"), note, names, gain_names(), map(astuple, gained), money)
        )
    if all(source.total() == dollars for source, dollars in zip(spent, worth, strict=True)):
        note = _("Every dollar paid to or by a player.")
        found.append(
            breakdown(_("Money in and out"), note, names, source_names(), map(astuple, spent), money)
        )
    return found


def gain_names() -> tuple[str, ...]:
    """The headings of the gains, in their order."""
    return (
        _("At the start"),
        _("Free founder’s shares"),
        _("Share price gains"),
        _("Merger bonuses"),
        _("Trading 2 for 1"),
        _("Shares left in defunct chains"),
        _("Final bonuses"),
    )
