"""On-time rate of players, and games that require one."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.clocks.on_time_rate import MIN_DECISIONS_KNOWN, is_reliable, share_in_time
from games.lobby.game_lists import OpenGameFilter, open_page
from games.lobby.invite import invite
from games.lobby.join_game import join
from games.models import Game, Reliability
from games.play.deadlines.overdue import settle_timeout
from games.refusals import NotReliableEnough
from tests.support import wording
from tests.support.games import NewGame, play_next, play_on
from tests.support.timed_games import DAY, PACE, sweep, without_grace

pytestmark = pytest.mark.django_db


def set_record(user: User, decisions: int, late: int) -> None:
    Reliability.objects.update_or_create({"decisions": decisions, "late": late}, user=user)


def counts(user: User) -> tuple[int, int, int]:
    return Reliability.objects.values_list("decisions", "late", "left").get(user=user)


def test_decisions_with_time_limit_are_counted(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, preset="course", terms=PACE), 12)
    made = {user: game.moves.filter(user=user).count() for user in (alice, bob)}
    assert {user: counts(user) for user in made} == {user: (n, 0, 0) for user, n in made.items()}


def test_decisions_without_time_limit_are_not_counted(start: NewGame, alice: User, bob: User) -> None:
    play_on(start(alice, bob, preset="course"), 12)
    assert not Reliability.objects.exists()


def test_late_and_house_moves_count_as_late_but_grace_does_not(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, preset="course", terms=PACE)
    clock.shift(DAY)
    sweep()
    play_next(Game.objects.get(pk=game.pk))
    assert counts(alice) == (1, 0, 0)
    game = Game.objects.get(pk=game.pk)
    assert game.waiting_for == alice
    clock.shift(2 * DAY)
    play_next(game)
    assert counts(alice) == (2, 1, 0)
    late = without_grace(start(alice, bob, preset="course", terms=PACE))
    clock.shift(DAY)
    settle_timeout(late.pk, late.version)
    assert counts(alice) == (3, 2, 0)


def test_decision_during_vote_is_late(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    game = without_grace(start(alice, bob, preset="course", terms={**PACE, "overrun": "vote"}))
    clock.shift(DAY)
    sweep()
    play_next(Game.objects.get(pk=game.pk))
    assert counts(alice) == (1, 1, 0)


def test_seat_taken_by_bot_is_counted(clock: Any, start: NewGame, alice: User, bob: User) -> None:
    without_grace(start(alice, bob, preset="course", terms={**PACE, "overrun": "take"}))
    clock.shift(DAY)
    sweep()
    assert counts(alice) == (0, 0, 1)


@pytest.mark.parametrize(
    "decisions, late, share",
    [
        (MIN_DECISIONS_KNOWN - 1, 9, None),
        (MIN_DECISIONS_KNOWN, 0, 100),
        (200, 20, 90),
        (200, 21, 89),
        (30, 30, 0),
    ],
)
def test_rate_needs_enough_decisions(decisions: int, late: int, share: int | None, alice: User) -> None:
    set_record(alice, decisions, late)
    assert share_in_time(Reliability.objects.get()) == share
    assert is_reliable(alice, 90) == (share is None or share >= 90)


def test_host_can_require_on_time_rate(
    create: NewGame, alice: User, bob: User, carol: User, client: Client
) -> None:
    game = create(alice, reliable=90, pace=86400)
    set_record(bob, 100, 11)
    set_record(carol, 100, 10)
    with pytest.raises(NotReliableEnough):
        join(game_id=game.pk, user=bob)
    join(game_id=game.pk, user=carol)
    client.force_login(bob)
    page = client.get(game.get_absolute_url()).content.decode()
    assert "The host requires at least 90% punctuality." in page
    assert "90% on time" in page  # carol
    invite(game_id=game.pk, user=bob, by=alice)
    join(game_id=game.pk, user=bob)


def test_open_games_are_filtered_by_on_time_rate(
    create: NewGame, alice: User, bob: User, carol: User, client: Client
) -> None:
    set_record(alice, 100, 30)
    set_record(bob, 100, 15)
    create(alice, name="lax")
    create(carol, name="strict", reliable=95)

    def listed(user: User, **wanted: Any) -> set[str]:
        return {game.name for game in open_page(user, OpenGameFilter(**wanted)).games}

    assert listed(bob) == {"lax"}
    assert listed(bob, joinable=False) == {"lax", "strict"}
    assert listed(bob, joinable=False, reliable=80) == {"strict"}
    page = client.get(reverse("open-games"), {"reliable": "80"}).content.decode()
    assert "strict" in page
    assert "lax" not in page


def test_waiting_room_names_required_rate(create: NewGame, alice: User, client: Client) -> None:
    game = create(alice, reliable=95, pace=86400, overrun="take")
    page = client.get(game.get_absolute_url()).content.decode()
    assert "players with at least 95% punctuality can join." in page
    assert f"After that, {wording.COMPUTER_TAKES_THE_SEAT}" in page


def test_member_page_shows_on_time_rate(alice: User, client: Client) -> None:
    page = lambda: client.get(reverse("player", args=["alice"])).content.decode()  # noqa: E731
    assert "Not enough timed moves yet" in page()
    set_record(alice, 50, 2)
    Reliability.objects.update(left=1)
    assert "Punctuality: 96%." in page()
    assert "1 seat lost to a computer player." in page()
