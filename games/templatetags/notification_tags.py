"""Parts of pages about notifications."""

from typing import Any

from django import template

from games.models import Endpoint, GameNotificationLevel, Kind
from games.notifications import delivery_history, preferences
from games.web.notifications import web_push
from games.web.text.game_titles import withheld_names

register = template.Library()


@register.inclusion_tag("games/notifications/_settings.html", takes_context=True)
def notice_settings(context: dict[str, Any]) -> dict[str, Any]:
    """The reader's notification settings: kinds, endpoints and the last deliveries."""
    user = context["user"]
    wanted = set(delivery_history.wanted_kinds(user))
    webhooks = [choice for choice in Endpoint.Kind.choices if choice[0] != Endpoint.Kind.PUSH]
    return {
        **_csrf(context),
        "kinds": [(kind, kind.label, kind in wanted) for kind in Kind],
        "endpoints": delivery_history.endpoints_of(user),
        "webhooks": webhooks,
        "deliveries": delivery_history.last_deliveries(user, withheld_names()),
        "push_key": web_push.public_key() if web_push.is_on() else "",
        "has_address": bool(user.mail_address()),
    }


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
    levels = [(value, label, value == level) for value, label in GameNotificationLevel.Level.choices]
    return {**_csrf(context), "game": game, "levels": levels, "level": level}


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


def _csrf(context: dict[str, Any]) -> dict[str, Any]:
    return {"csrf_token": context.get("csrf_token")}
