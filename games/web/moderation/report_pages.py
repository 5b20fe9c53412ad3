"""Pages to report members and games, and the reports a member has made."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.membership.kept_form import take_back
from accounts.refusals import Refusal
from games.models import AbuseReport, Game
from games.moderation import abuse_reports, report_actions, report_queue
from games.ratings import player_profile
from games.web.moderation.report_form import ReportForm
from games.web.requests import Request
from games.web.text.game_titles import report_subject, title


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def report_player(request: Request, name: str) -> HttpResponse:
    """Report a member for their behaviour or their name."""
    person = player_profile.player(name)
    if person == request.user:
        raise Http404
    return _report(
        request,
        what=person.username,
        back=reverse("player", args=[person.username]),
        send=lambda **told: abuse_reports.report_person(person=person, user=request.user, **told),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def report_game(request: Request, public_id: str) -> HttpResponse:
    """Report a game."""
    game = get_object_or_404(Game.objects.filter(is_practice=False), public_id=public_id)
    return _report(
        request,
        what=title(game),
        back=game.get_absolute_url(),
        send=lambda **told: abuse_reports.report_game(game=game, user=request.user, **told),
    )


@require_safe
@never_cache
@login_required
def my_reports(request: Request) -> HttpResponse:
    """List the member's reports and their outcomes."""
    found = [
        {
            "what": report_subject(report),
            "made": report.made,
            "settled": report.settled,
            "came": report_actions.outcome_message(report.outcome) if report.settled else "",
            "answer": report.answer,
        }
        for report in report_queue.reports_by(request.user)
    ]
    return render(request, "games/moderation/my_reports.html", {"reports": found})


def report_url(request: HttpRequest, game: Game) -> str:
    """Return the address at which the reader can report the game, or "" if not allowed."""
    is_member = request.user.is_authenticated and not request.user.is_guest
    return reverse("report-game", args=[game.public_id]) if is_member and not game.is_practice else ""


def thank(request: Request, report: AbuseReport) -> None:
    """Thank the reporter in a message on the next page, or say that the report is known."""
    if report.is_repeated:
        messages.info(
            request,
            _("You have already reported this. Open “Your reports” to see the outcome."),
        )
        return
    messages.success(
        request, _("Thank you. The moderators will look at your report and tell you the outcome.")
    )


def _report(request: Request, *, what: str, back: str, send: Callable[..., AbuseReport]) -> HttpResponse:
    """Show the form, and send the report (POST)."""
    form = ReportForm(request.POST) if request.method == "POST" else ReportForm(initial=take_back(request))
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                report = send(**form.cleaned_data)
            except Refusal as error:
                form.add_error("reason", error.message)
                status = error.status
            else:
                thank(request, report)
                return redirect(back)
    context = {"form": form, "what": what, "back": back}
    return render(request, "games/moderation/report.html", context, status=status)
