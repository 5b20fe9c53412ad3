"""What a table says of a proposal to end its game."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from games.log import end_proposals
from games.models import Seat
from games.play.game_view import GameView


@dataclass(frozen=True, slots=True)
class ProposalPanel:
    """What a table says of a proposal: a sentence, and where the reader answers it, if that is missing."""

    sentence: str
    url: str


def proposed(look: GameView) -> ProposalPanel | None:
    """The proposal that is open at this table, as this reader sees it."""
    found = end_proposals.open_proposal(look.game, look.seats) if look.game.is_running else None
    if found is None:
        return None
    asked = look.seat in found.missing and look.game.paused is None
    url = reverse("ending", args=[look.game.public_id]) if asked else ""
    return ProposalPanel(proposal_sentence(found, look.seats), url)


def ending_url(look: GameView) -> str:
    """Where the reader can concede or propose to end the game, "" for who cannot."""
    if look.game.paused is not None:
        return ""
    if look.game.is_practice:
        return reverse("ending", args=[look.game.public_id]) if look.game.is_running else ""
    mine = playing_seat(look)
    return reverse("ending", args=[look.game.public_id]) if mine and mine.concession_order is None else ""


def playing_seat(look: GameView) -> Seat | None:
    """The reader's seat in a game that runs, if there is one."""
    return look.seats[look.seat] if look.seat is not None and look.game.is_running else None


def proposal_sentence(found: end_proposals.EndProposal, seats: list[Seat]) -> str:
    """Who proposes what, in a sentence."""
    sentence = {
        "standings": _("{name} proposes to end the game with the standings as they are."),
        "none": _("{name} proposes to end the game without a result."),
    }[found.kind]
    return sentence.format(name=seats[found.seat].name)
