"""The queue for live games: members who want the same get a game with a ready check."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.clocks import site_presence
from games.lobby import live_queue, ready_check
from games.lobby.block_list import block
from games.lobby.departures import leave_all_games
from games.lobby.join_game import kick, leave
from games.models import Game, Heartbeat, QueuedPlayer, TaskFailure
from games.play.deadlines.live_deadlines import LiveDeadlines
from games.play.deadlines.ready_deadlines import READY_TIME
from games.players import limits
from games.refusals import AlreadyInLiveGame, BlockedFromTable, GuestsPlayComputers, NotQueued, TooManyGames
from tests.support.clients import client_of
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def wait(user: User, **wish: Any) -> list[Game]:
    """Enter the queue, for a fast game of three or four unless the wish differs; the games that follow."""
    enter(user, **wish)
    return live_queue.match()


def enter(user: User, **wish: Any) -> None:
    usual = {"pace": "fast", "least": 3, "most": 4, "patience": MINUTE, "level": ""}
    live_queue.enter(user=user, **{**usual, **wish})


def look_for_gone(clock: Any, time: timedelta, *people: User, every: timedelta = 10 * SECOND) -> None:
    """Let the time pass on a site that is there, in rounds; the pages of these people ask after each."""
    now = timezone.now()
    found, _ = Heartbeat.objects.get_or_create(
        name=site_presence.SEEN_MARK, defaults={"at": now, "detail": now.isoformat()}
    )
    if now - found.at > site_presence.AWAY_AFTER:
        Heartbeat.objects.filter(pk=found.pk).update(detail=now.isoformat())
    for _round in range(time // every):
        live_queue.take_out_gone(timezone.now())
        clock.shift(SECOND)
        for user in people:
            live_queue.note_seen(user)
        clock.shift(every - SECOND)
        Heartbeat.objects.filter(pk=found.pk).update(at=timezone.now())
    live_queue.take_out_gone(timezone.now())


def queued() -> list[str]:
    return sorted(live_queue.waiting().values_list("user__username", flat=True))


def people(game: Game) -> list[str]:
    return sorted(str(seat.user) for seat in game.seats.select_related("user") if seat.user)


# -- Wishes that agree ---------------------------------------------------------------------------------


def test_three_who_wait_get_a_game_and_are_asked_whether_they_are_ready(
    alice: User, bob: User, carol: User
) -> None:
    assert wait(alice) == wait(bob) == []
    [game] = wait(carol)
    assert people(game) == ["alice", "bob", "carol"]
    assert (game.seconds_per_move, game.time_bank, game.rated) == (30, 180, True)
    assert game.is_open and game.ready_by is not None and not game.free_seats
    assert len(ready_check.unready(list(game.seats.all()))) == 3
    assert queued() == []


@pytest.mark.parametrize("other", [{"pace": "evening"}, {"least": 4}, {"least": 2, "most": 2}])
def test_wishes_that_differ_make_no_game(alice: User, bob: User, carol: User, other: dict[str, Any]) -> None:
    wait(alice)
    wait(bob)
    assert wait(carol, **other) == []
    assert queued() == ["alice", "bob", "carol"]


def test_number_is_one_that_all_accept(alice: User, bob: User) -> None:
    wait(alice, least=2, most=6)
    [game] = wait(bob, least=2, most=3)
    assert game.max_players == 2


def test_members_who_block_each_other_are_not_brought_together(alice: User, bob: User, carol: User) -> None:
    block(user=alice, person=bob)
    wait(alice, least=2)
    assert wait(bob, least=2) == []
    [game] = wait(carol, least=2)
    assert people(game) == ["alice", "carol"]
    assert queued() == ["bob"]


def test_member_who_closed_the_page_is_taken_out(clock: Any, alice: User, bob: User) -> None:
    wait(alice, least=2)
    look_for_gone(clock, 70 * SECOND)
    assert queued() == []
    assert wait(bob, least=2) == []


def test_member_whose_page_asks_for_news_stays(clock: Any, alice: User) -> None:
    wait(alice)
    look_for_gone(clock, 2 * MINUTE, alice)
    assert queued() == ["alice"]


def test_slow_rounds_take_those_out_who_have_gone_and_nobody_else(clock: Any, alice: User, bob: User) -> None:
    wait(alice, least=4)
    wait(bob, least=4)
    look_for_gone(clock, 5 * MINUTE, bob, every=75 * SECOND)
    assert queued() == ["bob"]


def test_absence_of_the_site_takes_nobody_out(clock: Any, alice: User) -> None:
    wait(alice)
    look_for_gone(clock, 50 * SECOND)
    clock.shift(timedelta(hours=1))
    look_for_gone(clock, 50 * SECOND)
    assert queued() == ["alice"]
    look_for_gone(clock, 20 * SECOND)
    assert queued() == []


def test_nobody_is_taken_out_while_nothing_tells_that_the_site_is_there(clock: Any, alice: User) -> None:
    wait(alice)
    for _round in range(9):
        clock.shift(10 * SECOND)
        live_queue.take_out_gone(timezone.now())
    assert queued() == ["alice"]


def test_site_is_watched_while_somebody_waits(clock: Any, alice: User) -> None:
    loop = LiveDeadlines(ready_check.settle)
    assert loop.round() is None
    wait(alice)
    assert loop.round() == 0
    assert site_presence.there_since() is not None


@pytest.mark.parametrize(("wish", "ticks"), [({}, 0), ({"patience": None}, 0), ({"most": 3}, 1)])
def test_others_ask_for_news_only_if_their_number_changes(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    alice: User,
    wish: dict[str, Any],
    ticks: int,
) -> None:
    enter(alice)
    sent: list[object] = []
    monkeypatch.setattr(live_queue.ticks, "send_tick", lambda *tick: sent.append(tick))
    with django_capture_on_commit_callbacks(execute=True):
        enter(alice, **wish)
    assert len(sent) == ticks


def test_group_whose_game_fails_holds_up_nobody_else(
    monkeypatch: pytest.MonkeyPatch, alice: User, bob: User
) -> None:
    begin = live_queue.begin_game

    def begin_unless_alice_hosts(game: Game) -> None:
        if game.host == alice:
            raise RuntimeError
        begin(game)

    monkeypatch.setattr(live_queue, "begin_game", begin_unless_alice_hosts)
    for user, pace in ((alice, "fast"), (bob, "evening")):
        enter(user, pace=pace)
        live_queue.answer_offer(user=user, level="easy")
    [game] = live_queue.match()
    assert people(game) == ["bob"]
    assert queued() == ["alice"]
    assert TaskFailure.objects.get().task == "the queue for live games"


# -- Who may wait --------------------------------------------------------------------------------------


def test_guest_is_refused(guest: User) -> None:
    with pytest.raises(GuestsPlayComputers):
        wait(guest)


def test_player_of_a_live_game_is_refused(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 30, "bank": 180})
    assert live_queue.current_game(alice) == game
    with pytest.raises(AlreadyInLiveGame):
        wait(alice)


def test_player_of_a_paused_live_game_may_wait(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 30, "bank": 180})
    Game.objects.filter(pk=game.pk).update(paused=timezone.now())
    wait(alice)
    assert queued() == ["alice"]


def test_member_who_enters_a_game_meanwhile_is_taken_out(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    wait(alice, least=2)
    start(alice, carol, terms={"pace": 30, "bank": 180})
    assert wait(bob, least=2) == []
    assert queued() == ["bob"]


def test_limit_of_games_holds_at_both_ends(
    monkeypatch: pytest.MonkeyPatch, create: NewGame, alice: User, bob: User
) -> None:
    monkeypatch.setattr(limits, "MAX_UNFINISHED_GAMES", 1)
    wait(alice, least=2)
    create(alice)
    assert wait(bob, least=2) == []
    assert queued() == ["bob"]
    create(bob)
    with pytest.raises(TooManyGames):
        wait(bob)


def test_choices_are_kept_after_leaving(alice: User) -> None:
    wait(alice, pace="evening", least=2, most=5)
    assert live_queue.leave(user=alice)
    assert not live_queue.leave(user=alice)
    kept = QueuedPlayer.objects.get(user=alice)
    assert (kept.pace, kept.least, kept.most, kept.since) == ("evening", 2, 5, None)


def test_second_tab_changes_the_wish(alice: User) -> None:
    wait(alice)
    wait(alice, pace="evening")
    assert [one.pace for one in live_queue.waiting()] == ["evening"]


def test_member_who_leaves_the_site_leaves_the_queue(alice: User) -> None:
    wait(alice)
    leave_all_games(alice)
    assert not QueuedPlayer.objects.exists()


def test_who_may_not_play_with_the_others_goes_on_waiting(
    monkeypatch: pytest.MonkeyPatch, alice: User, bob: User, carol: User
) -> None:
    def check(game: Game, user: User) -> None:
        if user == bob:
            raise BlockedFromTable

    monkeypatch.setattr(live_queue, "check_joining", check)
    for user in (alice, bob, carol):
        enter(user, least=2)
    [game] = live_queue.match()
    assert people(game) == ["alice", "carol"]
    assert queued() == ["bob"]


# -- A game that does not start ------------------------------------------------------------------------


def test_those_who_answered_wait_again_for_as_long_as_before(
    clock: Any, alice: User, bob: User, carol: User
) -> None:
    wait(alice)
    wait(bob)
    [game] = wait(carol)
    for user in (alice, bob):
        ready_check.answer(game_id=game.pk, user=user)
    clock.shift(READY_TIME)
    ready_check.settle(game.pk)
    assert Game.objects.get().status == Game.Status.CLOSED
    assert queued() == ["alice", "bob"]
    assert {one.since for one in live_queue.waiting()} == {game.opened}
    assert {one.offer_at for one in live_queue.waiting()} == {game.opened + MINUTE}
    [again] = wait(carol)
    assert people(again) == ["alice", "bob", "carol"]


def test_those_whom_another_leaves_wait_again(alice: User, bob: User, carol: User) -> None:
    wait(alice)
    wait(bob)
    [game] = wait(carol)
    leave(game_id=game.pk, user=alice)
    assert Game.objects.get().status == Game.Status.CLOSED
    assert queued() == ["bob", "carol"]


def test_those_who_stay_wait_again_when_the_host_sends_another_away(
    alice: User, bob: User, carol: User
) -> None:
    wait(alice)
    wait(bob)
    [game] = wait(carol)
    kick(game_id=game.pk, user=bob, by=alice, reason="I know bob.")
    assert Game.objects.get().status == Game.Status.CLOSED
    assert queued() == ["alice", "carol"]


def test_host_who_sends_another_away_comes_back_to_the_queue(alice: User, bob: User) -> None:
    wait(alice, least=2)
    [game] = wait(bob, least=2)
    address = reverse("kick", args=[game.public_id, "bob"])
    answer = client_of(alice).post(address, {"reason": "I know bob."})
    assert answer["Location"] == reverse("live-queue")


def test_game_that_nobody_of_the_queue_is_ready_for_is_closed(clock: Any, alice: User, bob: User) -> None:
    wait(alice, least=2)
    [game] = wait(bob, least=2)
    clock.shift(READY_TIME)
    ready_check.settle(game.pk)
    assert Game.objects.get().status == Game.Status.CLOSED
    assert queued() == []


# -- Computer players ----------------------------------------------------------------------------------


def test_member_who_accepts_computers_alone_starts_at_once(clock: Any, alice: User) -> None:
    wait(alice)
    clock.shift(MINUTE)
    live_queue.note_seen(alice)
    live_queue.answer_offer(user=alice, level="easy")
    [game] = live_queue.match()
    assert game.is_running
    assert sorted(game.seats.values_list("bot_level", flat=True)) == ["", "easy", "easy"]


def test_members_who_accept_computers_play_together(clock: Any, alice: User, bob: User) -> None:
    wait(alice)
    wait(bob)
    clock.shift(MINUTE)
    live_queue.note_seen(alice)
    live_queue.note_seen(bob)
    live_queue.answer_offer(user=alice, level="easy")
    assert live_queue.match() == []
    live_queue.answer_offer(user=bob, level="easy")
    [game] = live_queue.match()
    assert people(game) == ["alice", "bob"]
    assert game.ready_by is not None and game.max_players == 3


def test_member_who_accepts_does_not_wait_long_for_others(clock: Any, alice: User, bob: User) -> None:
    wait(alice)
    wait(bob)
    clock.shift(MINUTE - SECOND)
    live_queue.note_seen(alice)
    live_queue.note_seen(bob)
    clock.shift(SECOND)
    live_queue.answer_offer(user=alice, level="easy")
    clock.shift(live_queue.ANSWER_TIME)
    [game] = live_queue.match()
    assert people(game) == ["alice"]
    assert queued() == ["bob"]


def test_member_who_declines_computers_is_offered_them_later(clock: Any, alice: User) -> None:
    wait(alice)
    clock.shift(MINUTE)
    live_queue.answer_offer(user=alice, level="")
    assert QueuedPlayer.objects.get().offer_at == timezone.now() + MINUTE
    live_queue.leave(user=alice)
    with pytest.raises(NotQueued):
        live_queue.answer_offer(user=alice, level="easy")
