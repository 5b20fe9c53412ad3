"""Signed links that stop mail; they never expire."""

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.urls import reverse

from accounts.models import User
from games.models import Game, GameNotificationLevel, Kind
from games.notifications import preferences
from games.web.notifications.mail_sections import absolute

_SALT = "games.web.notifications.unsubscribe"

GAME, KIND, ALL = "game", "kind", "all"


class BadLink(ValueError):
    """The link is forged, or its game or member is gone."""


@dataclass(frozen=True)
class Unsubscribe:
    """The scope of a link: one game (`of` is its public id), one kind of notification, or all mail.

    Without a user, the link stops all mail to an address that belongs to no member.
    """

    scope: str
    user: User | None = None
    of: str = ""
    address: str = ""

    @property
    def game(self) -> Game | None:
        # Include withheld games: their notifications can be muted, too.
        return Game.all_games.filter(public_id=self.of).first() if self.scope == GAME else None

    @property
    def kind(self) -> Kind | None:
        return Kind(self.of) if self.scope == KIND else None


def link(scope: str, *, user: User | None = None, of: str = "", address: str = "") -> str:
    """The URL of the page that stops this mail; a POST does so at once."""
    facts = {"u": user.pk} if user else {"a": address}
    token = signing.dumps({**facts, "s": scope, "of": of}, salt=_SALT)
    return absolute(reverse("stop-mail", args=[token]))


def read(token: str) -> Unsubscribe:
    """Return what a token stops. Raises BadLink for a token that `link` did not make."""
    try:
        facts: dict[str, Any] = signing.loads(token, salt=_SALT)
    except signing.BadSignature as error:
        raise BadLink from error
    if "a" in facts:
        return Unsubscribe(ALL, address=facts["a"])
    user = User.objects.filter(pk=facts["u"], is_active=True).first()
    stop = Unsubscribe(facts["s"], user, facts["of"])
    if user is None or (stop.scope == GAME and stop.game is None):
        raise BadLink
    return stop


def apply_unsubscribe(stop: Unsubscribe) -> None:
    """Stop the mail; repeating it changes nothing."""
    if stop.user is None:
        preferences.unsubscribe_address(stop.address)
    elif stop.scope == GAME:
        assert stop.game
        preferences.set_game_level(stop.user, stop.game, GameNotificationLevel.Level.MUTE)
    elif stop.scope == KIND:
        preferences.mute_kind(stop.user, stop.of)
    else:
        preferences.stop_all_mail(stop.user)
