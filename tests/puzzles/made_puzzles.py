"""Puzzles for tests, from random games, with an arbitrary best answer."""

from collections.abc import Callable
from datetime import date
from random import Random
from typing import Any

from games.engine.rules.rule_systems import SYSTEMS
from games.models import Game, Puzzle, PuzzleSource
from games.puzzles import puzzle_calendar
from games.puzzles.puzzle_positions import Asked, asked

MOST = 90

Wanted = Callable[[Asked], bool]


def house_source(seed: int = 1, system: str = "acquire", seats: int = 3) -> PuzzleSource:
    """Create a source: a game of random moves."""
    rules, rng = SYSTEMS[system], Random(seed)
    preset = next(iter(rules.PRESETS))
    dealt = rng.randbytes(32)
    state, moves = rules.deal(rules.PRESETS[preset], seats, dealt), []
    while legal := rules.legal_moves(state):
        move = rng.choice(list(legal))
        rules.apply(state, move)
        moves.append(str(move))
    record = {"preset": preset, "seats": seats, "seed": dealt.hex(), "moves": moves}
    return PuzzleSource.objects.create(record=record, system=system)


def game_source(game: Game) -> PuzzleSource:
    return PuzzleSource.objects.create(game=Game.with_secrets.get(pk=game.pk), system=game.system)


def of_kind(kind: str) -> Wanted:
    return lambda decision: decision.seen.decision.kind == kind


def placing(decision: Asked) -> bool:
    """Return whether several tiles can be placed."""
    return decision.seen.decision.kind == "place" and len(decision.seen.legal) > 3


def make_puzzle(
    source: PuzzleSource | None = None, day: date | None = None, wanted: Wanted = placing
) -> Puzzle:
    """Make a puzzle of the first wanted decision in the second half of a game; the default day is today."""
    source = source or house_source(PuzzleSource.objects.count() + 1)
    decisions = asked(source)
    half = decisions[len(decisions) // 2 :]
    decision = next(one for one in [*half, *decisions] if wanted(one))
    legal = decision.seen.legal
    estimates = [
        (str(move), 0.5 - 0.1 * place, 800.0 - 350 * place, 300) for place, move in enumerate(legal[:4])
    ]
    return Puzzle.objects.create(
        source=source,
        number=decision.number,
        seat=decision.seen.seat,
        seats=decision.seen.seats,
        kind=decision.seen.decision.kind,
        best=str(legal[0]),
        estimates=estimates,
        day=day or puzzle_calendar.today(),
    )


def legal_answers(puzzle: Puzzle) -> list[Any]:
    """All legal answers in the notation, the best one first."""
    seen = next(one.seen for one in asked(puzzle.source) if one.number == puzzle.number)
    return [str(move) for move in seen.legal]
