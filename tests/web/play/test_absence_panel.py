"""Texts for players who are away, those who lost their seats and those who take them over."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.lobby.game_lists import vacant_games
from games.models import Game, Kind, Notification
from games.moderation.actions.seat_actions import REPLACE_BY_COMPUTER, REPLACE_BY_MEMBER
from games.notifications.outbox.last_check import LastCheck
from games.play import game_view
from games.play.seats.substitutes import take_over_seat
from games.ratings.result_queue import count_results
from games.refusals import SeatLostForGood
from games.web.notifications.notification_text import sentence, subject
from tests.support import wording
from tests.support.clients import client_of
from tests.support.finished_games import finish
from tests.support.games import NewGame, play_on
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import DAY, run_out, without_grace

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[True, False], ids=["rated", "unrated"])
def game(request: Any, clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game in which a bot plays for alice, whose seat is kept for a day."""
    terms = {"pace": 86400, "overrun": "take", "rated": request.param, "visibility": "public"}
    return run_out(clock, without_grace(start(with_mailbox(alice), bob, preset="course", terms=terms)))


def page(url: str, user: User) -> str:
    return client_of(user).get(url).content.decode()


def told(game: Game, user: User) -> Notification:
    return Notification.objects.get(game=game, user=user, kind=Kind.SEAT)


def test_player_reads_until_when_the_seat_is_kept(game: Game, alice: User) -> None:
    seat = game.seats.get(user=alice)
    email = sentence(Notification.objects.get(user=alice, kind=Kind.LATE))
    html = page(game.get_absolute_url(), alice)
    assert seat.reserved_until is not None
    assert f"{seat.reserved_until:%H:%M}" in email
    assert f'datetime="{seat.reserved_until.isoformat()}"' in html
    for text in (email, html):
        assert wording.SEAT_MAY_BE_TAKEN_FOR_GOOD in " ".join(text.split())


@pytest.mark.parametrize(
    ("overrun", "visibility", "follows"),
    [
        ("take", "public", f"We then keep the seat for you for 1 day. {wording.SEAT_MAY_BE_TAKEN_FOR_GOOD}"),
        ("take", "invited", f"for you for 1 day. {wording.SEAT_MAY_BE_TAKEN_BY_INVITED}"),
        ("vote", "public", "Otherwise the other players vote on whether a computer player makes this move"),
        ("decide", "public", "Otherwise a computer player makes this move."),
    ],
)
def test_player_with_an_extension_reads_what_the_next_timeout_leads_to(
    clock: Any, start: NewGame, alice: User, bob: User, overrun: str, visibility: str, follows: str
) -> None:
    terms = {"pace": 3 * 86400, "overrun": overrun, "visibility": visibility}
    game = start(with_mailbox(alice), bob, preset="course", terms=terms)
    url = game.get_absolute_url()
    assert follows not in page(url, alice)
    run_out(clock, game)
    assert follows in sentence(Notification.objects.get(user=alice, kind=Kind.LATE))
    assert (follows in page(url, alice)) is (overrun != "decide")
    assert follows not in page(url, bob)


def test_seat_is_taken_back_in_the_bar(game: Game, alice: User, bob: User) -> None:
    html = page(game.get_absolute_url(), alice)
    bar = html.partition('<div class="decision-bar">')[2].partition("</form>")[0]
    assert f'action="{reverse("reclaim-seat", args=[game.public_id])}"' in bar
    assert wording.COMPUTER_PLAYS_FOR_YOU in bar
    assert html.count(f">{wording.TAKE_SEAT_BACK}<") == 1
    assert f">{wording.TAKE_SEAT_BACK}<" not in page(game.get_absolute_url(), bob)


def test_mail_names_the_time_zone_as_its_foot_does(game: Game, alice: User) -> None:
    """The time of Kathmandu has no abbreviation, only +0545."""
    with timezone.override("Asia/Kathmandu"):
        text = sentence(Notification.objects.get(user=alice, kind=Kind.LATE))
        until = timezone.localtime(game.seats.get(user=alice).reserved_until)
    assert f"{until:%H:%M} (Asia/Kathmandu)." in text
    assert "+0545" not in text


def test_seat_that_is_no_longer_kept_is_said_to_be_free(clock: Any, game: Game, alice: User) -> None:
    clock.move_to(timezone.now() + DAY)
    for text in (
        sentence(Notification.objects.get(user=alice, kind=Kind.LATE)),
        page(game.get_absolute_url(), alice),
    ):
        assert wording.SEAT_MAY_BE_TAKEN_NOW in text
        assert "keep" not in text.partition("take your seat back")[2].partition("over for good")[0]
    assert "we keep your seat" not in page(game.get_absolute_url(), alice)


def test_only_invited_members_are_said_to_take_a_seat_by_invitation(
    clock: Any, game: Game, alice: User
) -> None:
    Game.objects.filter(pk=game.pk).update(visibility=Game.Visibility.INVITED)
    row = Notification.objects.get(user=alice, kind=Kind.LATE)
    for text in (sentence(row), page(game.get_absolute_url(), alice)):
        assert wording.SEAT_MAY_BE_TAKEN_BY_INVITED in text
        assert "another member" not in text
    clock.move_to(timezone.now() + DAY)
    row = Notification.objects.get(user=alice, kind=Kind.LATE)
    for text in (sentence(row), page(game.get_absolute_url(), alice)):
        assert "Until you come back, another invited member can take over your seat for good." in text
        assert "another member" not in text


def test_player_whom_a_moderator_replaced_is_not_said_to_be_late(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    seat = game.seats.get(user=alice).number + 1
    facts = {"reason": "Asleep.", "seat": str(seat), "level": "medium", "back": "yes", "seen": None}
    REPLACE_BY_COMPUTER.perform(game, by=None, **facts)
    html = page(game.get_absolute_url(), alice)
    assert wording.COMPUTER_PLAYS_FOR_YOU in html
    assert "ran out of time" not in html


def test_taking_over_asks_first_and_says_that_it_is_final_and_how_it_is_rated(
    clock: Any, game: Game, alice: User, carol: User
) -> None:
    clock.move_to(timezone.now() + DAY)
    url = reverse("take-over", args=[game.public_id, 0])
    assert f'href="{url}"' in page(game.get_absolute_url(), carol)
    html = page(url, carol)
    assert wording.TAKING_OVER_IS_FINAL in html
    assert "alice cannot come back." in html
    assert ("This game does not change your rating." in html) is game.rated
    assert ("For alice’s rating, the game counts as conceded." in html) is game.rated
    assert ("The game is not rated." in html) is not game.rated
    assert game.seats.get(number=0).user == alice


def test_seat_that_is_not_free_is_not_offered_for_confirmation(game: Game, carol: User) -> None:
    answer = client_of(carol).get(reverse("take-over", args=[game.public_id, 0]), follow=True)
    assert answer.redirect_chain == [(game.get_absolute_url(), 302)]
    assert "Take over alice’s seat?" not in answer.content.decode()


def test_player_who_lost_the_seat_reads_so_in_the_mail_and_at_the_table(
    clock: Any, game: Game, alice: User, bob: User, carol: User
) -> None:
    clock.move_to(timezone.now() + DAY)
    take_over_seat(game_id=game.pk, number=0, user=carol)
    row = told(game, alice)
    assert subject(row) == wording.TOOK_OVER_YOUR_SEAT.format(about="carol")
    assert LastCheck([row], alice, timezone.now()).decide(row) is None, "it is sent"
    html = page(game.get_absolute_url(), alice)
    assert wording.SEAT_IS_LOST % {"name": "carol"} in html
    for text in (sentence(row), html):
        assert ("For your rating, this game counts as conceded." in text) is game.rated
    for other in (bob, carol):
        assert "You have lost your seat" not in page(game.get_absolute_url(), other)


def test_lost_seat_is_told_until_long_after_the_end(
    clock: Any, game: Game, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of a running game shows only the latest entries."""
    monkeypatch.setattr(game_view, "RECENT_ENTRIES", 1)
    clock.move_to(timezone.now() + DAY)
    take_over_seat(game_id=game.pk, number=0, user=carol)
    lost = wording.SEAT_IS_LOST % {"name": "carol"}
    game = play_on(game, 4)
    assert lost in page(game.get_absolute_url(), alice)
    game = finish(game, [6000, 5000])
    assert lost in page(game.get_absolute_url(), alice)
    assert "You have lost your seat" not in page(game.get_absolute_url(), bob)


def test_player_who_lost_the_seat_finds_the_own_rating_after_the_end(
    clock: Any, game: Game, alice: User, bob: User, carol: User
) -> None:
    clock.move_to(timezone.now() + DAY)
    take_over_seat(game_id=game.pk, number=0, user=carol)
    finish(game, [6000, 5000])
    count_results()
    html = page(game.get_absolute_url(), alice)
    assert ("Your rating" in html) is game.rated
    assert "a player who left" not in html
    assert ("a player who left" in page(game.get_absolute_url(), bob)) is game.rated


def test_successor_who_loses_the_seat_in_turn_has_conceded_nothing(
    clock: Any, game: Game, alice: User, carol: User
) -> None:
    clock.move_to(timezone.now() + DAY)
    take_over_seat(game_id=game.pk, number=0, user=with_mailbox(carol))
    game.seats.filter(number=0).update(bot_level="medium", replaced_at=timezone.now())
    take_over_seat(game_id=game.pk, number=0, user=User.objects.create_user("dave"))
    text = sentence(told(game, carol))
    assert "conceded" not in text
    assert ("This game does not change your rating." in text) is game.rated


def test_seat_lost_for_good_is_offered_to_others_only(game: Game, alice: User, carol: User) -> None:
    facts = {"reason": "Gone.", "seat": "1", "level": "medium", "back": "no", "seen": None}
    REPLACE_BY_COMPUTER.perform(game, by=None, **facts)
    bot = game.seats.get(number=0).nickname
    lost = wording.SEAT_IS_LOST % {"name": bot}
    offered = f"{bot} is a computer player in the seat of someone who left. You can take over the seat."
    own, other = page(game.get_absolute_url(), alice), page(game.get_absolute_url(), carol)
    assert (lost in own, offered in own, wording.TAKE_OVER_FROM % {"name": bot} in own) == (
        True,
        False,
        False,
    )
    assert (lost in other, offered in other) == (False, True)
    assert "A computer player has taken over from" not in own + other
    assert list(vacant_games(alice)) == []
    assert list(vacant_games(carol)) == [game]
    with pytest.raises(SeatLostForGood):
        take_over_seat(game_id=game.pk, number=0, user=alice)


def test_seat_given_away_by_a_moderator_says_what_it_counts_for(game: Game, alice: User, carol: User) -> None:
    facts = {"reason": "Gone.", "seat": "1", "member": carol, "seen": None}
    REPLACE_BY_MEMBER.perform(game, by=None, **facts)
    rows = Notification.objects.filter(kind=Kind.MODERATED, user=alice)
    [text] = map(sentence, rows)
    assert ("For your rating, this game counts as conceded." in text) is game.rated
    assert "You have lost your seat for good." in page(game.get_absolute_url(), alice)
