"""Members who have seen for themselves what a notification would tell them."""

from collections.abc import Collection
from typing import Final

from django.db.models import Max

from accounts.models import User
from games.models import GameVisit, Kind, Notification, OpenPage
from games.models.presence import VISIBLE_FOR

# News that ask nothing of their reader. All others are sent to eyewitnesses, too: whoever has seen that
# something waits for them may have forgotten it. Whether a mention was read is known of its very message.
_OF_THE_TABLE: Final = (Kind.STARTED, Kind.FINISHED)
# The only actions of moderators that are not sent in any case: the table shows them with their reason.
_ROLLBACKS: Final = ("roll-back", "redeal", "reopen")
_OF_THE_WAITING_ROOM: Final = (Kind.CHECK, Kind.JOINED, Kind.LEFT, Kind.HOST, Kind.CLOSED)


class Eyewitness:
    """The events that one user has seen in these games. In doubt none, so that no news is lost."""

    def __init__(self, user: User | None, games: Collection[int]) -> None:
        visits = GameVisit.objects.filter(user=user, game__in=games) if user and games else ()
        self.visits = {visit.game_id: visit for visit in visits}
        pages = OpenPage.objects.filter(user=user, game__in=games) if user and games else None
        self.pages = (
            dict(pages.values_list("game").annotate(Max("visible_until"))) if pages is not None else {}
        )

    def has_seen(self, row: Notification) -> bool:
        """Return whether the user has seen the event that the row tells, and needs no more than that."""
        # The reason for which a moderator ended a game is always sent.
        if row.game_id is None or row.its_game.ended_by_moderator:
            return False
        if row.kind in _OF_THE_TABLE or row.moderator_action in _ROLLBACKS:
            return self._has_seen_entry(row)
        return row.kind in _OF_THE_WAITING_ROOM and self._had_page_open(row)

    def _has_seen_entry(self, row: Notification) -> bool:
        """Return whether the table was shown to the user, at this version or later, since the event."""
        visit = self.visits.get(row.game_id or 0)
        return visit is not None and visit.seen >= row.version and visit.at >= row.made

    def _had_page_open(self, row: Notification) -> bool:
        """Return whether a page of the game has reported since the event that the user sees it."""
        until = self.pages.get(row.game_id or 0)
        # The page may have reported for the last time when this time began.
        return until is not None and until - VISIBLE_FOR >= row.made
