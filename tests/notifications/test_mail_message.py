"""Contents of mails."""

import re
import sys
from datetime import timedelta
from email.message import EmailMessage
from random import Random
from typing import Any

import pytest
from time_machine import Traveller

from accounts.models import User
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import chain_label
from games.lobby.game_start import create_game, start_game
from games.lobby.game_terms import GameTerms
from games.lobby.invite import invite, invite_address
from games.lobby.join_game import join, kick
from games.lobby.stale_games import warn_host
from games.models import Endpoint, Game, Kind, Notification
from games.notifications import notify
from games.notifications.outbox import claim
from games.notifications.outbox.claim import Claim
from games.web.notifications import endpoint_delivery, mail_message, mail_sections
from games.web.notifications.mail_message import MailMessage
from tests.notifications.conftest import NOON, rows
from tests.support import wording
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.hidden_state import permuted, stored
from tests.support.mailboxes import changed

pytestmark = pytest.mark.django_db

Asked = tuple[Game, User, User]


def claim_all(user: User) -> Claim:
    """Claim everything that waits for the user, as if it were due."""
    Notification.objects.filter(user=user, state="waiting").update(due=NOON - timedelta(days=1))
    claimed = claim.claim_letter()
    assert claimed is not None
    assert claimed.user == user
    return claimed


def letter_for(user: User) -> MailMessage:
    Notification.objects.exclude(user=user).delete()
    written = mail_message.compose_mail(claim_all(user))
    assert written is not None
    return written


def until(game: Game, user: User, kind: str) -> Game:
    """Play on until somebody else's move asks the user for a decision of this kind."""
    for step in range(2000):
        if game.waiting_for_id == user.pk and game.decision_kind == kind and game.version:
            return game
        game = play_on(game, 1, seed=step)
    raise AssertionError(f"{user} is never asked to {kind}")


# -- Subjects --------------------------------------------------------------------------------------------


def test_subject_names_the_decision_and_the_game(asked: Asked) -> None:
    game, decider, _ = asked
    Notification.objects.filter(kind=Kind.STARTED).delete()
    game = until(game, decider, "buy")
    written = letter_for(decider)
    other = "bob" if decider.username == "alice" else "alice"
    assert written.subject == f"Your turn: {wording.BUY_UP_TO_3} (with {other})"
    assert f"Game with {other}\nRulebook, game {game.public_id}\n" in written.text


def test_subject_names_the_shares_to_decide_about(
    start: NewGame, alice: User, bob: User, clock: Traveller
) -> None:
    for seed in range(40):
        game = start(alice, bob)
        services_game = play_until_disposal(game, seed)
        if services_game is not None:
            break
    assert services_game is not None
    decider = User.objects.get(pk=services_game.waiting_for_id)
    Notification.objects.exclude(game=services_game).delete()
    state = acquire.state_from_json(services_game.state)
    held = state.holdings[state.defunct][state.decision.seat]
    label = chain_label(state.rules.tiers, state.defunct)
    assert letter_for(decider).subject.startswith(
        f"Your turn: {wording.DISPOSE_OF_ONE.format(n=held, chain=label)}"
    )


def play_until_disposal(game: Game, seed: int) -> Game | None:
    for step in range(400):
        if game.decision_kind == "dispose":
            return game
        if game.seat_to_move is None:
            return None
        game = play_on(game, 1, seed=1000 * seed + step)
    return None


def test_reminder_says_until_when_there_is_time(alice: User, bob: User, clock: Traveller) -> None:
    game = start_game(system="acquire", preset="classic", host=alice, players=[alice, bob], pace=24 * 3600)
    decider = changed(User.objects.get(pk=game.waiting_for_id), time_zone="Europe/Berlin")
    clock.shift(timedelta(hours=20))
    Notification.objects.exclude(kind=Kind.REMINDER).delete()
    Notification.objects.filter(kind=Kind.REMINDER).update(due=NOON)
    claimed = claim.claim_letter()
    assert claimed is not None
    written = mail_message.compose_mail(claimed)
    assert written is not None
    assert written.subject.startswith(f"Reminder: {wording.PLACE_A_TILE} (")
    assert "Move by Sat 21 November, 13:00 (Europe/Berlin)." in written.text
    assert claimed.user == decider


def test_mail_about_more_time_asks_who_is_to_move_and_says_until_when(alice: User, bob: User) -> None:
    game = start_game(system="acquire", preset="classic", host=alice, players=[alice, bob], pace=24 * 3600)
    decider, other = (alice, bob) if game.waiting_for_id == alice.pk else (bob, alice)
    Notification.objects.all().delete()
    notify.notify_moderated(game, [decider.pk, other.pk], "more-time", "One more day.")
    written = mail_message.compose_mail(claim_all(decider))
    assert written is not None
    assert written.subject.startswith("You got more time (")
    assert "Reason: One more day." in written.text
    assert f"It is your turn to {wording.PLACE_A_TILE}." in written.text
    assert "Move by " in written.text
    assert "Move by " not in letter_for(other).text


def test_several_games_share_a_mail_with_the_nearest_deadline_first(
    alice: User, bob: User, start: NewGame, clock: Traveller
) -> None:
    games = {}
    for pace in (5, 1, None, 3):
        for _ in range(50):
            game = start_game(
                system="acquire",
                preset="classic",
                host=alice,
                players=[alice, "random"],
                name=f"Pace {pace}",
                pace=pace and pace * 24 * 3600,
            )
            if game.waiting_for_id == alice.pk:
                games[pace] = game
                break
            game.seats.update(ended=NOON)
    written = letter_for(alice)
    assert re.fullmatch(
        rf"Reminder: {wording.PLACE_A_TILE} \(Pace 1(, with \w+)?\) and 3 more updates", written.subject
    )
    assert written.text.index("Pace 1") < written.text.index("Pace 3") < written.text.index("Pace None")
    for game in games.values():
        assert f"http://localhost:8000/games/{game.public_id}/?for=alice#headline" in written.text


def test_name_cannot_break_out_of_the_subject(asked: Asked) -> None:
    game, decider, _ = asked
    Game.objects.filter(pk=game.pk).update(name="Club\r\nBcc: all@mail.example\u2028X\x07")
    written = letter_for(decider)
    assert "Club Bcc: all@mail.example X" in written.subject
    assert written.subject.isprintable()
    sent = written.message().message()
    assert sent["Bcc"] is None


def test_long_subject_is_cut(asked: Asked) -> None:
    game, decider, _ = asked
    Game.objects.filter(pk=game.pk).update(name="x" * 40)
    letter = letter_for(decider)
    assert len(letter.subject) <= mail_message.MAX_SUBJECT_LENGTH


# -- Text and HTML ---------------------------------------------------------------------------------------


def parts(written: MailMessage) -> dict[str, str]:
    """Parts of the mail by content type."""
    mail = written.message().message()
    assert isinstance(mail, EmailMessage) or mail.is_multipart()
    return {
        part.get_content_type(): part.get_payload(decode=True).decode()  # type: ignore[union-attr]
        for part in mail.walk()
        if not part.is_multipart()
    }


def test_mail_tells_what_happened_since_the_readers_last_move(asked: Asked) -> None:
    game, _, waiting = asked
    while not game.moves.filter(user=waiting).exists() or game.waiting_for_id != waiting.pk:
        game = play_on(game, 1, seed=game.version)
    while game.moves.last().user_id == waiting.pk or game.waiting_for_id != waiting.pk:
        game = play_on(game, 1, seed=game.version)
    told = letter_for(waiting).text
    number = game.moves.filter(user=waiting).last().number
    since = game.moves.filter(number__gt=number, kind="move")
    placed = [event["square"] for move in since for event in move.events if event["kind"] == "placed"]
    assert placed
    for square in placed:
        assert f"placed {square}" in told
    assert told.count(" placed ") == len(placed)


def test_both_parts_have_the_decision_and_the_link(asked: Asked) -> None:
    game, decider, _ = asked
    found = parts(letter_for(decider))
    assert set(found) == {"text/plain", "text/html"}
    for text in found.values():
        assert f"It is your turn to {wording.PLACE_A_TILE}." in text
        assert wording.MAKE_YOUR_MOVE in text
        assert f"http://localhost:8000{game.get_absolute_url()}?for={decider}#headline" in text


def test_text_board_has_columns_under_their_numbers(asked: Asked) -> None:
    _, decider, _ = asked
    lines = parts(letter_for(decider))["text/plain"].splitlines()
    first = next(number for number, line in enumerate(lines) if "1  2  3" in line)
    board = lines[first : first + 10]
    assert [line[0] for line in board] == list(" ABCDEFGHI")
    assert len({len(line) for line in board}) == 1


def test_html_part_is_escaped_and_text_part_is_not(asked: Asked) -> None:
    game, decider, _ = asked
    Game.objects.filter(pk=game.pk).update(name="<b>Tom & Jerry's</b>")
    found = parts(letter_for(decider))
    assert "<b>Tom & Jerry's</b>" in found["text/plain"]
    assert "<b>Tom" not in found["text/html"]
    assert "&lt;b&gt;Tom &amp; Jerry" in found["text/html"]


def test_mail_about_the_end_has_the_standings(start: NewGame, alice: User, bob: User) -> None:
    play_to_the_end(start(alice, bob, "random"))
    written = letter_for(alice)
    assert re.fullmatch(r"The game is over \(with bob and .+\)", written.subject)
    assert "won with" in written.text or "shared the win" in written.text
    for text in parts(written).values():
        assert all(name in text for name in ("you", "bob", "$"))
    assert "1. " in written.text


def test_start_and_first_decision_share_a_mail(asked: Asked) -> None:
    _, decider, waiting = asked
    claimed = claim_all(decider)
    assert {row.kind for row in claimed.rows} == {Kind.STARTED, Kind.DECISION}
    written = mail_message.compose_mail(claimed)
    assert written is not None
    assert written.subject.startswith(wording.YOUR_TURN_TO_PLACE)
    assert f"{wording.GAME_HAS_STARTED}." in written.text
    assert letter_for(waiting).subject.startswith(f"{wording.GAME_HAS_STARTED} (")


def test_digest_says_that_it_is_one(clock: Traveller, start: NewGame, alice: User, bob: User) -> None:
    changed(alice, mail_mode=User.MailMode.DIGEST)
    play_to_the_end(start(alice, bob))
    assert "Your daily summary" in letter_for(alice).text
    Notification.objects.update(state=Notification.State.WAITING, digest=False, message_id="")
    changed(alice, mail_mode=User.MailMode.AT_ONCE)
    assert "Your daily summary" not in letter_for(alice).text


def test_outdated_notification_is_left_out(asked: Asked) -> None:
    game, decider, _ = asked
    claimed = claim_all(decider)
    play_on(game, 1)
    rest = Claim([row for row in claimed.rows if row.kind == Kind.DECISION], decider, claimed.address)
    assert mail_message.compose_mail(rest) is None


# -- Before the start ------------------------------------------------------------------------------------


@pytest.fixture
def open_game(clock: Traveller, alice: User) -> Game:
    terms = GameTerms(system="acquire", preset="classic", name="Friday club", least=2, most=3)
    return create_game(host=alice, terms=terms)


def test_host_reads_who_joined_and_that_the_game_can_start(open_game: Game, alice: User, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    written = letter_for(alice)
    assert written.subject == "Your game is ready to start (Friday club, with bob)"
    assert "bob joined your game. 2 of 3 seats are taken." in written.text
    assert "Start it now, or wait for more." in written.text


def test_kicked_player_reads_the_reason(open_game: Game, bob: User) -> None:
    join(game_id=open_game.pk, user=bob)
    kick(game_id=open_game.pk, user=bob, by=open_game.host, reason="Sorry, <club> only.")
    written = letter_for(bob)
    assert written.subject == f"{wording.HOST_REMOVED_YOU} (Friday club, with alice)"
    assert "Sorry, <club> only." in written.text
    assert "&lt;club&gt;" in written.html


def test_invitation_by_mail_has_a_link_and_a_way_to_stop_mail(open_game: Game, alice: User) -> None:
    invitation = invite_address(game_id=open_game.pk, address="carol@mail.example", by=alice)
    Notification.objects.exclude(invitation=invitation).delete()
    claimed = claim.claim_letter()
    assert claimed is not None
    written = mail_message.compose_mail(claimed)
    assert written is not None
    assert written.address == "carol@mail.example"
    assert written.subject == "alice invited you to a game (Friday club)"
    assert f"/join/{invitation.code}/" in written.text
    assert "/settings/" not in written.text
    assert written.stop in written.text


def test_stranger_reads_what_the_game_is_who_plays_and_how_fast(
    open_game: Game, alice: User, bob: User
) -> None:
    join(game_id=open_game.pk, user=bob)
    Game.objects.filter(pk=open_game.pk).update(seconds_per_move=3 * 86400)
    invitation = invite_address(game_id=open_game.pk, address="carol@mail.example", by=alice)
    Notification.objects.exclude(invitation=invitation).delete()
    claimed = claim.claim_letter()
    assert claimed is not None
    written = mail_message.compose_mail(claimed)
    assert written is not None
    for sentence in (
        "Acquire is a board game about hotel chains",
        "This game is for 2–3 players. At the table so far: alice and bob.",
        "You do not have to be online at the same time. The time limit is 3 days per move.",
    ):
        assert sentence in written.text
        assert sentence in written.html
    assert written.html.count('class="board"') == 1
    assert "View invitation" in written.html


def test_member_who_is_invited_gets_no_introduction(open_game: Game, alice: User, bob: User) -> None:
    invite(game_id=open_game.pk, user=bob, by=alice)
    written = letter_for(bob)
    assert "invited you" in written.subject
    assert "board game" not in written.text
    assert 'class="board"' not in written.html


def test_unstarted_game_is_closed_on_the_day_that_the_mail_names(
    open_game: Game, alice: User, clock: Traveller
) -> None:
    clock.shift(timedelta(days=7))
    warn_host(game_id=open_game.pk)
    assert "It will close on 4 December" in letter_for(alice).text


def test_day_of_closing_is_that_of_the_reader(open_game: Game, alice: User, clock: Traveller) -> None:
    """At 23:30 UTC a new day has already begun in Berlin."""
    changed(alice, time_zone="Europe/Berlin")
    opened = NOON.replace(hour=23, minute=30)
    Game.objects.filter(pk=open_game.pk).update(opened=opened)
    clock.move_to(opened + timedelta(days=7))
    warn_host(game_id=open_game.pk)
    assert "It will close on 5 December" in letter_for(alice).text


# -- Headers ---------------------------------------------------------------------------------------------


def test_headers_allow_unsubscribing_with_one_click(asked: Asked) -> None:
    _, decider, _ = asked
    mail = letter_for(decider).message().message()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["List-Unsubscribe"].startswith("<http://localhost:8000/mail/stop/")
    assert mail["Auto-Submitted"] == "auto-generated"


def test_message_id_is_that_of_the_oldest_row(asked: Asked) -> None:
    _, decider, _ = asked
    oldest = rows(decider)[0]
    assert (
        letter_for(decider).message().message()["Message-ID"]
        == f"<notice.{oldest.pk}.{oldest.version}@localhost>"
    )


# -- Secrets ---------------------------------------------------------------------------------------------


def deal_other_hands(state: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Return the state with everything dealt anew that no mail may show: all hands, the bag, the seed."""
    return permuted(permuted(state, None, rng), None, rng)


def told_of(game: Game, user: User) -> tuple[object, ...]:
    """Everything that is sent to this user at this point of the game."""
    last = Game.objects.get(pk=game.pk)
    kind = (
        Kind.DECISION
        if last.waiting_for_id == user.pk
        else Kind.FINISHED
        if last.is_finished
        else Kind.STARTED
    )
    row = Notification(
        pk=1, user=user, game=last, kind=kind, version=last.version, due=NOON, made=NOON, message_id="<1@x>"
    )
    written = mail_message.compose_mail(Claim([row], user, "someone@mail.example"))
    told = mail_sections.section([row], user)
    assert written is not None and told is not None
    short = endpoint_delivery._message(told)
    hooks = [
        endpoint_delivery._PACKED[kind](Endpoint(kind=kind), short)
        for kind in (Endpoint.Kind.JSON, Endpoint.Kind.SLACK, Endpoint.Kind.DISCORD)
    ]
    return written.subject, written.text, written.html, dict(written.message().extra_headers), hooks


def check_independence_of_hands(game: Game, users: list[User], rng: Random) -> None:
    state = Game.with_secrets.get(pk=game.pk).state
    for user in users:
        before = told_of(game, user)
        with stored(game, deal_other_hands(state, rng)):
            assert told_of(game, user) == before, f"{user} at version {game.version}"


def test_no_mail_of_a_whole_game_depends_on_a_hand_or_the_bag(
    clock: Traveller, start: NewGame, alice: User, bob: User
) -> None:
    game, rng, kinds = start(alice, bob, "random"), Random(1), set()
    while game.seat_to_move is not None:
        if game.decision_kind not in kinds or game.version % 12 == 0:
            check_independence_of_hands(game, [alice, bob], rng)
        kinds.add(game.decision_kind)
        game = play_on(game, 1, seed=game.version)
    check_independence_of_hands(game, [alice, bob], rng)
    assert kinds >= {"place", "buy"}


def test_mail_that_shows_a_hand_is_detected(
    clock: Traveller, start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a board that shows the reader's tiles."""
    game = play_on(start(alice, bob), 4)
    # The package exports a function of the same name.
    monkeypatch.setattr(
        sys.modules["games.web.presenters.acquire.mail_view"], "_mine", lambda seen, seat: str(seen.hand)
    )
    with pytest.raises(AssertionError):
        check_independence_of_hands(game, [alice, bob], Random(1))


def test_mail_with_hidden_holdings_does_not_depend_on_the_others_cash(
    clock: Traveller, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, "random", holdings="hidden")
    compared = 0
    for step in range(80):
        game = play_on(game, 1, seed=step)
        if game.waiting_for_id is None or game.decision_kind == "dispose" or step % 5:
            continue
        reader = User.objects.get(pk=game.waiting_for_id)
        seat = game.seats.get(user=reader).number
        before = told_of(game, reader)
        cash = [dollars + 77_700 * (owner != seat) for owner, dollars in enumerate(game.state["cash"])]
        with stored(game, {**game.state, "cash": cash}):
            assert told_of(game, reader) == before
        compared += 1
    assert compared > 3
