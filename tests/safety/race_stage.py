"""A stage for races: people, games at a given moment, a crowd that acts at once, and the invariants."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from random import Random
from types import TracebackType
from typing import Any
from unittest import mock

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import User
from accounts.refusals import Refusal
from games.archive.replay import replay
from games.engine.planned_turns.plan_errors import InvalidPlan
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.lobby import game_start
from games.lobby.game_start import start_game
from games.models import Game, LogEntry, PlannedTurn, Seat
from games.play.game_columns import set_position
from games.play.play_move import play_move
from tests.safety.crowd import Call, Crowd
from tests.support.clients import client_of
from tests.tools import fixed_seeds

# Refusals that may answer those who come second. Everything else is an error of the site.
REFUSALS = (Refusal, IllegalMove, InvalidMove, InvalidPlan)

# Predicate for positions: gets the state and the moves that led to it.
Wanted = Callable[[Any, list[LogEntry]], bool]

# As many threads as a database with a single writer can bear.
FEW = 8

# No random game takes longer.
LONGEST = 2_000


class Stage:
    """A place for races; `word` and the number of a round decide all of its random choices."""

    def __init__(self, *, word: str, threads: int, people: int = 50) -> None:
        self.word, self.threads = word, threads
        self.tally: Counter[str] = Counter()
        self.rng = Random()
        # As many press a button at once as the database can bear.
        self.crowd = people - 1 if threads > FEW else threads
        self._crowd = Crowd(max(threads, self.crowd))
        self._size = people
        self._stack = ExitStack()
        self._sessions: dict[int, str] = {}

    def __enter__(self) -> "Stage":
        self._stack.enter_context(self._crowd)
        self._handler = BaseHandler()
        self._handler.load_middleware()
        racers = [User(username=f"racer{number}") for number in range(self._size)]
        self.people = User.objects.bulk_create(racers)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def run(self, race: "Race", number: int) -> None:
        """Run one round of a race; a failure raises AssertionError with the command that repeats it."""
        self.rng = Random(f"{self.word} {race.__name__} {number}")
        seeds = fixed_seeds.drawn(self.word, race.__name__, str(number))
        try:
            with mock.patch.object(game_start, "new_seed", seeds):
                race(self)
        except Exception as error:
            again = f"--only {race.__name__} --first {number} --rounds 1 --word '{self.word}'"
            where = f"{race.__name__}, round {number}"
            raise AssertionError(
                f"{where}: {error!r}\nagain: python -m tests.tools.race_runs {again}"
            ) from error
        finally:
            self.clear()
        self.tally["rounds"] += 1

    def clear(self) -> None:
        """Remove the games of a round: none is swept or counted in the next."""
        columns = dict.fromkeys(("waiting_for", "deadline", "time_left", "bot_due_at", "paused"))
        for status, over in (("open", Game.Status.CLOSED), ("running", Game.Status.FINISHED)):
            games = Game.all_games.filter(status=status)
            games.update(status=over, finished=timezone.now(), **columns)
        Seat.objects.filter(ended=None).update(ended=timezone.now())

    # -- Actions ---------------------------------------------------------------------------------------

    def at_once(self, *calls: Call) -> list[Any]:
        """Make the calls at once and return results and refusals; other exceptions are raised."""
        results = self._crowd.at_once(*calls)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, REFUSALS):
                raise AssertionError(f"a server error: {result!r}") from result
            self.tally[f"{result.status_code}" if isinstance(result, HttpResponseBase) else told(result)] += 1
        return results

    def post(self, user: User | None, url: str, data: dict[str, Any]) -> Call:
        """Prepare a request by this user, or by a stranger; calling it returns the answer."""
        request_factory = RequestFactory()
        if user is not None:
            request_factory.cookies[settings.SESSION_COOKIE_NAME] = self._session(user)

        def post() -> HttpResponseBase:
            request = request_factory.post(url, data)
            request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
            answer = self._handler.get_response(request)
            assert answer.status_code < 500, f"{answer.status_code} from {url}"
            return answer

        return post

    def _session(self, user: User) -> str:
        if user.pk not in self._sessions:
            client = client_of(user)
            client.get("/settings/")
            self._sessions[user.pk] = client.cookies[settings.SESSION_COOKIE_NAME].value
        return self._sessions[user.pk]

    # -- Games -----------------------------------------------------------------------------------------

    def game(self, *players: User | str, at: Wanted | None = None, **terms: Any) -> Game:
        """Bring a game of these players, or of three people, to the first wanted moment, or to any.

        Every decision is asked, unless `terms` say otherwise.
        """
        players = players or tuple(self.people[:3])
        host = next(player for player in players if isinstance(player, User))
        usual = {"system": "acquire", "preset": "avalon-hill", "skips": False}
        moves = self.rng.randrange(40)
        wanted = at or (lambda state, entries: len(entries) >= moves)
        while True:
            game = start_game(host=host, players=players, **{**usual, **terms})
            if self._bring(game.pk, wanted):
                return Game.with_secrets.get(pk=game.pk)
            # It ended before such a moment came.
            self.clear()

    def _bring(self, pk: int, wanted: Wanted) -> bool:
        """Play on at random, with the least work per move; return whether the wanted moment came."""
        game = Game.with_secrets.get(pk=pk)
        system, seats, entries = game.rule_system, list(game.seats.all()), list[LogEntry]()
        state = system.state_from_json(game.state)
        while not wanted(state, entries):
            seat = system.decider(state)
            move = self.rng.choice(system.legal_moves(state))
            told = [system.event_to_json(event) for event in system.play(state, move)]
            author = LogEntry.Author.PERSON if seats[seat].user_id else LogEntry.Author.COMPUTER
            entries.append(
                LogEntry(game=game, number=len(entries) + 1, seat=seat, text=str(move), events=told,
                     user_id=seats[seat].user_id, author=author, created_at=timezone.now())
            )  # fmt: skip
            if system.decider(state) is None or len(entries) > LONGEST:
                return False
        LogEntry.objects.bulk_create(entries)
        game.version = len(entries)
        set_position(game, state, seats, after=None)
        game.save()
        return True

    def started(self, user: User) -> Game:
        """Start a game of this user against a bot."""
        return start_game(system="acquire", preset="classic", host=user, players=[user, "random"])

    def move(self, game: Game, text: str = "", number: int = 0) -> Call:
        """Prepare a move of the decider, random unless given."""
        assert game.seat_to_move is not None
        return partial(
            play_move, game_id=game.pk, number=number or game.version + 1, seat=game.seat_to_move,
            text=text or self.rng.choice(legal(game)), by=game.waiting_for,
        )  # fmt: skip


Race = Callable[[Stage], None]


def told(result: object) -> str:
    """Name the outcome of a call in a word."""
    return f"refused: {type(result).__name__}" if isinstance(result, Exception) else "done"


def legal(game: Game) -> list[str]:
    """Return all moves that the seat to decide may make."""
    game = Game.with_secrets.get(pk=game.pk)
    return [str(move) for move in game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))]


def others(moves: list[str], many: int) -> list[str]:
    """Return this many of the moves, repeating them if there are fewer."""
    return [moves[place % len(moves)] for place in range(many)]


def done(results: list[Any]) -> list[Any]:
    """Return the results that are no refusals."""
    return [result for result in results if not isinstance(result, Exception)]


def refused(results: list[Any]) -> set[type]:
    """Return the kinds of refusals."""
    return {type(result) for result in results if isinstance(result, Exception)}


def kept(game: Game) -> Game:
    """Return the stored game after checking every invariant of games."""
    game = Game.all_games.defer(None).get(pk=game.pk)
    numbers = list(game.moves.values_list("number", flat=True))
    assert numbers == list(range(1, game.version + 1)), f"a log with gaps: {numbers}, version {game.version}"
    seats = list(game.seats.all())
    assert [seat.number for seat in seats] == list(range(len(seats))), "seats are numbered with gaps"
    assert game.seats_taken == len(seats) <= game.max_players, "seats are counted wrongly"
    if game.state is not None:
        _dealt_in_order(game, seats)
    return game


def _dealt_in_order(game: Game, seats: list[Seat]) -> None:
    assert replay(game).faults == [], "the log does not lead to the state"
    if not game.is_running:
        assert (game.waiting_for, game.deadline, game.bot_due_at, game.seat_to_move) == (None,) * 4, (
            "a game that is over asks"
        )
        assert all(seat.ended for seat in seats), "a seat of a game that is over is counted"
        assert not PlannedTurn.objects.filter(game=game).exists(), "a plan for a game that is over"
        assert not game.votes.filter(closed=None).exists(), "a vote in a game that is over"
        return
    assert game.seat_to_move == game.rule_system.decider(game.rule_system.state_from_json(game.state)), (
        "who decides"
    )
    seat = seats[game.seat_to_move]
    assert game.waiting_for_id == (None if seat.is_bot_playing else seat.user_id), "somebody else is asked"
    assert (game.bot_due_at is not None) == seat.is_bot_playing, "when the computer moves"
    clocks = (game.deadline is not None) + (game.time_left is not None)
    assert clocks == (game.seconds_per_move is not None and game.waiting_for_id is not None), (
        f"{clocks} clocks"
    )
