"""For whom a game that is over is rated, and in which place: the rules that the page about ratings tells.

- A seat counts for whoever had it when the game was dealt. A computer that plays for that person, be it to
  the end, plays for that person's rating.
- Whoever concedes ranks below all who stay, the first to do so last. Whoever loses the seat to somebody
  else, who takes it over or gets it from a moderator, counts as having conceded then.
- Whoever takes a seat over is not rated for that game.
- The seat of somebody who has left the site, or was shut out for good, counts as that of the computer in it.
- The standings count that at least two people agreed to end the game with, or a moderator ended it with.
- Nothing counts when at least two people agreed to end the game without a result, or a moderator ended it so.
- Whoever ends a game alone, where nobody else had a say, has conceded it.
- A member's program counts like a member, but agrees to nothing that its owner could not do alone; where it
  sits together with its owner nothing counts.
- Nothing counts where a moderator has said so, or has deleted the game.
"""

from collections.abc import Mapping, Sequence

from accounts.models import BotAccount
from games.log import rulings
from games.log.end_proposals import ENDINGS
from games.log.rulings import Ruling
from games.log.standings import rank_with_concessions
from games.models import Game, LogEntry, Seat
from games.play.seats.seat_handover import STAND_IN_LEVEL

# A player, by the key of a member or the level of a computer, and a rank.
Placed = tuple[int | str, int]


def rated_places(game: Game, seats: Sequence[Seat], log: Sequence[LogEntry]) -> list[Placed] | None:
    """Whom a game that is over is rated for, in the order of the seats; None where it does not count.

    The game comes with its state, `log` are its rulings, oldest first.
    """
    if not game.rated or game.is_practice or game.deleted is not None or not game.is_finished:
        return None
    if any(seat.user is not None and seat.user.is_guest for seat in seats) or _with_own_program(seats):
        return None
    alone = None
    if game.ending in ENDINGS.values() and not game.ended_by_moderator:
        agreed = _agreed(game, seats)
        alone = agreed[0] if len(agreed) == 1 else None
    if game.ending == Game.Ending.NONE and alone is None:
        return None
    first = _first_holders(seats, log)
    gone = _gave_up(seats, log, first)
    if alone is not None:
        gone[alone] = len(gone) + 1
    state = game.rule_system.state_from_json(game.state)
    rank = {seat: rank for rank, seat, _ in rank_with_concessions(game.rule_system.standings(state), gone)}
    found = [(first[seat.number], rank[seat.number]) for seat in seats]
    return found if any(isinstance(who, int) for who, _ in found) else None


def _with_own_program(seats: Sequence[Seat]) -> bool:
    """Whether somebody sits at the table together with a program of theirs, or has two of them there."""
    users = [seat.user_id for seat in seats if seat.user_id is not None]
    owners = list(BotAccount.objects.filter(user__in=users).values_list("owner", flat=True))
    return len({*users, *owners}) < len(users) + len(owners)


def _agreed(game: Game, seats: Sequence[Seat]) -> list[int]:
    """The seats of people who agreed to end the game as it was ended; those of programs where none did."""
    kind = next(kind for kind, ending in ENDINGS.items() if ending == game.ending)
    votes = game.votes.filter(what=str(Ruling(kind)), yes=True, closed=game.finished)
    agreed = set(votes.values_list("seat", flat=True))
    programs = {seat.number for seat in seats if seat.user is not None and seat.user.is_bot_account}
    return sorted(agreed - programs or agreed)


def _first_holders(seats: Sequence[Seat], log: Sequence[LogEntry]) -> dict[int, int | str]:
    """For whom each seat counts: the key of who had it at the deal, or the level of the computer there."""
    first: dict[int, int | str] = {}
    for entry in log:
        ruling = rulings.parse_ruling(entry.text)
        if ruling.kind in ("adopts", "appoints") and ruling.number not in first:
            before = rulings.previous_holder(ruling)
            first[ruling.number] = before if isinstance(before, int) else STAND_IN_LEVEL
        elif ruling.kind == "takes":
            # Whoever left the site is nobody any more, and so is who comes after.
            first.setdefault(ruling.number, STAND_IN_LEVEL)
    return {seat.number: first.get(seat.number) or seat.user_id or seat.bot_level for seat in seats}


def _gave_up(
    seats: Sequence[Seat], log: Sequence[LogEntry], first: Mapping[int, int | str]
) -> dict[int, int]:
    """The seats of those who conceded or lost them to others, each with the how-manyth it was, from 1."""
    when: dict[int, int] = {}
    for entry in log:
        ruling = rulings.parse_ruling(entry.text)
        seat = ruling.number
        if ruling.kind == "concede" and seats[seat].concession_order is not None:
            when[seat] = entry.number
        elif ruling.kind in ("adopts", "appoints"):
            lost = isinstance(first[seat], int) and first[seat] != seats[seat].user_id
            if lost and rulings.previous_holder(ruling) == first[seat]:
                when[seat] = entry.number
    return {seat: number for number, seat in enumerate(sorted(when, key=when.__getitem__), start=1)}
