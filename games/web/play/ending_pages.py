"""Pages to concede, to propose an early end, and to answer a proposal."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.refusals import Refusal
from games.lobby import practice_table
from games.log import end_proposals
from games.log.concession_wishes import wishes
from games.models import Seat
from games.play.game_view import GameView, game_view
from games.play.seats import concession, end_votes
from games.web.play.proposal_panel import playing_seat, proposal_sentence
from games.web.play.table_views import table_response
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import join_list, people
from games.web.requests import Request
from games.web.text.game_titles import title
from games.web.text.seat_names import table_persons

CONCEDE = "concede"


@require_safe
@never_cache
@login_required
def ending(request: Request, public_id: str) -> HttpResponse:
    """Show the ways to end the game, or the open proposal."""
    return _page(request, _look(request, public_id))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def end(request: Request, public_id: str, what: str) -> HttpResponse:
    """Ask for confirmation (GET); concede or propose an end (POST).

    `say` is "no" to take back the wish that the team concedes.
    """
    look = _look(request, public_id)
    if what not in (CONCEDE, *end_proposals.ENDINGS):
        raise Http404
    if look.game.is_practice and what in (CONCEDE, "unrated"):
        raise Http404
    if request.method != "POST":
        if what == "unrated" and not end_proposals.can_end_unrated(look.game, look.seats):
            return redirect("ending", look.game.public_id)
        return render(request, "games/play/confirm.html", {**_frame(look), **_question(look, what)})
    try:
        if look.game.is_practice:
            practice_table.end_practice(game_id=look.game.pk, by=request.user, kind=what)
        elif what == CONCEDE and request.POST.get("say") == "no":
            concession.withdraw(game_id=look.game.pk, by=request.user)
        elif what == CONCEDE:
            concession.concede(game_id=look.game.pk, by=request.user)
        else:
            end_votes.propose_end(game_id=look.game.pk, by=request.user, kind=what)
    except Refusal as error:
        return _page(request, look, str(error.message), error.status)
    return redirect(look.game)


@require_POST
@login_required
def answer_proposal(request: Request, public_id: str, what: str) -> HttpResponse:
    """Agree to a proposal (`say` is "yes"), refuse it, or withdraw one's own ("no")."""
    look = _look(request, public_id)
    say = request.POST.get("say")
    if say not in ("yes", "no"):
        return _page(request, look, _("Choose whether to agree or play on."), 422)
    try:
        end_votes.vote_on_end(game_id=look.game.pk, by=request.user, kind=what, yes=say == "yes")
    except Refusal as error:
        return _page(request, look, str(error.message), error.status)
    return redirect(look.game)


def _look(request: Request, public_id: str) -> GameView:
    """Return the game as its player sees it, or raise Http404."""
    look = game_view(public_id, request.user)
    if look is None or (look.seat is None and not look.game.is_practice):
        raise Http404
    return look


def _frame(look: GameView) -> dict[str, Any]:
    return {"title": title(look.game), "game_url": look.game.get_absolute_url()}


def _page(request: Request, look: GameView, problem: str = "", status: int = 200) -> HttpResponse:
    look = _look(request, look.game.public_id) if problem else look
    if look.game.is_practice:
        return _practice_page(request, look, problem, status)
    mine, found = playing_seat(look), end_proposals.open_proposal(look.game, look.seats)
    if mine is None or mine.concession_order is not None:
        if not problem:
            return redirect(look.game)
        if mine is None:
            problem = _("The game had already ended, so nothing has changed.")
        return table_response(request, look.game.public_id, problem=problem, status=status)
    context = {
        **_frame(look),
        "problem": problem,
        "concede_url": reverse("confirm-ending", args=[look.game.public_id, CONCEDE]),
        **_team(look, mine),
        "lately": end_votes.was_refused_lately(look.game, mine),
    }
    if found:
        context |= {
            "sentence": proposal_sentence(found, look.seats),
            "proposal": found,
            "answer_url": reverse("answer-proposal", args=[look.game.public_id, found.kind]),
            "mine": look.seat == found.seat,
            "agreed": [look.seats[seat].name for seat in found.agreed],
            "missing": [look.seats[seat].name for seat in found.missing],
            "asked": look.seat in found.missing,
            "has_agreed": look.seat in found.agreed,
            "standings": [] if found.kind == "none" else _standings(look),
            "score_name": PRESENTERS[look.game.system].score_name(),
        }
    else:
        context |= {
            f"{kind}_url": reverse("confirm-ending", args=[look.game.public_id, kind])
            for kind in end_proposals.endings_open(look.game, look.seats)
            if mine in end_proposals.voters(look.seats, kind)
        }
        context["asks_partners"] = end_proposals.voters(look.seats, "unrated") != [mine]
    return render(request, "games/play/end_game.html", context, status=status)


def _team(look: GameView, mine: Seat) -> dict[str, Any]:
    """The wishes to concede in the reader's team; nothing without a team."""
    side = concession.partners_of(look.seats, mine)
    if len(side) == 1:
        return {}
    wish = wishes(look.game)
    others = [seat.name for seat in side if seat.number in wish and seat != mine]
    return {
        "in_team": True,
        # Once nobody is left to ask, the reader can concede for the team.
        "wants_to_concede": mine.number in wish and bool(concession.wanted_of(look.game, look.seats, mine)),
        "partners_who_want_to": join_list(others),
    }


def _practice_page(request: Request, look: GameView, problem: str, status: int) -> HttpResponse:
    """Render the page of a practice table, where no vote is needed."""
    if not look.game.is_running:
        return redirect(look.game)
    urls = {
        f"{kind}_url": reverse("confirm-ending", args=[look.game.public_id, kind])
        for kind in end_proposals.endings_open(look.game, look.seats)
    }
    return render(
        request, "games/play/end_game.html", {**_frame(look), "problem": problem, **urls}, status=status
    )


def _question(look: GameView, what: str) -> dict[str, Any]:
    """The context of the confirmation of an early end."""
    mine = look.seats[look.seat or 0]
    alone = look.game.is_practice or end_proposals.voters(look.seats, what) == [mine]
    away = any(seat.can_be_reclaimed for seat in look.seats if seat != mine)
    if what == CONCEDE:
        texts = _("Concede this game?"), _("Concede game"), _what_conceding_does(look, mine)
    elif what == "standings" and alone:
        texts = (
            _("End the game with the current standings?"),
            _("End game"),
            _("The game ends right away."),
        )
    elif what == "standings":
        texts = (
            _("Propose to end the game with the current standings?"),
            _("Send proposal"),
            _(
                "Every player gets your proposal. The game ends with the current standings as soon "
                "as everyone agrees. Until then it continues, and players can change their vote."
            ),
        )
    elif what == "unrated" and not alone:
        texts = (
            _("Propose to end the game unrated?"),
            _("Send proposal"),
            _(
                "Your partners get your proposal. The game ends with the current standings as soon as "
                "they agree. No ratings change, not even those of players who left. You can do this only "
                "until your team has made a few more moves."
            ),
        )
    elif what == "unrated":
        texts = (
            _("End the game unrated?"),
            _("End game"),
            _(
                "The game ends right away with the current standings. No ratings change, not even "
                "those of players who left. You can do this only until you have made a few more "
                "moves."
            ),
        )
    elif what == "none" and alone:
        texts = (
            _("End the game without a result?"),
            _("End game"),
            _("The game ends right away. Nobody wins."),
        )
    else:
        texts = (
            _("Propose to end the game without a result?"),
            _("Send proposal"),
            _(
                "Every player gets your proposal. The game continues until everyone agrees. Then it "
                "ends, and nobody wins."
            ),
        )
    question, button, explanation = texts
    if look.game.rated and what not in (CONCEDE, "unrated"):
        explanation = f"{explanation} {_what_it_counts_for(look, mine, what)}"
    if away and what == "standings":
        explanation = f"{explanation} {_('Absent players who can still come back must agree too.')}"
    elif away and what == "none" and not alone:
        kept = _("Absent players must agree too for as long as their seat is kept for them.")
        explanation = f"{explanation} {kept}"
    elif away and what == "none":
        explanation = f"{explanation} {_('Absent players have no vote.')}"
    return {
        "question": question,
        "button": button,
        "explanation": explanation,
        "standings": _standings(look) if what in ("standings", "unrated") else [],
        "score_name": PRESENTERS[look.game.system].score_name(),
        "url": reverse("confirm-ending", args=[look.game.public_id, what]),
    }


def _what_it_counts_for(look: GameView, mine: Seat, what: str) -> str:
    others = {end_proposals.side(seat) for seat in end_proposals.voters(look.seats, what)}
    is_one_side = others <= {end_proposals.side(mine)}
    if mine.team is not None and is_one_side:
        return _(
            "The game is rated and no other team can decide, so this counts as conceding for your rating."
        )
    if mine.team is not None:
        return _(
            "The game is rated. If no other team can decide by the time it ends, this counts as conceding "
            "for your rating."
        )
    if is_one_side:
        return _("The game is rated and nobody else can decide, so this counts as conceding for your rating.")
    return _(
        "The game is rated. If nobody else can decide by the time it ends, this counts as conceding "
        "for your rating."
    )


def _what_conceding_does(look: GameView, mine: Seat) -> str:
    side = concession.partners_of(look.seats, mine)
    if len(side) > 1:
        return _(
            "Your team concedes as soon as every partner wants to. It then ranks below the other teams, and "
            "you cannot undo this. Until then you play on, and only your partners know what you want."
        )
    if concession.ends_the_game(look.seats, side):
        return _("The game ends, and you rank below everyone else. You cannot undo this.")
    return _(
        "A computer player takes over your seat. Whatever it achieves, you rank below everyone who "
        "stays. You cannot undo this."
    )


def _standings(look: GameView) -> list[tuple[int, str, str]]:
    """Rank, name and points as of now; empty while they are hidden."""
    table = PRESENTERS[look.game.system]
    seated = people(table_persons(look.seats), look.seat)
    return [
        (rank, seated.in_list(seat, look.seats[seat].name), table.score(points))
        for rank, seat, points in table.places(look.seen, seated)
    ]
