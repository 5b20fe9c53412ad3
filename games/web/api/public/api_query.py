"""Query parameters of the API, with a refusal for every one that is not understood."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time
from typing import Final

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from games.archive.public_games import ORDERED_BY, Choice
from games.models.playable_systems import playable_systems
from games.ratings import player_profile
from games.web.api.public.api_response import Problem
from games.web.requests import whole_number

MIN_LIMIT, DEFAULT_LIMIT, MAX_LIMIT = 1, 24, 100

OF_LIST: Final = ("status", "system", "preset", "player", "since", "after", "limit")


def check_names(request: HttpRequest, known: Collection[str]) -> None:
    """Raise Problem for an unknown parameter, which would otherwise be ignored silently."""
    for name in request.GET:
        if name not in known:
            sentence = _("Unknown parameter “{name}”. Known parameters: {known}.")
            raise Problem(sentence.format(name=name[:40], known=", ".join(known) or _("none")))


def choice(request: HttpRequest) -> Choice:
    """Read which games are requested. Raises Problem, also for an unknown player."""
    here = playable_systems()
    presets = [preset for rules in here.values() for preset in rules.PRESETS]
    status = one_of(request, "status", list(ORDERED_BY)) or "finished"
    since = _since(request)
    if since is not None and status != "finished":
        raise Problem(_("“since” works only for finished games."))
    return Choice(
        status=status,
        system=one_of(request, "system", list(here)),
        preset=one_of(request, "preset", presets),
        player=_player(request),
        since=since,
    )


def one_of(request: HttpRequest, name: str, values: list[str]) -> str:
    """Return the value of a parameter, or "" if missing. Raises Problem unless it is one of `values`."""
    text = request.GET.get(name, "")
    if text and text not in values:
        sentence = _("“{name}” must be one of: {values}.")
        raise Problem(sentence.format(name=name, values=", ".join(values)))
    return text


def limit(request: HttpRequest) -> int:
    """Return the requested page size. Raises Problem."""
    found = whole_number(request.GET.get("limit", str(DEFAULT_LIMIT)))
    if found is None or not MIN_LIMIT <= found <= MAX_LIMIT:
        sentence = _("“limit” must be a number from {least} to {most}.")
        raise Problem(sentence.format(least=MIN_LIMIT, most=MAX_LIMIT))
    return found


def _player(request: HttpRequest) -> User | None:
    name = request.GET.get("player", "")
    if not name:
        return None
    try:
        return player_profile.player(name)
    except Http404:
        raise Problem(_("There is no player with this name.")) from None


def _since(request: HttpRequest) -> datetime | None:
    """Return the requested time, or the start of the requested day; in UTC unless it has an offset."""
    text = request.GET.get("since", "")
    if not text:
        return None
    try:
        if len(text) == len("2026-11-20"):
            return datetime.combine(date.fromisoformat(text), time.min, UTC)
        # A plus sign in a query is decoded as a space.
        found = datetime.fromisoformat(text.replace(" ", "+"))
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        sentence = _("“since” must be a date or a time, for example 2026-11-20 or 2026-11-20T12:00:00Z.")
        raise Problem(sentence) from None
