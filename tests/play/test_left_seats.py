"""Players who leave a live table: a computer keeps the seat after a minute, and they take it back."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import SiteSwitch, User
from games.clocks import overload, site_presence
from games.log.rulings import Ruling
from games.models import Game, OpenPage, Reliability
from games.play import page_presence, visits
from games.play.deadlines.pauses import pause_clocks, resume_clocks
from games.play.game_lock import lock_game, lock_paused_game
from games.play.play_move import play_move
from games.play.ruling_entry import enter_ruling
from games.play.seats.left_seats import KEPT_AFTER, Company, away_since, find_left_seats, keep_left_seat
from games.play.seats.pace_votes import propose_pace
from games.play.seats.substitutes import reclaim_seat
from tests.support import site_switches
from tests.support.games import NewGame, legal_move, play_next, play_to_the_end
from tests.support.live_rounds import (
    LIVE,
    SECOND,
    LiveTable,
    absence_of_the_site_counts_for_nobody,
    opened,
    outage_in_front_of_the_site_takes_no_seat,
)
from tests.support.timed_games import deadline

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(
    clock: Any, monkeypatch: pytest.MonkeyPatch, start: NewGame, alice: User, bob: User, carol: User
) -> LiveTable:
    """A live game in which alice decides first; all have had its table open and closed it again."""
    live = LiveTable(clock, monkeypatch, start(alice, bob, carol, preset="course", terms=LIVE))
    return opened(live, alice, bob, carol)


def away(table: LiveTable) -> dict[int, datetime]:
    """The seats whose players are away, and since when."""
    game = Game.objects.get(pk=table.game.pk)
    return away_since(game, list(game.seats.select_related("user")))


# -- Leaving -------------------------------------------------------------------------------------------


def test_computer_keeps_the_seat_after_a_minute(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    table.stay(5, alice, bob, carol)
    page_presence.mark_closed("bob")
    table.stay(58, alice, carol)
    assert table.kept() == set()
    table.stay(4, alice, carol)
    assert table.kept() == {"bob"}
    assert table.log() == ["1 is away"]


# The page may be open without a script, or behind a proxy that lets no socket through.
def test_player_whose_pages_have_no_socket_is_left_to_the_clock(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    OpenPage.objects.filter(user=bob).delete()
    table.stay(100, alice, carol)
    assert table.kept() == set()


def test_computer_waits_until_there_is_company_for_a_minute(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    table.stay(40)
    table.stay(58, alice, carol)
    assert table.kept() == set()
    table.stay(4, alice, carol)
    assert table.kept() == {"bob"}


def test_hidden_page_keeps_its_player_at_the_table(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    page_presence.mark_visible(bob.pk, table.game.pk, "bob")
    page_presence.mark_hidden("bob")
    for _ in range(8):
        page_presence.keep_open(["bob"])
        table.stay(20, alice, carol)
    assert table.kept() == set()


def test_page_that_was_never_visible_keeps_its_player_at_the_table(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    page_presence.mark_open(bob.pk, table.game.pk, "bob")
    table.stay(50, alice, carol)
    page_presence.keep_open(["bob"])
    table.stay(50, alice, carol)
    assert table.kept() == set()


def test_cut_page_is_away_since_its_last_sign(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    page_presence.mark_visible(bob.pk, table.game.pk, "bob")
    heard = timezone.now()
    table.stay(40, alice, carol)
    page_presence.mark_closed("bob", heard)
    table.stay(22, alice, carol)
    assert table.kept() == {"bob"}


# During an upgrade, web processes of the version before renew nothing else.
def test_visible_page_is_open(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    table.stay(5, alice, bob, carol)
    for _ in range(6):
        OpenPage.objects.filter(user=bob).update(visible_until=timezone.now() + 45 * SECOND)
        table.stay(20, alice, carol)
    assert table.kept() == set()
    assert away(table) == {}


def test_another_open_page_keeps_the_player_at_the_table(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    page_presence.mark_visible(bob.pk, table.game.pk, "phone")
    page_presence.mark_closed("phone")
    table.stay(70, alice, bob, carol)
    assert table.kept() == set()


def test_reader_without_a_socket_is_at_the_table(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    for _ in range(4):
        visits.record_visit(table.game.pk, bob, table.game.version)
        table.stay(25, alice, carol)
    assert table.kept() == set()


def test_page_of_another_game_does_not_count(
    table: LiveTable, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    other = start(alice, bob, preset="course", terms=LIVE)
    page_presence.mark_visible(bob.pk, other.pk, "other")
    page_presence.keep_open(["other"])
    table.stay(65, alice, carol)
    assert table.kept() == {"bob"}


def test_seat_that_is_to_move_is_kept_before_its_time_is_up(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    table.stay(65, bob, carol)
    assert table.kept() == {"alice"}
    assert Game.objects.get(pk=table.game.pk).bot_due_at is not None


def test_clock_of_the_player_to_move_runs_on(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    ends = deadline(table.game)
    table.stay(65, alice, carol)
    assert table.kept() == {"bob"}
    assert deadline(table.game) == ends


def test_move_in_flight_counts_beside_an_absence(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    asked = Game.with_secrets.get(pk=table.game.pk)
    table.stay(65, alice, carol)
    play_move(game_id=asked.pk, number=asked.version + 1, seat=0, text=legal_move(asked), by=alice)
    assert table.log() == ["1 is away"]


def test_game_by_mail_waits(
    clock: Any, monkeypatch: pytest.MonkeyPatch, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 86400})
    table = LiveTable(clock, monkeypatch, game)
    table.stay(65, alice)
    assert table.kept() == set()


def test_bot_account_needs_no_page(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_bot_account=True)
    table.stay(65, alice, carol)
    assert table.kept() == set()


# -- Nobody left -----------------------------------------------------------------------------------------


def test_game_that_everybody_has_left_goes_on_by_the_clock(table: LiveTable) -> None:
    table.stay(100)
    assert table.kept() == set()
    assert deadline(table.game) > timezone.now()


def test_last_person_keeps_the_seat(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    table.stay(65, carol)
    assert table.kept() == {"alice", "bob"}
    page_presence.mark_closed("carol")
    table.stay(65)
    assert table.kept() == {"alice", "bob"}


def test_person_alone_against_computers_keeps_the_seat(
    clock: Any, monkeypatch: pytest.MonkeyPatch, start: NewGame, alice: User
) -> None:
    game = start(alice, "random", preset="course", terms=LIVE)
    LiveTable(clock, monkeypatch, game).stay(65)
    assert not game.seats.get(user=alice).bot_level


# -- Time that does not count ------------------------------------------------------------------------------


def test_absence_of_the_site_counts_for_nobody(table: LiveTable, alice: User, carol: User) -> None:
    absence_of_the_site_counts_for_nobody(table, alice, carol)


def test_outage_in_front_of_the_site_takes_no_seat(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    outage_in_front_of_the_site_takes_no_seat(table, carol, alice, bob)


def away_for_seventy_seconds(table: LiveTable, *there: User) -> bool:
    """Return whether nobody loses a seat in a minute in which something is wrong with the site."""
    for _ in range(70):
        for user in there:
            page_presence.mark_visible(user.pk, table.game.pk, user.username)
        table.clock.shift(SECOND)
        table.look()
    return table.kept() == set()


def test_site_that_is_there_all_the_time_lets_computers_play(
    table: LiveTable, alice: User, carol: User
) -> None:
    assert not away_for_seventy_seconds(table, alice, carol)


def test_nobody_is_away_while_redis_is_gone(
    table: LiveTable, alice: User, carol: User, settings: Any
) -> None:
    settings.CHANNEL_URLS = ["redis://127.0.0.1:1/0"]
    settings.REDIS_TIMEOUT = 0.2
    assert away_for_seventy_seconds(table, alice, carol)


def test_nobody_is_away_while_no_web_process_serves(
    table: LiveTable, alice: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_presence, "web_silence", lambda: 3 * SECOND)
    assert away_for_seventy_seconds(table, alice, carol)


def test_nobody_is_away_in_an_overload(
    table: LiveTable, alice: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "underway", lambda: SimpleNamespace(began=timezone.now()))
    assert away_for_seventy_seconds(table, alice, carol)


def test_nobody_is_away_while_the_site_is_read_only(table: LiveTable, alice: User, carol: User) -> None:
    site_switches.turn(SiteSwitch.Kind.READING)
    assert away_for_seventy_seconds(table, alice, carol)


def test_pause_counts_for_nobody(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    game = lock_game(table.game.pk)
    pause_clocks(game)
    enter_ruling(game, Ruling("holds"))
    table.stay(100, alice, carol)
    assert table.kept() == set()
    game = lock_paused_game(table.game.pk)
    resume_clocks(game)
    enter_ruling(game, Ruling("releases"))
    table.look()
    table.stay(58, alice, carol)
    assert table.kept() == set()
    table.stay(5, alice, carol)
    assert table.kept() == {"bob"}


def test_game_that_becomes_live_counts_from_then(
    clock: Any, monkeypatch: pytest.MonkeyPatch, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 86400})
    table = opened(LiveTable(clock, monkeypatch, game), bob)
    table.stay(100, alice)
    for user in (alice, bob):
        propose_pace(game_id=game.pk, by=user, pace="fast")
    table.stay(58, alice)
    assert table.kept() == set()
    table.stay(10, alice)
    assert table.kept() == {"bob"}


# -- Races -------------------------------------------------------------------------------------------------


def found(table: LiveTable) -> tuple[int, int]:
    """The seat of bob, found a moment before anything happens to it."""
    moment = timezone.now()
    assert find_left_seats(moment, [table.game.pk]) == [(table.game.pk, 1)]
    return (table.game.pk, 1)


@pytest.fixture
def left(table: LiveTable, alice: User, carol: User, monkeypatch: pytest.MonkeyPatch) -> LiveTable:
    """The table at which bob has been away for more than a minute, before a round has looked."""
    monkeypatch.setattr(table.loop, "_keep_left_seats", lambda _seen_at: None)
    table.stay(65, alice, carol)
    return table


def test_player_who_returns_in_that_moment_keeps_the_seat(left: LiveTable, bob: User) -> None:
    seat = found(left)
    page_presence.mark_visible(bob.pk, left.game.pk, "bob")
    assert not keep_left_seat(*seat, timezone.now())


def test_seat_is_kept_once(left: LiveTable) -> None:
    seat = found(left)
    assert keep_left_seat(*seat, timezone.now())
    assert not keep_left_seat(*seat, timezone.now())
    assert left.log() == ["1 is away"]


def test_game_that_ends_in_that_moment_stays_over(left: LiveTable) -> None:
    seat = found(left)
    play_to_the_end(left.game)
    assert not keep_left_seat(*seat, timezone.now())


def test_game_that_is_paused_in_that_moment_waits(left: LiveTable) -> None:
    seat = found(left)
    Game.objects.filter(pk=left.game.pk).update(paused=timezone.now())
    assert not keep_left_seat(*seat, timezone.now())


def test_others_who_leave_in_that_moment_leave_the_game_to_the_clock(left: LiveTable) -> None:
    seat = found(left)
    for page in ("alice", "carol"):
        page_presence.mark_closed(page, timezone.now() - KEPT_AFTER)
    assert not keep_left_seat(*seat, timezone.now())


def test_plan_that_is_about_to_answer_does_so_first(left: LiveTable, alice: User, bob: User) -> None:
    play_next(Game.objects.get(pk=left.game.pk))
    while Game.objects.get(pk=left.game.pk).waiting_for_id == alice.pk:
        play_next(Game.objects.get(pk=left.game.pk))
    game = Game.objects.get(pk=left.game.pk)
    assert game.waiting_for_id == bob.pk
    Game.objects.filter(pk=game.pk).update(answer_due_at=timezone.now() + 3 * SECOND)
    assert not keep_left_seat(game.pk, 1, timezone.now())
    Game.objects.filter(pk=game.pk).update(answer_due_at=None)
    assert keep_left_seat(game.pk, 1, timezone.now())


# -- Coming back -------------------------------------------------------------------------------------------


@pytest.fixture
def kept(left: LiveTable) -> LiveTable:
    """The table at which a computer keeps the seat of bob."""
    assert keep_left_seat(*found(left), timezone.now())
    return left


def lost_seats(user: User) -> int:
    row = Reliability.objects.filter(user=user).first()
    return row.left if row else 0


def test_player_takes_the_seat_back_and_keeps_it(
    kept: LiveTable, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    reclaim_seat(game_id=kept.game.pk, user=bob)
    assert kept.log() == ["1 is away", "1 is back"]
    assert keep_left_seat(kept.game.pk, 1, timezone.now()) is False


def test_seat_waits_five_minutes_for_its_player(kept: LiveTable, bob: User) -> None:
    seat = kept.game.seats.get(user=bob)
    assert seat.reserved_until - seat.replaced_at == timedelta(minutes=5)


def test_short_absence_in_which_nobody_waited_counts_for_nothing(kept: LiveTable, bob: User) -> None:
    assert lost_seats(bob) == 1
    reclaim_seat(game_id=kept.game.pk, user=bob)
    row = Reliability.objects.get(user=bob)
    assert (row.left, row.late, row.decisions) == (0, 0, 0)


def test_absence_in_which_the_computer_decided_counts_as_a_lost_seat(
    kept: LiveTable, alice: User, bob: User
) -> None:
    game = Game.objects.get(pk=kept.game.pk)
    while not game.moves.filter(seat=1, kind="move").exists():
        play_next(game)
        game = Game.objects.get(pk=game.pk)
    reclaim_seat(game_id=game.pk, user=bob)
    row = Reliability.objects.get(user=bob)
    assert (row.left, row.late, row.decisions) == (1, 0, 0)


# A player who leaves and comes back on the same turn again and again would never have to move.
@pytest.mark.parametrize("terms", [{"pace": 120}, {"pace": 60, "bank": 100, "cap": 180}])
def test_clock_goes_on_where_it_stood_when_the_player_left(
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    start: NewGame,
    alice: User,
    bob: User,
    terms: dict[str, int],
) -> None:
    game = start(alice, bob, preset="course", terms=terms)
    table = opened(LiveTable(clock, monkeypatch, game), alice)
    full = deadline(game) - timezone.now()
    table.stay(70, bob)
    assert table.kept() == {"alice"}
    reclaim_seat(game_id=game.pk, user=alice)
    assert full - 75 * SECOND < deadline(game) - timezone.now() < full - 55 * SECOND


def test_turn_that_the_player_has_left_counts_as_a_lost_seat(
    table: LiveTable, alice: User, bob: User, carol: User
) -> None:
    table.stay(70, bob, carol)
    assert table.kept() == {"alice"}
    reclaim_seat(game_id=table.game.pk, user=alice)
    assert lost_seats(alice) == 1


def test_next_decision_after_a_return_has_its_full_time(
    clock: Any, monkeypatch: pytest.MonkeyPatch, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 120})
    table = opened(LiveTable(clock, monkeypatch, game), alice)
    table.stay(70, bob)
    reclaim_seat(game_id=game.pk, user=alice)
    play_next(Game.objects.get(pk=game.pk))
    assert deadline(game) - timezone.now() > 110 * SECOND


def test_others_take_the_game_to_mail_without_the_absent_player(
    kept: LiveTable, alice: User, carol: User
) -> None:
    for user in (alice, carol):
        propose_pace(game_id=kept.game.pk, by=user, pace="day")
    game = Game.objects.get(pk=kept.game.pk)
    assert (game.is_live, game.seconds_per_move) == (False, 86400)


def test_vote_that_waited_for_the_absent_player_is_over(left: LiveTable, alice: User, carol: User) -> None:
    for user in (alice, carol):
        propose_pace(game_id=left.game.pk, by=user, pace="day")
    assert Game.objects.get(pk=left.game.pk).is_live
    assert keep_left_seat(*found(left), timezone.now())
    assert not Game.objects.get(pk=left.game.pk).is_live


# -- Telling -------------------------------------------------------------------------------------------------


def test_absence_is_told_from_its_beginning(table: LiveTable, alice: User, bob: User, carol: User) -> None:
    table.stay(5, alice, bob, carol)
    page_presence.mark_closed("bob")
    gone = timezone.now()
    table.stay(20, alice, carol)
    assert away(table) == {1: gone}


def test_nobody_is_away_from_a_table_that_all_have_open(
    table: LiveTable, alice: User, bob: User, carol: User, django_assert_num_queries: Any
) -> None:
    table.stay(65, alice, bob, carol)
    assert away(table) == {}
    # All live games at once, the site's heartbeat, and those with company at once.
    with django_assert_num_queries(3):
        games = Company().look(timezone.now()) or [table.game.pk]
        assert find_left_seats(timezone.now(), games) == []
