"""The view behind "Got it" on a coach mark."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.lessons.coach_marks import mark_read
from games.models import Game
from games.web.requests import Request


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def read_coach_mark(request: Request, public_id: str) -> HttpResponse:
    """Note that the reader has read the posted `mark`; a GET, as after a log-in, leads to the game."""
    game = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if request.method == "POST":
        mark_read(request.user, request.POST.get("mark", ""))
    return HttpResponse() if request.htmx else redirect(game)
