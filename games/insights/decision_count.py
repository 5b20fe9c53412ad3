"""Counting the assessed decisions of finished games: whose they are and what they were about.

The rows are made once a review is done, and anew when it is done again. They go when a moderator reopens the
game.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import DatabaseError, transaction
from django.utils import timezone

from games.analysis.severity import MISTAKE
from games.insights.insight_sums import store_sums
from games.log.positions import initial_state, standing_moves, walk_moves
from games.models import Game, GameMoney, GameReview, LogEntry, Mistake, MoveAssessment, RatedDecision, Seat
from games.models.playable_systems import withheld_systems
from games.processes import task_failures

logger = logging.getLogger(__name__)

# Reviews read at once.
_BATCH: Final = 50

# Columns of a decision that may differ when it is counted again.
_RECOUNTED: Final = ("user", "level", "theme", "third", "tier", "lost")

# A member by key, or None and a bot level.
Owner = tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class Decider:
    """The member who decided, by key, or the level of the bot. `retries` tells whether a person learns."""

    user: int | None
    level: str
    retries: bool = False


def count_done_reviews(seconds: float) -> int:
    """Count the decisions of reviews that are done until time is up; return the number of reviews."""
    end, counted = time.monotonic() + seconds, 0
    waiting = GameReview.objects.filter(done__isnull=False, counted=None, game__deleted=None)
    waiting = waiting.exclude(game__system__in=withheld_systems()).order_by("done")
    for key in list(waiting.values_list("pk", flat=True)[:_BATCH]):
        try:
            count_decisions(key)
        except DatabaseError:
            raise
        except Exception as error:
            # It would fail again each time, and hold up those behind it.
            logger.exception("The decisions of review %s could not be counted", key)
            task_failures.record("counting the decisions of a game", error)
            GameReview.objects.filter(pk=key).update(counted=timezone.now())
        counted += 1
        if time.monotonic() >= end:
            break
    return counted


@transaction.atomic
def count_decisions(key: int) -> None:
    """Count the decisions of one review, unless it is counted already or its game is not to be seen now.

    Those of a review that was done again replace what was counted before.
    """
    # Lock first: a second process must wait and find it counted.
    review = GameReview.objects.select_for_update().filter(pk=key, done__isnull=False, counted=None).first()
    if review is None:
        return
    game = Game.with_secrets.filter(pk=review.game_id, status=Game.Status.FINISHED).first()
    if game is None:
        return
    review.counted = timezone.now()
    review.save(update_fields=["counted"])
    # At a practice table one person may sit everywhere, and imported games are practice tables, too.
    if game.is_practice:
        return
    entries, seats = list(game.moves.select_related("user")), list(game.seats.all())
    rated = {one.number: one for one in MoveAssessment.objects.filter(game=game)}
    before = _owners(review)
    _store_decisions(review, list(_decisions(review, game, entries, seats, rated)))
    GameMoney.objects.filter(review=review).delete()
    GameMoney.objects.bulk_create(_money(review, game, entries, seats))
    _store_sums(before | _owners(review), game.system)


def recount_sums(game: Game) -> None:
    """Make the sums of all who decided in a game anew, because a deleted game counts for nobody.

    Its decisions stay, with what members have answered to their mistakes. Call it in the transaction that
    deletes or restores the game, after the game is saved.
    """
    # Lock first: a process that counts the decisions has locked the review.
    review = GameReview.objects.select_for_update().filter(game=game).first()
    if review is not None:
        _store_sums(_owners(review), game.system)


def withdraw_decisions(game: Game) -> None:
    """Delete what a game has added to the insights; call it in the transaction that reopens the game."""
    # Lock first: a process that counts the decisions has locked the review.
    review = GameReview.objects.select_for_update().filter(game=game).first()
    if review is None:
        return
    owners = _owners(review)
    RatedDecision.objects.filter(review=review).delete()
    GameMoney.objects.filter(review=review).delete()
    GameReview.objects.filter(pk=review.pk).update(counted=None)
    _store_sums(owners, game.system)


def _owners(review: GameReview) -> set[Owner]:
    """The members and levels of the decisions and the money that are counted."""
    decisions = RatedDecision.objects.filter(review=review).values_list("user", "level")
    money = GameMoney.objects.filter(review=review).values_list("user", "level")
    return set(decisions.union(money))


def _store_sums(owners: set[Owner], system: str) -> None:
    # In one order, so that two processes cannot wait for each other.
    for user, level in sorted(owners, key=lambda owner: (owner[0] or 0, owner[1])):
        store_sums({"user_id": user} if user else {"level": level}, system)


def _store_decisions(review: GameReview, found: Sequence[tuple[RatedDecision, Mistake | None]]) -> None:
    """Store the decisions and mistakes instead of those counted before.

    A mistake that is still one stays as it is, with what its member has answered.
    """
    decisions = [decision for decision, _mistake in found]
    mistakes = [mistake for _decision, mistake in found if mistake is not None]
    counted = RatedDecision.objects.filter(review=review)
    counted.exclude(number__in=[decision.number for decision in decisions]).delete()
    RatedDecision.objects.bulk_create(
        decisions, update_conflicts=True, unique_fields=["review", "number"], update_fields=_RECOUNTED
    )
    before = Mistake.objects.filter(decision__review=review)
    before.exclude(decision__number__in=[mistake.decision.number for mistake in mistakes]).delete()
    Mistake.objects.bulk_create(mistakes, ignore_conflicts=True)


def _decisions(
    review: GameReview,
    game: Game,
    entries: Sequence[LogEntry],
    seats: Sequence[Seat],
    rated: dict[int, MoveAssessment],
) -> Iterator[tuple[RatedDecision, Mistake | None]]:
    """The assessed decisions of members and bots, with the mistakes of people."""
    system, state, total = game.rule_system, initial_state(game), len(standing_moves(entries))
    for place, entry in enumerate(walk_moves(game, state, entries)):
        assessment, decider = rated.get(entry.number), _decider(entry, seats)
        if assessment is None or decider is None:
            continue
        seen, move = system.observe(state, system.decider(state)), system.parse_move(entry.text)
        decision = RatedDecision(
            review=review,
            number=entry.number,
            user_id=decider.user,
            level=decider.level,
            system=game.system,
            theme=system.decision_theme(seen, move),
            third=1 + 3 * place // total,
            tier=system.decision_tier(seen, move),
            lost=assessment.lost_chance,
        )
        yield decision, _mistake(decision, assessment, seen) if decider.retries else None


def _mistake(decision: RatedDecision, assessment: MoveAssessment, seen: Any) -> Mistake | None:
    if decision.lost < MISTAKE or decision.user_id is None:
        return None
    return Mistake(
        decision=decision,
        user_id=decision.user_id,
        seat=assessment.seat,
        kind=seen.decision.kind,
        best=assessment.best,
    )


def _decider(entry: LogEntry, seats: Sequence[Seat]) -> Decider | None:
    """The member or level that made a move; None for a stand-in, a moderator and a closed account."""
    if entry.author == LogEntry.Author.PERSON and entry.user is not None and entry.user.is_active:
        return Decider(entry.user_id, "", retries=not entry.user.is_bot_account)
    if entry.author == LogEntry.Author.COMPUTER and entry.seat is not None:
        seat = seats[entry.seat]
        if seat.is_bot_playing and not seat.is_replaced and not entry.origin:
            return Decider(None, seat.bot_level)
    return None


def _money(
    review: GameReview, game: Game, entries: Sequence[LogEntry], seats: Sequence[Seat]
) -> Iterator[GameMoney]:
    """The money by source of everybody who decided alone for a seat during the whole game."""
    system = game.rule_system
    if not system.MONEY_SOURCES or game.ending == Game.Ending.NONE:
        return
    moves = standing_moves(entries)
    events = [event for entry in moves for event in entry.decoded_events]
    seen = system.observe(system.state_from_json(game.state), None, ended=game.ending)
    found = system.money_by_source(game.rules, len(seats), events, seen.worth)
    for seat, gained in enumerate(found):
        deciders = {_decider(entry, seats) for entry in moves if entry.seat == seat and not entry.origin}
        decider = deciders.pop() if len(deciders) == 1 else None
        if decider is not None:
            for source, dollars in gained.items():
                yield GameMoney(
                    review=review,
                    user_id=decider.user,
                    level=decider.level,
                    system=game.system,
                    source=source,
                    dollars=dollars,
                )
