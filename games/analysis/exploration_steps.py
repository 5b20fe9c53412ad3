"""Exploration: trying moves for all seats beside a game, privately.

It begins from an observation, never from the game's state: everything the explorer could not see is dealt
anew. It never reads or writes the game's state and notifies nobody.
"""

import logging
from collections.abc import Iterator
from random import Random, SystemRandom
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.engine.bots.thinking_time import no_time_limit
from games.models import Exploration, Game
from games.play.seats.seat_handover import STAND_IN_LEVEL
from games.players.admission import lock_user
from games.refusals import (
    ExplorationChanged,
    ExplorationHidden,
    NotExploring,
    NotYourDecision,
    YourSeatToMove,
)

logger = logging.getLogger(__name__)

# More than five opponents need for a whole round with mergers.
MAX_ANSWERS = 60

# Limit of explorations per user; beyond it, the one that was untouched longest is deleted.
MAX_EXPLORED = 30


def draw_chance() -> Random:
    """The source of randomness of explorations."""
    return SystemRandom()


def may_be_explored(game: Game, seen: Any) -> bool:
    """Return whether a position can be sampled that fits the observation."""
    try:
        game.rule_system.sample_state(seen, Random(0))
    except ValueError:
        return False
    return True


@transaction.atomic
def start_exploration(*, game: Game, user: User, seat: int | None, seen: Any, version: int) -> Exploration:
    """Start an exploration from what the seat (None: a spectator) saw after entry `version`.

    Deletes the user's previous exploration of this
    game, and those beyond MAX_EXPLORED. Raises AccountClosed and ExplorationHidden.
    """
    lock_user(user)
    try:
        start = game.rule_system.sample_state(seen, draw_chance())
    except ValueError as error:
        raise ExplorationHidden from error
    now: dict[str, Any] = {
        "seat": seat,
        "version": version,
        "steps": [],
        "touched": timezone.now(),
    }
    now["start"] = game.rule_system.state_to_json(start)
    begun = Exploration.objects.update_or_create(game=game, user=user, defaults=now)[0]
    _forget_beyond(user, MAX_EXPLORED)
    return begun


@transaction.atomic
def try_move(*, game: Game, user: User, number: int, move: str) -> None:
    """Make this move for the seat to move, as step `number`; repeating it changes nothing.

    Raises NotExploring, ExplorationChanged, NotYourDecision at the end, and InvalidMove or IllegalMove.
    """
    exploration, system = _locked(game, user), game.rule_system
    answer = system.parse_move(move)
    if _is_repeated(exploration, number, str(answer)):
        return
    _check_number(exploration, number)
    state = position(exploration)
    seat = system.decider(state)
    if seat is None:
        raise NotYourDecision
    system.check_move(state, answer)
    _step(exploration, state, answer, Exploration.By.HAND)
    _save(exploration)


@transaction.atomic
def let_computers_answer(*, game: Game, user: User, number: int) -> None:
    """Let bots move, from step `number` on, until the explorer's own seat must decide or the game ends.

    For a spectator, until the turn is over. Makes at most MAX_ANSWERS moves. Raises NotExploring,
    ExplorationChanged, NotYourDecision at the end, and YourSeatToMove when the explorer's seat must decide.
    """
    exploration, system = _locked(game, user), game.rule_system
    _check_number(exploration, number)
    state, rng = position(exploration), draw_chance()
    if system.decider(state) is None:
        raise NotYourDecision
    if system.decider(state) == exploration.seat:
        raise YourSeatToMove
    turn = state.turn
    for _ in range(MAX_ANSWERS):
        asked = system.decider(state)
        if asked is None or asked == exploration.seat or (exploration.seat is None and state.turn != turn):
            break
        _step(exploration, state, _choice(game, state, rng), Exploration.By.COMPUTER)
    _save(exploration)


@transaction.atomic
def undo_to(*, game: Game, user: User, to: int) -> None:
    """Undo all but the first `to` steps. Raises NotExploring, and ExplorationChanged if there are fewer."""
    exploration = _locked(game, user)
    if not 0 <= to <= len(exploration.steps):
        raise ExplorationChanged
    exploration.steps = exploration.steps[:to]
    _save(exploration)


@transaction.atomic
def redeal_hidden(*, game: Game, user: User) -> None:
    """Go back to the start and deal again what the explorer cannot see there.

    Raises NotExploring.
    """
    exploration, system = _locked(game, user), game.rule_system
    start = system.state_from_json(exploration.start)
    seen = system.observe(start, exploration.seat, memory=True)
    exploration.start = system.state_to_json(system.sample_state(seen, draw_chance()))
    exploration.steps = []
    _save(exploration)


@transaction.atomic
def stop_exploring(*, game: Game, user: User) -> None:
    """Delete the user's exploration of the game. Raises AccountClosed."""
    # Lock first: another page may be making a step.
    lock_user(user)
    Exploration.objects.filter(game=game, user=user).delete()


def position(exploration: Exploration) -> Any:
    """The state after all steps."""
    system = exploration.game.rule_system
    state = system.state_from_json(exploration.start)
    for step in exploration.steps:
        system.apply(state, system.parse_move(step["move"]))
    return state


def events(exploration: Exploration) -> Iterator[list[Any]]:
    """The engine's events of each step."""
    system = exploration.game.rule_system
    state = system.state_from_json(exploration.start)
    for step in exploration.steps:
        yield system.play(state, system.parse_move(step["move"]))


def _forget_beyond(user: User, most: int) -> None:
    latest = Exploration.objects.filter(user=user).order_by("-touched", "-pk")
    Exploration.objects.filter(pk__in=list(latest.values_list("pk", flat=True)[most:])).delete()


def _locked(game: Game, user: User) -> Exploration:
    """Lock the user and return the exploration of the game; other pages wait for the transaction."""
    lock_user(user)
    exploration = Exploration.objects.filter(game=game, user=user).first()
    if exploration is None:
        raise NotExploring
    exploration.game = game
    return exploration


def _save(exploration: Exploration) -> None:
    exploration.touched = timezone.now()
    exploration.save(update_fields=["start", "steps", "touched"])


def _check_number(exploration: Exploration, number: int) -> None:
    if number != len(exploration.steps) + 1:
        raise ExplorationChanged


def _is_repeated(exploration: Exploration, number: int, text: str) -> bool:
    steps = exploration.steps[number - 1 : number] if number > 0 else []
    return any(step["move"] == text and step["by"] == Exploration.By.HAND for step in steps)


def _step(exploration: Exploration, state: Any, move: Any, by: Exploration.By) -> None:
    """Make a move and the forced moves after it, as in the game."""
    system = exploration.game.rule_system
    exploration.add(system.decider(state), move, by)
    system.apply(state, move)
    while exploration.game.skip_forced_moves and (answer := system.forced_move(state)) is not None:
        exploration.add(system.decider(state), answer, Exploration.By.FORCED)
        system.apply(state, answer)


def _choice(game: Game, state: Any, rng: Random) -> Any:
    """Choose a move for the seat to move, at the level of stand-ins."""
    system = game.rule_system
    seen = system.observe(state, system.decider(state), memory=True)
    try:
        move = BOTS[game.system][STAND_IN_LEVEL].choose(seen, seen.legal, rng, no_time_limit)
    except Exception:
        logger.exception("Bot %s failed in an exploration of game %s", STAND_IN_LEVEL, game)
        return rng.choice(seen.legal)
    return move if move in seen.legal else rng.choice(seen.legal)
