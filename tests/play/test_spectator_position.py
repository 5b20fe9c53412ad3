"""The entry at which spectators of a late game stop, and who is late."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.chat.messages import say
from games.lobby.game_terms import GameTerms
from games.lobby.rematch import start_rematch
from games.models import Game, GameVisit, LogEntry, Seat
from games.play import game_ticks, page_presence, spectator_position
from games.play.game_view import game_view
from games.play.play_move import play_move
from games.play.seats.concession import concede
from games.play.seats.substitutes import reclaim_seat, take_over_seat
from games.play.spectator_position import all_shown_to, last_shown, shown_to, version_shown
from games.play.takebacks import take_back
from games.realtime import ticks
from tests.support.clients import client_of
from tests.support.games import NewGame, leave_to_bot, play_on, play_to_the_end

VISITOR = AnonymousUser()
LATE = {"late": 1, "takebacks": True}


@dataclass(frozen=True)
class Line:
    number: int
    text: str
    kind: str = LogEntry.Kind.MOVE


def log(*texts: str) -> list[Line]:
    rulings = ("back", "moderator", "pause")
    return [
        Line(number, text, LogEntry.Kind.RULING if text.startswith(rulings) else LogEntry.Kind.MOVE)
        for number, text in enumerate(texts, start=1)
    ]


@pytest.mark.parametrize(
    ("texts", "turns", "shown"),
    [
        ([], 2, 0),
        (["place 1A", "buy nothing", "place 2A"], 3, 0),
        # The first of two hidden turns begins with entry 3.
        (["place 1A", "buy nothing", "place 2A", "buy nothing", "place 3A"], 2, 2),
        (["place 1A", "pause", "place 2A", "pass", "buy nothing"], 2, 2),
        # Taking a move back and making another begins one turn, not two.
        (["place 1A", "buy nothing", "place 2A", "back to 2", "place 3A", "back to 2", "place 4A"], 2, 0),
        # Nothing that was shown is hidden again.
        (["place 1A", "buy nothing", "place 2A", "buy nothing", "moderator goes back to 2"], 1, 2),
        (["place 1A", "buy nothing", "place 2A", "back to 2"], 1, 2),
    ],
)
def test_latest_turns_are_hidden(texts: list[str], turns: int, shown: int) -> None:
    assert last_shown(log(*texts), ("place", "pass"), turns) == shown


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms=LATE), 16)


def version_for(game: Game, user: Any) -> int:
    look = game_view(game.public_id, user)
    assert look is not None
    return look.game.version


@pytest.mark.django_db
def test_players_see_the_present_and_others_an_earlier_position(game: Game, alice: User, carol: User) -> None:
    late = version_for(game, carol)
    assert 0 < late < game.version
    assert version_for(game, VISITOR) == late
    assert version_for(game, alice) == game.version


@pytest.mark.django_db
def test_second_round_of_delay_hides_more(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms={"late": 2}), 20)
    one = Game.objects.get(pk=game.pk)
    one.spectator_delay = 1
    assert version_shown(Game.objects.get(pk=game.pk)) < version_shown(one) < game.version


@pytest.mark.django_db
def test_view_is_not_newer_while_only_hidden_moves_are_made(game: Game, carol: User) -> None:
    late = version_for(game, carol)
    assert game_view(game.public_id, carol, newer_than=late) is None
    assert game_view(game.public_id, carol, newer_than=late - 1) is not None


@pytest.mark.django_db
def test_position_is_the_one_after_its_entry(game: Game, carol: User) -> None:
    look = game_view(game.public_id, carol)
    assert look is not None
    assert [entry.number for entry in look.entries] == list(range(1, look.game.version + 1))
    assert look.seen.board != game_view(game.public_id, game.host).seen.board
    assert (look.game.deadline, look.game.waiting_for_id) == (None, None)


@pytest.mark.django_db
def test_player_whose_seat_a_computer_keeps_sees_the_present(game: Game, alice: User, bob: User) -> None:
    leave_to_bot(game, bob)
    game.refresh_from_db()
    assert version_for(game, bob) == game.version


@pytest.mark.django_db
def test_finished_game_is_shown_in_full(game: Game, carol: User) -> None:
    over = play_to_the_end(game)
    assert version_for(over, carol) == over.version
    assert version_shown(over) == over.version


@pytest.mark.django_db
def test_taking_back_shows_nothing_more(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob, terms=LATE), 12)
    while not game.moves.last().text.startswith("place") or game.decision_kind != "buy":
        game = play_on(game, 1, seed=game.version)
    shown = version_shown(game)
    player = game.seats.get(number=game.seat_to_move).user
    for _ in range(2):
        goal = game.moves.last().number - 1
        take_back(game_id=game.pk, number=game.version + 1, to=goal, by=player)
        game = play_on(Game.with_secrets.get(pk=game.pk), 1)
    assert version_shown(game) == shown


@pytest.mark.django_db
def test_late_copy_cannot_be_saved(game: Game, carol: User) -> None:
    late = shown_to(Game.with_secrets.get(pk=game.pk), carol)
    with pytest.raises(TypeError):
        late.save(update_fields=["version"])


@pytest.mark.django_db
def test_late_copy_and_its_seats_cannot_be_changed_or_read_again(game: Game, carol: User) -> None:
    late = shown_to(Game.with_secrets.get(pk=game.pk), carol)
    for change in (late.delete, late.refresh_from_db, late.seats.all()[0].save):
        with pytest.raises(TypeError):
            change()


@pytest.mark.django_db
def test_late_copy_leaves_the_game_and_its_seats_alone(game: Game, carol: User) -> None:
    read = Game.with_secrets.get(pk=game.pk)
    seats = list(read.seats.all())
    late = shown_to(read, carol)
    assert (late.version < read.version, read.rounds_late) == (True, 0)
    assert all(one is not other for one, other in zip(late.seats.all(), seats, strict=True))


def names_shown(game: Game, user: Any) -> list[str]:
    return [seat.name for seat in shown_to(Game.with_secrets.get(pk=game.pk), user).seats.all()]


@pytest.mark.django_db
def test_stand_in_is_shown_late(game: Game, bob: User, carol: User) -> None:
    before = names_shown(game, carol)
    leave_to_bot(game, bob)
    assert names_shown(game, carol) == before
    game = play_on(Game.with_secrets.get(pk=game.pk), 12)
    shown = shown_to(game, carol).seats.all()
    assert [seat.bot_level for seat in shown if seat.user_id == bob.pk] == ["medium"]


@pytest.mark.django_db
def test_return_of_a_player_is_shown_late(game: Game, bob: User, carol: User) -> None:
    leave_to_bot(game, bob)
    play_on(Game.with_secrets.get(pk=game.pk), 12)
    before = names_shown(game, carol)
    reclaim_seat(game_id=game.pk, user=bob)
    assert names_shown(game, carol) == before
    assert any(seat.is_replaced for seat in shown_to(Game.with_secrets.get(pk=game.pk), carol).seats.all())


@pytest.mark.django_db
def test_new_player_is_shown_late_and_the_seat_is_offered_at_once(game: Game, bob: User, carol: User) -> None:
    dan = User.objects.create_user("dan")
    before = names_shown(game, carol)
    leave_to_bot(game, bob)
    Seat.objects.filter(game=game, user=bob).update(reserved_until=None)
    number = Seat.objects.get(game=game, user=bob).number
    offer = reverse("take-over", args=[game.public_id, number])
    assert offer in client_of(carol).get(game.get_absolute_url()).content.decode()
    take_over_seat(game_id=game.pk, number=number, user=dan)
    assert names_shown(game, carol) == names_shown(game, VISITOR) == before
    look = game_view(game.public_id, bob)
    # The player who lost the seat knows, and is shown no hand.
    assert look is not None
    assert (look.seat, look.seats[number].user_id) == (None, dan.pk)
    told = client_of(bob).get(game.get_absolute_url()).content.decode()
    assert "dan" in told


@pytest.mark.django_db
def test_concession_is_shown_late(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = play_on(start(alice, bob, carol, terms=LATE), 20)
    before = names_shown(game, VISITOR)
    concede(game_id=game.pk, by=bob)
    game = Game.with_secrets.get(pk=game.pk)
    assert game.is_running
    assert names_shown(game, VISITOR) == before
    assert not any(seat.bot_level for seat in shown_to(game, VISITOR).seats.all())


@pytest.mark.django_db
def test_chat_records_the_version_that_its_reader_sees(game: Game, carol: User) -> None:
    say(game_id=game.pk, user=carol, text="Hello.")
    client_of(carol).get(reverse("chat", args=[game.public_id]))
    visit = GameVisit.objects.get(game=game, user=carol)
    assert visit.seen == visit.seen_before == version_shown(game)


@pytest.mark.django_db
def test_game_deleted_meanwhile_is_left_out_of_lists(game: Game, carol: User) -> None:
    read = Game.with_secrets.get(pk=game.pk)
    Game.objects.filter(pk=game.pk).update(deleted=timezone.now())
    spectator_position.forget()
    assert all_shown_to([read], carol) == []
    with pytest.raises(Http404):
        shown_to(read, carol)


@pytest.mark.django_db
def test_spectators_get_ticks_only_for_what_they_see(
    start: NewGame,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = start(alice, bob, terms=LATE)
    sent: list[int] = []
    group = ticks.game_group(game.public_id)
    monkeypatch.setattr(
        ticks, "_tick", lambda groups, message: sent.append(message["version"]) if group in groups else None
    )
    shown = [version_shown(game)]
    for _ in range(12):
        game = Game.with_secrets.get(pk=game.pk)
        state = game.rule_system.state_from_json(game.state)
        text = str(game.rule_system.legal_moves(state)[0])
        by = game.seats.get(number=game.seat_to_move).user
        with django_capture_on_commit_callbacks(execute=True):
            play_move(game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=text, by=by)
        shown.append(version_shown(Game.objects.get(pk=game.pk)))
    assert sent == sorted(set(shown) - {0})
    assert sent


@pytest.mark.django_db
def test_ticks_tell_spectators_the_version_that_they_see(
    game: Game,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    sent: list[tuple[list[str], int]] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: sent.append((groups, message["version"])))
    with django_capture_on_commit_callbacks(execute=True):
        game_ticks.schedule_ticks(Game.objects.get(pk=game.pk))
    own = sorted(ticks.user_group(user.pk) for user in (alice, bob))
    assert [(sorted(groups), version) for groups, version in sent] == [
        (own, game.version),
        ([ticks.game_group(game.public_id)], version_shown(game)),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("is_late", [True, False])
def test_ticks_of_presence_and_of_the_players_chat_reach_spectators_of_no_late_game(
    start: NewGame,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    is_late: bool,
) -> None:
    game = play_on(start(alice, bob, terms={"pace": 60, "bank": 300, "late": int(is_late)}), 16)
    sent: list[list[str]] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: sent.append([*groups]))
    with django_capture_on_commit_callbacks(execute=True):
        page_presence.mark_visible(alice.pk, game.pk, "tab")
        say(game_id=game.pk, user=bob, text="Good move.")
    group = ticks.game_group(game.public_id)
    assert len(sent) == 2
    assert [group in groups for groups in sent] == [not is_late] * 2


@pytest.mark.django_db
def test_rematch_keeps_the_delay(game: Game, alice: User) -> None:
    assert start_rematch(game_id=play_to_the_end(game).pk, by=alice).spectator_delay == 1


@pytest.mark.django_db
@pytest.mark.parametrize("late", [-1, 3])
def test_other_delays_are_refused_with_a_sentence(alice: User, late: int) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=4, late=late)
    with pytest.raises(ValueError, match="Spectators can be at most 2 rounds late"):
        terms.new_game(alice)
