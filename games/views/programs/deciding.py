"""What a program is asked, and what it answers."""

from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from games import queries, services
from games.models import Game
from games.queries.decisions import asked_of
from games.rules.errors import IllegalMove, InvalidMove
from games.services.errors import NotSeated
from games.tables import TABLES

from . import telling, waiting
from .answers import ByProgram, for_programs, problem, sent

# Seconds that an answer may wait for a decision: proxies take a longer silence for a fault.
LONGEST_WAIT = 25
_SECONDS = {str(seconds): seconds for seconds in range(LONGEST_WAIT + 1)}


@for_programs("GET")
def account(request: ByProgram) -> HttpResponse:
    """Who asks."""
    program = request.user.program
    return JsonResponse({"name": request.user.username, "owner": program.owner.username})


@for_programs("GET")
def decisions(request: ByProgram) -> HttpResponseBase:
    """The games in which the program must decide; with `wait` the answer comes once there is one."""
    wait = _SECONDS.get(request.GET.get("wait", "0"))
    if wait is None:
        return problem(_("So many seconds can be waited: 0 to {n}.").format(n=LONGEST_WAIT), 422)
    asked = asked_of(request.user)
    if asked or not wait:
        return JsonResponse({"decisions": [telling.decision(one) for one in asked]})
    return waiting.answered(request.token, wait) or _too_many()


@for_programs("GET")
def stream(request: ByProgram) -> HttpResponseBase:
    """A line of JSON for each decision, as soon as there is one, until somebody hangs up."""
    return waiting.streamed(request.token) or _too_many()


@for_programs("GET")
def game(request: ByProgram, public_id: str) -> HttpResponse:
    """A game in which the program sits, as its seat may know it, whoever must decide."""
    look = queries.look(public_id, request.user)
    if look is None or look.seat is None:
        raise Http404
    seen = look.game.rule_system.observation_to_json(look.seen)
    return JsonResponse({**telling.table(look.game, look.seats), "seat": look.seat, "observation": seen})


@for_programs("POST")
def move(request: ByProgram, public_id: str, number: int) -> HttpResponse:
    """Make the `move` for the entry `number` of the log: the same again is the same success again."""
    found = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    text = sent(request, "move")
    if text is None:
        return problem(_("Send the move as JSON, like {example}.").format(example='{"move": "pass"}'), 422)
    seats = list(found.seats.all())
    seat = next((seat for seat in seats if seat.user_id == request.user.pk), None)
    if seat is None:
        raise NotSeated
    try:
        entry = services.play_move(
            game_id=found.pk, number=number, seat=seat.number, text=text, by=request.user
        )
    except (IllegalMove, InvalidMove) as error:
        return problem(TABLES[found.system].refusal(error, found.rules), 422)
    return JsonResponse({"game": public_id, "number": entry.number, "seat": entry.seat, "move": entry.text})


def _too_many() -> HttpResponse:
    return problem(_("Your program waits here already. Close the other connection first."), 429, wait=5)
