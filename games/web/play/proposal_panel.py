"""The panel of a table about a proposal to end the game."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.log import end_proposals
from games.log.concession_wishes import wishes
from games.models import Seat, Vote
from games.play.game_view import GameView
from games.play.seats import concession
from games.web.addresses import address
from games.web.presenters.table_people import join_list


@dataclass(frozen=True, slots=True)
class ProposalPanel:
    """A proposal, or an offer to end the game, in a sentence.

    `url` is where the reader answers it, "" if they need not; `link` is the name of that page.
    """

    sentence: str
    url: str
    link: str


def proposed(look: GameView, underway: Sequence[Vote]) -> ProposalPanel | None:
    """Return the open proposal, a partner's wish to concede, or the offer to end the game unrated.

    As the reader sees it: of a wish only partners know. `underway` are the `votes_underway` in the game.
    """
    found = end_proposals.open_proposal(look.game, look.seats, underway) if look.game.is_running else None
    if found is None:
        return _wished(look) or _offered(look)
    asked = look.seat in found.missing and look.game.paused is None
    url = address("ending", look.game.public_id) if asked else ""
    return ProposalPanel(proposal_sentence(found, look.seats), url, _("Respond to proposal"))


def _wished(look: GameView) -> ProposalPanel | None:
    """Return the wish of partners that the team concedes, or the reader's own, while others are asked."""
    mine = playing_seat(look)
    if mine is None or mine.team is None or mine.concession_order is not None:
        return None
    wish = wishes(look.game)
    url = address("ending", look.game.public_id) if look.game.paused is None else ""
    # Once nobody is left to ask, the reader can concede for the team.
    if mine.number in wish and concession.wanted_of(look.game, look.seats, mine):
        return ProposalPanel(
            _("You want your team to concede. Your partners have not all agreed yet."),
            url,
            _("Change your mind"),
        )
    names = [seat.name for seat in concession.partners_of(look.seats, mine) if seat.number in wish]
    if not names:
        return None
    sentence = ngettext(
        "{names} wants your team to concede.", "{names} want your team to concede.", len(names)
    )
    return ProposalPanel(sentence.format(names=join_list(names)), url, _("Answer your partner"))


def _offered(look: GameView) -> ProposalPanel | None:
    """Return the offer to end the game unrated if only the reader, or the reader's team, is left."""
    mine = playing_seat(look)
    if mine is None or look.game.paused is not None:
        return None
    voters = end_proposals.voters(look.seats, "unrated")
    if mine not in voters:
        return None
    if not end_proposals.can_end_unrated(look.game, look.seats):
        return None
    url = address("confirm-ending", look.game.public_id, "unrated")
    if voters != [mine]:
        return ProposalPanel(
            _("Only your team is left in this game. Computer players have replaced the others."),
            url,
            _("Propose ending unrated"),
        )
    return ProposalPanel(
        _("You are the only person left in this game. Computer players have replaced the others."),
        url,
        _("End the game unrated"),
    )


def ending_url(look: GameView) -> str:
    """Return the address to concede or propose an end, or "" if the reader may not."""
    if look.game.paused is not None:
        return ""
    if look.game.is_practice:
        return address("ending", look.game.public_id) if look.game.is_running else ""
    mine = playing_seat(look)
    return address("ending", look.game.public_id) if mine and mine.concession_order is None else ""


def playing_seat(look: GameView) -> Seat | None:
    """Return the reader's seat if the game is running."""
    return look.seats[look.seat] if look.seat is not None and look.game.is_running else None


def proposal_sentence(found: end_proposals.EndProposal, seats: list[Seat]) -> str:
    """Return the sentence of a proposal."""
    sentence = {
        "standings": _("{name} proposes to end the game with the current standings."),
        "none": _("{name} proposes to end the game without a result."),
        "unrated": _("{name} proposes to end the game unrated, with the current standings."),
    }[found.kind]
    return sentence.format(name=seats[found.seat].name)
