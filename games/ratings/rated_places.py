"""Rated places of a finished game, by the rules that the page about ratings states.

- A seat counts for the player who had it at the deal, even if a bot stands in for that player to the end.
- A player who concedes ranks below all who stay, and above those who conceded before. A player who loses the
  seat to another member, who takes it over or gets it from a moderator, counts as conceding then.
- A player who takes a seat over is not rated for that game.
- The seat of a deleted or banned member counts as that of the bot in it.
- If at least two people agreed to end the game, or a moderator ended it, with standings, those count.
- If at least two people agreed to end the game, or a moderator ended it, without a result, nothing counts.
- A player who ends a game alone, where nobody else had a say, has conceded it.
- A bot account counts like a member, but its vote to end a game does not count beside those of people;
  if it sits at a table with its owner, nothing counts.
- Nothing counts if a moderator has said so, or has deleted the game.
"""

from collections.abc import Mapping, Sequence

from accounts.models import BotAccount
from games.log import rulings
from games.log.end_proposals import ENDINGS
from games.log.rulings import Ruling
from games.log.standings import rank_with_concessions
from games.models import Game, LogEntry, Seat
from games.play.seats.seat_handover import STAND_IN_LEVEL

# The key of a member or the level of a bot, and a rank.
Placed = tuple[int | str, int]


def rated_places(game: Game, seats: Sequence[Seat], log: Sequence[LogEntry]) -> list[Placed] | None:
    """The rated players of a finished game with their ranks, by seat; None if it does not count.

    The game comes with its state; `log` holds its rulings, oldest first.
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
    """Return whether a member sits at the table with an own bot account, or has two of them there."""
    users = [seat.user_id for seat in seats if seat.user_id is not None]
    owners = list(BotAccount.objects.filter(user__in=users).values_list("owner", flat=True))
    return len({*users, *owners}) < len(users) + len(owners)


def _agreed(game: Game, seats: Sequence[Seat]) -> list[int]:
    """The seats of people who agreed to the end of the game; those of bot accounts if no person did."""
    kind = next(kind for kind, ending in ENDINGS.items() if ending == game.ending)
    votes = game.votes.filter(what=str(Ruling(kind)), yes=True, closed=game.finished)
    agreed = set(votes.values_list("seat", flat=True))
    programs = {seat.number for seat in seats if seat.user is not None and seat.user.is_bot_account}
    return sorted(agreed - programs or agreed)


def _first_holders(seats: Sequence[Seat], log: Sequence[LogEntry]) -> dict[int, int | str]:
    """The player for whom each seat counts: the key of its first member, or the level of its bot."""
    first: dict[int, int | str] = {}
    for entry in log:
        ruling = rulings.parse_ruling(entry.text)
        if ruling.kind in ("adopts", "appoints") and ruling.number not in first:
            before = rulings.previous_holder(ruling)
            first[ruling.number] = before if isinstance(before, int) else STAND_IN_LEVEL
        elif ruling.kind == "takes":
            # A deleted member, and the successor in the seat, count as a bot.
            first.setdefault(ruling.number, STAND_IN_LEVEL)
    return {seat.number: first.get(seat.number) or seat.user_id or seat.bot_level for seat in seats}


def _gave_up(
    seats: Sequence[Seat], log: Sequence[LogEntry], first: Mapping[int, int | str]
) -> dict[int, int]:
    """The seats that were conceded or lost to others, with their order from 1."""
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
