"""The desk, the list of games and the page of a game in the admin: contents by role, and nothing hidden."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry, User
from games.chat.messages import say
from games.lobby.game_start import start_game
from games.models import ChatMessage, Game, LogEntry, Notification, Seat
from games.play.bots.bot_failures import record_lost_task
from games.play.deadlines.outages import extend
from tests.support import wording
from tests.support.bot_games import up_to_computer
from tests.support.clients import client_of
from tests.support.finished_games import with_final_result
from tests.support.games import NewGame, play_on, play_to_the_end

pytestmark = pytest.mark.django_db

TILE = re.compile(r"\b(?:1[0-2]|[1-9])[A-I]\b")

MAX_QUERIES = 10


def ago(**time: float) -> Any:
    return timezone.now() - timedelta(**time)


def staff(name: str, *groups: str, **columns: Any) -> Client:
    """A browser with a member of these groups logged in."""
    user = User.objects.create_user(name, is_staff=True, **columns)
    user.groups.set(Group.objects.filter(name__in=groups))
    client = client_of(user)
    return client


@pytest.fixture
def moderator(db: None) -> Client:
    return staff("mona", "Moderators")


@pytest.fixture
def manager(db: None) -> Client:
    return staff("max", "Member managers")


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, "random"), 12)


def page(client: Client, game: Game, view: str = "change") -> str:
    answer = client.get(reverse(f"admin:games_game_{view}", args=[game.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def desk(client: Client) -> str:
    answer = client.get(reverse("desk"))
    assert answer.status_code == 200
    return answer.content.decode()


# -- The desk --------------------------------------------------------------------------------------


def test_empty_desk_says_so(moderator: Client) -> None:
    assert wording.NOTHING_NEEDS_ATTENTION in desk(moderator)


def test_case_links_to_the_page_where_it_is_solved(moderator: Client, game: Game) -> None:
    Game.objects.update(waiting_for=None, bot_due_at=None)
    shown = desk(moderator)
    assert f'href="{reverse("admin:games_game_change", args=[game.pk])}"' in shown
    assert "alice" in shown and str(game) not in shown
    assert wording.NOTHING_NEEDS_ATTENTION not in shown


def test_each_role_sees_the_cases_it_can_handle(moderator: Client, manager: Client, game: Game) -> None:
    Game.objects.update(waiting_for=None, bot_due_at=None)
    for name in ("spam1", "spam2", "spam3"):
        User.objects.create_user(name)
    assert "Stuck games" in desk(moderator) and "Suspicious sign-ups" not in desk(moderator)
    assert "Stuck games" not in desk(manager) and "Suspicious sign-ups" in desk(manager)


def test_staff_without_a_desk_is_told_so(game: Game) -> None:
    client = staff("otto")
    assert client.get(reverse("desk")).status_code == 403
    assert "Moderation queue" not in client.get(reverse("admin:index")).content.decode()


def test_index_of_the_admin_counts_the_cases(moderator: Client, game: Game) -> None:
    Game.objects.update(waiting_for=None, bot_due_at=None)
    shown = " ".join(moderator.get(reverse("admin:index")).content.decode().split())
    assert '<a href="/admin/desk/#stuck"><b>1</b> Stuck games</a>' in shown
    assert '<a href="/admin/desk/#overdue"><b>0</b>' in shown


@pytest.mark.parametrize("groups", [["Moderators"], ["Moderators", "Member managers"], []])
def test_desk_takes_few_queries_for_every_role(groups: list[str], game: Game) -> None:
    Game.objects.update(waiting_for=None, bot_due_at=None)
    client = staff("somebody", *groups, is_superuser=not groups)
    desk(client)  # the first visit of a day is recorded
    with CaptureQueriesContext(connection) as taken:
        desk(client)
    assert len(taken) <= MAX_QUERIES, "\n".join(query["sql"][:120] for query in taken.captured_queries)


# -- The list --------------------------------------------------------------------------------------


def listed(client: Client, query: str) -> set[str]:
    """Ids of the games in the list."""
    answer = client.get(f"{reverse('admin:games_game_changelist')}?{query}")
    assert answer.status_code == 200, query
    return set(re.findall(r'field-public_id"><a[^>]*>(\w+)</a>', answer.content.decode()))


def test_list_is_filtered_by_health(moderator: Client, start: NewGame, alice: User, bob: User) -> None:
    names = ("fine", "stuck", "overdue", "paused", "deleted")
    games = {name: start(alice, bob, terms={"pace": 3600}) for name in names}
    change: dict[str, dict[str, Any]] = {
        "fine": {},
        "stuck": {"waiting_for": None, "deadline": None},
        "overdue": {"deadline": ago(hours=1)},
        "paused": {"paused": ago(hours=1)},
        "deleted": {"paused": ago(hours=1), "deleted": ago(hours=1)},
    }
    for name, columns in change.items():
        Game.objects.filter(pk=games[name].pk).update(**columns)
    for name in names:
        assert listed(moderator, f"health={name}") == {games[name].public_id}, name
    assert listed(moderator, "") == {game.public_id for game in games.values()}


def test_list_shows_games_with_a_failing_bot(
    moderator: Client, game: Game, start: NewGame, alice: User
) -> None:
    failing = up_to_computer(start(alice, "random"))
    record_lost_task(failing.pk, failing.version)
    assert listed(moderator, "health=failing") == {failing.public_id}


def test_list_is_filtered_by_player_option_status_and_age(
    moderator: Client, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    hidden = start(alice, bob, holdings="hidden")
    other = start(alice, carol, holdings="open")
    Game.objects.filter(pk=other.pk).update(last_change_at=ago(days=8))
    assert listed(moderator, "player=BOB") == {hidden.public_id}
    assert listed(moderator, "player=nobody") == set()
    assert listed(moderator, "option=acquire.holdings.hidden") == {hidden.public_id}
    assert listed(moderator, "quiet=7") == {other.public_id}
    assert listed(moderator, "status__exact=finished") == set()
    assert listed(moderator, "q=carol") == {other.public_id}
    assert listed(moderator, f"q={hidden}&player=alice&status__exact=running") == {hidden.public_id}


@pytest.mark.parametrize("query", ["option=state__bag", "option=seed", "health=x", "quiet=x", "player=%00"])
def test_filters_accept_offered_values_only(query: str, moderator: Client, game: Game) -> None:
    answer = moderator.get(f"{reverse('admin:games_game_changelist')}?{query}")
    assert answer.status_code in (200, 400)
    if answer.status_code == 200:
        assert game.public_id in answer.content.decode()


def test_list_costs_the_same_for_one_game_and_many(
    moderator: Client, start: NewGame, alice: User, bob: User
) -> None:
    taken = []
    for _ in range(2):
        start(alice, bob)
        start(alice, bob)
        listed(moderator, "")
        with CaptureQueriesContext(connection) as queries:
            listed(moderator, "")
        taken.append(len(queries))
    assert taken[0] == taken[1] <= 12


def test_list_and_page_load_no_state(moderator: Client, game: Game) -> None:
    with CaptureQueriesContext(connection) as taken:
        listed(moderator, f"q={game}&health=fine&option=acquire.holdings.open")
    assert not any('"games_game"."state"' in query["sql"].partition(" FROM ")[0] for query in taken)


# -- The page of a game ----------------------------------------------------------------------------


def test_page_shows_public_facts_and_what_happened_around_the_game(
    moderator: Client, game: Game, alice: User
) -> None:
    said = say(game_id=game.pk, user=alice, text="You are all fools.")
    ChatMessage.objects.filter(pk=said.pk).update(removed=timezone.now())
    say(game_id=game.pk, user=alice, text="Well met.")
    AuditEntry.objects.create(by_name="mona", action="hide-line", reason="An insult.", game=game.public_id)
    failing = up_to_computer(game)
    record_lost_task(failing.pk, failing.version)
    shown = page(moderator, game)
    for told in ("alice", "bob", "Well met.", "You are all fools.", "hide-line", "An insult.", "WorkerLost"):
        assert told in shown, told
    assert len(re.findall(r'class="badge">hidden<', shown)) == 1
    assert "placed" in shown  # the log in sentences


def test_every_action_has_its_address_or_the_reason_against_it(moderator: Client, game: Game) -> None:
    shown = page(moderator, game)
    assert f'href="{reverse("admin:games_game_act", args=[game.pk, "pause"])}"' in shown
    assert f'href="{reverse("admin:games_game_act", args=[game.pk, "resume"])}"' not in shown
    assert wording.NO_PAUSE_TO_END in shown


def test_moderator_who_plays_sees_what_a_spectator_sees(moderator: Client, start: NewGame, bob: User) -> None:
    mona = User.objects.get(username="mona")
    game = play_on(start(mona, bob), 12)
    say(game_id=game.pk, user=bob, text="Well met.")
    watching = User.objects.create_user("watcher")
    say(game_id=game.pk, user=watching, text="She holds the Tower.")
    AuditEntry.objects.create(by_name="max", action="pause", reason="A dispute.", game=game.public_id)
    shown = page(moderator, game)
    assert wording.MODERATOR_IS_INVOLVED in shown
    for hidden in ("She holds the Tower.", "Well met.", "A dispute.", "/act/", "Notifications</h2>"):
        assert hidden not in shown, hidden
    assert "placed" in shown
    # The same page for staff with the same rights and no part in the game.
    theirs = page(staff("nora", "Moderators"), game)
    assert "She holds the Tower." in theirs and "Notifications</h2>" in theirs


def test_table_for_a_moderator_who_plays_is_a_spectators(
    moderator: Client, start: NewGame, bob: User
) -> None:
    mona = User.objects.get(username="mona")
    game = play_on(start(mona, bob), 12)
    mine = page(moderator, game, "table").replace("mona", "")
    other = page(staff("nora", "Moderators"), game, "table").replace("mona", "").replace("nora", "")
    token = re.compile(r'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[0-9A-Za-z]+')
    waiting = re.compile(r"<title>.*?</title>|<a [^>]*waiting.*?</a>", re.DOTALL)
    assert "hand" in page_of_player(bob, game)  # the hand exists, so it could be shown
    assert 'class="hand' not in mine
    table = re.compile(r'<div id="table".*</main>', re.DOTALL)
    assert (
        table.search(token.sub("", waiting.sub("", mine)))[0]
        == table.search(token.sub("", waiting.sub("", other)))[0]
    )


def page_of_player(user: User, game: Game) -> str:
    client = client_of(user)
    return client.get(game.get_absolute_url()).content.decode()


def form_of(client: Client, game: Game, action: str) -> str:
    return client.get(reverse("admin:games_game_act", args=[game.pk, action])).content.decode()


def test_late_player_is_chosen_in_the_form_for_a_computer(
    moderator: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    late = (game.seat_to_move or 0) + 1
    assert f'<option value="{late}" selected>' in form_of(moderator, game, "replace-by-computer")


def test_preset_fills_in_the_form_and_its_reason(
    moderator: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, terms={"pace": 3600})
    shown = page(moderator, game)
    for action, preset, words in (
        ("more-time", "day-for-move", 'value="24"'),
        ("replace-by-computer", "late", '<option value="medium" selected>'),
        ("replace-by-computer", "late", "A computer player plays until this player is back."),
    ):
        url = f"{reverse('admin:games_game_act', args=[game.pk, action])}?preset={preset}"
        assert f'href="{url}"' in shown
        assert words in moderator.get(url).content.decode()
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("terms", "preset", "reason"),
    [
        ({"pace": 3600}, "day-for-move", "There is one more day for this move."),
        ({"pace": 60, "bank": 3600}, "day", "Everyone gets one more day."),
    ],
)
def test_preset_for_one_more_day_says_who_gets_it(
    moderator: Client, start: NewGame, alice: User, bob: User, terms: Any, preset: str, reason: str
) -> None:
    game = start(alice, bob, terms=terms)
    url = reverse("admin:games_game_act", args=[game.pk, "more-time"])
    assert re.findall(rf'href="{url}\?preset=([\w-]+)"', page(moderator, game)) == [preset]
    assert reason in moderator.get(f"{url}?preset={preset}").content.decode()


def test_preset_for_a_late_player_is_left_out_when_nobody_is_late(
    moderator: Client, start: NewGame, alice: User
) -> None:
    game = up_to_computer(start(alice, "random"))
    assert "?preset=late" not in page(moderator, game)


def test_line_of_the_log_leads_to_a_rollback_to_before_it(moderator: Client, game: Game) -> None:
    url = reverse("admin:games_game_act", args=[game.pk, "roll-back"])
    shown = page(moderator, game)
    before = [int(number) for number in re.findall(rf'href="{url}\?entry=(\d+)"', shown)]
    assert min(before) == 0 and max(before) < game.version
    assert f"–{game.version}" in shown or f"Entry {game.version}" in shown
    form = moderator.get(f"{url}?entry={before[0]}").content.decode()
    assert re.search(rf'<input [^>]*name="entry" value="{before[0]}"', form)
    assert not AuditEntry.objects.exists()


def test_address_of_an_action_fills_in_no_reason(moderator: Client, game: Game) -> None:
    url = reverse("admin:games_game_act", args=[game.pk, "roll-back"])
    form = moderator.get(f"{url}?entry=3&reason=Planted").content.decode()
    assert 'value="3"' in form and "Planted" not in form


def test_finished_game_has_a_rollback_in_its_log_until_its_result_is_final(
    moderator: Client, start: NewGame, alice: User, bob: User
) -> None:
    over = play_to_the_end(start(alice, bob))
    assert "Roll back to before this" in page(moderator, over)
    assert "Roll back to before this" not in page(moderator, with_final_result(over))


def test_waiting_game_has_a_page_without_a_table(moderator: Client, create: NewGame, alice: User) -> None:
    game = create(alice)
    assert "<dt>Status</dt> <dd> open </dd>" in " ".join(page(moderator, game).split())
    assert "This game has not been dealt yet" in page(moderator, game, "table")
    assert "This game has not been dealt yet" in page(moderator, game, "doctor")


def test_game_with_an_unreadable_position_has_a_page(moderator: Client, game: Game) -> None:
    Game.objects.update(state={"nonsense": "5C"})
    assert "placed" in page(moderator, game)
    assert "The position cannot be read" in page(moderator, game, "table")
    assert "Its position cannot be read (KeyError)." in page(moderator, game, "doctor")


def test_game_with_an_unreadable_log_has_a_page(moderator: Client, game: Game) -> None:
    LogEntry.objects.filter(pk=game.moves.last().pk).update(events=[{"nonsense": 1}])
    assert "The log cannot be read." in page(moderator, game)
    assert "log entry 12 does not replay." in page(moderator, game, "doctor").lower()


def test_deleted_game_is_found_by_moderators(moderator: Client, game: Game) -> None:
    Game.objects.update(paused=timezone.now(), deleted=timezone.now())
    assert "deleted" in page(moderator, game)
    assert page(moderator, game, "table")


def test_withheld_game_is_not_shown(
    moderator: Client, game: Game, settings: Any, alice: User, bob: User
) -> None:
    parks = start_game(system="acquisition", preset="standard", host=alice, players=[alice, bob])
    assert page(moderator, parks)
    settings.ACQUISITION_PERMISSION = ""
    for view in ("change", "table", "doctor"):
        assert moderator.get(reverse(f"admin:games_game_{view}", args=[parks.pk])).status_code == 404
    assert listed(moderator, "") == {game.public_id}


def test_staff_without_the_right_get_no_pages_of_games(manager: Client, game: Game) -> None:
    for view in ("change", "table", "doctor"):
        assert manager.get(reverse(f"admin:games_game_{view}", args=[game.pk])).status_code == 403


# -- Integrity check -------------------------------------------------------------------------------


def found(client: Client, game: Game) -> str:
    """Faults that the integrity check finds in a game; none names a tile."""
    shown = page(client, game, "doctor")
    said = re.search(r'<ul class="faults">(.*?)</ul>', shown, re.DOTALL)
    told = said[1] if said else ""
    assert not TILE.search(told)
    assert bytes(Game.with_secrets.get(pk=game.pk).seed or b"").hex() not in shown
    return told


def test_played_games_have_no_faults(moderator: Client, start: NewGame, alice: User, bob: User) -> None:
    for terms in ({}, {"pace": 3600}, {"pace": 3600, "bank": 7200}, {"pace": 3600, "off": "both"}):
        game = start(alice, bob, "random", terms=terms)
        for _ in range(4):
            game = play_on(game, 7, game.version)
            assert found(moderator, game) == "", terms
    assert wording.NO_PROBLEMS in page(moderator, game, "doctor")


def test_missing_entry_is_found(moderator: Client, game: Game) -> None:
    LogEntry.objects.filter(game=game, number=5)._raw_delete("default")
    assert "Log entry 5 is missing." in found(moderator, game)


def test_late_deadline_is_found(moderator: Client, start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms={"pace": 3600}), 5)
    Game.objects.update(deadline=timezone.now() + timedelta(days=3))
    told = "Its deadline is later than the time per move allows."
    assert told in found(moderator, game)
    extend(timedelta(days=3), [game.public_id])  # the log has it
    assert told not in found(moderator, game)


def test_missing_clock_is_found(moderator: Client, start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"pace": 3600})
    Game.objects.update(deadline=None)
    assert "No clock is running, although the game has a time limit." in found(moderator, game)


def test_bot_without_a_due_time_is_found(moderator: Client, start: NewGame, alice: User) -> None:
    game = up_to_computer(start(alice, "random"))
    seat = (game.seat_to_move or 0) + 1
    Game.objects.update(bot_due_at=None)
    said = found(moderator, game)
    assert f"The computer player in seat {seat} is to move, but no task is waiting for it." in said
    Game.objects.update(bot_due_at=ago(minutes=9))
    assert f"The computer player in seat {seat} {wording.SHOULD_HAVE_MOVED} 9 minutes ago." in found(
        moderator, game
    )


def test_wrong_seat_in_the_lists_is_found(moderator: Client, game: Game) -> None:
    asked = game.seat_to_move or 0
    Game.objects.update(seat_to_move=(asked + 1) % 3)
    told = f"The position says seat {asked + 1} is to move, but the lists say seat {(asked + 1) % 3 + 1}."
    assert told in found(moderator, game)


def test_decider_without_the_seat_is_found(
    moderator: Client, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob)
    Game.objects.update(waiting_for=carol)
    seat = (game.seat_to_move or 0) + 1
    assert f"Seat {seat} is to move, but the game is not waiting for its player." in found(moderator, game)
    assert Seat.objects.filter(user=carol).count() == 0


def test_state_that_differs_from_the_log_is_found(moderator: Client, game: Game) -> None:
    cash = game.state["cash"]
    Game.objects.update(state={**game.state, "cash": [sum(cash), *[0] * (len(cash) - 1)]})
    assert wording.LOG_DOES_NOT_LEAD_TO_POSITION in found(moderator, game)


def test_notifications_given_up_are_on_the_page_of_their_game(
    moderator: Client, game: Game, alice: User
) -> None:
    Notification.objects.create(
        user=alice, game=game, kind="started", version=99, due=ago(hours=1),
        state="given up", settled=ago(hours=1), outcome="no such mailbox",
    )  # fmt: skip
    assert "no such mailbox" in page(moderator, game)
