"""The panel of a table about a proposal to end the game."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.log import end_proposals
from games.models import Seat
from games.play.game_view import GameView


@dataclass(frozen=True, slots=True)
class ProposalPanel:
    """A proposal in a sentence; `url` is where the reader answers it, "" if they need not."""

    sentence: str
    url: str


def proposed(look: GameView) -> ProposalPanel | None:
    """Return the open proposal as the reader sees it."""
    found = end_proposals.open_proposal(look.game, look.seats) if look.game.is_running else None
    if found is None:
        return None
    asked = look.seat in found.missing and look.game.paused is None
    url = reverse("ending", args=[look.game.public_id]) if asked else ""
    return ProposalPanel(proposal_sentence(found, look.seats), url)


def ending_url(look: GameView) -> str:
    """Return the address to concede or propose an end, or "" if the reader may not."""
    if look.game.paused is not None:
        return ""
    if look.game.is_practice:
        return reverse("ending", args=[look.game.public_id]) if look.game.is_running else ""
    mine = playing_seat(look)
    return reverse("ending", args=[look.game.public_id]) if mine and mine.concession_order is None else ""


def playing_seat(look: GameView) -> Seat | None:
    """Return the reader's seat if the game is running."""
    return look.seats[look.seat] if look.seat is not None and look.game.is_running else None


def proposal_sentence(found: end_proposals.EndProposal, seats: list[Seat]) -> str:
    """Return the sentence of a proposal."""
    sentence = {
        "standings": _("{name} proposes to end the game with the standings as they are."),
        "none": _("{name} proposes to end the game without a result."),
    }[found.kind]
    return sentence.format(name=seats[found.seat].name)
