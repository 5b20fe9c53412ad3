"""Effects of sanctions at the tables and on running games."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.models.sanction import NO_END
from accounts.moderation import sanctions as accounts
from accounts.moderation.sanctions import lift, read_warning
from accounts.signals import member_banned
from games.archive.replay import replay
from games.chat import messages
from games.chat.messages import say
from games.chat.notes import write_note
from games.lobby.game_start import create_game, start_as_host
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite, invite_address
from games.lobby.join_game import join, kick, leave
from games.lobby.rematch import start_rematch
from games.models import Game, Invitation, Notification, StandingOrder
from games.moderation.desk.desk_case import DeskTopic
from games.moderation.desk.moderation_desk import desk
from games.play.automation.planned_turns import keep_plan, play_turn
from games.play.automation.standing_orders import save_order
from games.play.deadlines.overdue import settle_timeout
from games.play.seats.absence_vote import vote_on_absent
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.play.takebacks import take_back
from games.players import admission
from games.players.admission import lock_admitted_user
from games.refusals import CannotBeInvited, Muted, Suspended, Warned
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, legal_move, play_on
from tests.support.practice_tables import practise
from tests.support.simultaneous_calls import at_once, check_log, mover

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def impose(user: User, kind: str, until: timedelta | None = None) -> None:
    end = timezone.now() + until if until else None
    accounts.impose(user, kind, reason="Be kind.", by=None, until=end)


def move(game: Game) -> object:
    return mover(game, legal_move(game))()


def asked(game: Game) -> User:
    user = game.seats.get(number=game.seat_to_move).user
    assert user is not None
    return user


# -- Mutes ---------------------------------------------------------------------------------------------


def test_muted_member_cannot_write_until_the_minute_the_mute_ends(
    start: NewGame, alice: User, bob: User, time_machine: object
) -> None:
    game = start(alice, bob)
    time_machine.move_to(timezone.now(), tick=False)  # type: ignore[attr-defined]
    impose(alice, "mute", HOUR)
    say = partial(messages.say, game_id=game.pk, user=alice, text="Well met.")
    time_machine.shift(HOUR - timedelta(seconds=1))  # type: ignore[attr-defined]
    with pytest.raises(Muted):
        say()
    time_machine.shift(1)  # type: ignore[attr-defined]
    assert say().text == "Well met."


def test_muted_member_plays_on_and_writes_notes(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    impose(alice, "mute")
    impose(bob, "mute")
    move(game)
    write_note(game=game, user=alice, text="Watch Tower.", version=0)


def test_page_says_until_when_the_member_is_muted(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    impose(alice, "mute", HOUR)
    browser = client_of(alice)
    answer = browser.post(f"{game.get_absolute_url()}talk/", {"text": "Well met."})
    assert answer.status_code == 403
    assert f"{wording.YOU_ARE_MUTED} until" in answer.content.decode()
    assert "Account status" in answer.content.decode()
    for path in ("talk/", ""):
        page = browser.get(f"{game.get_absolute_url()}{path}").content.decode()
        assert f"{wording.YOU_ARE_MUTED} until" in page
        assert 'id="say"' not in page


def test_missing_check_for_mutes_is_detected(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: muted members are admitted as to play."""
    game = start(alice, bob)
    impose(alice, "mute")
    monkeypatch.setattr(messages, "lock_chatting_user", lock_admitted_user)
    assert say(game_id=game.pk, user=alice, text="Well met.").text == "Well met."


# -- Warnings ------------------------------------------------------------------------------------------


def test_warning_must_be_read_before_playing_on(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    user = asked(game)
    impose(user, "warning")
    with pytest.raises(Warned):
        move(game)
    warning = user.sanctions.get()
    read_warning(user, warning.pk)
    move(game)


# -- Suspension ----------------------------------------------------------------------------------------


def doings(game: Game, waiting: Game, own: Game, user: User, other: User) -> dict[str, Callable[[], object]]:
    """All ways to play, join, open, write or invite."""
    terms = GameTerms(system="acquire", preset="classic", least=2, most=3)
    number = game.version + 1
    return {
        "move": mover(game, legal_move(game)),
        "turn": lambda: play_turn(game_id=game.pk, number=number, plan={}, by=user),
        "plan": lambda: keep_plan(game_id=game.pk, user=user, plan={}),
        "order": lambda: save_order(game_id=game.pk, by=user, terms={"trade": 0}, once=True),
        "back": lambda: take_back(game_id=game.pk, number=number, to=0, by=user),
        "concede": lambda: concede(game_id=game.pk, by=user),
        "propose": lambda: propose_end(game_id=game.pk, by=user, kind="none"),
        "vote": lambda: vote_on_end(game_id=game.pk, by=user, kind="none", yes=True),
        "late": lambda: vote_on_absent(game_id=game.pk, user=user, replace=True),
        "return": lambda: reclaim_seat(game_id=game.pk, user=user),
        "take over": lambda: take_over_seat(game_id=game.pk, number=0, user=user),
        "say": lambda: say(game_id=game.pk, user=user, text="Well met."),
        "join": lambda: join(game_id=waiting.pk, user=user),
        "open": lambda: create_game(host=user, terms=terms),
        "practise": lambda: practise(user, "random"),
        "invite": lambda: invite(game_id=own.pk, user=other, by=user),
        "mail": lambda: invite_address(game_id=own.pk, address="x@club.example", by=user),
        "start": lambda: start_as_host(game_id=own.pk, by=user),
        "kick": lambda: kick(game_id=own.pk, user=other, by=user, reason="x"),
        "again": lambda: start_rematch(game_id=game.pk, by=user),
    }


def refusal_of(do: Callable[[], object]) -> Exception | None:
    """Return the refusal of this action, None if it was done."""
    try:
        do()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("kind, error", [("suspension", Suspended), ("warning", Warned)])
def test_suspended_member_can_do_nothing_at_any_table(
    start: NewGame, create: NewGame, alice: User, bob: User, kind: str, error: type
) -> None:
    game = start(alice, bob)
    user = asked(game)
    other = bob if user == alice else alice
    waiting, own = create(other), create(user)
    impose(user, kind, None if kind == "warning" else HOUR)
    before = Game.with_secrets.values_list("pk", "version", "seats_taken").order_by("pk")
    stood = list(before)
    for name, do in doings(game, waiting, own, user, other).items():
        with pytest.raises(error):
            do()
            pytest.fail(name)
    assert list(before) == stood


def test_missing_check_for_suspensions_is_detected(
    start: NewGame, create: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: everybody is admitted."""
    game = start(alice, bob)
    user = asked(game)
    other = bob if user == alice else alice
    waiting, own = create(other), create(user)
    impose(user, "suspension", HOUR)
    monkeypatch.setattr(admission, "check_admitted", lambda found: None)
    found = {name: refusal_of(do) for name, do in doings(game, waiting, own, user, other).items()}
    assert not any(isinstance(error, Suspended) for error in found.values()), found
    assert [found[name] for name in ("move", "say", "join", "open", "invite")] == [None] * 5


def test_suspension_ends_by_itself_and_leaves_the_game_alone(
    start: NewGame, alice: User, bob: User, time_machine: object
) -> None:
    game = start(alice, bob, terms={"pace": 86400})
    deadline = game.deadline
    impose(asked(game), "suspension", HOUR)
    game.refresh_from_db()
    assert game.deadline == deadline
    time_machine.move_to(timezone.now() + HOUR)  # type: ignore[attr-defined]
    move(game)


def test_bot_decides_for_a_suspended_player_after_the_deadline(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, terms={"pace": 3600, "overrun": "decide"})
    game.seats.update(grace_used=True)
    user = asked(game)
    impose(user, "suspension", HOUR)
    Game.objects.update(deadline=timezone.now())
    assert settle_timeout(game.pk, 0)
    game.refresh_from_db()
    assert game.version == 1
    assert game.seats.filter(user=user).exists()


# -- Ban -----------------------------------------------------------------------------------------------


def test_ban_gives_the_seats_to_bots_at_once(start: NewGame, alice: User, bob: User) -> None:
    games = [play_on(start(alice, bob, "random"), 5) for _ in range(2)]
    impose(alice, "ban")
    for game in games:
        assert not game.seats.filter(user=alice).exists()
        assert game.moves.last().text.startswith("computer takes")
        check_log(game)
        assert replay(Game.with_secrets.get(pk=game.pk)).faults == []


def test_open_games_continue_without_the_banned_member(create: NewGame, alice: User, bob: User) -> None:
    hosted, joined = create(alice), create(bob)
    join(game_id=hosted.pk, user=bob)
    join(game_id=joined.pk, user=alice)
    impose(alice, "ban")
    hosted.refresh_from_db()
    joined.refresh_from_db()
    assert hosted.host == bob
    assert [joined.seats_taken, joined.seats.count()] == [1, 1]


def test_invitations_by_and_for_a_banned_member_are_withdrawn(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    invite(game_id=create(alice).pk, user=bob, by=alice)
    invite(game_id=create(bob).pk, user=alice, by=bob)
    invite(game_id=create(bob).pk, user=carol, by=bob)
    impose(alice, "ban")
    assert Invitation.objects.get().user == carol


def test_banned_member_gets_no_notifications_and_cannot_play(
    start: NewGame, create: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob)
    save_order(game_id=game.pk, by=alice, terms={"trade": 0}, once=False)
    impose(alice, "ban")
    told = Notification.objects.filter(user=alice)
    before = told.count()
    with pytest.raises(CannotBeInvited):
        invite(game_id=create(bob).pk, user=User.objects.get(pk=alice.pk), by=bob)
    assert told.count() == before
    assert not StandingOrder.objects.exists()


def test_broken_game_does_not_prevent_a_ban(start: NewGame, alice: User, bob: User) -> None:
    broken, sound = start(alice, bob), start(alice, bob)
    Game.objects.filter(pk=broken.pk).update(state={"broken": True})
    impose(alice, "ban")
    assert not sound.seats.filter(user=alice).exists()
    assert User.objects.get(pk=alice.pk).is_suspended
    # The desk lists the seat until somebody else has it or the game is over.
    [case] = desk(timezone.now(), bob)[DeskTopic.SEAT]
    assert (case.model, case.key) == ("games.game", broken.pk)
    people = ", ".join(seat.name for seat in broken.seats.order_by("number"))
    assert case.sentence.startswith(f"{people}: alice was banned but still has seat")
    broken.seats.filter(user=alice).update(user=None, bot_level="medium", nickname="Rook")
    assert desk(timezone.now(), bob)[DeskTopic.SEAT] == []


def test_failed_ban_takes_no_seat(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)

    def fail(user: User, **_: object) -> None:
        raise ZeroDivisionError

    member_banned.connect(fail)
    try:
        with pytest.raises(ZeroDivisionError):
            impose(alice, "ban")
    finally:
        member_banned.disconnect(fail)
    assert game.seats.filter(user=alice).exists()
    assert not User.objects.get(pk=alice.pk).is_suspended


def test_practice_tables_survive_a_ban(alice: User) -> None:
    table = practise(alice, "random")
    impose(alice, "ban")
    table.refresh_from_db()
    assert table.is_running


# -- Races -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["suspension", "ban"])
def test_move_comes_before_the_sanction_or_is_refused(
    start: NewGame, alice: User, bob: User, kind: str
) -> None:
    for seed in range(6):
        game = play_on(start(alice, bob), 2 + seed, seed)
        user = asked(game)
        end = None if kind == "ban" else HOUR
        moved, imposed = at_once(mover(game, legal_move(game)), partial(impose, user, kind, end))
        assert imposed is None
        check_log(game)
        made = game.moves.filter(number=game.version + 1, user=user)
        if isinstance(moved, Exception):
            assert isinstance(moved, Suspended), moved
            assert not made.exists()
        else:
            assert made.get() == moved
        assert replay(Game.with_secrets.get(pk=game.pk)).faults == []
        lift(user, kind, reason="Next round.", by=None)
        Game.objects.update(status="finished", finished=timezone.now())
        game.seats.update(ended=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_member_banned_while_joining_has_no_seat(create: NewGame, alice: User, bob: User) -> None:
    for _ in range(6):
        games = [create(bob) for _ in range(3)]
        joins = [partial(join, game_id=game.pk, user=alice) for game in games]
        *joined, imposed = at_once(*joins, partial(impose, alice, "ban"))
        assert imposed is None
        assert all(isinstance(result, Game | Suspended) for result in joined), joined
        assert not alice.seats.exists()
        for game in games:
            game.refresh_from_db()
            assert game.seats_taken == game.seats.count() == 1
            leave(game_id=game.pk, user=bob)
        lift(alice, "ban", reason="Next round.", by=None)


@pytest.mark.django_db(transaction=True)
def test_joining_without_the_check_is_detected(
    create: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: banned members are admitted."""
    game = create(bob)
    monkeypatch.setattr(admission, "check_admitted", lambda found: None)
    impose(alice, "ban")
    join(game_id=game.pk, user=alice)
    assert alice.seats.exists()


@pytest.mark.django_db(transaction=True)
def test_simultaneous_bans_ban_once(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, "random")
    results = at_once(*[partial(impose, alice, "ban")] * 4)
    assert sum(result is None for result in results) == 1
    assert alice.sanctions.count() == 1
    assert game.moves.filter(text__startswith="computer takes").count() == 1
    assert User.objects.get(pk=alice.pk).suspended_until == NO_END
