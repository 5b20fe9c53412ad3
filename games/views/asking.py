"""What a computer opponent would do here: the part of a table that asks and tells."""

from dataclasses import dataclass

from allauth.core import ratelimit
from django.http import HttpResponse
from django.urls import reverse

from accounts.services.refusals import Refusal
from games import services
from games.bots import ADVISERS
from games.queries import Look
from games.tables import TABLES, Advice, people

from .naming import level_name, persons
from .requests import Request


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody may be asked at `url`: `level` is the name. Then it thinks, then there are `words`.

    `lost` tells that somebody was asked before and has not answered.
    """

    url: str
    level: str
    thinks: bool = False
    words: Advice | None = None
    lost: bool = False


def asking(look: Look, *, waits: bool = False) -> Asking | None:
    """What the viewer's table shows; None where nobody may be asked. `waits`: the page has asked before."""
    if against(look):
        return None
    game = look.game
    url = reverse("advice", args=[game.public_id, game.version + 1])
    level = level_name(game.system, ADVISERS[game.system])
    known = services.advice(game)
    if not known.estimates:
        return Asking(url, level, thinks=known.asked, lost=waits and not known.asked)
    readers = people(persons(look.seats), look.seat)
    return Asking(url, level, words=TABLES[game.system].advice(look.seen, readers, level, known.estimates))


def against(look: Look) -> Refusal | None:
    """Why the viewer gets no advice, None when nothing is against it."""
    return services.reason_against_advice(look.game, look.seats, look.seat, len(look.seen.legal))


def too_often(request: Request, look: Look) -> HttpResponse | None:
    """The answer to somebody who has asked too often; what is known already can be asked for again."""
    known = services.advice(look.game)
    if known.asked or known.estimates or ratelimit.consume(request, action="advice"):
        return None
    return ratelimit.respond_429(request)
