"""Page to propose another pace for a game, and to answer that proposal; its panel at the table."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusals import Refusal
from games.log import pace_proposals
from games.log.pace_proposals import PaceProposal
from games.models import Seat, Vote
from games.play.game_view import GameView, game_view
from games.play.seats import pace_votes
from games.web.addresses import address
from games.web.play.proposal_panel import ProposalPanel, playing_seat
from games.web.requests import Request
from games.web.text.game_titles import format_pace, title
from games.web.text.pace_text import PACE_NAMES, pace_name


class PaceForm(forms.Form):
    """The pace that a player proposes."""

    pace = forms.ChoiceField(label=gettext_lazy("Play on"), widget=forms.RadioSelect)
    use_required_attribute = False

    def __init__(self, look: GameView, data: Any = None) -> None:
        super().__init__(data, label_suffix="")
        field = self.fields["pace"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, PACE_NAMES[name]) for name in pace_proposals.paces_open(look.game)]
        field.error_messages["required"] = _("Choose a pace.")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def pace(request: Request, public_id: str) -> HttpResponse:
    """Show the paces, or the open proposal (GET); propose a pace (POST)."""
    look = _look(request, public_id)
    if request.method != "POST":
        return _page(request, look)
    form = PaceForm(look, request.POST)
    if not form.is_valid():
        return _page(request, look, form=form, status=422)
    try:
        pace_votes.propose_pace(game_id=look.game.pk, by=request.user, pace=form.cleaned_data["pace"])
    except Refusal as error:
        return _page(request, look, str(error.message), status=error.status)
    return redirect(look.game)


@require_POST
@login_required
def answer_pace(request: Request, public_id: str, what: str) -> HttpResponse:
    """Agree to a proposed pace (`say` is "yes"), refuse it, or withdraw one's own ("no")."""
    look = _look(request, public_id)
    say = request.POST.get("say")
    if say not in ("yes", "no"):
        return _page(request, look, _("Choose whether to agree or to keep the pace."), status=422)
    try:
        pace_votes.vote_on_pace(game_id=look.game.pk, by=request.user, pace=what, yes=say == "yes")
    except Refusal as error:
        return _page(request, look, str(error.message), status=error.status)
    return redirect(look.game)


def pace_proposed(look: GameView, underway: Sequence[Vote]) -> ProposalPanel | None:
    """Return the open proposal to change the pace, as the reader sees it at the table.

    `underway` are the `votes_underway` in the game.
    """
    found = pace_proposals.open_pace_proposal(look.game, look.seats, underway)
    if found is None:
        return None
    asked = look.seat in found.missing and look.game.paused is None
    url = address("pace", look.game.public_id) if asked else ""
    return ProposalPanel(_sentence(found, look.seats), url, _("Agree or keep the pace"))


def pace_url(look: GameView) -> str:
    """Return the address to propose another pace, or "" if the reader may not."""
    mine = playing_seat(look)
    if mine is None or look.game.is_practice or look.game.paused is not None:
        return ""
    return address("pace", look.game.public_id) if mine in pace_proposals.pace_voters(look.seats) else ""


def _sentence(found: PaceProposal, seats: list[Seat]) -> str:
    return _("{name} proposes to play on {pace}.").format(
        name=seats[found.seat].name, pace=pace_name(found.pace)
    )


def _look(request: Request, public_id: str) -> GameView:
    """Return the running game as its player sees it, or raise Http404."""
    look = game_view(public_id, request.user)
    if look is None or look.seat is None or look.game.is_practice:
        raise Http404
    return look


def _page(
    request: Request, look: GameView, problem: str = "", *, form: PaceForm | None = None, status: int = 200
) -> HttpResponse:
    look = _look(request, look.game.public_id) if problem else look
    if not problem and not pace_url(look):
        return redirect(look.game)
    found = pace_proposals.open_pace_proposal(look.game, look.seats)
    context: dict[str, Any] = {
        "title": title(look.game),
        "game_url": look.game.get_absolute_url(),
        "pace_now": format_pace(look.game),
        "problem": problem,
    }
    if found is None:
        context["form"] = form or PaceForm(look)
    else:
        context |= {
            "sentence": _sentence(found, look.seats),
            "answer_url": address("answer-pace", look.game.public_id, found.pace),
            "mine": look.seat == found.seat,
            "asked": look.seat in found.missing,
            "missing": [look.seats[seat].name for seat in found.missing],
        }
    return render(request, "games/play/pace.html", context, status=status)
