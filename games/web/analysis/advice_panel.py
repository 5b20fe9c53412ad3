"""What a computer opponent would do here: the part of a table that asks and tells."""

from dataclasses import dataclass

from allauth.core import ratelimit
from django.http import HttpResponse
from django.urls import reverse

from accounts.refusals import Refusal
from games.analysis.advice import advice, reason_against_advice
from games.engine.bots.bot_levels import ADVISERS
from games.play.game_view import GameView
from games.web.presenters.advice_view import Advice
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.requests import Request
from games.web.text.seat_names import level_name, table_persons


@dataclass(frozen=True, slots=True)
class AdvicePanel:
    """Somebody may be asked at `url`: `level` is the name. Then it thinks, then there are `words`.

    `lost` tells that somebody was asked before and has not answered.
    """

    url: str
    level: str
    thinks: bool = False
    words: Advice | None = None
    lost: bool = False


def asking(look: GameView, *, waits: bool = False) -> AdvicePanel | None:
    """What the viewer's table shows; None where nobody may be asked. `waits`: the page has asked before."""
    if advice_refusal(look):
        return None
    game = look.game
    url = reverse("advice", args=[game.public_id, game.version + 1])
    level = level_name(game.system, ADVISERS[game.system])
    known = advice(game)
    if not known.estimates:
        return AdvicePanel(url, level, thinks=known.asked, lost=waits and not known.asked)
    readers = people(table_persons(look.seats), look.seat)
    return AdvicePanel(
        url, level, words=PRESENTERS[game.system].advice(look.seen, readers, level, known.estimates)
    )


def advice_refusal(look: GameView) -> Refusal | None:
    """Why the viewer gets no advice, None when nothing is against it."""
    return reason_against_advice(look.game, look.seats, look.seat, len(look.seen.legal))


def advice_rate_limited(request: Request, look: GameView) -> HttpResponse | None:
    """The answer to somebody who has asked too often; what is known already can be asked for again."""
    known = advice(look.game)
    if known.asked or known.estimates or ratelimit.consume(request, action="advice"):
        return None
    return ratelimit.respond_429(request)
