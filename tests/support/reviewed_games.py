"""Finished games with a game review that no bot made, and the mistakes in them."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from games.insights.decision_count import count_done_reviews
from games.log.positions import initial_state, walk_moves
from games.models import Game, GameReview, LogEntry, Mistake, MoveAssessment

Loss = Callable[[LogEntry], float]


def no_loss(entry: LogEntry) -> float:
    return 0.0


def review(game: Game, lost: Loss = no_loss) -> GameReview:
    """Assess all decisions of a finished game: each gives away what `lost` says, to the first other move."""
    game = Game.with_secrets.get(pk=game.pk)
    MoveAssessment.objects.filter(game=game).delete()
    GameReview.objects.filter(game=game).delete()
    state = initial_state(game)
    rated = []
    for entry in walk_moves(game, state, list(game.moves.all())):
        legal = game.rule_system.legal_moves(state)
        if len(legal) < 2 or entry.origin == LogEntry.Origin.FORCED_MOVE:
            continue
        loss = lost(entry)
        other = next(str(move) for move in legal if str(move) != entry.text)
        rated.append(
            MoveAssessment(
                game=game, number=entry.number, seat=game.rule_system.decider(state),
                best=other if loss else entry.text,
                chance=0.5 - loss, best_chance=0.5, lead=0, best_lead=100 * loss,
            )
        )  # fmt: skip
    MoveAssessment.objects.bulk_create(rated)
    return GameReview.objects.create(game=game, rated=game.version, done=timezone.now())


def count(game: Game, lost: Loss = no_loss) -> GameReview:
    """Assess all decisions of a finished game, and count them."""
    made = review(game, lost)
    count_done_reviews(60)
    made.refresh_from_db()
    return made


def confirm(mistake: Mistake) -> Mistake:
    """Give a mistake the estimates of a search: the best move, the one that was played, and no others."""
    played = LogEntry.objects.get(game=mistake.decision.review.game_id, number=mistake.decision.number).text
    mistake.estimates = [[mistake.best, 0.5, 1200.0, 300], [played, 0.3, -400.0, 300]]
    mistake.save()
    return mistake


def make_mistake(game: Game, user: Any, wanted: Callable[[LogEntry], bool] = lambda entry: True) -> Mistake:
    """Make the latest wanted decision of a user in a finished game a mistake that can be retried."""
    system, rated = game.rule_system, {}
    for entry in game.moves.filter(user=user, kind=LogEntry.Kind.MOVE).exclude(origin="forced"):
        if wanted(entry) and str(system.parse_move(entry.text).kind) != "redraw":
            rated[entry.number] = entry
    for number in sorted(rated, reverse=True):
        count(game, lambda entry, number=number: 0.2 if entry.number == number else 0.0)
        found = Mistake.objects.filter(user=user, decision__review__game=game).first()
        if found is not None:
            return confirm(found)
    raise AssertionError("The user had no choice.")
