"""Moderators give a seat to a bot or to another member."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.moderation.sanctions import impose
from accounts.refusals import ActionNotAllowed, Refusal
from games.models import Block, Game, Kick, Kind, Notification, Seat, StandingOrder
from games.moderation.desk.desk_case import DeskTopic
from games.moderation.desk.moderation_desk import desk
from games.play.bots.bot_moves import play_bot_move
from games.play.game_view import game_view
from games.play.play_move import play_move
from games.play.seats.concession import concede
from games.play.seats.substitutes import reclaim_seat, seats_to_take_over, take_over_seat
from games.refusals import ModeratorMayNotPlay, NotSeated, NotYourSeat
from games.web.notifications.notification_text import sentence
from tests.moderation.actions.conftest import REASON, act, again, last_entry, replays, told
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_on, play_until_asked
from tests.support.staff_actions import hidden_fields

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob), 9)


def seat_of(game: Game, user: User) -> Seat:
    return game.seats.get(user=user)


def number_of(game: Game, user: User) -> str:
    return str(seat_of(game, user).number + 1)


def test_bot_plays_until_the_player_returns(game: Game, mona: User, alice: User) -> None:
    act("replace-by-computer", game, mona, seat=number_of(game, alice), level="hard", back="yes")
    seat = seat_of(game, alice)
    assert (seat.bot_level, seat.can_be_reclaimed) == ("hard", True)
    assert last_entry(game).text == f"moderator lets a computer play {seat.number}"
    assert told(alice).count("replace-by-computer") == 1
    reclaim_seat(game_id=game.pk, user=alice)
    assert seat_of(game, alice).bot_level == ""
    assert replays(game)


def test_player_does_not_return_to_a_seat_given_away(
    game: Game, mona: User, alice: User, bob: User, carol: User
) -> None:
    number = seat_of(game, alice).number
    StandingOrder.objects.create(game=game, user=alice, order_json={}, once=False, given=game.started)
    act("replace-by-computer", game, mona, seat=str(number + 1), level="medium", back="no")
    seat = game.seats.get(number=number)
    assert (seat.user, seat.bot_level) == (None, "medium") and seat.nickname
    assert not StandingOrder.objects.filter(game=game, user=alice).exists()
    with pytest.raises(NotSeated):
        reclaim_seat(game_id=game.pk, user=alice)
    take_over_seat(game_id=game.pk, number=number, user=carol)
    assert seat_of(game, carol).number == number
    assert replays(game)


def late_name(game: Game) -> str:
    asked = again(game).waiting_for
    assert asked is not None
    return asked.username


def test_page_says_who_loses_which_seat_before_anything_is_done(game: Game, mona: User) -> None:
    """The preset lets the player come back; the choice is changed, and so is the preview."""
    client, name, seat = client_of(mona), late_name(game), str((game.seat_to_move or 0) + 1)
    url = reverse("admin:games_game_act", args=[game.pk, "replace-by-computer"])
    shown = client.get(f"{url}?preset=late").content.decode()
    assert f"{name} can come back to seat {seat}. Until then a computer player of the level Medium" in shown
    changed = {"seat": seat, "level": "medium", "back": "no", "reason": "Gone.", "confirm": "Do it"}
    told = client.post(url, {**changed, **hidden_fields(shown)}, follow=True).content.decode()
    assert f"{name} loses seat {seat} for good and cannot come back." in told
    assert game.seats.filter(user__username=name, bot_level="").exists()
    client.post(url, {**changed, **hidden_fields(told)})
    assert not game.seats.filter(user__username=name).exists()


def test_reason_that_promises_a_return_is_refused_for_a_lost_seat(game: Game, mona: User) -> None:
    back = "A computer player plays until this player is back."
    with pytest.raises(ValidationError, match="says that the player can come back"):
        act("replace-by-computer", game, mona, back, seat="1", level="medium", back="no")
    act("replace-by-computer", game, mona, back, seat="1", level="medium", back="yes")


def test_late_player_can_lose_the_seat_with_a_fitting_reason(game: Game, mona: User) -> None:
    client, name = client_of(mona), late_name(game)
    url = f"{reverse('admin:games_game_act', args=[game.pk, 'replace-by-computer'])}?preset=gone"
    shown = client.get(url)
    assert f"{name} loses seat" in shown.content.decode()
    form = shown.context["form"]
    entered = {field: form[field].value() for field in ("seat", "level", "back", "reason")}
    assert entered["reason"].startswith("This player was away for too long")
    client.post(url, {**entered, **hidden_fields(shown.content.decode()), "confirm": "Do it"})
    assert not game.seats.filter(user__username=name).exists()


def test_mail_says_that_the_seat_is_lost(game: Game, mona: User, alice: User, bob: User) -> None:
    act("replace-by-computer", game, mona, seat=number_of(game, alice), level="medium", back="no")
    act("replace-by-computer", game, mona, seat=number_of(game, bob), level="medium", back="yes")
    texts = {
        user: [sentence(row) for row in Notification.objects.filter(user=user, kind=Kind.MODERATED)]
        for user in (alice, bob)
    }
    assert all("You have lost your seat for good." in text for text in texts[alice]) and texts[alice]
    assert all("Open the game to take your seat back." in text for text in texts[bob]) and texts[bob]
    assert not any("lost your seat" in text for text in texts[bob])


def test_log_names_the_former_player_of_a_seat(game: Game, mona: User, alice: User, bob: User) -> None:
    act("replace-by-computer", game, mona, seat=number_of(game, alice), level="medium", back="no")
    client = client_of(bob)
    page = client.get(reverse("log", args=[game.public_id])).content.decode()
    assert "alice" in page
    assert "A moderator gave alice’s seat to" in page.replace("<b>", "").replace("</b>", "")


def test_bot_in_the_deciders_seat_is_asked_for_its_move(game: Game, mona: User) -> None:
    asked = again(game).waiting_for
    assert asked is not None
    act("replace-by-computer", game, mona, seat=number_of(game, asked), level="easy", back="yes")
    now = again(game)
    assert (now.waiting_for, now.bot_due_at is not None) == (None, True)
    assert play_bot_move(now.pk, now.version)
    assert replays(game)


def test_level_of_a_bot_is_changed(start: NewGame, mona: User, alice: User) -> None:
    game = start(alice, "master")
    seat = game.seats.get(bot_level="master")
    act("replace-by-computer", game, mona, seat=str(seat.number + 1), level="easy", back="yes")
    assert game.seats.get(number=seat.number).bot_level == "easy"
    with pytest.raises(Refusal, match="already has this seat"):
        act("replace-by-computer", game, mona, seat=str(seat.number + 1), level="easy", back="yes")


def test_member_takes_the_seat_and_plays_on(
    game: Game, mona: User, alice: User, bob: User, carol: User
) -> None:
    number = seat_of(game, alice).number
    act("replace-by-member", game, mona, seat=str(number + 1), member="carol")
    seat = seat_of(game, carol)
    assert (seat.number, seat.bot_level) == (number, "")
    assert last_entry(game).text == f"moderator gives seat {number} to {carol.pk} from {alice.pk}"
    assert told(alice).count("replace-by-member") == told(carol).count("replace-by-member") == 1
    now = play_until_asked(play_on(game, 1), carol)
    look = game_view(game.public_id, alice)
    assert look is not None and look.seat is None and look.seen.hand is None
    with pytest.raises(NotYourSeat):
        play_move(game_id=game.pk, number=now.version + 1, seat=number, text=legal_move(now), by=alice)
    play_on(now, 5)
    assert replays(game)


def test_decision_is_notified_to_the_new_player_only(game: Game, mona: User, carol: User) -> None:
    asked = again(game).waiting_for
    assert asked is not None
    act("replace-by-member", game, mona, seat=number_of(game, asked), member="carol")
    assert told(carol, state="waiting").count("decision") == 1
    assert told(asked, state="waiting").count("decision") == 0


def test_member_who_may_not_join_gets_no_seat(
    game: Game, mona: User, alice: User, bob: User, carol: User, guest: User
) -> None:
    seat = number_of(game, alice)

    def refused(name: str) -> str:
        with pytest.raises(ValidationError) as error:
            act("replace-by-member", game, mona, seat=seat, member=name)
        [(field, [sentence])] = error.value  # type: ignore[str-unpack]
        assert field == "member"
        return sentence

    assert "Guests" in refused("Guest-1")
    assert "already" in refused("bob")
    assert "No member is called nobody" in refused("nobody")
    Kick.objects.create(game=game, user=carol, reason="Rude.")
    assert "The host removed this member" in refused("carol")
    Kick.objects.all().delete()
    Block.objects.create(user=bob, person=carol)
    assert "cannot play together" in refused("carol")
    assert seat_of(game, alice).number == int(seat) - 1


def test_moderator_takes_no_seat(game: Game, mona: User, alice: User) -> None:
    with pytest.raises(ActionNotAllowed, match="yourself"):
        act("replace-by-member", game, mona, seat=number_of(game, alice), member="mona")


def test_conceded_seat_is_given_to_nobody(
    start: NewGame, mona: User, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, "easy")
    concede(game_id=game.pk, by=alice)
    with pytest.raises(Refusal, match="conceded"):
        act("replace-by-member", game, mona, seat=number_of(game, alice), member="carol")


def test_unknown_seat_or_level_is_refused(game: Game, mona: User) -> None:
    with pytest.raises(ValidationError, match="“Seat” does not have a valid value"):
        act("replace-by-computer", game, mona, seat="3", level="easy", back="yes")
    with pytest.raises(ValidationError, match="“Level” does not have a valid value"):
        act("replace-by-computer", game, mona, seat="1", level="godlike", back="yes")


# -- Moderators with a part in the game ------------------------------------------------------------


def with_a_seat(game: Game, mona: User) -> None:
    game.seats.filter(user__username="alice").update(user=mona)


def as_host(game: Game, mona: User) -> None:
    Game.all_games.filter(pk=game.pk).update(host=mona)


def with_moves(game: Game, mona: User) -> None:
    game.moves.filter(user__username="alice").update(user=mona)


def with_a_seat_once(game: Game, mona: User) -> None:
    act("replace-by-member", game, None, seat="1", member=mona)
    act("replace-by-computer", game, None, seat="1", level="easy", back="no")


def sent_away(game: Game, mona: User) -> None:
    Kick.objects.create(game=game, user=mona, reason="Rude.")


def invited(game: Game, mona: User) -> None:
    game.invitations.create(user=mona, invited_by=game.host)


@pytest.mark.parametrize(
    "involve",
    [with_a_seat, as_host, with_moves, with_a_seat_once, sent_away, invited],
    ids=lambda f: f.__name__,
)
def test_moderator_with_a_part_in_the_game_may_not_act(
    involve: Callable[[Game, User], None], game: Game, mona: User
) -> None:
    involve(game, mona)
    with pytest.raises(ActionNotAllowed, match=wording.MODERATOR_IS_INVOLVED):
        act("pause", game, mona)
    assert again(game).held_at is None
    act("pause", game, None, reason=REASON)  # the shell may do everything


# -- Seats for moderators ------------------------------------------------------------------------------


def test_moderator_may_not_take_over_the_seat_they_emptied(game: Game, mona: User, alice: User) -> None:
    number = seat_of(game, alice).number
    act("replace-by-computer", game, mona, seat=str(number + 1), level="medium", back="no")
    seats = list(game.seats.all())
    assert seats_to_take_over(again(game), seats, mona) == []
    with pytest.raises(ModeratorMayNotPlay):
        take_over_seat(game_id=game.pk, number=number, user=mona)
    client = client_of(mona)
    page = client.post(reverse("take-over", args=[game.public_id, number]), follow=True).content.decode()
    assert "You moderated this game, so you cannot play in it." in page
    assert not game.seats.filter(user=mona).exists()


def test_moderator_may_join_games_they_never_acted_on(
    game: Game, start: NewGame, mona: User, alice: User, bob: User
) -> None:
    act("pause", start(alice, bob), mona)
    number = seat_of(game, alice).number
    act("replace-by-computer", game, None, seat=str(number + 1), level="medium", back="no")
    take_over_seat(game_id=game.pk, number=number, user=mona)
    assert seat_of(game, mona).number == number


def test_moderator_who_acted_on_the_game_gets_no_seat(game: Game, mona: User, alice: User) -> None:
    act("pause", game, mona)
    act("resume", game, mona)
    with pytest.raises(ValidationError, match="acted on the game as a moderator"):
        act("replace-by-member", game, None, seat=number_of(game, alice), member="mona")
    assert not game.seats.filter(user=mona).exists()


def test_seat_of_a_banned_player_in_a_broken_game_is_given_away_after_a_rollback(
    game: Game, alice: User, mona: User
) -> None:
    Game.objects.filter(pk=game.pk).update(state={"broken": True})
    impose(alice, "ban", reason="Insults.", by=None, until=None)
    assert len(desk(timezone.now(), mona)[DeskTopic.SEAT]) == 1
    act("roll-back", game, mona, entry=1)
    act("replace-by-computer", game, mona, seat=number_of(game, alice), level="medium", back="no")
    assert desk(timezone.now(), mona)[DeskTopic.SEAT] == []
    assert replays(game)
