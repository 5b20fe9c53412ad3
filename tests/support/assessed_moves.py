"""Assessments of finished games, made up instead of computed."""

from typing import Any

from django.utils import timezone

from games.log.positions import states_by_entry
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.play.game_view import GameView, game_view

ANYBODY = type("Anybody", (), {"pk": None, "is_authenticated": False})()


def view_of(game: Game, user: Any = ANYBODY) -> GameView:
    """The game for this user, by default for a spectator."""
    look = game_view(game.public_id, user)
    assert look is not None
    return look


def choices_of(game: Game, kind: str = "") -> list[LogEntry]:
    """The moves of a finished game with an alternative, of a kind of decision if it is given."""
    look, system, found = view_of(game), game.rule_system, []
    for at, state in states_by_entry(look.game, look.entries):
        entry = look.entries[at] if at < len(look.entries) else None
        if entry is None or entry.kind != LogEntry.Kind.MOVE or len(system.legal_moves(state)) < 2:
            continue
        if kind in ("", system.observe(state, entry.seat).decision.kind):
            found.append(entry)
    return found


def assess_as(game: Game, entry: LogEntry, lost: float = 0.1, **columns: Any) -> MoveAssessment:
    """Store an assessment of this move: another legal move was better by this share of the win."""
    before = (state for at, state in states_by_entry(game, game.moves.all()) if at == entry.number - 1)
    legal = game.rule_system.legal_moves(next(before))
    better = next(str(move) for move in legal if str(move) != entry.text)
    seats = game.seats.count()
    GameReview.objects.update_or_create(game=game, defaults={"rated": game.version, "done": timezone.now()})
    chance = 0.5 - lost
    stored = {
        "seat": entry.seat,
        "best": better if lost else entry.text,
        "chance": chance,
        "best_chance": 0.5,
        "lead": -1500.0,
        "best_lead": 200.0,
        "chances": [chance if seat == entry.seat else (1 - chance) / (seats - 1) for seat in range(seats)],
    }
    return MoveAssessment.objects.create(game=game, number=entry.number, **{**stored, **columns})
