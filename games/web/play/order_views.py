"""The view that shows, saves, previews and withdraws standing orders."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.refusals import Refusal
from accounts.web.membership.kept_forms import login_required_to_send
from games.engine.standing_orders.order_errors import InvalidOrder
from games.play.automation import order_view, standing_orders
from games.play.game_view import GameView, game_view
from games.web.play.order_panel import OrderFeedback, order_form, orders_part, preview
from games.web.play.table_views import table_response
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.requests import Request, page_redirect
from games.web.text.game_titles import title


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required_to_send
def orders(request: Request, public_id: str) -> HttpResponse:
    """Show the viewer's orders, or just the form to htmx; POST saves, previews (`look`) or withdraws one."""
    look = game_view(public_id, request.user)
    assert look is not None  # None is only returned for `newer_than`
    if not order_view.takes_orders(look):
        return page_redirect(request, look.game)
    if request.method != "POST":
        return _form(request, look) if request.htmx else _page(request, look, request.GET)
    if "look" in request.POST:
        return _said(request, look, preview(look, request.POST), 200)
    problem, status = _change(request, look)
    if problem:
        return _said(request, look, OrderFeedback(problem), status)
    if not request.htmx:
        return redirect(f"{look.game.get_absolute_url()}#orders")
    answer = table_response(request, public_id)
    answer["HX-Retarget"] = "#table"
    return answer


def _change(request: Request, look: GameView) -> tuple[str, int]:
    """Save or withdraw an order; return the problem, "" if none, and the status."""
    game_id, by, table = look.game.pk, request.user, PRESENTERS[look.game.system]
    try:
        if "withdraw" in request.POST:
            standing_orders.withdraw_order(game_id=game_id, by=by, topic=request.POST["withdraw"])
        else:
            terms, once = table.read_order(request.POST), bool(request.POST.get("once"))
            standing_orders.save_order(game_id=game_id, by=by, terms=terms, once=once)
    except Refusal as error:
        return str(error.message), error.status
    except InvalidOrder as error:
        return table.order_refusal(error), 422
    return "", 200


def _form(request: Request, look: GameView) -> HttpResponse:
    context = {"orders": orders_part(look), "form": order_form(look, {})}
    return render(request, "games/play/_order_form.html", context)


def _said(request: Request, look: GameView, said: OrderFeedback, status: int) -> HttpResponse:
    if request.htmx:
        return render(request, "games/play/_order_feedback.html", {"said": said}, status=status)
    return _page(request, look, request.POST, said, status)


def _page(
    request: Request, look: GameView, data: Any, said: OrderFeedback | None = None, status: int = 200
) -> HttpResponse:
    context = {
        "orders": orders_part(look),
        "form": order_form(look, data, said),
        "title": title(look.game),
        "game_url": look.game.get_absolute_url(),
    }
    return render(request, "games/play/orders.html", context, status=status)
