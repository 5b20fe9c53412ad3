"""Trying moves beside a game, for all seats and for nobody else's eyes.

It begins from an observation, never from the game's state: whatever the explorer could not see is dealt
anew. Nothing here reads or writes a game; nobody is told, no computer of the site is asked.
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

# More than five others need for a whole round with mergers.
MOST_ANSWERS = 60

# Beside so many games one user explores; beyond, the one that was left alone longest is forgotten.
MOST_EXPLORED = 30


def draw_chance() -> Random:
    """Where the chance of explorations comes from."""
    return SystemRandom()


def may_be_explored(game: Game, seen: Any) -> bool:
    """Whether a position can be made up that fits what is seen; else the others have something hidden."""
    try:
        game.rule_system.sample_state(seen, Random(0))
    except ValueError:
        return False
    return True


@transaction.atomic
def start_exploration(
    *, game: Game, user: User, seat: int | None, seen: Any, version: int, turn: int | None = None
) -> Exploration:
    """Begin anew, from what the seat (None: a spectator) saw after entry `version` of the log.

    `turn` tells which turn of a game that is over begins there. What the user had tried beside this game is
    forgotten, and what lies beyond MOST_EXPLORED. Raises AccountClosed and HiddenFromExplorers.
    """
    lock_user(user)
    try:
        start = game.rule_system.sample_state(seen, draw_chance())
    except ValueError as error:
        raise ExplorationHidden from error
    now: dict[str, Any] = {
        "seat": seat,
        "version": version,
        "turn": turn,
        "steps": [],
        "touched": timezone.now(),
    }
    now["start"] = game.rule_system.state_to_json(start)
    begun = Exploration.objects.update_or_create(game=game, user=user, defaults=now)[0]
    _forget_beyond(user, MOST_EXPLORED)
    return begun


@transaction.atomic
def try_move(*, game: Game, user: User, number: int, move: str) -> None:
    """Make this move for whichever seat is asked, as step `number`. The same once more is the same success.

    Raises NotExploring, ExploredFurther, OtherDecision at the end, and InvalidMove or IllegalMove.
    """
    exploration, system = _locked(game, user), game.rule_system
    answer = system.parse_move(move)
    if _stands_already(exploration, number, str(answer)):
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
    """Let a computer answer, from step `number` on, until the explorer's own seat is asked, or the end.

    For a spectator until the turn is over. Not more than MOST_ANSWERS at once. Raises NotExploring,
    ExploredFurther, OtherDecision at the end, and YoursToTry when the own seat is asked.
    """
    exploration, system = _locked(game, user), game.rule_system
    _check_number(exploration, number)
    state, rng = position(exploration), draw_chance()
    if system.decider(state) is None:
        raise NotYourDecision
    if system.decider(state) == exploration.seat:
        raise YourSeatToMove
    turn = state.turn
    for _ in range(MOST_ANSWERS):
        asked = system.decider(state)
        if asked is None or asked == exploration.seat or (exploration.seat is None and state.turn != turn):
            break
        _step(exploration, state, _choice(game, state, rng), Exploration.By.COMPUTER)
    _save(exploration)


@transaction.atomic
def undo_to(*, game: Game, user: User, to: int) -> None:
    """Take back all but the first `to` steps. Raises NotExploring, and ExploredFurther without so many."""
    exploration = _locked(game, user)
    if not 0 <= to <= len(exploration.steps):
        raise ExplorationChanged
    exploration.steps = exploration.steps[:to]
    _save(exploration)


@transaction.atomic
def redeal_hidden(*, game: Game, user: User) -> None:
    """Go back to the start, with all that the explorer cannot see there dealt once more.

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
    """Forget what the user tried beside the game. Raises AccountClosed."""
    # A second page may be at a step: it ends first, or finds nothing any more.
    lock_user(user)
    Exploration.objects.filter(game=game, user=user).delete()


def position(exploration: Exploration) -> Any:
    """The state to which the steps lead."""
    system = exploration.game.rule_system
    state = system.state_from_json(exploration.start)
    for step in exploration.steps:
        system.apply(state, system.parse_move(step["move"]))
    return state


def events(exploration: Exploration) -> Iterator[list[Any]]:
    """What happened in each step, as the events of the rules."""
    system = exploration.game.rule_system
    state = system.state_from_json(exploration.start)
    for step in exploration.steps:
        yield system.play(state, system.parse_move(step["move"]))


def _forget_beyond(user: User, most: int) -> None:
    latest = Exploration.objects.filter(user=user).order_by("-touched", "-pk")
    Exploration.objects.filter(pk__in=list(latest.values_list("pk", flat=True)[most:])).delete()


def _locked(game: Game, user: User) -> Exploration:
    """What the user explores beside the game; a second page waits until the transaction ends."""
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


def _stands_already(exploration: Exploration, number: int, text: str) -> bool:
    steps = exploration.steps[number - 1 : number] if number > 0 else []
    return any(step["move"] == text and step["by"] == Exploration.By.HAND for step in steps)


def _step(exploration: Exploration, state: Any, move: Any, by: Exploration.By) -> None:
    """Make a move and write it down, and after it, as in the game, what leaves nothing to decide."""
    system = exploration.game.rule_system
    exploration.add(system.decider(state), move, by)
    system.apply(state, move)
    while exploration.game.skip_forced_moves and (answer := system.forced_move(state)) is not None:
        exploration.add(system.decider(state), answer, Exploration.By.FORCED)
        system.apply(state, answer)


def _choice(game: Game, state: Any, rng: Random) -> Any:
    """What the level that stands in elsewhere, too, would do in the place of whoever is asked."""
    system = game.rule_system
    seen = system.observe(state, system.decider(state), memory=True)
    try:
        move = BOTS[game.system][STAND_IN_LEVEL].choose(seen, seen.legal, rng, no_time_limit)
    except Exception:
        logger.exception("Bot %s failed in an exploration of game %s", STAND_IN_LEVEL, game)
        return rng.choice(seen.legal)
    return move if move in seen.legal else rng.choice(seen.legal)
