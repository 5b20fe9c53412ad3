"""The panel of a table that asks a bot for advice and shows it."""

from dataclasses import dataclass

from allauth.core import ratelimit
from django.http import HttpResponse

from accounts.refusals import Refusal
from games.analysis.advice import advice, reason_against_advice
from games.engine.bots.bot_levels import ADVISERS
from games.play.game_view import GameView
from games.web.addresses import address
from games.web.presenters.advice_view import Advice
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import people
from games.web.requests import Request
from games.web.text.seat_names import level_name, table_persons


@dataclass(frozen=True, slots=True)
class AdvicePanel:
    """The advice panel of a table: the form's `url`, the bot's `level`, and its answer in `words`.

    `thinks` is set while the bot works; `lost` when it was asked before and has not answered.
    """

    url: str
    level: str
    thinks: bool = False
    words: Advice | None = None
    lost: bool = False


def asking(look: GameView, *, waits: bool = False) -> AdvicePanel | None:
    """The advice panel of the viewer, or None if advice is not allowed; `waits` if the page asked before."""
    if advice_refusal(look):
        return None
    game = look.game
    url = address("advice", game.public_id, game.version + 1)
    level = level_name(game.system, ADVISERS[game.system])
    known = advice(game)
    if not known.estimates:
        return AdvicePanel(url, level, thinks=known.asked, lost=waits and not known.asked)
    readers = people(table_persons(look.seats), look.seat)
    return AdvicePanel(
        url, level, words=PRESENTERS[game.system].advice(look.seen, readers, level, known.estimates)
    )


def advice_refusal(look: GameView) -> Refusal | None:
    """Return why the viewer may not ask for advice, or None."""
    return reason_against_advice(look.game, look.seats, look.seat, len(look.seen.legal))


def advice_rate_limited(request: Request, look: GameView) -> HttpResponse | None:
    """Return a 429 response if the viewer asks too often, else None.

    Advice that is already known or under way does not count.
    """
    known = advice(look.game)
    if known.asked or known.estimates or ratelimit.consume(request, action="advice"):
        return None
    return ratelimit.respond_429(request)
