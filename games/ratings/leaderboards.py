"""Public ratings: leaderboards, a member's ratings and their history.

A leaderboard reads only the rows it shows, through an index in its order. Deleted and banned members are left
out; private games count without being named.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet, Sum

from accounts.models import User
from games.keyset_page import after_cursor, next_cursor
from games.models import OVERALL, TEAM_GAMES, Game, OpeningTally, Rating, RatingChange, RatingCorrection, Seat
from games.models.playable_systems import playable_systems
from games.ratings import skill_model
from games.ratings.peers import of_shown_members
from games.ratings.rated_places import Loss
from games.ratings.record_totals import WIN
from games.ratings.skill_model import points

PAGE = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a leaderboard: the place from 1, the member, the displayed rating, games and wins."""

    place: int
    user: User
    points: int
    games: int
    wins: int


@dataclass(frozen=True)
class Leaderboard:
    """A page of a leaderboard; `following` names the next one, "" at the end.

    `mine` is the reader's own line, with place 0 while the rating is provisional; None without a rating.
    """

    lines: list[Line]
    following: str = ""
    mine: Line | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """A bot level: its fixed rating, and its public games and wins (shared ones in part)."""

    level: str
    points: int
    games: int
    wins: float


@dataclass(frozen=True, slots=True)
class Rated:
    """A member's displayed rating in one pool; `players` is 0 for games of any number of players."""

    system: str
    players: int
    points: int
    provisional: bool
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a rating by a game: the ratings before and after, and why.

    `game` is None if it is not public. `loss` says why the player ranks below those who stayed, None for the
    others. `tied` says whether somebody else has the same rank.
    """

    user_id: int
    game: Game | None
    finished: datetime
    rank: int
    before: int
    points: int
    loss: Loss | None = None
    tied: bool = False

    @property
    def by(self) -> int:
        return self.points - self.before


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of a rating because games were counted again; `points` is None if no rating is left.

    `game` made it necessary; None if that is not public, or if all games were counted again.
    """

    reason: RatingCorrection.Reason
    game: Game | None
    at: datetime
    before: int
    points: int | None


def leaderboard(
    system: str,
    players: int = OVERALL,
    month: str = "",
    after: str = "",
    reader: Any = None,
    *,
    programs: bool = False,
) -> Leaderboard:
    """A page of the ranked members of this pool, the best first, after the place `after`.

    With `programs`, bot accounts instead.
    """
    # Bot accounts are few: both ways start from them, so that the query does not read all members.
    ranked = _ranked(system, players, month)
    if programs:
        ranked = ranked.filter(user__program__isnull=False)
    else:
        ranked = ranked.exclude(user__in=User.objects.filter(is_bot_account=True).values("pk"))
    page = _behind(ranked, after).select_related("user").order_by("-standing", "user")
    found = list(page[: PAGE + 1])
    shown = found[:PAGE]
    own = None if programs else _own_rating(shown, system, players, month, reader)
    first, mine = _places(ranked, shown[0] if shown and after else None, own)
    lines = [_line(rating, place) for place, rating in enumerate(shown, start=first)]
    further = f"{shown[-1].standing!r}_{shown[-1].user_id}" if len(found) > PAGE else ""
    own_line = next((line for line in lines if line.user == reader), None)
    return Leaderboard(lines, further, own_line or (_line(own, mine) if own else None))


def _own_rating(shown: list[Rating], system: str, players: int, month: str, reader: Any) -> Rating | None:
    """The reader's rating, unless it is among the shown ones."""
    if reader is None or not reader.is_authenticated or any(one.user == reader for one in shown):
        return None
    own = Rating.objects.filter(user=reader.pk, system=system, players=players, month=month).first()
    if own is not None:
        own.user = reader
    return own


def _places(ranked: QuerySet[Rating], first: Rating | None, own: Rating | None) -> tuple[int, int]:
    """The places of the first shown rating, 1 if it is None, and of the reader's own, 0 if None."""
    asked = {"first": first, "own": own if own is not None and own.ranked else None}
    wanted = {name: one for name, one in asked.items() if one is not None}
    if not wanted:
        return 1, 0
    least = min(one.standing for one in wanted.values())
    counts = {name: Count("pk", filter=_before(one)) for name, one in wanted.items()}
    before = ranked.filter(standing__gte=least).aggregate(**counts)
    return 1 + before.get("first", 0), 1 + before["own"] if "own" in before else 0


def _before(one: Rating) -> Q:
    return Q(standing__gt=one.standing) | Q(standing=one.standing, user__lt=one.user_id)


def _ranked(system: str, players: int, month: str) -> QuerySet[Rating]:
    ranked = Rating.objects.filter(system=system, players=players, month=month, ranked=True)
    return of_shown_members(ranked)


def _behind(ranked: QuerySet[Rating], after: str) -> QuerySet[Rating]:
    standing, _, user = after.partition("_")
    try:
        least, key = float(standing), int(user)
    except ValueError:
        return ranked
    if not (-1e9 < least < 1e9 and 0 <= key < 2**63):
        return ranked
    return ranked.filter(Q(standing__lt=least) | Q(user__gt=key), standing__lte=least)


def _line(rating: Rating, place: int) -> Line:
    return Line(place, rating.user, points(rating.standing), rating.games, rating.wins)


def has_team_games(system: str) -> bool:
    """Return whether anybody has a rating for team games."""
    return Rating.objects.filter(system=system, month="", players=TEAM_GAMES).exists()


def levels(system: str, players: int = OVERALL) -> list[Level]:
    """The bot levels, the strongest first."""
    played = OpeningTally.objects.filter(system=system, kind="level")
    if players != OVERALL:
        played = played.filter(players=players)
    sums = {key: (games, wins / WIN) for key, games, wins in _summed(played)}
    return [
        Level(level, points(skill_model.bot_strength(system, level, players)), *sums.get(level, (0, 0.0)))
        for level in reversed(skill_model.levels(system))
    ]


def _summed(played: QuerySet[OpeningTally]) -> Iterable[tuple[str, int, int]]:
    return played.values("key").annotate(n=Sum("games"), won=Sum("wins")).values_list("key", "n", "won")


# -- One member ----------------------------------------------------------------------------------------


def ratings_of(user: User) -> list[Rated]:
    """All ratings of a member, those for any number of players first."""
    found = Rating.objects.filter(user=user, month="", system__in=playable_systems()).order_by(
        "system", "players"
    )
    return [
        Rated(one.system, one.players, points(one.mu), not one.ranked, one.games, one.wins) for one in found
    ]


def rated_among(system: str, users: Iterable[int], players: int = OVERALL) -> dict[int, Rated]:
    """The users' ratings in a pool of all time, without users who have none."""
    found = Rating.objects.filter(user__in=users, month="", system=system, players=players)
    return {
        one.user_id: Rated(one.system, one.players, points(one.mu), not one.ranked, one.games, one.wins)
        for one in found
    }


def history_of(
    user: User, system: str, players: int = OVERALL, after: str = ""
) -> tuple[list[Change | Correction], str]:
    """A page of the changes of a rating, the latest first, and the name of the next page."""
    every = RatingChange.objects.filter(user=user, system=system, players=players, month="")
    changes = after_cursor(every, "finished", "game_id", after).select_related("game__outcome")
    changes = changes.defer("game__state", "game__seed").order_by("-finished", "-game")
    found = list(changes.prefetch_related(_PEOPLE)[: PAGE + 1])
    following = next_cursor([(change.game_id, change.finished) for change in found], PAGE)
    shown = [_change(change) for change in found[:PAGE]]
    corrections = RatingCorrection.objects.filter(user=user, system=system, players=players, at__isnull=False)
    if following:
        corrections = corrections.filter(at__gte=shown[-1].finished)
    if after and found:
        # The change before this page in the list: what came after it stands on the pages before.
        newer = every.filter(finished__gte=found[0].finished).exclude(game=found[0].game_id)
        latest = newer.order_by("finished", "game").values_list("finished", flat=True).first()
        corrections = corrections.filter(at__lt=latest) if latest else corrections
    corrections = corrections.select_related("game").defer("game__state", "game__seed")
    told: list[Change | Correction] = [
        *(_correction(one) for one in corrections.prefetch_related(_PEOPLE).order_by("-at", "-pk")[:PAGE]),
        *shown,
    ]
    told.sort(key=lambda one: one.at if isinstance(one, Correction) else one.finished, reverse=True)
    return told, following


_PEOPLE = Prefetch("game__seats", Seat.objects.select_related("user"))


def changes_by(game: Game) -> list[Change]:
    """The changes of overall ratings by a game, or of those for team games, the winner first."""
    players = TEAM_GAMES if game.teams else OVERALL
    found = RatingChange.objects.filter(game=game, players=players, month="").select_related("game__outcome")
    return [_change(change) for change in found.order_by("rank", "user")]


def _change(change: RatingChange) -> Change:
    outcome = change.game.outcome
    ranks = [rank for _who, rank in outcome.places or ()]
    # Partners share the place of their team.
    partners = len(outcome.teams[0]) if outcome.teams else 1
    loss = outcome.losses.get(str(change.user_id))
    return Change(
        change.user_id,
        _if_public(change.game),
        change.finished,
        change.rank,
        points(change.mu_before),
        points(change.mu),
        Loss(loss) if loss else None,
        ranks.count(change.rank) > partners,
    )


def _correction(one: RatingCorrection) -> Correction:
    assert one.at is not None
    now = None if one.mu is None else points(one.mu)
    return Correction(
        RatingCorrection.Reason(one.reason), _if_public(one.game), one.at, points(one.mu_before), now
    )


def _if_public(game: Game | None) -> Game | None:
    is_public = game is not None and game.visibility == Game.Visibility.PUBLIC and game.deleted is None
    return game if is_public else None
