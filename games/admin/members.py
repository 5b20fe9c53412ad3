"""What the page of a member in the admin says of games."""

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from games.queries import members, reports_about
from games.views.naming import reported, title

Lines = list[tuple[str, str]]


def tables(user: User) -> list[tuple[str, Lines]]:
    """The unfinished games of the member, each with its page in the admin."""
    lines = [
        (
            f"{title(game)} ({game.get_status_display()})",
            reverse("admin:games_game_change", args=[game.pk]),
        )
        for game in members.tables_of(user)
    ]
    return [(_("Games"), lines or [(_("Sits at no table just now."), "")])]


def reports(user: User) -> list[tuple[str, Lines]]:
    """What was reported of the member, and what came of it; not who reported it."""
    lines = [
        (
            f"{date_format(report.made, 'j F Y')}: {reported(report)}, {report.get_trouble_display()}"
            f" ({report.get_outcome_display() if report.settled else _('open')})",
            reverse("admin:games_report_change", args=[report.pk]) if report.handed else "",
        )
        for report in reports_about(user)
    ]
    return [(_("Reports"), lines or [(_("None."), "")])]


def invitations(user: User) -> list[tuple[int, str]]:
    """Who invited the member by mail, and whom the member invited so."""
    asked = [(key, _("was invited by mail by {name}")) for key in members.inviters_of(user)]
    return asked + [(key, _("has invited {name} by mail")) for key in members.invited_by(user)]
