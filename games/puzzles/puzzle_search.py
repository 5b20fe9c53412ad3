"""Search for puzzles, a few seconds at a time; each search continues the last one."""

from random import Random, SystemRandom
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.engine.bots.bot_levels import BOTS
from games.engine.bots.move_estimate import Estimate
from games.engine.bots.puzzle_criteria import JUDGES, clearly_best_move
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.seeded_random import SEED_BYTES
from games.models import Puzzle, PuzzleSource, RatedDecision
from games.models.playable_systems import playable_systems
from games.puzzles.puzzle_calendar import first_free_day, missing_puzzles
from games.puzzles.puzzle_positions import Asked, asked
from games.puzzles.shown_puzzles import public_games

# Games played for puzzles when there is no public one: the default system, with these numbers of players.
SEATS: Final = (3, 4, 5)

# Another worker may find a puzzle for the same day at the same moment, but not every time.
TRIES: Final = 20


def draw_chance() -> Random:
    """The source of randomness of games played for puzzles."""
    return SystemRandom()


def find_puzzles(most: int, out_of_time: OutOfTime = no_time_limit) -> int:
    """Search for up to `most` puzzles while there is time; return how many were found.

    Searches finished public games first; after those, bots play games for it. Safe to run twice at once: of
    two workers that find the same puzzle, one gives it up.
    """
    found = 0
    while found < most and not out_of_time():
        source = _next_source()
        found += source.done is None and _search_source(source, out_of_time)
    return found


def fill_stock(out_of_time: OutOfTime = no_time_limit) -> int:
    """Search for the puzzles that are missing in the stock; return how many were found."""
    return find_puzzles(missing_puzzles(), out_of_time)


def _next_source() -> PuzzleSource:
    """The next source: a public game, first a begun one; else a game that bots play for it."""
    begun = PuzzleSource.objects.filter(done=None).order_by("pk")
    in_public = begun.filter(game__in=public_games()).select_related("game").defer("game__state")
    if (source := in_public.first()) is not None:
        return source
    game = public_games().filter(puzzle_source=None, system__in=JUDGES).first()
    if game is not None:
        # Solvers are told the rules by the name of a preset only.
        done = None if game.is_by_preset else timezone.now()
        begun_now = {"system": game.system, "done": done}
        return PuzzleSource.objects.get_or_create(game=game, defaults=begun_now)[0]
    return begun.filter(game=None).first() or _make_bot_game()


def _make_bot_game() -> PuzzleSource:
    """A source with a finished game between bots, which is not shown elsewhere."""
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
    """Search the remaining decisions of a source, in random but fixed order, the costliest of members first.

    So members who retry a mistake may read what others chose. Returns whether a puzzle was found; then, and
    after the last decision, the source is closed.
    """
    key = str(source.game) if source.game is not None else str((source.record or {})["seed"])
    decisions = asked(source)
    Random(key).shuffle(decisions)
    lost = _losses_of_members(source)
    decisions.sort(key=lambda decision: -lost.get(decision.number, 0.0))
    for decision in decisions[source.tried :]:
        if out_of_time():
            return False
        # Saved first: a decision that kills a worker must not be tried for ever.
        source.tried += 1
        source.save(update_fields=["tried"])
        estimates = clearly_best_move(source.system, decision.seen, f"{key} {decision.number}")
        if estimates:
            return _store_puzzle(source, decision, estimates)
    _close(source)
    return False


def _losses_of_members(source: PuzzleSource) -> dict[int, float]:
    """The shares of the win that members gave away in the source's game, by place in the log."""
    if source.game is None:
        return {}
    decided = RatedDecision.objects.filter(review__game=source.game, user__isnull=False)
    return dict(decided.values_list("number", "lost"))


def _close(source: PuzzleSource) -> None:
    """Mark the source as done."""
    source.done = timezone.now()
    source.save(update_fields=["done"])


def _store_puzzle(source: PuzzleSource, decision: Asked, estimates: list[Estimate]) -> bool:
    """Store the puzzle for the first free day; return whether it is the first from this game."""
    puzzle = Puzzle(
        source=source,
        number=decision.number,
        seat=decision.seen.seat,
        seats=decision.seen.seats,
        kind=decision.seen.decision.kind,
        best=str(estimates[0].move),
        theme=source.rule_system.decision_theme(decision.seen, estimates[0].move),
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
            # Another worker has found a puzzle for this day, or this very one.
            continue
        return True
    return False
