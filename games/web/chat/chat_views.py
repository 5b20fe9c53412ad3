"""Views of the chat of a game."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.membership.kept_form import take_back
from accounts.models import User
from accounts.refusals import Refusal
from games.chat import messages as chat_messages
from games.chat.conversation import TALK_PAGE, blocked_by, conversation, is_mentioned, line_for, muted_by
from games.chat.conversation import unread as unread_count
from games.models import ChatMessage, Game
from games.models.chat_message import MAX_MESSAGE_LENGTH
from games.moderation import abuse_reports
from games.play import visits
from games.play.spectator_position import shown_to
from games.players.chat_access import PLAYERS, TEAMS, WATCHERS, ChatAccess, chat_access
from games.ratings import player_profile
from games.refusals import ChatLocked, Muted
from games.web import refusal_response
from games.web.moderation.report_form import OF_A_LINE, ReportForm
from games.web.moderation.report_pages import thank
from games.web.requests import Request, whole_number
from games.web.text.game_titles import title


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message on the page; `url` leads to reporting or muting it, "" for one's own.

    `remove_url` removes one's own message, "" when it is too late.
    `folded` messages are by somebody the reader has blocked.
    """

    key: int
    who: str
    html: str
    at: datetime
    new: bool
    watches: bool
    to_team: bool
    url: str
    remove_url: str = ""
    folded: bool = False


# A link ends before the punctuation of its sentence.
_LINK = re.compile(r"https?://[^\s<>\"]*[^\s<>\".,;:!?'()\[\]]")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def talk(request: Request, public_id: str) -> HttpResponse:
    """Show the chat and its form, or post a message.

    htmx gets only the messages after the one in `after`, or 204 if there are none. Messages
    shown count as read.
    """
    game = get_object_or_404(Game, public_id=public_id)
    if request.method == "POST":
        return _say(request, game)
    if request.htmx:
        return _lines(request, game)
    return _page(request, game)


@require_safe
@never_cache
def unread(request: Request, public_id: str) -> HttpResponse:
    """Show the number of unread messages, for htmx; 204 if it equals `known`."""
    game = get_object_or_404(Game, public_id=public_id)
    number = unread_count(game, request.user)
    if number is None or request.GET.get("known") == str(number):
        return HttpResponse(status=204)
    mentioned = number > 0 and is_mentioned(game, request.user)
    return render(request, "games/chat/_unread.html", {"unread": number, "mentioned": mentioned})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def line(request: Request, public_id: str, key: int) -> HttpResponse:
    """Show a message by somebody else with ways to report or mute it; POST reports it."""
    game = get_object_or_404(Game, public_id=public_id)
    found = line_for(game, request.user, key)
    if found is None or found.user == request.user:
        raise Http404
    sent = {"trouble": OF_A_LINE[0], **request.POST.dict()} if request.method == "POST" else None
    form, status = ReportForm(sent, troubles=OF_A_LINE, initial=take_back(request)), 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                report = abuse_reports.report(line=found, user=request.user, **form.cleaned_data)
            except Refusal as error:
                form.add_error("reason", error.message)
                status = error.status
            else:
                thank(request, report)
                return redirect("chat", public_id)
    context = {
        "title": title(game),
        "talk_url": reverse("chat", args=[public_id]),
        "said": _said(game, [found], request.user, read=found.pk)[0],
        "is_muted": muted_by(request.user).filter(pk=found.user_id).exists(),
        "is_blocked": blocked_by(request.user).filter(pk=found.user_id).exists(),
        "game": game,
        "form": form,
    }
    return render(request, "games/moderation/report_message.html", context, status=status)


@require_POST
@login_required
def remove_line(request: Request, public_id: str, key: int) -> HttpResponse:
    """Remove one's own message."""
    game = get_object_or_404(Game, public_id=public_id)
    try:
        chat_messages.remove_own(game_id=game.pk, user=request.user, key=key)
    except Refusal as error:
        return _refused(request, game, str(error.message), "", error.status)
    return HttpResponse() if request.htmx else redirect("chat", public_id)


@require_POST
@login_required
def mute(request: Request, name: str) -> HttpResponse:
    """Mute a player, or with an empty `mute` unmute them."""
    person = player_profile.player(name)
    if request.POST.get("mute"):
        chat_messages.mute(request.user, person)
        messages.success(request, _("You muted {name}.").format(name=person))
    else:
        chat_messages.unmute(request.user, person)
        messages.success(request, _("You unmuted {name}.").format(name=person))
    game = Game.objects.filter(public_id=request.POST.get("game", "")).first()
    return redirect("chat", game.public_id) if game else redirect(f"{reverse('settings')}#muted")


def chat_panel(request: Request, game: Game) -> dict[str, Any]:
    """The context of games/chat/_chat.html; empty for readers without access to the chat."""
    number = unread_count(game, request.user)
    if number is None:
        return {}
    talk = _writing(game, chat_access(game, request.user), request.user)
    url = reverse("chat", args=[game.public_id])
    return {
        "unread": number,
        "mentioned": number > 0 and is_mentioned(game, request.user),
        "url": url,
        "text": _taken_back(request, talk, url),
        **talk,
    }


def _taken_back(request: Request, talk: dict[str, Any], url: str) -> str:
    """The message that its writer has gone back to without sending it, "" for none."""
    return take_back(request, url).get("text", "") if talk["writes"] else ""


def _say(request: Request, game: Game) -> HttpResponse:
    text = request.POST.get("text", "")
    if not ratelimit.consume(request, action="talk"):
        return _refused(request, game, _("You are sending messages too fast. Wait a minute."), text, 429)
    try:
        to_team = bool(request.POST.get("to"))
        said = chat_messages.say(game_id=game.pk, user=request.user, text=text, to_team=to_team)
    except Refusal as error:
        return _refused(request, game, str(error.message), text, error.status)
    if request.htmx:
        return _lines(request, game)
    return redirect(f"{reverse('chat', args=[game.public_id])}#line-{said.pk}")


def _refused(request: Request, game: Game, problem: str, text: str, status: int) -> HttpResponse:
    if request.htmx:
        answer = HttpResponse(problem, status=status, content_type="text/plain; charset=utf-8")
    else:
        answer = _page(request, game, problem=problem, text=text, status=status)
    return refusal_response.add_retry_after(answer, 60 if status == 429 else 0)


def _lines(request: Request, game: Game) -> HttpResponse:
    found = conversation(game, request.user, after=_key(request, "after"))
    if found is None:
        raise Http404
    if not found.lines and not found.removed:
        return HttpResponse(status=204)
    if found.lines:
        visits.mark_chat_read(shown_to(game, request.user), request.user, found.lines[-1].pk)
    context = {
        "lines": _said(game, found.lines, request.user, found.read),
        "removed": found.removed,
        "unread": 0,
        "oob": True,
    }
    return render(request, "games/chat/_new_messages.html", context)


def _page(
    request: Request, game: Game, *, problem: str = "", text: str = "", status: int = 200
) -> HttpResponse:
    before = _key(request, "before")
    found = conversation(game, request.user, before=before, most=TALK_PAGE)
    if found is None:
        raise Http404
    if found.lines:
        visits.mark_chat_read(shown_to(game, request.user), request.user, found.lines[-1].pk)
    talk_url = reverse("chat", args=[game.public_id])
    talk = _writing(game, found.access, request.user)
    context = {
        "title": title(game),
        "game": game,
        "game_url": game.get_absolute_url(),
        "talk_url": talk_url,
        "lines": _said(game, found.lines, request.user, found.read),
        "talk": talk,
        "older_url": f"{talk_url}?before={found.lines[0].pk}" if found.older else "",
        "is_older": bool(before),
        "muted": muted_by(request.user),
        "problem": problem,
        "text": text or _taken_back(request, talk, talk_url),
    }
    return render(request, "games/chat/chat.html", context, status=status)


def _writing(game: Game, found: ChatAccess, reader: User) -> dict[str, Any]:
    """The part of the context about who may write and who reads it."""
    if game.chat_locked_at is not None:
        heard = str(ChatLocked().message)
    elif {PLAYERS, WATCHERS} <= set(found.reads):
        heard = _("The game is over, so players and spectators can read each other’s messages.")
    elif WATCHERS in found.reads:
        heard = _("Spectators and moderators can read this chat. Players can read it when the game is over.")
    else:
        heard = _("Players and moderators can read this chat. Spectators can read it when the game is over.")
    writes = bool(found.writes)
    if writes and reader.muted_until and reader.is_muted:
        writes, heard = False, str(Muted(reader.muted_until).message)
    return {
        "writes": writes,
        "heard": heard,
        "to_team": _team_rule(game) if found.team else "",
        "most": MAX_MESSAGE_LENGTH,
    }


def _team_rule(game: Game) -> str:
    """The sentences on messages to the team: their readers, and the time for them."""
    if game.team_chat == Game.TeamChat.BETWEEN:
        return _(
            "Only your team and moderators can read messages to your team. You can send them between your "
            "turns."
        )
    return _("Only your team and moderators can read messages to your team.")


def _said(game: Game, lines: Iterable[ChatMessage], user: Any, read: int) -> list[MessageRow]:
    seated = {seat.user.pk: seat.user for seat in game.seats.select_related("user") if seat.user}
    names = {player.get_short_name().lower() for player in seated.values()}
    return [
        MessageRow(
            key=line.pk,
            who=line.user.get_short_name(),
            html=format_html_join("", "{}", ((part,) for part in _with_links(line.text, names))),
            at=line.made,
            new=line.pk > read and line.user_id != user.pk,
            to_team=line.channel in TEAMS,
            watches=line.channel == WATCHERS and game.is_finished,
            url="" if line.user_id == user.pk else reverse("talk-line", args=[game.public_id, line.pk]),
            remove_url=reverse("remove-line", args=[game.public_id, line.pk])
            if line.user_id == user.pk and chat_messages.can_be_removed(line)
            else "",
            folded=getattr(line, "folded", False),
        )
        for line in lines
    ]


def _with_links(text: str, names: set[str]) -> Iterator[str]:
    """Yield the text in pieces; links and mentions of players are safe HTML, all other text is not."""
    end = 0
    for found in _LINK.finditer(text):
        yield from _with_mentions(text[end : found.start()], names)
        yield format_html(
            '<a href="{0}" target="_blank" rel="nofollow noopener noreferrer ugc">{0}</a>', found[0]
        )
        end = found.end()
    yield from _with_mentions(text[end:], names)


def _with_mentions(text: str, names: set[str]) -> Iterator[str]:
    """Yield the text in pieces; mentions of players are safe HTML, all other text is not."""
    end = 0
    for found in chat_messages.MENTION.finditer(text):
        if found[1].lower() in names:
            yield text[end : found.start()]
            yield format_html("<b>{}</b>", found[0])
            end = found.end()
    yield text[end:]


def _key(request: Request, name: str) -> int:
    """The key of a message in the request; 0 if there is none."""
    text = request.GET.get(name, "") or request.POST.get(name, "")
    return whole_number(text, max_digits=18) or 0
