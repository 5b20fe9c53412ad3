"""Timeouts: grace once, and then what the terms say."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.archive.replay import replay
from games.lobby.departures import leave_all_games
from games.lobby.rematch import start_rematch
from games.models import Game, Kind, LogEntry, Notification, Vote
from games.play.bots.bot_moves import play_bot_move
from games.play.play_move import play_move
from games.play.seats.absence_vote import vote_on_absent
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.refusals import (
    AlreadySeated,
    BotIsPlaying,
    GuestsPlayComputers,
    NotInvited,
    NotSeated,
    NotYourDecision,
    SeatNotFree,
    SeatNotReplaced,
)
from tests.support import wording
from tests.support.games import NewGame, legal_move, play_next, play_to_the_end, seen_by
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import DAY, run_out, sweep, without_grace

pytestmark = pytest.mark.django_db


def move(game: Game) -> LogEntry:
    return play_next(Game.objects.get(pk=game.pk))


def texts(game: Game) -> list[str]:
    return list(game.moves.values_list("text", flat=True))


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A game in which alice decides and has a day; a bot takes the seat of a player late again."""
    return start(alice, bob, carol, preset="course", terms={"pace": 86400, "overrun": "take"})


@pytest.fixture
def voting(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """The same game, with a vote of the others instead."""
    terms = {"pace": 3 * 86400, "overrun": "vote"}
    return without_grace(start(alice, bob, carol, preset="course", terms=terms))


# -- Grace ---------------------------------------------------------------------------------------------


def test_first_timeout_gives_grace_for_one_decision(clock: Any, game: Game, alice: User) -> None:
    game = run_out(clock, game)
    assert (texts(game), game.waiting_for, game.deadline) == (["grace 0"], alice, timezone.now() + DAY)
    assert sweep() == 0
    assert move(game).user == alice


def test_grace_is_given_once_per_seat(clock: Any, game: Game) -> None:
    game = run_out(clock, run_out(clock, game))
    assert texts(game) == ["grace 0", "computer keeps 0"]
    assert list(game.seats.filter(grace_used=True).values_list("number", flat=True)) == [0]


def test_grace_with_a_time_bank_is_the_time_of_one_decision(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 86400, "bank": 3 * 86400})
    game = run_out(clock, game)
    assert game.deadline == timezone.now() + DAY
    clock.shift(DAY / 4)
    move(game)
    assert game.seats.get(number=0).time_bank_left == 0.75 * DAY + DAY


def test_grace_is_logged_and_notified_to_its_player(
    clock: Any, game: Game, alice: User, client: Client
) -> None:
    with_mailbox(alice)
    game = run_out(clock, game)
    page = client.get(reverse("log", args=[game.public_id])).content.decode()
    assert wording.GOT_AN_EXTENSION.format(who="alice") in page
    assert list(Notification.objects.filter(kind=Kind.LATE).values_list("user__username", flat=True)) == [
        "alice"
    ]


def test_abandoned_game_is_played_to_its_end_by_stand_ins(clock: Any, game: Game) -> None:
    for _ in range(2000):
        game = Game.objects.get(pk=game.pk)
        if game.is_finished:
            break
        if game.bot_due_at is not None:
            assert play_bot_move(game.pk, game.version)
        else:
            run_out(clock, game)
    assert game.is_finished
    assert replay(Game.with_secrets.get(pk=game.pk)).faults == []
    assert {seat.name for seat in game.seats.all()} == {"alice", "bob", "carol"}


# -- Stand-ins -----------------------------------------------------------------------------------------


@pytest.fixture
def kept(clock: Any, game: Game) -> Game:
    """A game in which a bot plays for alice."""
    return run_out(clock, without_grace(game))


def test_stand_in_takes_the_seat_of_a_late_player(kept: Game, alice: User) -> None:
    seat = kept.seats.get(number=0)
    assert (seat.user, seat.bot_level, seat.name, seat.can_be_reclaimed) == (alice, "medium", "alice", True)
    assert (kept.waiting_for, kept.deadline) == (None, None)
    assert play_bot_move(kept.pk, kept.version)


def test_replaced_player_sees_the_hand_but_no_decision(kept: Game, alice: User, client: Client) -> None:
    client.force_login(alice)
    answer = client.get(kept.get_absolute_url())
    page = answer.content.decode()
    assert seen_by(kept, alice).seat == 0
    assert wording.TAKE_SEAT_BACK in page
    assert wording.IS_PLACING_A_TILE.format(who="alice") in page
    assert answer.context["decision"] is None
    with pytest.raises(BotIsPlaying):
        play_move(game_id=kept.pk, number=kept.version + 1, seat=0, text=legal_move(kept), by=alice)


def test_log_attributes_moves_of_the_stand_in_to_it(
    kept: Game, alice: User, bob: User, client: Client
) -> None:
    def told_to(reader: User) -> str:
        client.force_login(reader)
        return client.get(reverse("log", args=[kept.public_id])).content.decode()

    assert play_bot_move(kept.pk, kept.version)
    assert "<b>alice ⚙</b> placed" in told_to(bob)
    page = told_to(alice)
    assert "<b>alice ⚙</b> placed" in page
    assert "<b>You</b> placed" not in page

    reclaim_seat(game_id=kept.pk, user=alice)
    assert "<b>alice ⚙</b> placed" in told_to(alice), "it stays so when the player is back"
    while move(kept).user != alice:
        pass
    assert "<b>You</b> " in told_to(alice).replace("<b>You</b> are back", "")
    assert "<b>alice</b> " in told_to(bob).replace("<b>alice</b> is back", "")


def test_returned_player_is_asked_with_the_whole_time(kept: Game, alice: User, client: Client) -> None:
    client.force_login(alice)
    assert client.post(reverse("reclaim-seat", args=[kept.public_id])).status_code == 302
    game = Game.objects.get(pk=kept.pk)
    assert (game.waiting_for, game.deadline, game.bot_due_at) == (alice, timezone.now() + DAY, None)
    assert texts(game) == ["computer keeps 0", "0 is back"]
    assert not play_bot_move(kept.pk, kept.version)
    assert move(game).user == alice
    with pytest.raises(SeatNotReplaced):
        reclaim_seat(game_id=kept.pk, user=alice)


def test_returned_player_gets_the_time_of_one_decision_in_the_bank(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    terms = {"pace": 86400, "bank": 86400, "overrun": "take"}
    game = run_out(clock, without_grace(start(alice, bob, preset="course", terms=terms)))
    reclaim_seat(game_id=game.pk, user=alice)
    assert Game.objects.get(pk=game.pk).deadline == timezone.now() + DAY


def test_another_member_takes_over_the_seat(kept: Game, clock: Any, alice: User, client: Client) -> None:
    clock.move_to(timezone.now() + DAY)
    dave = User.objects.create_user("dave")
    client.force_login(dave)
    assert wording.TAKE_OVER_FROM % {"name": "alice"} in client.get(kept.get_absolute_url()).content.decode()
    client.post(reverse("take-over", args=[kept.public_id, 0]))
    game = Game.objects.get(pk=kept.pk)
    seat = game.seats.get(number=0)
    assert (seat.user, seat.bot_level, seat.replaced_at, seat.grace_used) == (dave, "", None, False)
    assert (game.waiting_for, game.deadline) == (dave, timezone.now() + DAY)
    assert seen_by(game, dave).seen.hand
    assert seen_by(game, alice).seat is None
    assert texts(game)[-1] == f"seat 0 to {dave.pk} from {alice.pk}"
    assert (
        wording.TOOK_OVER_FROM.format(who="You", before="alice")
        in client.get(game.get_absolute_url()).content.decode()
    )
    assert replay(Game.with_secrets.get(pk=play_to_the_end(game).pk)).faults == []


def test_only_an_abandoned_seat_can_be_taken_over_by_those_admitted(
    kept: Game, clock: Any, start: NewGame, alice: User, bob: User, guest: User
) -> None:
    clock.move_to(timezone.now() + DAY)
    dave = User.objects.create_user("dave")
    for number, user, refused in (
        (0, bob, AlreadySeated),
        (0, guest, GuestsPlayComputers),
        (1, dave, SeatNotFree),
        (7, dave, SeatNotFree),
    ):
        with pytest.raises(refused):
            take_over_seat(game_id=kept.pk, number=number, user=user)
    with pytest.raises(SeatNotFree):
        take_over_seat(game_id=start(alice, "random").pk, number=1, user=dave)
    Game.objects.filter(pk=kept.pk).update(visibility=Game.Visibility.INVITED)
    with pytest.raises(NotInvited):
        take_over_seat(game_id=kept.pk, number=0, user=dave)


def test_seat_of_a_deleted_account_can_be_taken_over(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob)
    leave_all_games(bob)
    number = game.seats.get(user=None).number
    take_over_seat(game_id=game.pk, number=number, user=carol)
    assert game.seats.get(number=number).user == carol


def test_lobby_lists_games_with_seats_to_take_over(
    kept: Game, clock: Any, alice: User, client: Client
) -> None:
    Game.objects.filter(pk=kept.pk).update(visibility=Game.Visibility.PUBLIC)
    dave = User.objects.create_user("dave")
    client.force_login(dave)
    assert "Seats to take over" not in client.get(reverse("home")).content.decode(), "still kept for alice"
    clock.move_to(timezone.now() + DAY)
    assert "Seats to take over" in client.get(reverse("home")).content.decode()
    client.force_login(alice)
    page = client.get(reverse("home")).content.decode()
    assert "Seats to take over" not in page
    assert "A computer player is playing for you until you come back" in page


def test_rematch_invites_players_that_were_replaced(kept: Game, alice: User, bob: User) -> None:
    play_to_the_end(kept)
    again = start_rematch(game_id=kept.pk, by=bob)
    assert again.max_players == 3
    assert [seat.user for seat in again.seats.all()] == [bob]
    assert alice in {invitation.user for invitation in again.invitations.all()}


# -- Votes ---------------------------------------------------------------------------------------------


def test_others_are_asked_to_vote_and_the_late_player_may_still_decide(
    clock: Any, voting: Game, alice: User, bob: User, client: Client
) -> None:
    with_mailbox(bob)
    game = run_out(clock, voting)
    assert (texts(game), game.waiting_for) == (["vote on computer keeps 0"], alice)
    assert game.deadline == timezone.now() + DAY
    assert Notification.objects.get(kind=Kind.VOTE).user == bob
    client.force_login(bob)
    assert (
        "alice has run out of time. The other players are voting"
        in client.get(game.get_absolute_url()).content.decode()
    )
    move(game)
    assert not game.seats.filter(replacement_vote_open=True).exists()
    with pytest.raises(NotYourDecision):
        vote_on_absent(game_id=game.pk, user=bob, replace=True)


def test_vote_closes_when_the_late_player_leaves_the_site(
    clock: Any, voting: Game, alice: User, bob: User
) -> None:
    game = run_out(clock, voting)
    leave_all_games(alice)
    assert not game.seats.filter(replacement_vote_open=True).exists()
    with pytest.raises(NotYourDecision):
        vote_on_absent(game_id=game.pk, user=bob, replace=True)


def test_votes_of_players_who_left_the_site_do_not_count(
    clock: Any, voting: Game, bob: User, carol: User
) -> None:
    game = run_out(clock, voting)
    vote_on_absent(game_id=game.pk, user=bob, replace=True)
    leave_all_games(bob)
    assert not Vote.objects.filter(closed=None).exists()
    vote_on_absent(game_id=game.pk, user=carol, replace=False)
    assert Game.objects.get(pk=game.pk).deadline == timezone.now()


def test_majority_replaces_the_late_player_at_once(
    clock: Any, voting: Game, bob: User, carol: User, client: Client
) -> None:
    game = run_out(clock, voting)
    client.force_login(bob)
    client.post(reverse("vote-on-absent", args=[game.public_id]), {"replace": "yes"})
    assert not game.seats.get(number=0).is_bot_playing
    vote_on_absent(game_id=game.pk, user=carol, replace=True)
    assert game.seats.get(number=0).can_be_reclaimed
    assert texts(game)[1:] == [
        "1 agrees to computer keeps 0",
        "2 agrees to computer keeps 0",
        "computer keeps 0",
    ]
    page = client.get(reverse("log", args=[game.public_id])).content.decode()
    assert wording.VOTED_FOR_A_COMPUTER.format(who="You", late="alice") in page


def test_half_of_the_votes_keep_the_player_and_a_bot_decides_once(
    clock: Any, voting: Game, alice: User, bob: User
) -> None:
    game = run_out(clock, voting)
    vote_on_absent(game_id=game.pk, user=bob, replace=False)
    assert sweep() == 1
    game = Game.objects.get(pk=game.pk)
    assert game.moves.last().author == LogEntry.Author.HOUSE
    assert game.waiting_for == alice
    assert not game.seats.filter(replacement_vote_open=True).exists()


def test_votes_cast_count_when_the_time_to_vote_is_over(clock: Any, voting: Game, bob: User) -> None:
    game = run_out(clock, voting)
    vote_on_absent(game_id=game.pk, user=bob, replace=True)
    assert not game.seats.get(number=0).is_bot_playing
    assert run_out(clock, game).seats.get(number=0).can_be_reclaimed


def test_without_votes_a_bot_decides_once_and_the_next_timeout_asks_again(
    clock: Any, voting: Game, bob: User
) -> None:
    game = run_out(clock, run_out(clock, voting))
    assert game.moves.last().author == LogEntry.Author.HOUSE
    game = run_out(clock, game)
    assert texts(game).count("vote on computer keeps 0") == 2
    assert not Vote.objects.filter(closed=None).exists()


def test_late_player_and_spectators_have_no_vote(clock: Any, voting: Game, alice: User, guest: User) -> None:
    game = run_out(clock, voting)
    for user in (alice, guest):
        with pytest.raises(NotSeated):
            vote_on_absent(game_id=game.pk, user=user, replace=False)


def test_lone_player_among_bots_is_not_voted_on(clock: Any, start: NewGame, alice: User) -> None:
    game = start(alice, "random", preset="course", terms={"pace": 86400, "overrun": "vote"})
    while game.waiting_for_id is None:
        play_bot_move(game.pk, game.version)
        game = Game.objects.get(pk=game.pk)
    assert run_out(clock, without_grace(game)).moves.last().author == LogEntry.Author.HOUSE
