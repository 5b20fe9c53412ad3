"""The vacation section of the settings."""

from typing import Any

from django import template
from django.utils import timezone

from games.forms import VacationForm
from games.queries import vacations
from games.services.vacations import ALLOWANCE

register = template.Library()


@register.inclusion_tag("settings/_vacation.html", takes_context=True)
def vacation_settings(context: dict[str, Any]) -> dict[str, Any]:
    """The reader's current and coming vacations, with a form for a new one."""
    user = context["user"]
    now = timezone.now()
    year = now.astimezone(user.zone).year
    return {
        "csrf_token": context.get("csrf_token"),
        "form": context.get("vacation_form") or VacationForm(label_suffix=""),
        "planned": [(vacation, vacation.starts <= now) for vacation in vacations.planned(user)],
        "allowance": ALLOWANCE,
        "left": vacations.left_in(user, year),
        "year": year,
    }
