"""Parts of pages about notifications."""

from typing import Any

from django import template
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Endpoint, Game
from games.notifications import delivery_history, preferences
from games.web.notifications import web_push
from games.web.notifications.addressee import other_addressee
from games.web.notifications.game_level_form import LEVELS
from games.web.notifications.mail_schedule import schedule_of
from games.web.settings.kind_choices import kind_rows
from games.web.text.game_titles import withheld_names

register = template.Library()


@register.inclusion_tag("games/notifications/_kinds.html")
def kind_settings(user: User) -> dict[str, Any]:
    """The member's choices of notifications by kind and channel."""
    return {"channels": list(Channel), "kinds": kind_rows(user)}


@register.inclusion_tag("games/notifications/_settings.html", takes_context=True)
def notice_settings(context: dict[str, Any]) -> dict[str, Any]:
    """The reader's endpoints and the last deliveries."""
    user = context["user"]
    webhooks = [choice for choice in Endpoint.Kind.choices if choice[0] != Endpoint.Kind.PUSH]
    return {
        **_csrf(context),
        "endpoints": delivery_history.endpoints_of(user, timezone.now()),
        "webhooks": webhooks,
        "deliveries": delivery_history.last_deliveries(user, withheld_names()),
        "push_key": web_push.public_key() if web_push.is_on() else "",
    }


@register.inclusion_tag("games/notifications/_mail_schedule.html")
def mail_schedule(user: User) -> dict[str, Any]:
    """The times at which mail comes to the member; nothing without an address that takes mail."""
    has_mail = user.mail_address() and not user.mail_stopped
    return {"schedule": schedule_of(user, timezone.now()) if has_mail else None}


@register.inclusion_tag("games/notifications/_game_level.html", takes_context=True)
def attention(context: dict[str, Any], game: Any) -> dict[str, Any]:
    """The reader's notification level for the game, with a form to change it; empty without a seat there."""
    user = context["user"]
    if not user.is_authenticated or user.is_guest:
        return {}
    if not any(seat.user_id == user.pk for seat in game.seats.all()):
        return {}
    # The game view has already loaded it.
    level = (game.hears or "") if hasattr(game, "hears") else preferences.game_level(user, game)
    return {**_csrf(context), "game": game, "levels": LEVELS, "level": level}


@register.inclusion_tag("games/notifications/_banner.html", takes_context=True)
def notice_banner(context: dict[str, Any]) -> dict[str, Any]:
    """A warning to members whom notifications do not reach."""
    user = context.get("user")
    if user is None or not user.is_authenticated or user.is_guest:
        return {}
    # The game view has already loaded it.
    trouble = getattr(context.get("game"), "in_trouble", None)
    return {
        "mail_stopped": user.mail_stopped,
        "endpoint_stopped": delivery_history.has_trouble(user) if trouble is None else trouble,
    }


@register.inclusion_tag("games/notifications/_addressee.html", takes_context=True)
def addressee_banner(context: dict[str, Any]) -> dict[str, Any]:
    """The notice on a page whose link was sent to somebody else, with what to do; else empty."""
    request, game = context.get("request"), context.get("game")
    if request is None or not hasattr(request, "user"):
        return {}
    addressee = other_addressee(request, game if isinstance(game, Game) else None)
    return {**_csrf(context), "request": request, "user": request.user, "addressee": addressee}


def _csrf(context: dict[str, Any]) -> dict[str, Any]:
    return {"csrf_token": context.get("csrf_token")}
