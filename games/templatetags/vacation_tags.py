"""The vacation section of the settings."""

from typing import Any

from django import template
from django.utils import timezone

from games.clocks import vacations
from games.play.deadlines import vacation_clocks
from games.play.deadlines.vacation_clocks import ALLOWANCE
from games.web.clocks.vacation_form import VacationForm

register = template.Library()


@register.inclusion_tag("games/settings/_vacation.html", takes_context=True)
def vacation_settings(context: dict[str, Any]) -> dict[str, Any]:
    """The reader's current and coming vacations, with a form for a new one."""
    user = context["user"]
    now = timezone.now()
    year = now.astimezone(user.tzinfo).year
    return {
        "csrf_token": context.get("csrf_token"),
        "form": context.get("vacation_form") or VacationForm(label_suffix=""),
        "planned": [(vacation, vacation.starts <= now) for vacation in vacations.planned(user)],
        "allowance": ALLOWANCE,
        "left": vacation_clocks.days_left_in(user, year),
        "year": year,
    }
