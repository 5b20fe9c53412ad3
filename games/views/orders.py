"""Giving, trying and withdrawing standing orders."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.services.refusals import Refusal
from games import queries, services
from games.orders import InvalidOrder
from games.queries import Look
from games.tables import TABLES

from .naming import title
from .ordering import Said, orders_part, preview
from .requests import Request
from .table import shown


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def orders(request: Request, public_id: str) -> HttpResponse:
    """The viewer's orders; POST gives one, says what it would do (`look`), or withdraws one."""
    look = queries.look(public_id, request.user)
    assert look is not None  # whatever its version
    if not queries.takes_orders(look):
        return redirect(look.game)
    if request.method != "POST":
        return _page(request, look, request.GET)
    if "look" in request.POST:
        return _said(request, look, preview(look, request.POST), 200)
    problem, status = _change(request, look)
    if problem:
        return _said(request, look, Said(problem), status)
    if not request.htmx:
        return redirect(look.game)
    answer = shown(request, public_id)
    answer["HX-Retarget"] = "#table"
    return answer


def _change(request: Request, look: Look) -> tuple[str, int]:
    """Give or withdraw an order; what was wrong in a sentence, if anything, and the status of the answer."""
    game_id, by, table = look.game.pk, request.user, TABLES[look.game.system]
    try:
        if "withdraw" in request.POST:
            services.withdraw_order(game_id=game_id, by=by, about=request.POST["withdraw"])
        else:
            terms, once = table.read_order(request.POST), bool(request.POST.get("once"))
            services.give_order(game_id=game_id, by=by, terms=terms, once=once)
    except Refusal as error:
        return str(error.message), error.status
    except InvalidOrder as error:
        return table.order_refusal(error), 422
    return "", 200


def _said(request: Request, look: Look, said: Said, status: int) -> HttpResponse:
    if request.htmx:
        return render(request, "games/_order_said.html", {"said": said}, status=status)
    return _page(request, look, request.POST, said, status)


def _page(
    request: Request, look: Look, data: Any, said: Said | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "orders": orders_part(look, data, said),
        "title": title(look.game),
        "game_url": look.game.get_absolute_url(),
    }
    return render(request, "games/orders.html", context, status=status)
