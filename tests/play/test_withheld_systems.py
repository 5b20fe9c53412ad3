"""Acquisition without its designer's permission: nothing of it is shown, and its games are paused."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import sweeper, system_checks
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.departures import leave_all_games
from games.lobby.game_lists import OpenGameFilter, next_game, waiting_count
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.lobby.join_game import join
from games.lobby.lobby_lists import lobby
from games.log.rulings import Ruling
from games.models import DeliveryAttempt, Game, Kind, Notification
from games.models.playable_systems import permission, playable_systems, withheld_systems
from games.notifications.outbox import claim, outbox_rows
from games.play import game_lock
from games.play.automation import automatic_moves
from games.play.bots import bot_moves
from games.play.deadlines import overdue, pauses
from games.play.deadlines.pauses import pause, resume
from games.play.deadlines.vacation_clocks import end_vacation, plan_vacation
from games.play.game_lock import lock_paused_game
from games.play.game_view import game_view
from games.play.play_move import play_move
from games.play.ruling_entry import enter_ruling
from games.play.seats.end_votes import propose_end
from games.ratings.player_profile import counts_of, running_of
from games.refusals import Paused
from games.web.settings.personal_data_files import everything_about
from tests.support import wording
from tests.support.games import play_next, play_to_the_end, whole_record
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import sweep

pytestmark = pytest.mark.django_db

DAY = 86400
GIVEN = "The designer, in a letter of 2026"
Step = Callable[[], None]

# Traces of the game on a page, whatever its addresses and ids are.
TRACES = ("Acquisition", "acquisition", "Leduc")


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def permitted(settings: Any) -> None:
    settings.ACQUISITION_PERMISSION = GIVEN


@pytest.fixture
def forbid(settings: Any) -> Step:
    """Return a function that takes the permission away, as a restart without it would, and sweeps."""

    def forbid() -> None:
        settings.ACQUISITION_PERMISSION = ""
        sweeper.sweep()

    return forbid


@pytest.fixture
def permit(settings: Any) -> Step:
    def permit() -> None:
        settings.ACQUISITION_PERMISSION = GIVEN
        sweeper.sweep()

    return permit


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game in which the first player is to place a park and has a day."""
    return start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, bob],
        name="In the city", visibility="public", pace=DAY,
    )  # fmt: skip


def move(game: Game) -> Any:
    game.refresh_from_db()
    return play_next(game)


def fresh(game: Game) -> Game:
    return Game.all_games.get(pk=game.pk)


# -- Permission ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "yes", "1", "The designer", ", 2026", "The designer,", "  ,  "])
def test_permission_without_name_and_date_is_none(text: str, settings: Any) -> None:
    settings.ACQUISITION_PERMISSION = text
    assert withheld_systems() == ["acquisition"]
    assert list(playable_systems()) == ["acquire"]
    assert permission("acquisition") == ""


def test_permission_makes_both_systems_playable() -> None:
    assert withheld_systems() == []
    assert list(playable_systems()) == ["acquire", "acquisition"]
    assert permission("acquisition") == GIVEN
    assert permission("acquire") == ""


def test_system_check_reports_an_invalid_permission_only(settings: Any) -> None:
    assert system_checks.permissions() == []
    settings.ACQUISITION_PERMISSION = "yes"
    [odd] = system_checks.permissions()
    assert "does not say who gave the permission and when" in odd.msg
    assert 'ACQUISITION_PERMISSION="who, when"' in (odd.hint or "")
    settings.ACQUISITION_PERMISSION = ""
    assert system_checks.permissions() == []


def test_deploy_check_explains_why_a_system_is_off(settings: Any) -> None:
    assert system_checks.off() == []
    settings.ACQUISITION_PERMISSION = ""
    [why] = system_checks.off()
    assert "asks those who offer it for permission" in why.msg
    assert 'ACQUISITION_PERMISSION="who, when"' in (why.hint or "")


def test_page_about_the_game_shows_the_permission(client: Client) -> None:
    page = client.get(reverse("about", args=["acquisition"])).content.decode()
    assert GIVEN in page
    assert "Phil Leduc" in page


# -- Nothing is shown ----------------------------------------------------------------------------------


def everywhere(game: Game) -> list[str]:
    """Addresses of lists, forms, rules and people."""
    return [
        *map(reverse, ["home", "new-game", "open-games", "running-games", "finished-games", "rules"]),
        *map(reverse, ["my-finished-games", "settings", "admin:games_game_changelist"]),
        *map(reverse, ["admin:games_notification_changelist", "admin:games_deliveryattempt_changelist"]),
        reverse("admin:games_game_changelist") + "?q=alice",
        reverse("player", args=["alice"]),
        reverse("preset", args=["classic"]),
        reverse("about", args=["acquire"]),
    ]


def told_of(game: Game, client: Client, user: User) -> list[str]:
    """Addresses whose pages mention the game to this user."""
    client.force_login(user)
    pages = {address: client.get(address, follow=True).content.decode() for address in everywhere(game)}
    return [address for address, page in pages.items() if any(trace in page for trace in TRACES)]


@pytest.fixture
def many_games(game: Game, alice: User, bob: User) -> None:
    """A finished game, one that waits for players, and mail about them; an open game brings the filter."""
    over = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, bob],
        visibility="public",
    )  # fmt: skip
    play_to_the_end(over)
    create_game(host=alice, terms=GameTerms(system="acquisition", preset="standard", least=2, most=3))
    create_game(host=bob, terms=GameTerms(system="acquire", preset="classic", least=2, most=3))
    for user in (alice, bob):
        DeliveryAttempt.objects.create(
            user=user, subject=f"{wording.YOUR_TURN_TO_PLACE} (Acquisition, game 7)"
        )


def test_no_page_mentions_a_withheld_system(
    game: Game, many_games: None, forbid: Step, client: Client, alice: User, bob: User
) -> None:
    staff = User.objects.create_superuser("staff")
    forbid()
    for user in (alice, staff, None):
        client.logout()
        if user:
            client.force_login(user)
        for address in everywhere(game):
            page = client.get(address, follow=True).content.decode()
            found = [trace for trace in TRACES if trace in page]
            assert not found, (address, user, found)
            assert game.public_id not in page or "paused" in page


@pytest.mark.parametrize(
    ("broken", "by"),
    [
        ("games.models.game._here", lambda games: games),
        ("games.web.lobby.lobby_forms.playable_systems", lambda: SYSTEMS),
        ("games.web.lobby.games_context.playable_systems", lambda: SYSTEMS),
        ("games.web.text.game_titles.withheld_systems", list),
    ],
)
def test_page_that_ignores_the_permission_is_detected(
    broken: str,
    by: Any,
    game: Game,
    many_games: None,
    forbid: Step,
    monkeypatch: pytest.MonkeyPatch,
    client: Client,
    alice: User,
) -> None:
    forbid()
    assert told_of(game, client, alice) == []
    monkeypatch.setattr(broken, by)
    assert told_of(game, client, alice)


def test_addresses_of_a_withheld_system_are_not_found(game: Game, forbid: Step, client: Client) -> None:
    forbid()
    addresses = [
        reverse(name, args=[game.public_id]) for name in ("game", "table", "log", "deal-check", "game-rules")
    ]
    addresses += [reverse("preset", args=[name]) for name in ("acquisition", "standard")]
    addresses += [reverse("about", args=["acquisition"]), reverse("invite-link", args=[game.invite_code])]
    for address in addresses:
        assert client.get(address).status_code == 404, address
    carol = User.objects.create_user("carol")
    client.force_login(carol)
    for address in [*addresses, reverse("new-game-of", args=["acquisition"])]:
        assert client.get(address).status_code == 404, address
    assert client.post(reverse("play-now"), {"system": "acquisition"}).status_code == 404


def test_game_of_a_withheld_system_cannot_be_opened(forbid: Step, alice: User) -> None:
    forbid()
    terms = GameTerms(system="acquisition", preset="standard", least=2, most=2)
    with pytest.raises(ValueError, match="acquisition"):
        create_game(host=alice, terms=terms)
    assert not Game.all_games.exists()


def test_lists_leave_out_games_of_a_withheld_system(game: Game, forbid: Step, alice: User, bob: User) -> None:
    asked = fresh(game).waiting_for
    assert waiting_count(asked) == 1
    forbid()
    assert waiting_count(asked) == 0
    assert lobby(asked, OpenGameFilter()).all_games() == []
    assert lobby(asked, OpenGameFilter()).paused == 1
    assert next_game(asked) is None
    assert list(running_of(alice)) == []
    assert counts_of(alice) == {"running": 0, "finished": 0}
    with pytest.raises(Http404):
        game_view(game.public_id, alice)


def test_personal_data_contain_withheld_games_and_their_credits(
    game: Game, forbid: Step, alice: User, bob: User
) -> None:
    entry = move(game)
    forbid()
    files = {name: json.loads(text) for name, text in everything_about(entry.user)}
    [told] = files["games.json"]
    assert told["address"] == game.get_absolute_url()
    assert told["paused"]
    assert [done["move"] for done in files["moves.json"]] == [entry.text]
    assert "Phil Leduc" in files["credits.json"]["acquisition"]


def test_personal_data_of_others_do_not_mention_a_withheld_system(game: Game, forbid: Step) -> None:
    forbid()
    files = everything_about(User.objects.create_user("carol"))
    assert not [(name, trace) for name, text in files for trace in TRACES if trace in text.decode()]


# -- Paused games for their players --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["game", "log", "deal-check", "game-rules"])
def test_player_of_a_paused_game_reads_why(
    name: str, game: Game, forbid: Step, client: Client, alice: User
) -> None:
    forbid()
    client.force_login(alice)
    answer = client.get(reverse(name, args=[game.public_id]))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "This game is paused." in page
    assert "can be played here only with permission" in page
    assert "Phil Leduc" in page


def test_lobby_links_to_the_paused_games_of_a_player(
    game: Game, forbid: Step, client: Client, alice: User
) -> None:
    client.force_login(alice)
    forbid()
    assert reverse("paused-games") in client.get("/").content.decode()
    page = client.get(reverse("paused-games")).content.decode()
    assert game.get_absolute_url() in page
    assert "In the city" in page


def test_move_in_a_paused_game_is_refused_with_the_page_that_says_why(
    game: Game, forbid: Step, client: Client
) -> None:
    forbid()
    before = whole_record(game)
    client.force_login(fresh(game).waiting_for)
    address = reverse("move", args=[game.public_id, fresh(game).version + 1])
    answer = client.post(address, {"move": "park a1"})
    assert answer.status_code == 409
    assert "This game is paused." in answer.content.decode()
    swapped = client.post(address, {"move": "park a1"}, headers={"HX-Request": "true"})
    assert swapped["HX-Redirect"] == game.get_absolute_url()
    assert whole_record(game) == before


# -- Paused games --------------------------------------------------------------------------------------


def test_paused_game_takes_no_moves(game: Game, forbid: Step, settings: Any) -> None:
    settings.ACQUISITION_PERMISSION = ""
    # Moves are refused at once, before the sweeper comes by.
    with pytest.raises(Paused):
        play_move(game_id=game.pk, number=1, seat=0, text="park a1", by=game.seats.get(number=0).user)
    forbid()
    before = whole_record(game)
    for seat in (0, 1):
        with pytest.raises(Paused):
            play_move(
                game_id=game.pk, number=fresh(game).version + 1, seat=seat, text="park a1",
                by=game.seats.get(number=seat).user,
            )  # fmt: skip
    assert whole_record(game) == before


def test_play_move_that_ignores_the_permission_is_detected(
    game: Game, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACQUISITION_PERMISSION = ""
    for module in (game_lock, automatic_moves):
        monkeypatch.setattr(module, "withheld_systems", list)
    play_move(game_id=game.pk, number=1, seat=0, text="park a1", by=game.waiting_for)
    assert fresh(game).version == 1


def test_open_game_waits_as_long_as_before_once_permitted_again(
    clock: Any, forbid: Step, permit: Step, alice: User
) -> None:
    terms = GameTerms(system="acquisition", preset="standard", least=2, most=3)
    waiting = create_game(host=alice, terms=terms)
    clock.shift(timedelta(days=10))
    forbid()
    clock.shift(timedelta(days=30))
    sweeper.sweep()
    permit()
    assert fresh(waiting).paused is None
    clock.shift(timedelta(days=3))
    sweeper.sweep()
    assert fresh(waiting).is_open
    clock.shift(timedelta(days=2))
    sweeper.sweep()
    assert fresh(waiting).status == Game.Status.CLOSED


def test_open_game_is_paused_and_its_players_read_why(
    forbid: Step, client: Client, alice: User, bob: User
) -> None:
    terms = GameTerms(system="acquisition", preset="standard", least=2, most=3)
    waiting = create_game(host=alice, terms=terms)
    forbid()
    with pytest.raises(Paused):
        join(game_id=waiting.pk, user=bob)
    client.force_login(bob)
    assert client.get(waiting.get_absolute_url()).status_code == 404
    client.force_login(alice)
    page = client.get(waiting.get_absolute_url()).content.decode()
    assert "This game is paused." in page
    assert "the game neither starts nor closes" in page
    leave_all_games(alice)
    assert (fresh(waiting).status, fresh(waiting).paused) == (Game.Status.CLOSED, None)


def test_clock_stands_still_in_a_paused_game_and_keeps_the_time_left(
    clock: Any, game: Game, forbid: Step, permit: Step
) -> None:
    clock.shift(timedelta(hours=20))
    forbid()
    clock.shift(timedelta(days=30))
    sweeper.sweep()
    assert fresh(game).version == 1  # the pause alone
    permit()
    game = fresh(game)
    assert game.paused is None
    assert game.deadline == timezone.now() + timedelta(hours=4)
    assert [entry.text for entry in game.moves.all()] == ["halt", "go on"]
    clock.shift(timedelta(hours=3))
    move(game)


def test_outage_before_the_pause_costs_no_time(clock: Any, game: Game, forbid: Step, permit: Step) -> None:
    clock.shift(timedelta(hours=20))
    sweeper.sweep()
    clock.shift(timedelta(days=2))
    forbid()
    permit()
    assert fresh(game).deadline == timezone.now() + timedelta(hours=4)


def test_player_who_leaves_a_paused_game_is_not_waited_for(
    game: Game, alice: User, bob: User, forbid: Step, permit: Step
) -> None:
    propose_end(game_id=game.pk, by=alice, kind="none")
    forbid()
    leave_all_games(bob)
    assert (fresh(game).status, fresh(game).paused is None) == ("running", False)
    permit()
    assert (fresh(game).status, fresh(game).ending) == ("finished", "none")
    assert list(game.moves.values_list("text", flat=True))[-2:] == ["go on", "end without result"]


def test_clock_of_a_player_on_vacation_stays_stopped_after_the_pause(
    clock: Any, game: Game, forbid: Step, permit: Step
) -> None:
    asked = fresh(game).waiting_for
    assert asked
    clock.shift(timedelta(hours=20))
    forbid()
    today = timezone.now().astimezone(asked.tzinfo).date()
    vacation = plan_vacation(user=asked, first=today, last=today + timedelta(days=5))
    permit()
    assert (fresh(game).deadline, fresh(game).time_left) == (None, timedelta(hours=4))
    assert [entry.text for entry in game.moves.all()] == ["halt", "go on"]
    end_vacation(user=asked, pk=vacation.pk)
    assert fresh(game).deadline == timezone.now() + timedelta(hours=4)


def test_deadline_is_settled_once_permitted_again(
    clock: Any, game: Game, forbid: Step, permit: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin of the test before: the same clock times out when nothing is paused."""
    decided: list[int] = []
    monkeypatch.setattr(overdue, "settle_timeout", lambda game_id, version: decided.append(game_id))
    clock.shift(timedelta(hours=20))
    forbid()
    clock.shift(timedelta(days=2))
    sweeper.sweep()
    assert decided == []
    permit()
    clock.shift(timedelta(hours=5))
    sweep()
    assert decided == [game.pk]


def test_bots_do_not_move_in_a_paused_game(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start_game(
        system="acquire", preset="avalon-hill", host=alice, players=[alice, "random"], visibility="public"
    )
    Game.all_games.filter(pk=game.pk).update(bot_due_at=timezone.now() - timedelta(minutes=5))
    asked: list[int] = []
    monkeypatch.setattr(bot_moves, "play_bot_move", lambda game_id, version, **how: asked.append(game_id))
    sweeper.sweep()
    assert asked == [game.pk]
    Game.all_games.filter(pk=game.pk).update(paused=timezone.now())
    asked.clear()
    monkeypatch.setattr(pauses, "to_resume", list)
    sweeper.sweep()
    assert asked == []


def test_paused_game_sends_no_mail_and_its_reminder_is_delayed(
    clock: Any, game: Game, forbid: Step, permit: Step
) -> None:
    asked = fresh(game).waiting_for
    assert asked
    with_mailbox(asked)
    move(game)
    move(game)
    reminders = Notification.objects.filter(game=game, kind=Kind.REMINDER, state="waiting")
    reminder = reminders.get(user=asked)
    forbid()
    clock.shift(timedelta(days=10))
    assert outbox_rows.oldest_due(timezone.now()) is None
    assert claim.claim_letter() is None
    settings_due = reminder.due + timedelta(days=10)
    permit()
    reminder = reminders.get(user=asked)
    assert abs(reminder.due - settings_due) < timedelta(seconds=1)


def test_second_pause_changes_nothing(game: Game, forbid: Step) -> None:
    forbid()
    before = whole_record(game)
    pause(game_id=game.pk)
    resume(game_id=game.pk)
    sweeper.sweep()
    assert whole_record(game) == before


def test_permitted_game_is_never_paused(game: Game) -> None:
    before = whole_record(game)
    pause(game_id=game.pk)
    sweeper.sweep()
    assert whole_record(game) == before


def test_deleted_account_leaves_paused_games_too(game: Game, forbid: Step, bob: User) -> None:
    forbid()
    leave_all_games(bob)
    assert not fresh(game).seats.filter(user=bob).exists()
    assert fresh(game).paused is not None


def test_automatic_moves_wait_until_the_game_is_resumed(
    game: Game, forbid: Step, permit: Step, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def nothing(game: Game, state: Any) -> None:
        looked.append(game.pk)

    def rule() -> None:
        enter_ruling(lock_paused_game(game.pk), Ruling("grace", 0))

    monkeypatch.setattr(automatic_moves, "ready_answer", nothing)
    settings.ACQUISITION_PERMISSION = ""
    rule()
    forbid()
    rule()
    assert looked == []
    permit()
    assert looked == [game.pk]


def test_games_are_checked_while_their_system_is_withheld(
    game: Game, forbid: Step, capsys: pytest.CaptureFixture[str]
) -> None:
    move(game)
    forbid()
    call_command("check_games")
    assert "1 games with 1 moves replayed, 0 differ" in capsys.readouterr().out
