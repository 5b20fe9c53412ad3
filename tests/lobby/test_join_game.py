"""Open games: creating, joining, inviting, leaving, kicking, starting, rematches."""

from collections.abc import Callable
from datetime import timedelta
from inspect import signature
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.membership.account_deletion import anonymise_idle_guests, delete_account
from accounts.models import User
from games import sweeper
from games.lobby.departures import leave_all_games
from games.lobby.game_lists import OpenGameFilter, open_page
from games.lobby.game_start import start_as_host
from games.lobby.invite import decline, invite, invite_address
from games.lobby.join_check import reason_against
from games.lobby.join_game import join, kick, leave
from games.lobby.rematch import start_rematch
from games.lobby.remembered_choices import remember_choices
from games.lobby.stale_games import close_stale, warn_host
from games.models import Game, Invitation, Kick, NewGameDefaults, Seat
from games.notifications import notify
from games.players import limits
from games.refusals import (
    AccountClosed,
    AlreadySeated,
    GameNotFinished,
    GameNotOpen,
    GuestsPlayComputers,
    InvitationDeclined,
    InviteLinkRequired,
    Kicked,
    LeftTooOften,
    NotAtTable,
    NotHost,
    NotInvited,
    NotSeated,
    TableFull,
    TooFewPlayers,
    TooManyGames,
    TooManyInvitations,
)
from tests.support.games import NewGame, make_room, play_to_the_end

pytestmark = pytest.mark.django_db


NOTIFICATIONS = (
    *("notify_joined", "notify_left", "notify_new_host", "notify_kicked", "notify_invited"),
    *("notify_ready", "notify_started", "notify_closing", "notify_closed"),
)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """Notifications of the lobby in order, each with its arguments."""
    calls: list[tuple[str, dict[str, Any]]] = []

    def record_calls(name: str, notify: Callable[..., None]) -> Callable[..., None]:
        def recorded(*args: Any) -> None:
            assert not transaction.get_autocommit()
            calls.append((name, signature(notify).bind(*args).arguments))
            notify(*args)

        return recorded

    for name in NOTIFICATIONS:
        monkeypatch.setattr(notify, name, record_calls(name, getattr(notify, name)))
    return calls


def names_of(told: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [name for name, _ in told]


def sitting(game: Game) -> dict[int, str]:
    """Occupants by seat: names of people, levels of bots."""
    return {seat.number: seat.user.username if seat.user else seat.bot_level for seat in game.seats.all()}


def check_seats(game: Game) -> None:
    """Assert that the seat columns of the game match its seats."""
    game.refresh_from_db()
    assert game.seats_taken == game.seats.count()
    if game.is_open:
        assert game.seats.filter(user=game.host).exists()


# -- Creating ------------------------------------------------------------------------------------------


def test_new_game_is_open_with_host_seated(create: NewGame, alice: User) -> None:
    game = Game.with_secrets.get(pk=create(alice, name="Tower of Babel", preset="classic", pace=3600).pk)
    assert (game.status, game.name, game.free_seats) == (Game.Status.OPEN, "Tower of Babel", 3)
    assert (game.state, game.seed, game.seed_hash, game.started) == (None, None, "", None)
    assert sitting(game) == {0: "alice"}
    assert game.options == {"tiers": "1962"}
    check_seats(game)


def test_bots_take_chosen_seats(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, most=4, computers={1: "random", 3: "medium"})
    assert sitting(game) == {0: "alice", 1: "random", 3: "medium"}
    join(game_id=game.pk, user=bob)
    assert sitting(game) == {0: "alice", 1: "random", 2: "bob", 3: "medium"}
    check_seats(game)


def test_game_without_free_seat_starts_at_once(create: NewGame, alice: User) -> None:
    game = create(alice, least=3, most=3, computers={1: "random", 2: "medium"})
    assert game.is_running
    assert sorted(sitting(game).values()) == ["alice", "medium", "random"]


@pytest.mark.parametrize(
    "terms, sentence",
    [
        ({"least": 1}, "2 to 6 players"),
        ({"most": 7}, "2 to 6 players"),
        ({"least": 5, "most": 3}, "not 5 to 3"),
        ({"most": 3, "computers": {3: "random"}}, "no seat 3"),
        ({"computers": {0: "random"}}, "no seat 0"),
        ({"computers": {1: "god"}}, "no computer opponent 'god'"),
        ({"fill": "god"}, "no computer opponent 'god'"),
        ({"options": {"payout": "seven"}}, "payout is one of"),
    ],
)
def test_invalid_terms_are_refused_with_sentence(
    terms: dict[str, Any], sentence: str, create: NewGame, alice: User
) -> None:
    with pytest.raises(ValueError, match=sentence):
        create(alice, **terms)
    assert not Game.objects.exists()


def test_guest_creates_games_against_bots_only(create: NewGame, guest: User) -> None:
    with pytest.raises(GuestsPlayComputers):
        create(guest, most=3, computers={1: "random"})
    assert create(guest, most=3, computers={1: "random", 2: "random"}).is_running


def test_open_games_count_as_unfinished(create: NewGame, alice: User, bob: User, start: NewGame) -> None:
    elsewhere = create(bob)
    for number in range(limits.MAX_UNFINISHED_GAMES):
        create(alice) if number % 2 else start(alice, "random")
    with pytest.raises(TooManyGames):
        create(alice)
    with pytest.raises(TooManyGames):
        join(game_id=elsewhere.pk, user=alice)
    leave(game_id=Game.objects.filter(host=alice, status="open").first().pk, user=alice)
    join(game_id=elsewhere.pk, user=alice)
    make_room(alice)
    assert create(alice)


# -- Joining -------------------------------------------------------------------------------------------


def test_join_takes_lowest_free_seat_once(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice)
    for user in (bob, bob, carol, alice):
        join(game_id=game.pk, user=user)
    assert sitting(game) == {0: "alice", 1: "bob", 2: "carol"}
    assert [facts["user"] for name, facts in told if name == "notify_joined"] == [bob, carol]
    check_seats(game)


def test_full_game_starts_if_host_chose_so(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice, least=2, most=3, start=Game.Start.FULL, computers={2: "random"})
    join(game_id=game.pk, user=bob)
    game.refresh_from_db()
    assert game.is_running
    assert names_of(told) == ["notify_joined", "notify_started"]
    with pytest.raises(GameNotOpen):
        join(game_id=game.pk, user=carol)


def test_host_is_notified_of_ready_and_full_game(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice, least=2, most=3)
    join(game_id=game.pk, user=bob)
    join(game_id=game.pk, user=carol)
    assert [facts["game"].free_seats for name, facts in told if name == "notify_ready"] == [1, 0]
    game.refresh_from_db()
    assert game.is_open


def test_each_refusal_is_given_before_and_on_joining(
    create: NewGame, start: NewGame, alice: User, bob: User, carol: User, guest: User
) -> None:
    full = create(alice, most=2)
    join(game_id=full.pk, user=carol)
    kicked = create(alice)
    join(game_id=kicked.pk, user=bob)
    kick(game_id=kicked.pk, user=bob, by=alice, reason="Slow as stone.")
    closed = create(alice)
    leave(game_id=closed.pk, user=alice)
    cases = [
        (full, bob, TableFull),
        (kicked, bob, Kicked),
        (closed, bob, GameNotOpen),
        (start(alice, carol), bob, GameNotOpen),
        (create(alice), guest, GuestsPlayComputers),
        (create(alice, visibility="unlisted"), bob, InviteLinkRequired),
        (create(alice, visibility="invited"), bob, NotInvited),
    ]
    for game, user, reason in cases:
        game.refresh_from_db()
        assert type(reason_against(game, user)) is reason
        with pytest.raises(reason):
            join(game_id=game.pk, user=user)
        assert not game.seats.filter(user=user).exists()
        check_seats(game)
    assert reason_against(kicked, bob).reason == "Slow as stone."  # type: ignore[attr-defined]


def test_unlisted_game_needs_its_invite_code(create: NewGame, alice: User, bob: User) -> None:
    game, other = (create(alice, visibility="unlisted") for _ in range(2))
    for wrong in ("", "x", other.invite_code, game.public_id):
        with pytest.raises(InviteLinkRequired):
            join(game_id=game.pk, user=bob, code=wrong)
    join(game_id=game.pk, user=bob, code=game.invite_code)
    assert sitting(game) == {0: "alice", 1: "bob"}


def test_invite_code_does_not_open_game_by_invitation(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, visibility="invited")
    with pytest.raises(NotInvited):
        join(game_id=game.pk, user=bob, code=game.invite_code)


# -- Inviting ------------------------------------------------------------------------------------------


def test_join_accepts_invitation(create: NewGame, alice: User, bob: User, told: list[Any]) -> None:
    game = create(alice, visibility="invited")
    for _ in range(2):
        invitation = invite(game_id=game.pk, user=bob, by=alice)
    assert [facts["invitation"] for name, facts in told if name == "notify_invited"] == [invitation]
    join(game_id=game.pk, user=bob)
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.ACCEPTED


def test_new_host_can_invite_former_player(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice)
    join(game_id=game.pk, user=carol)
    invite(game_id=game.pk, user=bob, by=alice)
    join(game_id=game.pk, user=bob)
    leave(game_id=game.pk, user=bob)
    leave(game_id=game.pk, user=alice)
    for _ in range(2):
        invite(game_id=game.pk, user=bob, by=carol)
    [_, again] = [facts["invitation"] for name, facts in told if name == "notify_invited"]
    assert again == game.invitations.get()
    assert (again.user, again.invited_by, again.state) == (bob, carol, Invitation.State.PENDING)


def test_each_address_has_its_own_code(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice, visibility="invited")
    invitation = invite_address(game_id=game.pk, address="Bob@Example.org", by=alice)
    assert invite_address(game_id=game.pk, address="bob@example.org", by=alice) == invitation
    other = invite_address(game_id=game.pk, address="carol@example.org", by=alice)
    assert len({game.invite_code, invitation.code, other.code}) == 3
    join(game_id=game.pk, user=bob, code=invitation.code)
    invitation.refresh_from_db()
    other.refresh_from_db()
    assert (invitation.state, other.state) == ("accepted", "pending")
    assert names_of(told).count("notify_invited") == 2


def test_code_of_address_seats_one_person(create: NewGame, alice: User, bob: User, carol: User) -> None:
    game = create(alice, visibility="invited")
    invitation = invite_address(game_id=game.pk, address="bob@example.org", by=alice)
    join(game_id=game.pk, user=bob, code=invitation.code)
    with pytest.raises(NotInvited):
        join(game_id=game.pk, user=carol, code=invitation.code)


def test_former_player_can_be_invited_again(create: NewGame, alice: User, bob: User, told: list[Any]) -> None:
    game = create(alice, visibility="invited")
    for _ in range(2):
        invite(game_id=game.pk, user=bob, by=alice)
        join(game_id=game.pk, user=bob)
        leave(game_id=game.pk, user=bob)
    assert names_of(told).count("notify_invited") == 2
    # A player who left can return without an invitation.
    join(game_id=game.pk, user=bob)


def test_code_of_other_game_is_refused(create: NewGame, alice: User, bob: User) -> None:
    game, other = (create(alice, visibility="invited") for _ in range(2))
    invitation = invite_address(game_id=other.pk, address="bob@example.org", by=alice)
    with pytest.raises(NotInvited):
        join(game_id=game.pk, user=bob, code=invitation.code)


def test_declined_invitation_is_not_repeated(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    invitation = invite(game_id=game.pk, user=bob, by=alice)
    for _ in range(2):
        decline(game_id=game.pk, user=bob)
    invitation.refresh_from_db()
    assert invitation.state == Invitation.State.DECLINED
    with pytest.raises(InvitationDeclined):
        invite(game_id=game.pk, user=bob, by=alice)
    assert not decline(game_id=game.pk, user=alice)


def test_invitation_to_address_is_declined_by_code(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    invitation = invite_address(game_id=game.pk, address="bob@example.org", by=alice)
    decline(game_id=game.pk, user=bob)
    invitation.refresh_from_db()
    assert invitation.state == "pending"
    decline(game_id=game.pk, user=bob, code=invitation.code)
    invitation.refresh_from_db()
    assert invitation.state == "declined"


def test_impossible_invitations_are_refused(
    create: NewGame, start: NewGame, alice: User, bob: User, carol: User, guest: User
) -> None:
    game = create(alice)
    join(game_id=game.pk, user=bob)
    with pytest.raises(NotHost):
        invite(game_id=game.pk, user=carol, by=bob)
    with pytest.raises(NotHost):
        invite_address(game_id=game.pk, address="x@example.org", by=bob)
    with pytest.raises(AlreadySeated):
        invite(game_id=game.pk, user=bob, by=alice)
    with pytest.raises(GuestsPlayComputers):
        invite(game_id=game.pk, user=guest, by=alice)
    with pytest.raises(GameNotOpen):
        invite(game_id=start(alice, bob).pk, user=carol, by=alice)
    assert not Invitation.objects.exists()


def test_invitations_per_day_are_limited(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    for number in range(limits.MAX_INVITATIONS_PER_DAY):
        invite_address(game_id=game.pk, address=f"friend{number}@example.org", by=alice)
    with pytest.raises(TooManyInvitations):
        invite_address(game_id=create(alice).pk, address="one@example.org", by=alice)
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        invite(game_id=game.pk, user=bob, by=alice)


# -- Leaving and kicking -------------------------------------------------------------------------------


def test_players_move_up_and_bots_stay(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice, most=5, computers={2: "random"})
    for user in (bob, carol):
        join(game_id=game.pk, user=user)
    assert sitting(game) == {0: "alice", 1: "bob", 2: "random", 3: "carol"}
    for _ in range(2):
        leave(game_id=game.pk, user=bob)
    assert sitting(game) == {0: "alice", 1: "carol", 2: "random"}
    join(game_id=game.pk, user=bob)
    assert sitting(game) == {0: "alice", 1: "carol", 2: "random", 3: "bob"}
    assert [facts["user"] for name, facts in told if name == "notify_left"] == [bob]
    check_seats(game)


def test_longest_waiting_player_becomes_host(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice, computers={1: "random"})
    for user in (carol, bob):
        join(game_id=game.pk, user=user)
    leave(game_id=game.pk, user=alice)
    check_seats(game)
    assert game.host == carol
    assert [(facts["game"].host, facts["old"]) for name, facts in told if name == "notify_new_host"] == [
        (carol, alice)
    ]
    with pytest.raises(NotHost):
        start_as_host(game_id=game.pk, by=alice)
    start_as_host(game_id=game.pk, by=carol)


def test_abandoned_game_is_closed(create: NewGame, alice: User, bob: User, told: list[Any]) -> None:
    game = create(alice, computers={1: "random"})
    leave(game_id=game.pk, user=alice)
    game.refresh_from_db()
    assert game.status == Game.Status.CLOSED
    assert "notify_closed" not in names_of(told)
    assert not Seat.objects.filter(ended=None).exists()
    with pytest.raises(GameNotOpen):
        join(game_id=game.pk, user=bob)
    with pytest.raises(GameNotOpen):
        start_as_host(game_id=game.pk, by=alice)


def test_running_game_cannot_be_left(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    with pytest.raises(GameNotOpen):
        leave(game_id=game.pk, user=alice)
    assert game.seats.count() == 2


def test_kicked_player_returns_by_invitation_only(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice)
    for user in (bob, carol):
        join(game_id=game.pk, user=user)
    kick(game_id=game.pk, user=bob, by=alice, reason=" We wait for carol’s friend. ")
    assert sitting(game) == {0: "alice", 1: "carol"}
    facts = dict(told)["notify_kicked"]
    assert (facts["user"], facts["reason"]) == (bob, "We wait for carol’s friend.")
    with pytest.raises(Kicked):
        join(game_id=game.pk, user=bob)
    invite(game_id=game.pk, user=bob, by=alice)
    join(game_id=game.pk, user=bob)
    assert sitting(game) == {0: "alice", 1: "carol", 2: "bob"}
    check_seats(game)


def leave_and_join(game: Game, user: User, times: int, code: str = "") -> None:
    for _ in range(times):
        join(game_id=game.pk, user=user, code=code)
        leave(game_id=game.pk, user=user)


def test_player_who_left_too_often_needs_invitation_each_time(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game, other = create(alice), create(alice)
    leave_and_join(game, bob, 3)
    for _ in range(2):
        with pytest.raises(LeftTooOften):
            join(game_id=game.pk, user=bob)
        invite(game_id=game.pk, user=bob, by=alice)
        leave_and_join(game, bob, 1)
    assert names_of(told).count("notify_joined") == 5
    # The limit is for this game and this player alone.
    join(game_id=game.pk, user=carol)
    join(game_id=other.pk, user=bob)


def test_invitation_by_mail_brings_back_once(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    leave_and_join(game, bob, 3)
    invitation = invite_address(game_id=game.pk, address="bob@example.org", by=alice)
    leave_and_join(game, bob, 1, invitation.code)
    with pytest.raises(LeftTooOften):
        join(game_id=game.pk, user=bob, code=invitation.code)


def test_lobby_hides_game_left_too_often(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    leave_and_join(game, bob, 2)
    assert open_page(bob, OpenGameFilter()).games == [game]
    leave_and_join(game, bob, 1)
    assert open_page(bob, OpenGameFilter()).games == []


def test_kick_cancels_earlier_invitation(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, visibility="invited")
    invite(game_id=game.pk, user=bob, by=alice)
    join(game_id=game.pk, user=bob)
    kick(game_id=game.pk, user=bob, by=alice, reason="No.")
    with pytest.raises(Kicked):
        join(game_id=game.pk, user=bob)
    assert not game.invitations.exists()


def test_impossible_kicks_are_refused(
    create: NewGame, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = create(alice)
    join(game_id=game.pk, user=bob)
    for user, by, reason, error in (
        (alice, bob, "No.", NotHost),
        (carol, alice, "No.", NotAtTable),
        (alice, alice, "No.", NotAtTable),
        (bob, alice, "  ", ValueError),
    ):
        with pytest.raises(error):
            kick(game_id=game.pk, user=user, by=by, reason=reason)
    with pytest.raises(GameNotOpen):
        kick(game_id=start(alice, bob).pk, user=bob, by=alice, reason="No.")
    assert sitting(game) == {0: "alice", 1: "bob"}


# -- Starting ------------------------------------------------------------------------------------------


def test_host_starts_game_with_enough_players(
    create: NewGame, alice: User, bob: User, carol: User, told: list[Any]
) -> None:
    game = create(alice, least=3, most=6, computers={1: "random"}, preset="course")
    with pytest.raises(TooFewPlayers):
        start_as_host(game_id=game.pk, by=alice)
    join(game_id=game.pk, user=bob)
    with pytest.raises(NotHost):
        start_as_host(game_id=game.pk, by=bob)
    for _ in range(2):
        start_as_host(game_id=game.pk, by=alice)
    assert names_of(told).count("notify_started") == 1
    assert sitting(game) == {0: "alice", 1: "random", 2: "bob"}
    check_seats(game)
    play_to_the_end(game)


def test_bots_fill_free_seats(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, most=6, fill="random", computers={4: "medium"}, preset="course")
    join(game_id=game.pk, user=bob)
    start_as_host(game_id=game.pk, by=alice)
    assert sitting(game) == {0: "alice", 1: "bob", 2: "random", 3: "random", 4: "medium", 5: "random"}
    assert len({seat.name for seat in game.seats.all()}) == 6
    check_seats(game)


def test_start_closes_gaps_and_deals_seats_by_seed(create: NewGame, alice: User, bob: User) -> None:
    for _ in range(8):
        game = create(alice, most=6, computers={2: "random", 5: "medium"})
        join(game_id=game.pk, user=bob)
        start_as_host(game_id=game.pk, by=alice)
        game = Game.with_secrets.get(pk=game.pk)
        joined = ["alice", "bob", "random", "medium"]
        order = game.rule_system.seating(game.rules, 4, bytes(game.seed))
        assert sitting(game) == {seat: joined[player] for seat, player in enumerate(order)}
        assert game.seed_hash == game.rule_system.seed_hash(bytes(game.seed))


def test_failed_notification_rolls_back(
    create: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = create(alice, most=2, start=Game.Start.FULL)

    def fail(game: Game, by: User) -> None:
        raise RuntimeError("No paper left.")

    monkeypatch.setattr(notify, "notify_started", fail)
    with pytest.raises(RuntimeError):
        join(game_id=game.pk, user=bob)
    game.refresh_from_db()
    assert game.is_open
    assert sitting(game) == {0: "alice"}


# -- Waiting too long ----------------------------------------------------------------------------------


def test_stale_game_is_warned_of_and_closed(create: NewGame, alice: User, bob: User, told: list[Any]) -> None:
    game = create(alice)
    join(game_id=game.pk, user=bob)
    told.clear()
    opened = game.opened
    heard = {}
    for days in (6.99, 7, 8, 13.99, 14, 15):
        with time_machine.travel(opened + timedelta(days=days), tick=False):
            sweeper.sweep()
            heard[days] = names_of(told)
            told.clear()
    assert heard == {6.99: [], 7: ["notify_closing"], 8: [], 13.99: [], 14: ["notify_closed"], 15: []}
    game.refresh_from_db()
    assert game.status == Game.Status.CLOSED
    assert not Seat.objects.filter(ended=None).exists()


def test_started_game_is_not_closed_as_stale(
    create: NewGame, alice: User, bob: User, told: list[Any]
) -> None:
    game = create(alice)
    join(game_id=game.pk, user=bob)
    start_as_host(game_id=game.pk, by=alice)
    told.clear()
    with time_machine.travel(game.opened + timedelta(days=20), tick=False):
        sweeper.sweep()
        warn_host(game_id=game.pk)
        close_stale(game_id=game.pk)
    assert told == []
    game.refresh_from_db()
    assert game.is_running


# -- Rematches -----------------------------------------------------------------------------------------


def test_rematch_has_same_terms_and_players(create: NewGame, alice: User, bob: User, carol: User) -> None:
    old = create(
        alice, name="Sunday", preset="classic", options={"payout": "four"}, least=3, most=5, pace=86400,
        computers={1: "random"}, rated=True, visibility="public", bank=86400, cap=172800, off="both",
    )  # fmt: skip
    for user in (bob, carol):
        join(game_id=old.pk, user=user)
    start_as_host(game_id=old.pk, by=alice)
    with pytest.raises(GameNotFinished):
        start_rematch(game_id=old.pk, by=bob)
    play_to_the_end(old)

    new = start_rematch(game_id=old.pk, by=bob)

    assert (new.name, new.preset, new.options) == ("Sunday", "classic", {"tiers": "1962", "payout": "four"})
    assert (new.min_players, new.max_players, new.seconds_per_move, new.rated, new.host) == (
        3,
        4,
        86400,
        True,
        bob,
    )
    assert (new.time_bank, new.time_bank_cap, new.clock_pauses, new.on_timeout) == (
        86400,
        172800,
        "both",
        "decide",
    )
    assert sitting(new) == {0: "bob", 3: "random"}
    assert {invitation.user for invitation in new.invitations.all()} == {alice, carol}
    # Nobody else can take the seats before the players have answered.
    assert new.visibility == Game.Visibility.INVITED


def test_rematch_leaves_out_deleted_player(start: NewGame, alice: User, bob: User, carol: User) -> None:
    old = play_to_the_end(start(alice, bob, carol))
    delete_account(bob)
    new = start_rematch(game_id=old.pk, by=alice)
    assert [invitation.user for invitation in new.invitations.all()] == [carol]


def test_rematch_keeps_option_reset_to_default(start: NewGame, alice: User) -> None:
    old = play_to_the_end(start(alice, "random", preset="classic", tiers="2008"))
    assert start_rematch(game_id=old.pk, by=alice).rules.tiers == "2008"


def test_second_rematch_request_joins_first(start: NewGame, alice: User, bob: User, carol: User) -> None:
    old = play_to_the_end(start(alice, bob, carol))
    first = start_rematch(game_id=old.pk, by=bob)
    assert start_rematch(game_id=old.pk, by=bob) == first
    assert start_rematch(game_id=old.pk, by=alice) == first
    assert sitting(first) == {0: "bob", 1: "alice"}
    dave = User.objects.create_user("dave")
    with pytest.raises(NotSeated):
        start_rematch(game_id=old.pk, by=dave)


def test_rematch_against_bots_starts_at_once(start: NewGame, guest: User) -> None:
    old = play_to_the_end(start(guest, "random", "medium"))
    new = start_rematch(game_id=old.pk, by=guest)
    assert new.is_running
    assert sorted(sitting(new).values()) == ["Guest-1", "medium", "random"]


def test_rematch_against_bots_is_started_once(start: NewGame, alice: User) -> None:
    old = play_to_the_end(start(alice, "random", "medium"))
    first = start_rematch(game_id=old.pk, by=alice)
    assert start_rematch(game_id=old.pk, by=alice) == first
    play_to_the_end(first)
    assert start_rematch(game_id=old.pk, by=alice) != first


def test_running_rematch_with_people_does_not_bar_new_one(start: NewGame, alice: User, bob: User) -> None:
    old = play_to_the_end(start(alice, bob))
    with_bob = start_rematch(game_id=old.pk, by=alice)
    join(game_id=with_bob.pk, user=bob)
    start_as_host(game_id=with_bob.pk, by=alice)
    new = start_rematch(game_id=old.pk, by=alice)
    assert new != with_bob
    assert new.is_open


# -- Deleted accounts ----------------------------------------------------------------------------------


def test_leaving_member_gives_up_seats_and_defaults(
    create: NewGame, start: NewGame, alice: User, bob: User
) -> None:
    hosted, joined, running = create(alice), create(bob), start(alice, bob)
    join(game_id=hosted.pk, user=bob)
    join(game_id=joined.pk, user=alice)
    invite(game_id=create(bob).pk, user=alice, by=bob)
    remember_choices(alice, {"preset": "classic"})

    leave_all_games(alice)

    assert not Seat.objects.filter(user=alice).exists()
    assert sitting(hosted) == sitting(joined) == {0: "bob"}
    assert sorted(sitting(running).values()) == ["bob", "medium"]
    check_seats(hosted)
    assert not NewGameDefaults.objects.exists()
    assert not Invitation.objects.filter(user=alice).exists()


def test_leaving_member_leaves_no_address_and_no_kick(create: NewGame, alice: User, bob: User) -> None:
    EmailAddress.objects.create(user=alice, email="alice@mail.example", verified=True, primary=True)
    EmailAddress.objects.create(user=bob, email="bob@mail.example", verified=True, primary=True)
    game, other = create(bob), create(bob)
    for address in ("Alice@Mail.example", "carol@mail.example"):
        invite_address(game_id=game.pk, address=address, by=bob)
    join(game_id=other.pk, user=alice)
    kick(game_id=other.pk, user=alice, by=bob, reason="Too slow.")

    leave_all_games(alice)

    assert [invitation.address for invitation in Invitation.objects.all()] == ["carol@mail.example"]
    assert not Kick.objects.exists()


def test_unconfirmed_address_keeps_invitation(create: NewGame, alice: User, bob: User) -> None:
    EmailAddress.objects.create(user=alice, email="carol@mail.example", verified=False, primary=True)
    invite_address(game_id=create(bob).pk, address="carol@mail.example", by=bob)
    leave_all_games(alice)
    assert Invitation.objects.exists()


def test_deleted_account_cannot_act_in_lobby(
    create: NewGame, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game, played = create(alice, most=2, start=Game.Start.FULL), play_to_the_end(start(alice, bob))
    # A request may hold a user that was read before the deletion.
    before = User.objects.get(pk=bob.pk)
    delete_account(bob)
    for act in (
        lambda: join(game_id=game.pk, user=before),
        lambda: create(before),
        lambda: start(before, "random"),
        lambda: invite(game_id=game.pk, user=carol, by=before),
        lambda: start_rematch(game_id=played.pk, by=before),
    ):
        with pytest.raises(AccountClosed):
            act()
    game.refresh_from_db()
    assert game.is_open
    assert sitting(game) == {0: "alice"}


def test_leaving_member_cannot_join_during_handover(
    create: NewGame, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other = create(alice), create(carol)
    join(game_id=game.pk, user=bob)
    refused = []

    def sit_down(game: Game, user: User) -> None:
        try:
            join(game_id=other.pk, user=bob)
        except AccountClosed as error:
            refused.append(error)

    monkeypatch.setattr(notify, "notify_left", sit_down)
    delete_account(bob)
    assert len(refused) == 1
    assert not Seat.objects.filter(user=bob).exists()


def test_anonymised_guest_leaves_no_waiting_game(start: NewGame, guest: User) -> None:
    game = start(guest, "random")
    User.objects.filter(pk=guest.pk).update(last_seen=timezone.localdate() - timedelta(days=40))
    assert anonymise_idle_guests(timezone.now()) == 1
    game.refresh_from_db()
    assert game.waiting_for is None


# -- Database constraints ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "columns",
    [
        {"min_players": 1},
        {"max_players": 7},
        {"min_players": 5, "max_players": 4},
        {"seats_taken": 5},
        {"seconds_per_move": 1},
        {"state": {}},
        {"status": "running"},
        {"status": "finished"},
        {"deadline": timezone.now()},
        {"finished": timezone.now()},
    ],
)
def test_database_refuses_contradictory_game(columns: dict[str, Any], create: NewGame, alice: User) -> None:
    game = create(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**columns)


def test_database_refuses_invitation_without_single_invitee(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice)
    invite(game_id=game.pk, user=bob, by=alice)
    invite_address(game_id=game.pk, address="a@example.org", by=alice)
    for who in ({}, {"user": bob, "address": "b@example.org"}, {"user": bob}, {"address": "A@example.org"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Invitation.objects.create(game=game, invited_by=alice, **who)
