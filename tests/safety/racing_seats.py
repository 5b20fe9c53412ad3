"""Races for seats: joining, leaving, starting, and taking over; as many sit down as there are seats."""

from collections.abc import Callable
from functools import partial
from typing import Any

from accounts.models import User
from accounts.services import delete_account
from games import services
from games.models import Game, Line, Move
from games.services.errors import (
    AccountClosed,
    Full,
    NotAway,
    NotOpen,
    NotSeated,
    NotYourSeat,
    SeatNotFree,
    Stale,
    TooManyGames,
)

from .racing_moves import late
from .stage import Stage, done, kept, legal, others, refused


def opened(host: User, **terms: Any) -> Game:
    """A game that waits for players."""
    usual = {"system": "acquire", "preset": "avalon-hill", "least": 2, "most": 4, "skips": False}
    return services.create_game(host=host, terms=services.Terms(**{**usual, **terms}))


def joins(game: Game, users: list[User]) -> list[Callable[[], object]]:
    return [partial(services.join, game_id=game.pk, user=user) for user in users]


def a_crowd_for_one_seat(stage: Stage) -> None:
    """Everybody presses Join at once: one sits down, and the others read that all seats are taken."""
    host, *crowd = stage.people[: stage.crowd + 1]
    one_gets_the_seat(stage, opened(host, most=2), crowd)


def one_gets_the_seat(stage: Stage, game: Game, crowd: list[User]) -> None:
    """Of a crowd one gets the last seat."""
    results = stage.at_once(*joins(game, crowd))
    assert (len(done(results)), refused(results)) == (1, {Full})
    assert kept(game).taken == 2


def a_crowd_at_a_table_that_starts_when_full(stage: Stage) -> None:
    """The last who sits down starts the game: once, and with as many as there are seats."""
    host, *crowd = stage.people[: stage.crowd + 1]
    game = opened(host, most=6, start=Game.Start.FULL)
    results = stage.at_once(*joins(game, crowd))
    assert (len(done(results)), refused(results)) == (5, {NotOpen})
    after = kept(game)
    assert (after.status, after.taken) == (Game.Status.RUNNING, 6)


def starting_leaving_kicking_and_leaving_the_site(stage: Stage) -> None:
    """Before the start all happens at once; nobody is left behind, and nobody sits there who is gone."""
    host, other, kicked = stage.people[:3]
    leavers = [User.objects.create_user(f"leaver{stage.rng.randrange(10**12)}") for _ in range(2)]
    game = opened(host, most=6)
    for join in joins(game, [other, kicked, leavers[0]]):
        join()
    calls: list[Callable[[], object]] = [
        partial(services.leave, game_id=game.pk, user=host),
        partial(services.leave, game_id=game.pk, user=other),
        partial(services.kick, game_id=game.pk, user=kicked, by=host, reason="No."),
        *[partial(services.start_by_host, game_id=game.pk, by=host)] * stage.rng.choice([0, 1]),
        partial(delete_account, User.objects.get(pk=leavers[0].pk)),
        partial(delete_account, User.objects.get(pk=leavers[1].pk)),
        *joins(game, [leavers[1], stage.people[3]]),
    ]
    stage.rng.shuffle(calls)
    stage.at_once(*calls[: stage.threads])
    after = kept(game)
    sitting = [seat.user for seat in after.seats.all()]
    assert not [user for user in sitting if user and not user.is_active], "somebody sits there who is gone"
    if after.is_open:
        assert after.host in sitting, "a game whose host does not sit there"
    elif after.is_running:
        assert after.taken >= after.least
    else:
        assert after.taken == 0, "closed with people in it"


def joining_twice(stage: Stage) -> None:
    """Join pressed again and again is one seat."""
    host, user = stage.people[:2]
    game = opened(host)
    results = stage.at_once(*joins(game, [user] * stage.threads))
    assert refused(results) == set()
    assert kept(game).taken == 2


def many_games_at_once(stage: Stage) -> None:
    """Whoever joins and starts many games at once gets no more than one may have."""
    host, user = stage.people[:2]
    room = 3
    for _ in range(services.limits.MOST_UNFINISHED - room):
        opened(user)
    games = [opened(host) for _ in range(8)]
    start = partial(stage.started, user)
    results = stage.at_once(*joins(games[0], [user]), *[start] * 3, *joins(games[1], [user]), *[start] * 3)
    assert (len(done(results)), refused(results)) == (room, {TooManyGames})
    assert user.seats.filter(ended=None).count() == services.limits.MOST_UNFINISHED


def the_same_again_by_all(stage: Stage) -> None:
    """All who played ask for the same again: they sit at one table."""
    game = stage.game()
    for user in stage.people[:2]:
        services.concede(game_id=game.pk, by=user)
    results = stage.at_once(
        *[partial(services.same_again, game_id=game.pk, by=user) for user in stage.people[:3]]
    )
    assert len({result.pk for result in results}) == 1
    again = kept(Game.objects.get(again_of=game))
    assert {seat.user for seat in again.seats.all()} == set(stage.people[:3])


def a_seat_that_many_adopt(stage: Stage) -> None:
    """A computer keeps a seat; ten members want it, and whoever left comes back: one of them has it."""
    game = stage.game(pace=86400, overrun=Game.Overrun.TAKE)
    gone = game.asked
    late(game)
    assert services.settle_overdue(game.pk, game.version)
    number, many = game.decider, min(10, stage.threads - 3)
    crowd = stage.people[3 : 3 + many]
    adopt = [partial(services.take_over, game_id=game.pk, number=number, user=user) for user in crowd]
    back = partial(services.come_back, game_id=game.pk, user=gone)
    play = partial(services.play_computer, game.pk, game.version + 1)
    results = stage.at_once(*adopt, back, play, play)
    assert refused(results) <= {SeatNotFree, NotSeated, NotAway}
    assert len(done(results[:-2])) == 1, "one seat for two"
    after = kept(game)
    seat = after.seats.get(number=number)
    assert seat.user in [*crowd, gone]
    assert not seat.by_computer


def leaving_the_site_and_moving(stage: Stage) -> None:
    """An account ends while its owner moves from another tab: the move counts or the computer goes on."""
    leaver = User.objects.create_user(f"leaver{stage.rng.randrange(10**12)}")
    game = stage.game(leaver, *stage.people[:2], at=lambda state, entries: len(entries) > 5)
    moves = [stage.move(game, text) for text in others(legal(game), stage.threads // 4)]
    results = stage.at_once(*moves, partial(delete_account, User.objects.get(pk=leaver.pk)))
    assert refused(results) <= {Stale, NotYourSeat, AccountClosed}
    after = kept(game)
    assert list(after.moves.filter(kind=Move.Kind.RULING).values_list("author", flat=True)) == [
        Move.Author.HOUSE
    ]
    assert sum(seat.user_id is None for seat in after.seats.all()) == 1


def the_same_words_many_times(stage: Stage) -> None:
    """A line at the table that is sent again and again is one line."""
    game = stage.game()
    words = f"Hello {stage.rng.random()}"
    say = partial(services.say, game_id=game.pk, user=stage.people[0], text=words)
    results = stage.at_once(*[say] * stage.threads)
    assert refused(results) == set()
    assert Line.objects.filter(game=game).count() == 1


RACES: tuple[Callable[[Stage], None], ...] = (
    a_crowd_for_one_seat,
    a_crowd_at_a_table_that_starts_when_full,
    starting_leaving_kicking_and_leaving_the_site,
    joining_twice,
    many_games_at_once,
    the_same_again_by_all,
    a_seat_that_many_adopt,
    leaving_the_site_and_moving,
    the_same_words_many_times,
)
