"""The terms that a host chooses for a new game."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.rule_systems import SYSTEMS
from games.models import Game, Seat
from games.models.game import MAX_ROUNDS_LATE, MIN_PACE
from games.models.playable_systems import playable_systems


@dataclass(frozen=True, kw_only=True, slots=True)
class GameTerms:
    """The terms of a game.

    `options` are those that differ from the preset; `least` to `most` is the number of seats; `computers` are
    bot levels by seat number, from 1, because seat 0 is the host's; `fill` is the level that takes the seats
    free at the start, "" to leave them out; `visibility` and `start` are as in `Game`.

    `pace` is the time per decision in seconds, None without a limit. With a time bank of `bank` seconds, each
    seat begins with that time, and each decision adds `pace` to it, up to `cap`. `off` tells when clocks
    stand still, `overrun` what follows a timeout, `reliable` the least on-time rate in per cent.

    `team_chat` tells when partners may write to each other; teams of rated games have no chat. `late` is the
    number of rounds by which spectators see the game late.

    `skips` makes forced moves automatic, `takebacks` allows takebacks, `programs` admits bot accounts without
    an invitation. A `practice` table is for the people at the host's device.
    """

    system: str
    preset: str
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    least: int
    most: int
    computers: Mapping[int, str] = field(default_factory=dict)
    fill: str = ""
    visibility: str = Game.Visibility.PUBLIC
    pace: int | None = None
    bank: int | None = None
    cap: int | None = None
    off: str = Game.ClockPauses.NONE
    overrun: str = Game.OnTimeout.DECIDE
    reliable: int | None = None
    start: str = Game.Start.HOST
    rated: bool = False
    programs: bool = False
    team_chat: str = Game.TeamChat.OFF
    late: int = 0
    takebacks: bool = True
    skips: bool = True
    practice: bool = False

    def new_game(self, host: User, again_of: Game | None = None) -> Game:
        """Return the game, open and unsaved; raise ValueError with a sentence for invalid terms."""
        if self.system not in playable_systems():
            raise ValueError(f"There is no game {self.system!r} to be played here.")
        system = SYSTEMS[self.system]
        usual = system.to_options(system.PRESETS[self.preset])
        rules = system.from_options({**usual, **self.options})
        self._check_seats(system.SEATS)
        self._check_teams(system, rules)
        self._check_time()
        if self.late not in range(MAX_ROUNDS_LATE + 1):
            raise ValueError(f"Spectators can be at most {MAX_ROUNDS_LATE} rounds late, not {self.late}.")
        return Game(
            system=self.system,
            preset=self.preset,
            options=system.to_options(rules),
            name=self.name,
            host=host,
            min_players=self.least,
            max_players=self.most,
            fill_level=self.fill,
            visibility=self.visibility,
            seconds_per_move=self.pace,
            time_bank=self.bank,
            time_bank_cap=self.cap,
            clock_pauses=self.off,
            on_timeout=self.overrun,
            min_on_time_percent=self.reliable,
            start=self.start,
            rated=self.rated,
            bots_allowed=self.programs,
            team_chat=self.team_chat,
            spectator_delay=0 if self.practice else self.late,
            takebacks_allowed=self.takebacks,
            skip_forced_moves=self.skips,
            is_practice=self.practice,
            rematch_of=again_of,
        )

    def _check_seats(self, seats: range) -> None:
        if not seats[0] <= self.least <= self.most <= seats[-1]:
            raise ValueError(
                f"This game is for {seats[0]} to {seats[-1]} players, not {self.least} to {self.most}."
            )
        for number in self.computers:
            if number not in range(1, self.most):
                raise ValueError(f"There is no seat {number} for a computer opponent.")
        self.check_levels({*self.computers.values(), self.fill} - {""})

    def _check_teams(self, system: ModuleType, rules: Any) -> None:
        """Raise ValueError unless every team of a team game will be whole, and only teams have a chat."""
        counts = system.seat_counts(rules)
        if self.team_chat and self.rated:
            raise ValueError("Teams of rated games have no chat.")
        if not system.teams(rules, self.most):
            if self.team_chat:
                raise ValueError("Only teams have a chat of their own.")
            return
        if self.most not in counts:
            raise ValueError(f"These teams are for {' or '.join(map(str, counts))} players, not {self.most}.")
        if self.least != self.most and not self.fill:
            raise ValueError(f"Teams need all {self.most} players, or computer opponents for open seats.")

    def check_levels(self, levels: Iterable[str]) -> None:
        """Raise ValueError unless each of these is a bot level of the rule system."""
        for level in levels:
            if level not in BOTS[self.system]:
                raise ValueError(f"There is no computer opponent {level!r}.")

    def _check_time(self) -> None:
        if self.pace is not None and self.pace < MIN_PACE:
            raise ValueError(f"A move needs at least {MIN_PACE} seconds, not {self.pace}.")
        if self.bank is None:
            if self.cap is not None:
                raise ValueError("Without a bank there is nothing to keep below a limit.")
        elif self.pace is None:
            raise ValueError("A bank needs a time that each decision brings into it.")
        elif self.cap is not None and self.cap < self.bank:
            raise ValueError("A bank cannot hold less than each seat begins with.")

    @classmethod
    def of(cls, game: Game, seats: list[Seat], host: int = 0) -> "GameTerms":
        """The terms for a rematch of a game that is over, opened by who had the seat `host`.

        The number of seats is the number of players; bots keep the last seats, or their place in the teams. A
        rematch with other people is by invitation, so that nobody else sits down before they have answered.
        """
        levels = [seat.bot_level for seat in seats if seat.user_id is None]
        alone = len(levels) == len(seats) - 1
        computers = dict(enumerate(levels, start=len(seats) - len(levels)))
        if game.teams:
            # The host's seat becomes the first one.
            computers = {
                (seat.number - host) % len(seats): seat.bot_level for seat in seats if seat.user_id is None
            }
        return cls(
            system=game.system,
            preset=game.preset,
            options=_all_options(game),
            name=game.name,
            least=len(seats) if game.teams and not game.fill_level else min(game.min_players, len(seats)),
            most=len(seats),
            computers=computers,
            fill=game.fill_level,
            visibility=game.visibility if alone else Game.Visibility.INVITED,
            pace=game.seconds_per_move,
            bank=game.time_bank,
            cap=game.time_bank_cap,
            off=game.clock_pauses,
            overrun=game.on_timeout,
            reliable=game.min_on_time_percent,
            start=game.start,
            rated=game.rated,
            programs=game.bots_allowed,
            team_chat=game.team_chat,
            late=game.spectator_delay,
            takebacks=game.takebacks_allowed,
            skips=game.skip_forced_moves,
        )


def _all_options(game: Game) -> dict[str, Any]:
    """Every option of the game, including those that equal the preset."""
    return {name: getattr(game.rules, name) for name in game.rule_system.OPTIONS}
