"""Races for seats: joining, leaving, starting and taking over; no more people than seats sit down."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils import timezone

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from games.chat import messages
from games.lobby import ready_check
from games.lobby.game_start import create_game, start_as_host
from games.lobby.game_terms import GameTerms
from games.lobby.join_game import join, kick, leave
from games.lobby.rematch import start_rematch
from games.models import ChatMessage, Game, LogEntry
from games.play.bots.bot_moves import play_bot_move
from games.play.deadlines.overdue import settle_timeout
from games.play.seats.concession import concede
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.players.limits import MAX_UNFINISHED_GAMES
from games.refusals import (
    AccountClosed,
    GameNotOpen,
    NotSeated,
    NotYourSeat,
    SeatNotFree,
    SeatNotReplaced,
    StalePosition,
    TableFull,
    TooManyGames,
)
from tests.safety.move_races import late
from tests.safety.race_stage import Stage, done, kept, legal, others, refused


def opened(host: User, **terms: Any) -> Game:
    """A game that waits for players."""
    usual = {"system": "acquire", "preset": "avalon-hill", "least": 2, "most": 4, "skips": False}
    return create_game(host=host, terms=GameTerms(**{**usual, **terms}))


def joins(game: Game, users: list[User]) -> list[Callable[[], object]]:
    return [partial(join, game_id=game.pk, user=user) for user in users]


def a_crowd_for_one_seat(stage: Stage) -> None:
    """Everybody joins at once: one gets the last seat, and the others read that all seats are taken."""
    host, *crowd = stage.people[: stage.crowd + 1]
    one_gets_the_seat(stage, opened(host, most=2), crowd)


def one_gets_the_seat(stage: Stage, game: Game, crowd: list[User]) -> None:
    """Check that one of a crowd gets the last seat."""
    results = stage.at_once(*joins(game, crowd))
    assert (len(done(results)), refused(results)) == (1, {TableFull})
    assert kept(game).seats_taken == 2


def a_crowd_at_a_table_that_starts_when_full(stage: Stage) -> None:
    """The last player to join starts the game: once, and with all seats taken."""
    host, *crowd = stage.people[: stage.crowd + 1]
    game = opened(host, most=6, start=Game.Start.FULL)
    results = stage.at_once(*joins(game, crowd))
    assert (len(done(results)), refused(results)) == (5, {GameNotOpen})
    after = kept(game)
    assert (after.status, after.seats_taken) == (Game.Status.RUNNING, 6)


def starting_leaving_kicking_and_leaving_the_site(stage: Stage) -> None:
    """Players start, leave, are kicked and delete their accounts at once; nobody is forgotten."""
    host, other, kicked = stage.people[:3]
    leavers = [User.objects.create_user(f"leaver{stage.rng.randrange(10**12)}") for _ in range(2)]
    game = opened(host, most=6)
    for join_once in joins(game, [other, kicked, leavers[0]]):
        join_once()
    calls: list[Callable[[], object]] = [
        partial(leave, game_id=game.pk, user=host),
        partial(leave, game_id=game.pk, user=other),
        partial(kick, game_id=game.pk, user=kicked, by=host, reason="No."),
        *[partial(start_as_host, game_id=game.pk, by=host)] * stage.rng.choice([0, 1]),
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
        assert after.seats_taken >= after.min_players
    else:
        assert after.seats_taken == 0, "closed with people in it"


def a_ready_check_and_its_end(stage: Stage) -> None:
    """Players answer as the check ends: those who answered keep their seats, and only they may start."""
    host, *players = stage.people[:4]
    game = opened(host, most=4, start=Game.Start.FULL, pace=30, bank=180)
    for join_once in joins(game, players):
        join_once()
    Game.objects.filter(pk=game.pk).update(ready_by=timezone.now())
    asked = [host, *players[:2]]
    answers = [partial(ready_check.answer, game_id=game.pk, user=user) for user in asked]
    calls: list[Callable[[], object]] = [*answers, *[partial(ready_check.settle, game.pk)] * 2]
    order = stage.rng.sample(range(len(calls)), len(calls))
    results = dict(zip(order, stage.at_once(*(calls[place] for place in order)), strict=True))
    after = kept(game)
    sitting = set(after.seats.values_list("user", flat=True))
    for place, user in enumerate(asked):
        answered = not isinstance(results[place], Exception)
        assert answered <= (user.pk in sitting), "a player who was ready has lost the seat"
    assert after.is_running == (len(sitting) == 4), "started without all, or waits although all are ready"
    assert after.ready_by is None


def joining_twice(stage: Stage) -> None:
    """Repeated joining takes one seat."""
    host, user = stage.people[:2]
    game = opened(host)
    results = stage.at_once(*joins(game, [user] * stage.threads))
    assert refused(results) == set()
    assert kept(game).seats_taken == 2


def many_games_at_once(stage: Stage) -> None:
    """Joining and starting many games at once stays within the limit."""
    host, user = stage.people[:2]
    room = 3
    for _ in range(MAX_UNFINISHED_GAMES - room):
        opened(user)
    games = [opened(host) for _ in range(8)]
    start = partial(stage.started, user)
    results = stage.at_once(*joins(games[0], [user]), *[start] * 3, *joins(games[1], [user]), *[start] * 3)
    assert (len(done(results)), refused(results)) == (room, {TooManyGames})
    assert user.seats.filter(ended=None).count() == MAX_UNFINISHED_GAMES


def the_same_again_by_all(stage: Stage) -> None:
    """All players ask for a rematch: they sit at one table."""
    game = stage.game()
    for user in stage.people[:2]:
        concede(game_id=game.pk, by=user)
    results = stage.at_once(*[partial(start_rematch, game_id=game.pk, by=user) for user in stage.people[:3]])
    assert len({result.pk for result in results}) == 1
    again = kept(Game.objects.get(rematch_of=game))
    assert {seat.user for seat in again.seats.all()} == set(stage.people[:3])


def a_seat_that_many_adopt(stage: Stage) -> None:
    """Ten members and the former player want a stand-in's seat: one of them gets it."""
    game = stage.game(pace=86400, overrun=Game.OnTimeout.TAKE)
    gone = game.waiting_for
    late(game)
    assert settle_timeout(game.pk, game.version)
    game.seats.update(reserved_until=None)
    number, many = game.seat_to_move, min(10, stage.threads - 3)
    crowd = stage.people[3 : 3 + many]
    adopt = [partial(take_over_seat, game_id=game.pk, number=number, user=user) for user in crowd]
    back = partial(reclaim_seat, game_id=game.pk, user=gone)
    play = partial(play_bot_move, game.pk, game.version + 1)
    results = stage.at_once(*adopt, back, play, play)
    assert refused(results) <= {SeatNotFree, NotSeated, SeatNotReplaced}
    assert len(done(results[:-2])) == 1, "one seat for two"
    after = kept(game)
    seat = after.seats.get(number=number)
    assert seat.user in [*crowd, gone]
    assert not seat.is_bot_playing


def leaving_the_site_and_moving(stage: Stage) -> None:
    """An account is deleted while its owner moves in another tab: the move counts, or the bot plays on."""
    leaver = User.objects.create_user(f"leaver{stage.rng.randrange(10**12)}")
    game = stage.game(leaver, *stage.people[:2], at=lambda state, entries: len(entries) > 5)
    moves = [stage.move(game, text) for text in others(legal(game), stage.threads // 4)]
    results = stage.at_once(*moves, partial(delete_account, User.objects.get(pk=leaver.pk)))
    assert refused(results) <= {StalePosition, NotYourSeat, AccountClosed}
    after = kept(game)
    assert list(after.moves.filter(kind=LogEntry.Kind.RULING).values_list("author", flat=True)) == [
        LogEntry.Author.HOUSE
    ]
    assert sum(seat.user_id is None for seat in after.seats.all()) == 1


def the_same_words_many_times(stage: Stage) -> None:
    """A message that is sent repeatedly is stored once."""
    game = stage.game()
    words = f"Hello {stage.rng.random()}"
    say = partial(messages.say, game_id=game.pk, user=stage.people[0], text=words)
    results = stage.at_once(*[say] * stage.threads)
    assert refused(results) == set()
    assert ChatMessage.objects.filter(game=game).count() == 1


RACES: tuple[Callable[[Stage], None], ...] = (
    a_crowd_for_one_seat,
    a_crowd_at_a_table_that_starts_when_full,
    starting_leaving_kicking_and_leaving_the_site,
    a_ready_check_and_its_end,
    joining_twice,
    many_games_at_once,
    the_same_again_by_all,
    a_seat_that_many_adopt,
    leaving_the_site_and_moving,
    the_same_words_many_times,
)
