"""Links in mails and messages name their addressee, so that others who open one are told whose it is."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.mail import login_links
from accounts.models import User
from games.models import Game

PARAMETER, KEY_PARAMETER = "for", "key"


def addressed_to(member: User | None, path: str, *, by_mail: bool = False) -> str:
    """The path with the name of the member to whom the link is sent, if it is sent to a member.

    Only links in mails, which nobody else reads, get the key of a member who logs in by them.
    """
    if member is None:
        return path
    named = {PARAMETER: member.username}
    if by_mail and (key := login_links.link_key(member)):
        named[KEY_PARAMETER] = key
    return f"{path}?{urlencode(named)}"


def lead_addressee(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that gives the member to whom a link was sent the page under its usual address.

    Otherwise this member would pass the name on when copying the address.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        name = request.GET.get(PARAMETER)
        if name and request.method in ("GET", "HEAD") and _is_called(request.user, name):
            rest = request.GET.copy()
            del rest[PARAMETER]
            rest.pop(KEY_PARAMETER, None)
            # Browsers keep the anchor.
            return redirect(f"{request.path}?{rest.urlencode()}" if rest else request.path)
        return get_response(request)

    return middleware


@dataclass(frozen=True)
class Addressee:
    """The member to whom the link was sent that somebody else has opened.

    Anybody can write a name into an address, so `name` is "" unless the page shows the member at the table
    or the address has the key of the member's mails, which is then `key`.
    """

    name: str = ""
    is_asked: bool = False
    key: str = ""


def other_addressee(request: HttpRequest, game: Game | None) -> Addressee | None:
    """Return to whom the opened link was sent, None if to its reader; the page shows the game, if any."""
    name = request.GET.get(PARAMETER)
    if not name or _is_called(request.user, name):
        return None
    key = request.GET.get(KEY_PARAMETER, "")
    if not (key and login_links.find_address(name, key)):
        key = ""
    seats = game.seats.all() if game else ()
    member = next((seat.user for seat in seats if seat.user and _is_called(seat.user, name)), None)
    if game is None or member is None:
        return Addressee(name if key else "", key=key)
    is_asked = game.is_running and game.paused is None and game.waiting_for_id == member.pk
    return Addressee(member.username, is_asked, key)


def _is_called(user: object, name: str) -> bool:
    return getattr(user, "username", "") == name
