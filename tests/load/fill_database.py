"""Games played at random by the rules and written to the database in bulk.

Of a hundred games one is open, three are running, and the others are finished. Their rows are like those
of games played on the site; `faults` replays some of them. Chat and notifications are left out: chats have
any length, and notifications are deleted after a while.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.archive.replay import replay
from games.engine.rules.acquire import rule_system as acquire
from games.lobby.game_start import start_game
from games.models import Game, GameVisit, LogEntry, Seat
from games.play.play_move import play_move
from games.players.nicknames import NICKNAMES

AT_ONCE = 200
# Time between the starts of two games, and between two moves.
BETWEEN_GAMES = timedelta(minutes=20)
BETWEEN_MOVES = timedelta(hours=2)
LONGEST_GAME = timedelta(days=30)
PACE = 86400
# The reader has a seat in every twentieth game.
READER_SITS = 20
SEATS = (2, 3, 4, 4, 5, 6)

COLUMNS = (
    *("game_id", "number", "kind", "seat", "text", "events", "author", "user_id", "origin", "reason"),
    *("created_at", "time_left"),
)


@dataclass
class _Batch:
    games: list[Game] = field(default_factory=list)
    seats: list[Seat] = field(default_factory=list)
    visits: list[GameVisit] = field(default_factory=list)
    moves: list[tuple[Game, list[Any]]] = field(default_factory=list)


def fill(games: int, members: Sequence[User], reader: User, rng: Random) -> int:
    """Create this number of games of the members and the reader; return the number of moves."""
    moves = 0
    for first in range(0, games, AT_ONCE):
        batch = _Batch()
        for number in range(first, min(first + AT_ONCE, games)):
            age = LONGEST_GAME + (games - number) * BETWEEN_GAMES
            _add(batch, number, timezone.now() - age, members, reader, rng)
        moves += len(batch.moves)
        _write(batch)
    return moves


def _add(
    batch: _Batch, number: int, opened: datetime, members: Sequence[User], reader: User, rng: Random
) -> None:
    count = rng.choice(SEATS)
    people: list[User | None] = list(rng.sample(members, count))
    if number % READER_SITS == 0:
        people[0] = reader
    elif count > 2:
        people[-1] = rng.choice([people[-1], None])  # a bot
    host = people[0]
    assert host is not None
    game = Game(
        system="acquire", preset="classic", options=acquire.to_options(acquire.PRESETS["classic"]), host=host,
        min_players=count, max_players=count, seats_taken=count, seconds_per_move=PACE,
        opened=opened, last_change_at=opened,
    )  # fmt: skip
    kind = number // READER_SITS % 100
    if kind == 0:
        people = people[:1]
        game.seats_taken = 1
        game.opened = game.last_change_at = timezone.now() - rng.random() * timedelta(days=3)
    else:
        _play(batch, game, people, rng, over=kind > 3)
    batch.games.append(game)
    for seat, user in enumerate(people):
        computer = {} if user else {"bot_level": "medium", "nickname": NICKNAMES[seat]}
        batch.seats.append(Seat(game=game, number=seat, user=user, ended=game.finished, **computer))
        if user is not None and game.version:
            batch.visits.append(
                GameVisit(
                    user=user, game=game, seen_before=game.version, seen=game.version, at=game.last_change_at
                )
            )


def _play(batch: _Batch, game: Game, people: Sequence[User | None], rng: Random, *, over: bool) -> None:
    """Play the game to its end, or into its first half, and collect its moves."""
    game.seed = rng.randbytes(32)
    game.seed_hash = acquire.seed_hash(game.seed)
    game.started = game.opened
    state = acquire.deal(game.rules, len(people), game.seed)
    most = 10_000 if over else rng.randrange(5, 40)
    while len(legal := acquire.legal_moves(state)) and game.version < most:
        seat = acquire.decider(state)
        assert seat is not None
        move = legal[int(rng.random() * len(legal))]
        events = [acquire.event_to_json(event) for event in acquire.play(state, move)]
        game.version += 1
        game.last_change_at += BETWEEN_MOVES * rng.random()
        user = people[seat]
        author = LogEntry.Author.PERSON if user else LogEntry.Author.COMPUTER
        row = [
            game.version, "move", seat, str(move), json.dumps(events), author.value, user and user.pk, "", "",
            game.last_change_at, timedelta(hours=20) if user else None,
        ]  # fmt: skip
        batch.moves.append((game, row))
    game.state = acquire.state_to_json(state)
    if over:
        game.status, game.finished = Game.Status.FINISHED, game.last_change_at
        return
    game.status = Game.Status.RUNNING
    decider = acquire.decider(state)
    assert decider is not None
    game.seat_to_move, game.waiting_for = decider, people[decider]
    game.decision_kind = acquire.observe(state, None).decision.kind
    later = timezone.now() + timedelta(hours=12)
    game.deadline, game.bot_due_at = (later, None) if game.waiting_for else (None, later)


def _write(batch: _Batch) -> None:
    Game.all_games.bulk_create(batch.games)
    Seat.objects.bulk_create(batch.seats)
    GameVisit.objects.bulk_create(batch.visits)
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    # COPY is by far the fastest way, and most rows are log entries.
    command = f"COPY {LogEntry._meta.db_table} ({names}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(command) as copy:
        for game, row in batch.moves:
            copy.write_row([game.pk, *row])


def served(games: int, members: Sequence[User], rng: Random) -> list[int]:
    """Play this number of games to the end through `play_move`; return their keys."""
    keys = []
    for _ in range(games):
        people = rng.sample(members, 4)
        game = start_game(system="acquire", preset="classic", host=people[0], players=people, pace=PACE)
        while (state := _state(game.pk)) is not None:
            number, position = state
            seat = acquire.decider(position)
            assert seat is not None
            by = Seat.objects.get(game=game, number=seat).user
            move = str(rng.choice(acquire.legal_moves(position)))
            play_move(game_id=game.pk, number=number, seat=seat, text=move, by=by)
        keys.append(game.pk)
    return keys


def _state(key: int) -> tuple[int, Any] | None:
    """Number of the next move and position of a running game; None once it is finished."""
    game = Game.with_secrets.get(pk=key)
    if not game.is_running:
        return None
    assert game.state is not None
    return game.version + 1, acquire.state_from_json(game.state)


def faults(games: int) -> Iterator[str]:
    """Faults found when some of the finished games are replayed from their seeds."""
    for game in Game.with_secrets.filter(status=Game.Status.FINISHED).order_by("?")[:games]:
        yield from replay(game).faults
