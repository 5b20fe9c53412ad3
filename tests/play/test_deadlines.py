"""Games with a time per move: whose clock runs until when, and what a timeout does."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.archive.replay import replay
from games.lobby.departures import leave_all_games
from games.models import Game, LogEntry
from games.notifications import delivery_times
from games.play.deadlines import overdue
from games.play.deadlines.overdue import settle_timeout
from games.refusals import NotOverdue, NotYourSeat
from tests.support import wording
from tests.support.games import NewGame, play_next, play_on, whole_record
from tests.support.simultaneous_calls import ROUNDS
from tests.support.timed_games import DAY, PACE, sweep, without_grace

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice is to place a tile and has a day; no seat has grace left."""
    return without_grace(start(alice, bob, preset="course", terms=PACE))


# -- Clocks --------------------------------------------------------------------------------------------


def test_each_decision_of_a_person_gets_the_whole_time(clock: Any, game: Game) -> None:
    for _ in range(12):
        now = timezone.now()
        game.refresh_from_db()
        assert game.waiting_for == game.seats.get(number=game.seat_to_move).user
        assert game.deadline == now + DAY
        clock.shift(timedelta(hours=5))
        play_on(game, 1)
        game = Game.objects.get(pk=game.pk)
        assert game.deadline == now + timedelta(hours=5) + DAY


def test_game_without_a_pace_has_no_deadline(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 5)
    assert game.deadline is None
    assert game.waiting_for is not None


def test_bot_has_no_deadline(start: NewGame, alice: User) -> None:
    game = start(alice, "random", terms=PACE)
    for seed in range(30):
        game = play_on(game, 1, seed)
        seat = game.seats.get(number=game.seat_to_move)
        assert (game.deadline is None) == bool(seat.bot_level)
        assert game.waiting_for == seat.user


def test_finished_game_has_no_deadline(game: Game) -> None:
    game = play_on(game, 10_000)
    assert game.is_finished
    assert (game.waiting_for, game.deadline) == (None, None)


def test_deadline_stays_when_another_player_leaves_the_site(clock: Any, game: Game, bob: User) -> None:
    deadline = game.deadline
    clock.shift(timedelta(hours=3))
    leave_all_games(bob)
    game.refresh_from_db()
    assert game.deadline == deadline


def test_deadline_ends_when_its_player_leaves_the_site(game: Game, alice: User) -> None:
    leave_all_games(alice)
    game.refresh_from_db()
    assert (game.waiting_for, game.deadline) == (None, None)
    assert game.bot_due_at is not None


# -- Time banks ----------------------------------------------------------------------------------------

BANK = {"pace": 86400, "bank": 3 * 86400, "cap": 5 * 86400}


@pytest.fixture
def banked(start: NewGame, alice: User, bob: User) -> Game:
    """A game in which alice is to place a tile; time banks hold three days, gain one a move, at most five."""
    return start(alice, bob, preset="course", terms=BANK)


def test_time_bank_runs_down_and_each_decision_adds_to_it(clock: Any, banked: Game) -> None:
    assert banked.deadline == timezone.now() + 3 * DAY
    clock.shift(2 * DAY)
    play_next(banked)
    assert banked.seats.get(number=0).time_bank_left == 2 * DAY
    banked.refresh_from_db()
    assert banked.deadline == timezone.now() + 2 * DAY


def test_time_bank_never_exceeds_its_cap(clock: Any, banked: Game) -> None:
    for _ in range(4):
        play_on(banked, 1)
    assert max(banked.seats.values_list("time_bank_left", flat=True)) == 5 * DAY


def test_time_bank_without_a_cap_grows(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, preset="course", terms={**BANK, "cap": None}), 40)
    assert max(game.seats.values_list("time_bank_left", flat=True)) > 10 * DAY


def test_empty_time_bank_holds_the_time_of_one_decision(clock: Any, banked: Game) -> None:
    clock.shift(10 * DAY)
    play_next(banked)
    assert banked.seats.get(number=0).time_bank_left == DAY


def test_time_bank_is_used_by_its_own_seat_only(clock: Any, banked: Game) -> None:
    clock.shift(DAY)
    game = banked
    while game.seat_to_move == 0:
        game = play_on(game, 1)
    assert game.deadline == timezone.now() + 3 * DAY


def test_ruling_about_another_seat_keeps_the_time_bank(clock: Any, banked: Game, bob: User) -> None:
    deadline = banked.deadline
    clock.shift(timedelta(hours=30))
    leave_all_games(bob)
    banked.refresh_from_db()
    assert banked.deadline == deadline
    play_next(banked)
    assert banked.seats.get(number=0).time_bank_left == timedelta(hours=72 - 30 + 24)


def test_inconsistent_time_bank_is_refused(start: NewGame, alice: User, bob: User) -> None:
    for terms in ({"bank": 100}, {"pace": 3600, "cap": 100}, {"pace": 3600, "bank": 7200, "cap": 3600}):
        with pytest.raises(ValueError, match="bank"):
            start(alice, bob, preset="course", terms=terms)


# -- Nights and weekends -------------------------------------------------------------------------------


def test_clocks_stand_still_at_night_in_each_players_time_zone(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Berlin")
    User.objects.filter(pk=bob.pk).update(time_zone="America/New_York")
    clock.move_to(datetime(2026, 5, 4, 20, tzinfo=UTC))  # 22:00 in Berlin, 16:00 in New York
    terms = {"pace": 2 * 3600, "off": Game.ClockPauses.NIGHTS}
    game = start(*map(User.objects.get_by_natural_key, ("alice", "bob")), preset="course", terms=terms)
    deadlines = {game.waiting_for.username: game.deadline}
    while len(deadlines) < 2:
        game = play_on(game, 1)
        deadlines[game.waiting_for.username] = game.deadline
    assert deadlines == {
        "alice": datetime(2026, 5, 5, 6, tzinfo=UTC),
        "bob": datetime(2026, 5, 4, 22, tzinfo=UTC),
    }


def test_change_of_time_zone_adds_no_time_to_a_bank(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    clock.move_to(datetime(2026, 5, 8, 12, tzinfo=UTC))  # a Friday
    lives_in(alice, "Pacific/Pago_Pago")  # where it is one o'clock in the morning
    terms = {"pace": 3600, "bank": 30 * 3600, "off": Game.ClockPauses.WEEKENDS}
    game = start(alice, bob, preset="course", terms=terms)
    assert game.deadline == datetime(2026, 5, 11, 18, tzinfo=UTC)
    lives_in(alice, "Pacific/Kiritimati")  # where the weekend begins a day earlier, and ends so
    play_next(now_of(game))
    assert game.seats.get(number=0).time_bank_left == timedelta(hours=31)
    assert now_of(game).clock_zone == "Pacific/Kiritimati", "the next decision counts by where she lives now"


def lives_in(user: User, time_zone: str) -> None:
    User.objects.filter(pk=user.pk).update(time_zone=time_zone)


def now_of(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def test_reminder_is_due_after_four_fifths_of_the_counted_time(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    clock.move_to(datetime(2026, 5, 8, 12, tzinfo=UTC))  # a Friday
    terms = {"pace": 86400, "off": Game.ClockPauses.WEEKENDS}
    game = start(alice, bob, preset="course", terms=terms)
    assert game.deadline == datetime(2026, 5, 11, 12, tzinfo=UTC)
    assert delivery_times.reminder_due(game) == game.deadline - timedelta(hours=4.8)


def test_reminder_of_a_time_bank_depends_on_its_contents(clock: Any, banked: Game) -> None:
    assert delivery_times.reminder_due(banked) == timezone.now() + 0.8 * 3 * DAY


# -- Timeouts ------------------------------------------------------------------------------------------


def test_nothing_happens_just_before_the_deadline(clock: Any, game: Game) -> None:
    before = whole_record(game)
    clock.move_to(game.deadline - timedelta(microseconds=1))
    assert sweep() == 0
    assert settle_timeout(game.pk, game.version) is False
    assert whole_record(game) == before


def test_bot_decides_once_after_the_deadline(clock: Any, game: Game, alice: User) -> None:
    clock.move_to(game.deadline)
    assert sweep() == 1
    game.refresh_from_db()
    entry = game.moves.get()
    assert (entry.number, entry.kind, entry.seat) == (1, LogEntry.Kind.MOVE, 0)
    assert (entry.author, entry.user) == (LogEntry.Author.HOUSE, None)
    # The seat is still alice's, and so is the next decision, with the whole time.
    assert game.seats.get(number=0).user == alice
    assert (game.waiting_for, game.deadline) == (alice, timezone.now() + DAY)
    assert sweep() == 0
    play_next(game)


def test_log_says_for_whom_a_bot_decided(clock: Any, game: Game, client: Client) -> None:
    clock.move_to(game.deadline)
    sweep()
    for address in (game.get_absolute_url(), f"{game.get_absolute_url()}log/"):
        page = client.get(address).content.decode()
        assert page.count(wording.LATE_SO_COMPUTER_MOVED.format(who="alice")) == 1


def test_abandoned_game_is_played_to_its_end_and_replays(clock: Any, game: Game) -> None:
    for _ in range(2000):
        game = Game.with_secrets.get(pk=game.pk)
        if game.is_finished:
            break
        clock.move_to(game.deadline + timedelta(seconds=1))
        assert sweep() == 1
    assert game.is_finished
    assert set(game.moves.values_list("author", flat=True)) == {LogEntry.Author.HOUSE}
    assert replay(game).faults == []


def test_late_move_is_accepted_until_a_bot_has_decided(clock: Any, game: Game, alice: User) -> None:
    clock.move_to(game.deadline + timedelta(hours=1))
    entry = play_next(game)
    assert (entry.author, entry.user) == (LogEntry.Author.PERSON, alice)
    assert settle_timeout(game.pk, 0) is False
    assert game.moves.count() == 1


def test_house_decides_only_for_people_after_their_deadline(
    clock: Any, game: Game, start: NewGame, alice: User, bob: User
) -> None:
    timeless = start(alice, bob, preset="course")
    with pytest.raises(NotOverdue):
        play_next(game, by=None, overdue=True)
    clock.shift(DAY * 30)
    with pytest.raises(NotOverdue):
        play_next(timeless, by=None, overdue=True)
    computer = start("random", alice, preset="course", terms=PACE)
    with pytest.raises(NotYourSeat):
        play_next(computer, by=None, overdue=True)
    with pytest.raises(NotYourSeat):
        play_next(game, by=None)
    assert not LogEntry.objects.exists()


def test_failing_game_does_not_hold_up_others(
    clock: Any, start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (without_grace(start(alice, bob, preset="course", terms=PACE)) for _ in range(2))
    decide = settle_timeout

    def fail(game_id: int, version: int) -> bool:
        if game_id == broken.pk:
            raise RuntimeError
        return decide(game_id, version)

    monkeypatch.setattr(overdue, "settle_timeout", fail)
    clock.shift(DAY)
    sweep()
    assert [game.moves.count() for game in (broken, sound)] == [0, 1]


def test_table_shows_the_deadline_to_the_minute(game: Game, client: Client) -> None:
    page = client.get(game.get_absolute_url()).content.decode()
    assert wording.MOVE_BY in page
    assert f'datetime="{game.deadline.replace(second=0, microsecond=0).isoformat()}"' in page


@pytest.mark.django_db(transaction=True)
def test_move_in_time_is_never_overruled(game: Game) -> None:
    """The player moves after the sweeper has read the game as overdue."""
    for seed in range(ROUNDS):
        game = play_on(game, 1, seed)
        Game.objects.filter(pk=game.pk).update(deadline=timezone.now())
        game = Game.objects.get(pk=game.pk)
        seen = game.version
        play_next(game)
        assert settle_timeout(game.pk, seen) is False
        with pytest.raises(NotOverdue), transaction.atomic():
            play_next(Game.objects.get(pk=game.pk), by=None, overdue=True)
        assert Game.objects.get(pk=game.pk).version == seen + 1
