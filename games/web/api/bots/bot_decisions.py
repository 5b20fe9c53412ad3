"""Decisions and moves in the API of bot accounts."""

from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Game
from games.play.game_view import game_view
from games.play.open_decisions import open_decisions
from games.play.play_move import play_move
from games.refusals import NotSeated
from games.web.api.bots import bot_json, decision_stream
from games.web.api.bots.bot_response import BotRequest, bot_view, problem, sent
from games.web.presenters.presenter_registry import PRESENTERS

# Proxies may cut off a response after a longer silence.
MAX_WAIT_SECONDS = 25
_SECONDS = {str(seconds): seconds for seconds in range(MAX_WAIT_SECONDS + 1)}


@bot_view("GET")
def account(request: BotRequest) -> HttpResponse:
    """Return the bot account and its owner."""
    program = request.user.program
    return JsonResponse({"name": request.user.username, "owner": program.owner.username})


@bot_view("GET")
def decisions(request: BotRequest) -> HttpResponseBase:
    """Return the open decisions of the bot account; with `wait`, hold the response until there is one."""
    wait = _SECONDS.get(request.GET.get("wait", "0"))
    if wait is None:
        return problem(_("“wait” must be a number of seconds from 0 to {n}.").format(n=MAX_WAIT_SECONDS), 422)
    asked = open_decisions(request.user)
    if asked or not wait:
        return JsonResponse({"decisions": [bot_json.decision(one) for one in asked]})
    return decision_stream.answered(request.token, wait) or _too_many()


@bot_view("GET")
def stream(request: BotRequest) -> HttpResponseBase:
    """Stream each open decision as a line of JSON, until either side closes the connection."""
    return decision_stream.stream_decisions(request.token) or _too_many()


@bot_view("GET")
def game(request: BotRequest, public_id: str) -> HttpResponse:
    """Return a game of the bot account, as its seat may know it, also when another seat is to move."""
    look = game_view(public_id, request.user)
    if look is None or look.seat is None:
        raise Http404
    seen = look.game.rule_system.observation_to_json(look.seen)
    return JsonResponse({**bot_json.table(look.game, look.seats), "seat": look.seat, "observation": seen})


@bot_view("POST")
def move(request: BotRequest, public_id: str, number: int) -> HttpResponse:
    """Play `move` as entry `number` of the log; repeating the request is harmless and succeeds again."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    text = sent(request, "move")
    if text is None:
        return problem(
            _("Send the move as JSON, for example {example}.").format(example='{"move": "pass"}'), 422
        )
    seats = list(found.seats.all())
    seat = next((seat for seat in seats if seat.user_id == request.user.pk), None)
    if seat is None:
        raise NotSeated
    try:
        entry = play_move(game_id=found.pk, number=number, seat=seat.number, text=text, by=request.user)
    except (IllegalMove, InvalidMove) as error:
        return problem(PRESENTERS[found.system].refusal(error, found.rules), 422)
    return JsonResponse({"game": public_id, "number": entry.number, "seat": entry.seat, "move": entry.text})


def _too_many() -> HttpResponse:
    return problem(_("Your bot is already waiting here. Close the other connection first."), 429, wait=5)
