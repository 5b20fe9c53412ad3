"""Looking for puzzles, a few seconds at a time: it goes on where it was, whoever comes next."""

from random import Random, SystemRandom
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.engine.bots.bot_levels import BOTS
from games.engine.bots.move_estimate import Estimate
from games.engine.bots.puzzle_criteria import JUDGES, clearly_best_move
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.seeded_random import SEED_BYTES
from games.models import Puzzle, PuzzleSource
from games.models.playable_systems import playable_systems
from games.puzzles.puzzle_calendar import first_free_day, missing_puzzles
from games.puzzles.puzzle_positions import Asked, asked
from games.puzzles.shown_puzzles import public_games

# The game that the house plays when there is no public one: the first of the site, at a table of so many.
SEATS: Final = (3, 4, 5)

# Others may find a puzzle for the same day at the same moment, but not always.
TRIES: Final = 20


def draw_chance() -> Random:
    """Where the chance of games comes from that are played for puzzles."""
    return SystemRandom()


def find_puzzles(most: int, out_of_time: OutOfTime = no_time_limit) -> int:
    """Look for so many puzzles as long as there is time; returns how many were found.

    They come from public games that are over; once all were looked at, computers play one for it. Assumes
    to be second: of two that find the same one, one gives it up.
    """
    found = 0
    while found < most and not out_of_time():
        source = _next_source()
        found += source.done is None and _search_source(source, out_of_time)
    return found


def fill_stock(out_of_time: OutOfTime = no_time_limit) -> int:
    """Look for as many puzzles as are missing in the stock; returns how many were found."""
    return find_puzzles(missing_puzzles(), out_of_time)


def _next_source() -> PuzzleSource:
    """Where to look: in a public game, first in one that was begun; else in one that is played for it."""
    begun = PuzzleSource.objects.filter(done=None).order_by("pk")
    in_public = begun.filter(game__in=public_games()).select_related("game").defer("game__state")
    if (source := in_public.first()) is not None:
        return source
    game = public_games().filter(puzzle_source=None, system__in=JUDGES).first()
    if game is not None:
        # Whoever solves a puzzle knows the rules by the name of their preset.
        done = None if game.is_by_preset else timezone.now()
        begun_now = {"system": game.system, "done": done}
        return PuzzleSource.objects.get_or_create(game=game, defaults=begun_now)[0]
    return begun.filter(game=None).first() or _played_by_computers()


def _played_by_computers() -> PuzzleSource:
    """A game that computers have played to its end, and that nobody else will hear of."""
    chance = draw_chance()
    name, system = next(iter(playable_systems().items()))
    preset = chance.choice(list(system.PRESETS))
    seats = chance.choice([seats for seats in SEATS if seats in system.SEATS])
    seed = chance.randbytes(SEED_BYTES)
    player, rng = BOTS[name][JUDGES[name].player], Random(seed.hex())
    state, moves = system.deal(system.PRESETS[preset], seats, seed), []
    while (seat := system.decider(state)) is not None:
        seen = system.observe(state, seat, memory=True)
        move = player.choose(seen, seen.legal, rng)
        system.apply(state, move)
        moves.append(str(move))
    record = {"preset": preset, "seats": seats, "seed": seed.hex(), "moves": moves}
    return PuzzleSource.objects.create(record=record, system=name)


def _search_source(source: PuzzleSource, out_of_time: OutOfTime) -> bool:
    """Look at the decisions of one game that were not looked at yet, in a random order that stays the same.

    Whether a puzzle was found; then, and after the last one, nothing more is looked for in it.
    """
    key = str(source.game) if source.game is not None else str((source.record or {})["seed"])
    decisions = asked(source)
    Random(key).shuffle(decisions)
    for decision in decisions[source.tried :]:
        if out_of_time():
            return False
        # Written before: a decision over which a worker is ended is left out, and not begun for ever.
        source.tried += 1
        source.save(update_fields=["tried"])
        estimates = clearly_best_move(source.system, decision.seen, f"{key} {decision.number}")
        if estimates:
            return _keep(source, decision, estimates)
    _close(source)
    return False


def _close(source: PuzzleSource) -> None:
    """Nothing more is looked for in it."""
    source.done = timezone.now()
    source.save(update_fields=["done"])


def _keep(source: PuzzleSource, decision: Asked, estimates: list[Estimate]) -> bool:
    """Write the puzzle down for the first day without one; whether it is the first from this game."""
    puzzle = Puzzle(
        source=source,
        number=decision.number,
        seat=decision.seen.seat,
        seats=decision.seen.seats,
        kind=decision.seen.decision.kind,
        best=str(estimates[0].move),
        estimates=[(str(one.move), one.chance, one.lead, one.tries) for one in estimates],
    )
    _close(source)
    for _ in range(TRIES):
        if Puzzle.objects.filter(source=source).exists():
            break
        puzzle.day = first_free_day()
        try:
            with transaction.atomic():
                puzzle.save(force_insert=True)
        except IntegrityError:
            # Somebody else has found one for this day, or this very one.
            continue
        return True
    return False
