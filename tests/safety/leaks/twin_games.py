"""Scripted games: reproducible by number, and chosen for many kinds of decisions."""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final
from unittest import mock

from accounts.models import User
from games.engine.rules.acquire import rule_system as acquire
from games.lobby import game_start
from games.lobby.game_start import start_game
from games.models import Game
from games.play.play_move import play_move
from tests.safety.leaks.labels import labelled
from tests.safety.leaks.twin_sites import stored
from tests.safety.leaks.viewers import person

# This many deals are tried to find one with the rare decisions.
_TRIED: Final = 80


@dataclass(frozen=True)
class Script:
    """A game before it is played: players, rules, seed and all moves.

    `people` are how many of the `seats` persons take; computers have the rest. `kinds` are what each move
    answers, and `asked` the versions at which it is no forced answer.
    """

    number: int
    people: int
    seats: int
    preset: str
    holdings: str
    teams: str
    seed: bytes
    moves: tuple[str, ...]
    kinds: tuple[str, ...]
    asked: tuple[int, ...]

    @property
    def variety(self) -> tuple[int, int]:
        """Sort key: the number of decision kinds, then the shorter game."""
        return len({self.kinds[version] for version in self.asked}), -len(self.moves)

    def __str__(self) -> str:
        rules = self.preset + (", hidden holdings" if self.holdings == "hidden" else "")
        rules += f", {self.teams} teams" if self.teams != "none" else ""
        return f"game {self.number} ({self.people} people, {self.seats} seats, {rules})"


@cache
def script(number: int) -> Script:
    """Return the game of this number."""
    rng = Random(f"leaks {number}")
    seats = (3, 4, 2, 5, 6)[number % 5]
    people = 1 if number % 7 == 6 else min(seats, (2, 3, 4, 6)[number % 4])
    preset = list(acquire.PRESETS)[(number * 2 + number // 4) % len(acquire.PRESETS)]
    holdings = "hidden" if number % 3 == 1 else "open"
    # Partners must not see each other's hands either.
    teams = {4: "two", 6: "three"}.get(seats, "none") if number % 2 == 0 else "none"
    options = {**acquire.to_options(acquire.PRESETS[preset]), "holdings": holdings, "teams": teams}
    rules = acquire.from_options(options)
    best: Script | None = None
    for _ in range(_TRIED):
        seed, chance = rng.randbytes(32), rng.random()
        new = Script(
            number,
            people,
            seats,
            preset,
            holdings,
            teams,
            seed,
            *_played(rules, seats, seed, Random(chance)),
        )
        if best is None or new.variety > best.variety:
            best = new
    assert best is not None
    return best


def _played(rules: Any, seats: int, seed: bytes, rng: Random) -> tuple[Any, Any, Any]:
    """Random moves, the decision each answers, and which answers were not forced."""
    state = acquire.deal(rules, seats, seed)
    moves, kinds, asked = [], [], []
    while acquire.decider(state) is not None:
        move = acquire.forced_move(state)
        if move is None:
            asked.append(len(moves))
            move = _any(state, rng)
        kinds.append(state.decision.kind)
        moves.append(str(move))
        acquire.apply(state, move)
    return tuple(moves), tuple(kinds), tuple(asked)


def _any(state: Any, rng: Random) -> Any:
    """Choose a random move, declaring the end late so that rare decisions come up."""
    moves = acquire.legal_moves(state)
    going_on = [move for move in moves if not getattr(move, "end", False)]
    return rng.choice(going_on if rng.random() < 0.5 else moves)


def start(script: Script) -> Game:
    """Seat people and bots and deal, with labels for hidden tiles."""
    people: list[User | str] = [person(f"player{number}") for number in range(script.people)]
    computers = ["random"] * (script.seats - script.people)
    with mock.patch.object(game_start, "new_seed", lambda: script.seed):
        game = start_game(
            system="acquire",
            preset=script.preset,
            host=people[0],  # type: ignore[arg-type]
            players=[*people, *computers],
            options={"holdings": script.holdings, "teams": script.teams},
            visibility=Game.Visibility.PUBLIC,
            team_chat=Game.TeamChat.OFF if script.teams == "none" else Game.TeamChat.ALWAYS,
        )
    return with_labels(game)


def with_labels(game: Game) -> Game:
    """Label each hidden tile that has no label, for example after a takeback."""
    game = stored(game)
    game.state = labelled(game.state)
    Game.all_games.filter(pk=game.pk).update(state=game.state)
    return game


def play(game: Game, move: str) -> Game:
    """Make the decider's next move through `play_move`."""
    assert game.seat_to_move is not None
    seat = game.seats.get(number=game.seat_to_move)
    by = None if seat.is_bot_playing else seat.user
    play_move(game_id=game.pk, number=game.version + 1, seat=seat.number, text=move, by=by)
    return stored(game)
