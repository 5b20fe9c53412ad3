"""Lists of the lobby: contents, order, pages and queries."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.lobby import game_lists, lobby_lists
from games.lobby.game_lists import (
    OpenGameFilter,
    Page,
    finished_page,
    finished_page_of,
    next_game,
    open_page,
    waiting_count,
)
from games.lobby.invite import decline, invite
from games.lobby.join_game import join, kick, leave
from games.lobby.lobby_lists import Lobby
from games.models import Game, Invitation
from tests.support.games import NewGame, play_on, play_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

EVERYTHING = OpenGameFilter(joinable=False)


def lobby(user: Any, wanted: OpenGameFilter = EVERYTHING) -> Lobby:
    return lobby_lists.lobby(user, wanted)


# -- My games ------------------------------------------------------------------------------------------


def test_waiting_games_are_sorted_by_deadline_and_wait(start: NewGame, alice: User, bob: User) -> None:
    now = timezone.now()
    wanted = {
        "in an hour": (now + timedelta(hours=1), now),
        "tomorrow": (now + timedelta(days=1), now),
        "for a week": (None, now - timedelta(days=7)),
        "since today": (None, now),
    }
    for name, (deadline, moved) in reversed(wanted.items()):
        game = start(alice, bob, preset="course", terms={"name": name, "pace": 3600})
        Game.objects.filter(pk=game.pk).update(deadline=deadline, last_change_at=moved)
    assert [game.name for game in lobby(alice).waiting] == list(wanted)
    assert waiting_count(alice) == 4
    assert waiting_count(bob) == 0
    assert {game.name for game in lobby(bob).others} == set(wanted)
    assert lobby(bob).waiting == []


def test_ready_check_waits_for_those_who_have_not_answered(
    start: NewGame, create: NewGame, alice: User, bob: User
) -> None:
    turn = start(alice, bob, preset="course", terms={"pace": 3600})
    check = create(alice, least=2, most=2, start=Game.Start.FULL, pace=30, bank=180)
    join(game_id=check.pk, user=bob)
    found = lobby(alice)
    assert found.waiting == list(game_lists.games_to_move(alice)) == [check, turn]
    assert found.others == []
    assert (waiting_count(alice), waiting_count(alice, besides=check.public_id)) == (2, 1)
    assert waiting_count(bob) == 0
    assert set(lobby(bob).others) == {check, turn}
    Game.objects.filter(pk=check.pk).update(paused=timezone.now())
    assert waiting_count(alice) == 1
    assert lobby(alice).others == [check]


def test_other_games_are_those_of_others_turn_and_open_ones(
    start: NewGame, create: NewGame, alice: User, bob: User
) -> None:
    running = start(bob, alice, preset="course")
    waiting = create(alice)
    invited = create(bob)
    invite(game_id=invited.pk, user=alice, by=bob)
    found = lobby(alice)
    assert set(found.others) == {running, waiting}
    assert found.invited == [invited]
    assert found.waiting == []


def test_answered_invitation_is_not_listed(create: NewGame, alice: User, bob: User) -> None:
    first, second = create(bob), create(bob)
    for game in (first, second):
        invite(game_id=game.pk, user=alice, by=bob)
    join(game_id=first.pk, user=alice)
    decline(game_id=second.pk, user=alice)
    assert lobby(alice).invited == []


def test_finished_games_are_own_and_latest_first(
    start: NewGame, create: NewGame, alice: User, bob: User
) -> None:
    older, newer = (play_to_the_end(start(alice, bob)) for _ in range(2))
    closed = create(alice)
    leave(game_id=closed.pk, user=alice)
    play_to_the_end(start(bob, "random"))
    assert lobby(alice).finished.games == [newer, older]
    assert lobby(alice).waiting == lobby(alice).others == []


def test_visitor_has_no_games(start: NewGame, alice: User) -> None:
    start(alice, "random")
    found = lobby(AnonymousUser())
    assert found.all_games() == []
    assert waiting_count(AnonymousUser()) == 0
    assert next_game(AnonymousUser()) is None


# -- Open seats ----------------------------------------------------------------------------------------


def test_only_public_open_games_are_listed(create: NewGame, alice: User, bob: User) -> None:
    public = create(alice)
    create(alice, visibility="unlisted")
    create(alice, visibility="invited")
    leave(game_id=create(alice).pk, user=alice)
    for reader in (bob, AnonymousUser()):
        assert lobby(reader).open.games == [public]
        assert lobby(reader).running.games == []


def test_joinable_games_exclude_own_full_and_kicked(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    free = create(alice)
    mine, full, kicked = create(bob), create(alice, most=2), create(alice)
    join(game_id=full.pk, user=carol)
    join(game_id=kicked.pk, user=bob)
    kick(game_id=kicked.pk, user=bob, by=alice, reason="You asked for it.")
    assert lobby(bob, OpenGameFilter()).open.games == [free]
    assert set(lobby(bob).open.games) == {free, mine, full, kicked}


@pytest.mark.parametrize(
    "wanted, names",
    [
        (OpenGameFilter(), {"slow", "quick", "timeless"}),
        (OpenGameFilter(pace=86400), {"quick"}),
        (OpenGameFilter(pace=3 * 86400), {"quick", "slow"}),
        (OpenGameFilter(pace=0), {"timeless"}),
        (OpenGameFilter(preset="classic"), {"slow"}),
        (OpenGameFilter(players=2), {"slow", "quick"}),
        (OpenGameFilter(players=5), {"timeless"}),
        (OpenGameFilter(free=2), {"slow", "timeless"}),
        (OpenGameFilter(free=4), {"timeless"}),
        (OpenGameFilter(preset="classic", pace=0), set()),
    ],
)
def test_open_games_can_be_filtered(
    wanted: OpenGameFilter, names: set[str], create: NewGame, alice: User, bob: User
) -> None:
    create(alice, name="slow", pace=3 * 86400, preset="classic", least=2, most=4)
    create(alice, name="quick", pace=3600, least=2, most=2)
    create(alice, name="timeless", pace=None, least=3, most=6)
    assert {game.name for game in lobby(bob, wanted).open.games} == names


# -- Running and finished games ------------------------------------------------------------------------


def test_running_games_are_public_and_latest_move_first(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    public = {"visibility": "public"}
    first, second = (start(alice, bob, terms=public) for _ in range(2))
    start(alice, bob)
    play_to_the_end(start(alice, bob, terms=public))
    play_on(first, 1)
    for reader in (carol, AnonymousUser()):
        assert lobby(reader).running.games == [first, second]
    assert lobby(alice).running.games == []


def test_finished_games_of_all_are_public(start: NewGame, alice: User, bob: User) -> None:
    public = play_to_the_end(start(alice, bob, terms={"visibility": "public"}))
    play_to_the_end(start(alice, bob))
    assert finished_page().games == [public]


# -- Pages ---------------------------------------------------------------------------------------------


def walk(page: Callable[[str], Page]) -> list[Game]:
    """All games of a list, page by page."""
    found, after = [], ""
    while True:
        one = page(after)
        found += one.games
        if not (after := one.following):
            return found


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 8])
def test_pages_show_every_game_once(size: int, create: NewGame, alice: User, bob: User) -> None:
    games = [create(alice) for _ in range(7)]
    for moment, few in enumerate((games[:3], games[3:6], games[6:])):
        opened = timezone.now() + timedelta(microseconds=moment)
        Game.objects.filter(pk__in=[game.pk for game in few]).update(opened=opened)
    found = walk(lambda after: open_page(bob, EVERYTHING, after, size))
    assert found == games[::-1]


def test_pages_of_my_finished_games_show_every_game_once(start: NewGame, alice: User, bob: User) -> None:
    games = [play_to_the_end(start(alice, bob)) for _ in range(5)]
    moment = timezone.now()
    for game in games[1:4]:
        game.seats.update(ended=moment)
    found = walk(lambda after: finished_page_of(alice, after, 2))
    assert found == [games[3], games[2], games[1], games[4], games[0]]


def test_new_game_does_not_shift_pages(create: NewGame, alice: User, bob: User) -> None:
    games = [create(alice) for _ in range(4)]
    first = open_page(bob, EVERYTHING, "", 2)
    create(alice)
    second = open_page(bob, EVERYTHING, first.following, 2)
    assert [*first.games, *second.games] == games[::-1]


@pytest.mark.parametrize("after", ["x", "-", "1-", "-1", "1-2-3", "9" * 40, f"{'9' * 17}-{'9' * 17}", "٣-٣"])
def test_invalid_cursor_is_accepted(after: str, client: Client, create: NewGame, alice: User) -> None:
    create(alice)
    for name in ("open-games", "running-games", "finished-games"):
        assert client.get(reverse(name), {"after": after}).status_code == 200


def test_next_page_keeps_filter(
    client: Client, create: NewGame, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_page, "__defaults__", ("", 2))
    for _ in range(3):
        create(alice, preset="classic")
    create(alice)
    first = client.get(reverse("open-games"), {"rules": "classic"})
    second = client.get(f"{reverse('open-games')}?{first.context['following']}")
    assert [len(page.context["cards"]) for page in (first, second)] == [2, 1]
    assert second.context["following"] == ""


# -- Queries -------------------------------------------------------------------------------------------


def test_lobby_queries_do_not_depend_on_games(
    start: NewGame,
    create: NewGame,
    alice: User,
    bob: User,
    django_assert_max_num_queries: Callable[..., Any],
) -> None:
    client = Client()
    client.force_login(alice)
    client.get("/")
    taken = []
    for _ in range(3):
        for terms in ({"visibility": "public"}, {}):
            start(alice, bob, terms=terms)
            start(bob, "random", terms=terms)
        create(alice)
        invite(game_id=create(bob).pk, user=alice, by=bob)
        play_to_the_end(start(alice, "random"))
        with django_assert_max_num_queries(10) as found:
            client.get("/")
        taken.append(len(found))
    assert len(set(taken)) == 1


def test_lists_defer_secrets(start: NewGame, create: NewGame, alice: User, bob: User) -> None:
    start(alice, bob)
    play_to_the_end(start(alice, bob))
    create(alice)
    for game in [*lobby(alice).all_games(), *lobby(bob).all_games()]:
        assert {"state", "seed"} <= game.get_deferred_fields()
    assert Invitation.objects.count() == 0
