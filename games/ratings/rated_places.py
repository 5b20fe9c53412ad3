"""Rated places of a finished game, by the rules that the page about ratings states.

- A seat counts for the player who had it at the deal.
- A player who concedes ranks below all who stay, and above those who conceded before.
- A player for whom a bot plays at the end counts as conceding when the bot took the seat, unless the player
  agreed to the standings with which the game ended. A player who came back before the end is rated as usual.
  So is a player who left a live table if the bot made no move there until the end.
- A player who loses the seat to another member, who takes it over or gets it from a moderator, counts as
  conceding then, or when a bot took the seat before.
- A player who takes a seat over is not rated for that game.
- The seat of a deleted or banned member counts as that of the bot in it.
- If at least two people agreed to end the game, or a moderator ended it, with standings, those count.
- If at least two people agreed to end the game, or a moderator ended it, without a result, nothing counts.
- If a player or a team left alone with computers ended the game unrated, nothing counts.
- A player who ends a game alone in another way, where nobody else had a say, has conceded it.
- A bot account counts like a member, but its vote to end a game does not count beside those of people;
  if it sits at a table with its owner, nothing counts.
- In a team game the places are those of the teams. Partners who end a game where no other team had a say have
  conceded it. A team ranks below those that stayed only if all its members gave up or lost their seats.
- Nothing counts if a moderator has said so, or has deleted the game.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from accounts.models import BotAccount
from games.log import rulings
from games.log.end_proposals import ENDINGS
from games.log.rulings import Ruling
from games.log.standings import rank_with_concessions
from games.models import Game, LogEntry, Seat
from games.play.seats.seat_handover import STAND_IN_LEVEL

# Counts the changes of these rules, so that a site knows which ratings are older.
VERSION: Final = 3

# The key of a member or the level of a bot, and a rank.
Placed = tuple[int | str, int]


class Loss(StrEnum):
    """The reason why a player ranks below those who stayed."""

    CONCEDED = "conceded"
    ENDED_ALONE = "ended alone"
    BOT_PLAYED = "bot played"
    SEAT_LOST = "seat lost"


class Uncounted(StrEnum):
    """The reason why a finished game that was opened as rated changes no rating."""

    LEFT_ALONE = "left alone"
    NO_RESULT = "no result"
    GUEST = "guest"
    OWN_PROGRAM = "own program"


@dataclass(frozen=True)
class RatedGame:
    """The rated players of a game with their ranks, by seat, and why members among them rank last."""

    places: list[Placed]
    losses: dict[int, Loss]


def rated_places(game: Game, seats: Sequence[Seat], log: Sequence[LogEntry]) -> list[Placed] | None:
    """The rated players of a finished game with their ranks, by seat; None if it does not count."""
    found = rated_game(game, seats, log)
    return found.places if found else None


def rated_game(game: Game, seats: Sequence[Seat], log: Sequence[LogEntry]) -> RatedGame | None:
    """The places of a finished game and the reasons for them; None if it does not count.

    The game comes with its state; `log` is oldest first.
    """
    if not game.rated or game.is_practice or game.deleted is not None or not game.is_finished:
        return None
    if uncounted(game, seats) is not None:
        return None
    agreed = _agreed_to_end(game, seats)
    teams = game.rule_system.teams(game.rules, len(seats))
    first = _first_holders(seats, [entry for entry in log if entry.kind == LogEntry.Kind.RULING])
    gone, losses = _gave_up(seats, log, first, agreed)
    if _is_one_side(agreed, teams):
        for seat in _partners(teams, agreed[0]):
            gone[seat] = len(gone) + 1
        losses.update(dict.fromkeys(agreed, Loss.ENDED_ALONE))
    _follow_members(teams, first, gone)
    state = game.rule_system.state_from_json(game.state)
    by_rules = game.rule_system.standings(state)
    rank = {seat: rank for rank, seat, _ in rank_with_concessions(by_rules, gone, teams)}
    found = [(first[seat.number], rank[seat.number]) for seat in seats]
    if not any(isinstance(who, int) for who, _ in found):
        return None
    members = {who: seat for seat, who in first.items() if isinstance(who, int)}
    # A player who leaves a team that plays on has the place of the team.
    below = {seat for seat in losses if all(one in gone for one in _partners(teams, seat))}
    return RatedGame(found, {who: losses[seat] for who, seat in members.items() if seat in below})


def _follow_members(
    teams: Sequence[Sequence[int]], first: Mapping[int, int | str], gone: dict[int, int]
) -> None:
    """Add the seats of computers all of whose partners, who were members at the deal, are gone."""
    for team in teams:
        members = [seat for seat in team if isinstance(first[seat], int)]
        if members and all(seat in gone for seat in members):
            last = max(gone[seat] for seat in members)
            gone.update((seat, last) for seat in team if seat not in members)


def _partners(teams: Sequence[Sequence[int]], seat: int) -> Sequence[int]:
    return next((team for team in teams if seat in team), (seat,))


def _is_one_side(agreed: Sequence[int], teams: Sequence[Sequence[int]]) -> bool:
    """Return whether only one player, or only one team, agreed to the end, so that no opponent had a say."""
    return len({tuple(_partners(teams, seat)) for seat in agreed}) == 1


def uncounted(game: Game, seats: Sequence[Seat]) -> Uncounted | None:
    """Return why a finished rated game does not count; None if it counts."""
    if game.ending == Game.Ending.UNRATED:
        return Uncounted.LEFT_ALONE
    if any(seat.user is not None and seat.user.is_guest for seat in seats):
        return Uncounted.GUEST
    if _with_own_program(seats):
        return Uncounted.OWN_PROGRAM
    teams = game.rule_system.teams(game.rules, len(seats))
    if game.ending == Game.Ending.NONE and not _is_one_side(_agreed_to_end(game, seats), teams):
        return Uncounted.NO_RESULT
    return None


def counts_for(game: Game, user_id: int) -> bool:
    """Return whether this game is rated for this user, who has or had a seat: the user had it at the deal."""
    log = game.moves.filter(kind=LogEntry.Kind.RULING)
    return game.rated and user_id in _first_holders(list(game.seats.all()), list(log)).values()


def _with_own_program(seats: Sequence[Seat]) -> bool:
    """Return whether a member is at the table with their own bot account, or two of one owner are."""
    users = [seat.user_id for seat in seats if seat.user_id is not None]
    owners = list(BotAccount.objects.filter(user__in=users).values_list("owner", flat=True))
    return len({*users, *owners}) < len(users) + len(owners)


def _agreed_to_end(game: Game, seats: Sequence[Seat]) -> list[int]:
    """The seats of people who agreed to the end of the game; those of bot accounts if no person did.

    Empty if nobody agreed to anything. Somebody who agreed alone has conceded.
    """
    if game.ending not in ENDINGS.values() or game.ended_by_moderator:
        return []
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
    seats: Sequence[Seat],
    log: Sequence[LogEntry],
    first: Mapping[int, int | str],
    agreed: Collection[int],
) -> tuple[dict[int, int], dict[int, Loss]]:
    """The seats that were conceded, lost to others or left to a bot: their order from 1, and the reasons."""
    left: dict[int, int] = {}
    when: dict[int, int] = {}
    why: dict[int, Loss] = {}
    # Seats of which the players left a live table, and in which nothing was decided since.
    idle: set[int | None] = set()
    for entry in log:
        if entry.kind == LogEntry.Kind.MOVE:
            idle.discard(entry.seat)
        if entry.kind != LogEntry.Kind.RULING:
            continue
        ruling = rulings.parse_ruling(entry.text)
        seat = ruling.number
        if ruling.kind in ("keeps", "leaves", "stands in"):
            left.setdefault(seat, entry.number)
            if ruling.kind == "leaves":
                idle.add(seat)
        elif ruling.kind == "returns":
            left.pop(seat, None)
        elif ruling.kind == "concede" and seats[seat].concession_order is not None:
            when[seat], why[seat] = entry.number, Loss.CONCEDED
        elif ruling.kind in ("adopts", "appoints"):
            since = left.pop(seat, entry.number)
            lost = isinstance(first[seat], int) and first[seat] != seats[seat].user_id
            if lost and rulings.previous_holder(ruling) == first[seat]:
                when[seat], why[seat] = since, Loss.SEAT_LOST
    for seat, since in left.items():
        is_first = seats[seat].user_id == first[seat]
        if seats[seat].can_be_reclaimed and is_first and seat not in agreed and seat not in idle:
            when[seat], why[seat] = since, Loss.BOT_PLAYED
    return {seat: number for number, seat in enumerate(sorted(when, key=when.__getitem__), start=1)}, why
