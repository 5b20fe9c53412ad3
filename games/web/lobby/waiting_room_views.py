"""Views of the waiting room."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.validators import slug_re, validate_email
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.membership.kept_form import take_back
from accounts.models import User
from accounts.refusals import Refusal
from games.lobby import game_start, join_game, live_queue, ready_check, stale_games, waiting_room
from games.lobby.invite import decline as decline_invitation
from games.lobby.invite import invite as invite_member
from games.lobby.invite import invite_address, is_invited
from games.lobby.rematch import start_rematch
from games.lobby.waiting_room import WaitingRoom
from games.models import Game
from games.play.deadlines.ready_deadlines import READY_TIME
from games.web import refusal_response
from games.web.chat import chat_views
from games.web.clocks.live_clock import milliseconds
from games.web.lobby.game_cards import waiting_for_players
from games.web.lobby.lobby_forms import InviteForm, KickForm
from games.web.moderation.report_pages import report_url
from games.web.presenters.table_people import join_list, team_name
from games.web.requests import Request
from games.web.text import terms_text
from games.web.text.game_titles import format_pace, players, rules_title, title
from games.web.text.seat_names import table_persons

# A number that no team has, for what was posted instead of one.
NO_TEAM: Final = -1


def page(request: Request, public_id: str, **context: Any) -> HttpResponse:
    """Render the waiting room; `context` may have `problem`, `code`, `invite` and `status`.

    Redirects those whom the game has sent back to the queue.
    """
    code = context.get("code", "")
    room = waiting_room.room(public_id, request.user, code)
    if _waits_again(request, room.game):
        return redirect("live-queue")
    drawn = _drawn(request, room, code, context.get("invite"))
    game = room.game
    whole = {
        **context,
        **drawn,
        "title": title(game),
        "settings": terms_text.settings(game),
        "options": terms_text.options(game),
        "rules_title": rules_title(game),
        "room_url": f"{reverse('room', args=[public_id])}{f'?code={code}' if code else ''}",
        "live_url": f"/ws/games/{public_id}/",
        "rules_url": reverse("preset", args=[game.preset]),
        "talk": chat_views.chat_panel(request, game),
        "report_url": report_url(request, game),
    }
    return render(request, "games/lobby/waiting_room.html", whole, status=context.get("status", 200))


@require_safe
@never_cache
def open_invite_link(request: Request, code: str) -> HttpResponse:
    """Show the waiting room for an invite link, or redirect to the table once the game has started."""
    game = waiting_room.game_by_invite_code(code)
    if not game.is_dealt:
        return page(request, game.public_id, code=code)
    if not waiting_room.is_seated(game, request.user):
        messages.info(request, _("The game has already started, so you can no longer join it."))
    return redirect(game)


@require_safe
@never_cache
def room(request: Request, public_id: str) -> HttpResponse:
    """Render the part that changes, for htmx; 204 if it still has the hash in `seen`.

    Redirects the page to the table once the game has started, or back to the queue.
    """
    game = get_object_or_404(Game, public_id=public_id)
    if game.is_dealt:
        return HttpResponseClientRedirect(game.get_absolute_url())
    if _waits_again(request, game):
        return HttpResponseClientRedirect(reverse("live-queue"))
    code = _code(request.GET)
    drawn = _drawn(request, waiting_room.room(public_id, request.user, code), code)
    if request.GET.get("seen") == drawn["seen"]:
        return HttpResponse(status=204)
    return render(request, "games/lobby/_waiting_room_update.html", drawn)


@require_POST
@login_required
def join(request: Request, public_id: str) -> HttpResponse:
    """Join a game, and in a team game the chosen team."""
    code, team = _code(request.POST), _team(request.POST)
    return _done(
        request,
        public_id,
        lambda game: join_game.join(game_id=game.pk, user=request.user, code=code, team=team),
    )


@require_POST
@login_required
def change_team(request: Request, public_id: str) -> HttpResponse:
    """Join another team of the same game."""
    team = _team(request.POST)
    return _done(
        request,
        public_id,
        lambda game: join_game.change_team(
            game_id=game.pk, user=request.user, team=NO_TEAM if team is None else team
        ),
    )


@require_POST
@login_required
def start(request: Request, public_id: str) -> HttpResponse:
    """Start the game, as its host."""
    return _done(request, public_id, lambda game: game_start.start_as_host(game_id=game.pk, by=request.user))


@require_POST
@login_required
def ready(request: Request, public_id: str) -> HttpResponse:
    """Answer the ready check of a live game."""
    return _done(request, public_id, lambda game: ready_check.answer(game_id=game.pk, user=request.user))


@require_POST
@login_required
def leave(request: Request, public_id: str) -> HttpResponse:
    """Leave a game before its start."""
    said, otherwise = _("You left {game}."), _("You have no seat in {game}.")
    return _gone(request, public_id, said, otherwise, join_game.leave)


@require_POST
@login_required
def decline(request: Request, public_id: str) -> HttpResponse:
    """Decline an invitation."""
    code = _code(request.POST)

    def say_no(*, game_id: int, user: User) -> bool:
        return decline_invitation(game_id=game_id, user=user, code=code)

    said, otherwise = _("You declined the invitation to {game}."), _("You have no open invitation to {game}.")
    return _gone(request, public_id, said, otherwise, say_no)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def kick(request: Request, public_id: str, name: str) -> HttpResponse:
    """Ask the host for a reason (GET) and kick a player (POST); back to the queue if it made the game."""
    game = get_object_or_404(Game.objects.select_related("host"), public_id=public_id)
    seat = game.seats.select_related("user").filter(user__username__iexact=name).first()
    if game.host_id != request.user.pk or not game.is_open or seat is None or seat.user == request.user:
        raise Http404
    sent = seat.user
    assert sent is not None
    form = KickForm(request.POST) if request.method == "POST" else KickForm(initial=take_back(request))
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        done = _done(
            request,
            public_id,
            lambda game: join_game.kick(game_id=game.pk, user=sent, by=request.user, reason=reason),
        )
        game.refresh_from_db(fields=["status"])
        return redirect("live-queue") if _waits_again(request, game) else done
    context = {"form": form, "title": title(game), "game_url": game.get_absolute_url(), "name": seat.name}
    return render(request, "games/lobby/kick.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def invite(request: Request, public_id: str) -> HttpResponse:
    """Invite members by name and others by mail address; report those who could not be invited, and why."""
    game = get_object_or_404(Game, public_id=public_id)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return page(request, public_id, invite=form, status=422)
    asked: list[str] = []
    known: list[str] = []
    left, problems, status, wait = [], [], 422, 0
    for who in form.cleaned_data["who"]:
        try:
            told = known if is_invited(game, who) else asked
            _invite(game, who, request.user)
            told.append(who)
        except User.DoesNotExist:
            left.append(who)
            problems.append(_("No member is called {who}.").format(who=who))
        except Refusal as error:
            status, wait = error.status, error.retry_after
            left.append(who)
            problems.append(f"{who}: {error.message}")
    if asked:
        messages.success(request, _("You invited {names}.").format(names=join_list(asked)))
    if known:
        already = ngettext(
            "{names} already has an invitation.", "{names} already have invitations.", len(known)
        )
        messages.info(request, already.format(names=join_list(known)))
    if not problems:
        return redirect(game)
    form = InviteForm(initial={"who": ", ".join(left)})
    refused = page(request, public_id, problem=" ".join(problems), invite=form, status=status)
    return refusal_response.add_retry_after(refused, wait)


@require_POST
@login_required
def rematch(request: Request, public_id: str) -> HttpResponse:
    """Start a rematch with the same players."""
    game = get_object_or_404(Game, public_id=public_id)
    try:
        return redirect(start_rematch(game_id=game.pk, by=request.user))
    except Refusal as error:
        messages.error(request, error.message)
        return redirect(game)


def _invite(game: Game, who: str, by: User) -> None:
    if "@" in who:
        validate_email(who)
        invite_address(game_id=game.pk, address=who, by=by)
        return
    member = User.objects.get(username__iexact=who, is_active=True)
    invite_member(game_id=game.pk, user=member, by=by)


def _done(request: Request, public_id: str, work: Callable[[Game], Any]) -> HttpResponse:
    """Run the action and redirect to the game, or show the waiting room with the refusal."""
    game = get_object_or_404(Game, public_id=public_id)
    try:
        work(game)
    except Refusal as error:
        code = _code(request.POST)
        return _refused(request, game, error, code)
    return redirect(game)


def _code(form: Mapping[str, str]) -> str:
    """Return the posted code of an invite link, or "" if it cannot be one."""
    code = form.get("code", "")
    return code if slug_re.match(code) else ""


def _team(form: Mapping[str, str]) -> int | None:
    """Return the posted number of a team, None without one, or NO_TEAM if it cannot be one."""
    chosen = form.get("team", "")
    if not chosen:
        return None
    return int(chosen) if chosen in ("0", "1", "2") else NO_TEAM


def _gone(
    request: Request, public_id: str, said: str, otherwise: str, work: Callable[..., bool]
) -> HttpResponse:
    """Run the action and redirect to the lobby with the message `said`, or `otherwise` if nothing changed."""
    game = get_object_or_404(Game, public_id=public_id)
    try:
        done = work(game_id=game.pk, user=request.user)
    except Refusal as error:
        return _refused(request, game, error)
    if done:
        messages.success(request, said.format(game=title(game)))
    else:
        messages.info(request, otherwise.format(game=title(game)))
    return redirect("home")


def _refused(request: Request, game: Game, error: Refusal, code: str = "") -> HttpResponse:
    game.refresh_from_db(fields=["status"])
    if game.is_dealt:
        messages.error(request, error.message)
        return redirect(game)
    return page(request, game.public_id, problem=str(error.message), status=error.status, code=code)


def _waits_again(request: Request, game: Game) -> bool:
    was_live = game.is_live and game.status == Game.Status.CLOSED
    return was_live and request.user.is_authenticated and live_queue.is_put_back(game, request.user)


def _invite_url(request: Request, room: WaitingRoom) -> str:
    """Return the invite link for players of the game, or "" if it is by invitation only."""
    if room.me is None or room.game.visibility == Game.Visibility.INVITED or not room.game.is_open:
        return ""
    return request.build_absolute_uri(reverse("invite-link", args=[room.game.invite_code]))


def _check(room: WaitingRoom) -> dict[str, Any] | None:
    """The ready check: who is still asked, whether the viewer is, and when it ends; None without one."""
    if room.game.ready_by is None:
        return None
    asked = ready_check.unready(room.seats)
    return {
        "is_mine": room.me in asked,
        "names": join_list([seat.name for seat in asked if seat != room.me]),
        "ends": milliseconds(room.game.ready_by),
        "seconds": round(READY_TIME.total_seconds()),
    }


def _teams(room: WaitingRoom, people: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """The teams with their people and open seats; none if everybody plays alone."""
    return [
        {
            "number": number,
            "name": team_name(number),
            "is_mine": room.me is not None and room.me.number in seats,
            "people": [one for one in people if one[1].number in seats],
            "free": range(len(seats) - sum(one[1].number in seats for one in people))
            if room.game.is_open
            else (),
        }
        for number, seats in enumerate(room.game.teams)
    ]


def _drawn(
    request: Request, room: WaitingRoom, code: str, invite: InviteForm | None = None
) -> dict[str, Any]:
    """The rendered part that changes and its hash."""
    game = room.game
    people = [
        (person, seat, room.in_time.get(seat.user_id or 0), room.rated.get(seat.user_id or 0))
        for person, seat in zip(table_persons(room.seats), room.seats, strict=True)
    ]
    context = {
        "game": game,
        "room": room,
        "people": people,
        "teams": _teams(room, people),
        "free": range(game.free_seats if game.is_open else 0),
        "line": waiting_for_players(game, is_host=room.is_host) if game.is_open else "",
        "details": " · ".join([rules_title(game), players(game), format_pace(game)]),
        "against": str(room.against.message) if room.against else "",
        "closes": game.opened + stale_games.CLOSE_AFTER,
        # With one possible number of players the last to join starts the game.
        "starts": room.is_host
        and not (game.start == Game.Start.FULL and game.min_players == game.max_players),
        "check": _check(room),
        "can_start": game.seats_taken >= game.min_players and game.held_at is None,
        "here": reverse("invite-link", args=[code]) if code else game.get_absolute_url(),
        "code": code,
        "invite": invite or InviteForm(),
        "invite_url": _invite_url(request, room),
    }
    drawn = render_to_string("games/lobby/_waiting_room.html", context, request)
    return {**context, "drawn": drawn, "seen": sha256(drawn.encode()).hexdigest()[:16]}
