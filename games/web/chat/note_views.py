"""Views of a user's private notes about a game."""

from typing import Any

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.membership.kept_form import take_back
from games.chat.conversation import note
from games.chat.notes import write_note
from games.models import Game, Note
from games.models.note import MAX_NOTE_LENGTH
from games.refusals import NoteChanged, TextTooLong
from games.web.requests import Request, whole_number
from games.web.text.game_titles import title


@sensitive_post_parameters("text")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def notes(request: Request, public_id: str) -> HttpResponse:
    """Show the notes on a page of their own, or save them (POST); htmx gets only their state."""
    game = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    if request.method != "POST":
        return _answer(request, game, note(game, request.user), _taken_back(request, game))
    # Browsers send every line end as CR LF.
    text = request.POST.get("text", "").replace("\r\n", "\n")
    version = _version(request)
    if not ratelimit.consume(request, action="note"):
        return ratelimit.respond_429(request)
    try:
        written = write_note(game=game, user=request.user, text=text, version=version)
    except NoteChanged as error:
        typed = {"typed": text, "version": version, "problem": error.message, "changed": True}
        return _answer(request, game, error.note, typed, status=error.status)
    except TextTooLong as error:
        typed = {"typed": text, "version": version, "problem": error.message}
        return _answer(request, game, note(game, request.user), typed, status=error.status)
    if request.htmx:
        return _answer(request, game, written)
    return redirect(f"{game.get_absolute_url()}#notes")


def sheet(request: Request, game: Game) -> dict[str, Any]:
    """The context of games/chat/_notes.html; empty for visitors and at practice tables."""
    if game.is_practice or not request.user.is_authenticated:
        return {}
    return _facts(game, note(game, request.user)) | _taken_back(request, game)


def _taken_back(request: Request, game: Game) -> dict[str, Any]:
    """The notes that their writer has gone back to without saving them; empty for none."""
    back = take_back(request, reverse("notes", args=[game.public_id]))
    if "text" not in back:
        return {}
    return {"typed": back["text"], "version": back.get("version", ""), "is_unsaved": True}


def _version(request: Request) -> int:
    """The version of the notes that the posted ones replace; the button `over` overrides it."""
    text = request.POST.get("over") or request.POST.get("version", "")
    return whole_number(text) or 0


def _answer(
    request: Request, game: Game, note: Note, typed: dict[str, Any] | None = None, *, status: int = 200
) -> HttpResponse:
    template = "games/chat/_note_state.html" if request.htmx else "games/chat/notes.html"
    context = {
        "notes": _facts(game, note) | (typed or {}),
        "title": title(game),
        "game_url": game.get_absolute_url(),
    }
    return render(request, template, context, status=status)


def _facts(game: Game, note: Note) -> dict[str, Any]:
    return {
        "note": note,
        "typed": note.text,
        "version": note.version,
        "url": reverse("notes", args=[game.public_id]),
        "most": MAX_NOTE_LENGTH,
    }
