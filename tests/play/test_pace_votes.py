"""From live to mail and back: all agree, one entry changes the clocks, and nobody loses time."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.clocks import game_clock
from games.log.pace_proposals import PACES, open_pace_proposal, pace_kinds
from games.models import Channel, Game, Kind, Notification, Vote
from games.notifications.outbox.claim import claim_letter
from games.notifications.preferences import set_wanted
from games.play.game_lock import lock_game
from games.play.play_move import play_move
from games.play.seats import concession, pace_votes
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.seats.pace_votes import propose_pace, vote_on_pace
from games.play.seats.seat_reservations import LIVE_RESERVED, MAX_RESERVED
from games.play.seats.substitutes import keep_seat, reclaim_seat
from games.play.takebacks import take_back
from games.refusals import (
    NotSeated,
    NotYourDecision,
    PaceProposedRecently,
    ProposalChanged,
    SamePace,
    StalePosition,
)
from games.web.notifications import notification_text
from games.web.text.pace_text import pace_name
from tests.support.games import NewGame, leave_to_bot, legal_move, play_next, play_to_the_end
from tests.support.mailboxes import with_mailbox
from tests.support.timed_games import deadline

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def game(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A live game of two people and a computer in which alice decides."""
    return start(alice, bob, "random", preset="course", terms={"pace": 30, "bank": 180, "cap": 180})


@pytest.fixture
def mail(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A game by mail in which alice decides."""
    return start(alice, bob, preset="course", terms={"pace": 86400})


def reload(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def texts(game: Game) -> list[str]:
    return list(game.moves.filter(kind="ruling").order_by("number").values_list("text", flat=True))


@transaction.atomic
def leave_table(game: Game, user: User) -> Game:
    """Let a computer keep the seat of a player who has left a live game."""
    locked = lock_game(game.pk)
    seats = list(locked.seats.all())
    keep_seat(locked, seats, next(seat for seat in seats if seat.user_id == user.pk))
    return reload(game)


def propose(game: Game, by: User, pace: str) -> None:
    propose_pace(game_id=game.pk, by=by, pace=pace)


def say(game: Game, by: User, pace: str, *, yes: bool) -> None:
    vote_on_pace(game_id=game.pk, by=by, pace=pace, yes=yes)


def change(game: Game, pace: str, *people: User) -> None:
    propose(game, people[0], pace)
    for user in people[1:]:
        say(game, user, pace, yes=True)


def test_all_agree_and_one_entry_changes_the_clock(game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    assert reload(game).is_live
    say(game, bob, "day", yes=True)
    assert texts(game) == ["0 proposes pace day", "1 agrees to pace day", "pace day"]
    after = reload(game)
    assert (after.seconds_per_move, after.time_bank, after.is_live) == (86400, None, False)
    assert deadline(game) == timezone.now() + DAY


def test_move_in_flight_counts_beside_a_proposal(game: Game, alice: User, bob: User) -> None:
    asked = Game.with_secrets.get(pk=game.pk)
    text = legal_move(asked)
    propose(game, bob, "day")
    entry = play_move(game_id=game.pk, number=asked.version + 1, seat=0, text=text, by=alice)
    assert (entry.text, entry.user) == (text, alice)
    again = play_move(game_id=game.pk, number=asked.version + 1, seat=0, text=text, by=alice)
    assert again.pk == entry.pk


def test_move_of_another_decision_stays_too_late(game: Game, alice: User, bob: User) -> None:
    before = Game.with_secrets.get(pk=game.pk)
    propose(game, bob, "day")
    while (asked := Game.with_secrets.get(pk=game.pk)).waiting_for_id != bob.pk:
        play_next(asked)
    with pytest.raises((StalePosition, NotYourDecision)):
        play_move(game_id=game.pk, number=before.version + 1, seat=0, text="pass", by=alice)


def test_full_time_of_the_new_pace_ends_the_vote_on_a_late_player(game: Game, alice: User, bob: User) -> None:
    game.seats.filter(user=alice).update(replacement_vote_open=True)
    change(game, "none", alice, bob)
    assert not game.seats.filter(replacement_vote_open=True).exists()


@pytest.mark.parametrize("pace", sorted(PACES))
def test_every_pace_can_be_changed_to(clock: Any, start: NewGame, alice: User, bob: User, pace: str) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 7200, "bank": 14400, "off": "nights"})
    change(game, pace, alice, bob)
    after = reload(game)
    assert (after.seconds_per_move, after.time_bank) == (PACES[pace].seconds, PACES[pace].bank)
    assert (after.deadline is None) == (pace == "none")


def test_mail_then_tells_of_the_turn(game: Game, alice: User, bob: User) -> None:
    with_mailbox(alice)
    change(game, "day", bob, alice)
    assert Notification.objects.filter(game=game, user=alice, kind=Kind.DECISION).exists()


def test_game_that_goes_live_takes_its_mails_back(mail: Game, alice: User, bob: User) -> None:
    with_mailbox(alice)
    with_mailbox(bob)
    play_next(reload(mail))
    change(mail, "fast", alice, bob)
    waiting = Notification.objects.filter(game=mail, kind__in=(Kind.DECISION, Kind.REMINDER))
    assert not waiting.filter(state=Notification.State.WAITING).exists()


def test_time_banks_survive_a_night_by_mail(clock: Any, game: Game, alice: User, bob: User) -> None:
    clock.shift(timedelta(seconds=100))
    change(game, "days", alice, bob)
    clock.shift(10 * timedelta(hours=1))
    change(game, "fast", bob, alice)
    assert deadline(game) - timezone.now() == timedelta(seconds=80)
    assert game.seats.get(user=bob).time_bank_left in (None, timedelta(seconds=180))


def test_bank_is_at_least_one_move_and_fits(clock: Any, game: Game, alice: User, bob: User) -> None:
    clock.shift(timedelta(seconds=175))
    change(game, "day", alice, bob)
    change(game, "evening", alice, bob)
    assert deadline(game) - timezone.now() == timedelta(seconds=60)


@pytest.fixture
def left(clock: Any, start: NewGame, alice: User, bob: User, carol: User) -> Game:
    """A live game without time banks that alice has left with 10 seconds for her move."""
    game = start(alice, bob, carol, preset="course", terms={"pace": 60})
    clock.shift(timedelta(seconds=50))
    return leave_table(game, alice)


@pytest.mark.parametrize("paces", [["fast"], ["day", "evening"]])
def test_what_was_left_of_a_move_is_no_time_bank(
    left: Game, alice: User, bob: User, carol: User, paces: list[str]
) -> None:
    for pace in paces:
        change(left, pace, bob, carol)
    reclaim_seat(game_id=left.pk, user=alice)
    game = reload(left)
    full = timedelta(seconds=PACES[paces[-1]].bank or 0)
    assert [game_clock.full_time(game, seat) for seat in game.seats.all()] == [full] * 3
    assert deadline(game) - timezone.now() == full


@pytest.mark.parametrize("pace", ["day", "days", "none"])
def test_seat_that_is_kept_is_kept_as_long_as_by_mail(left: Game, bob: User, carol: User, pace: str) -> None:
    change(left, pace, bob, carol)
    assert left.seats.get(number=0).reserved_until == timezone.now() + MAX_RESERVED


def test_seat_that_is_kept_no_longer_stays_free(
    clock: Any, left: Game, alice: User, bob: User, carol: User
) -> None:
    with_mailbox(alice)
    clock.shift(LIVE_RESERVED)
    change(left, "day", bob, carol)
    assert left.seats.get(user=alice).can_be_taken_over
    assert not Notification.objects.filter(user=alice).exists()


def test_absent_player_is_told_that_the_game_goes_on_by_mail(
    left: Game, alice: User, bob: User, carol: User
) -> None:
    with_mailbox(alice)
    change(left, "day", bob, carol)
    news = Notification.objects.get(user=alice)
    assert news.due < timezone.now() + MAX_RESERVED
    assert notification_text.subject(news) == "Your game goes on by mail"
    told = notification_text.sentence(news)
    assert told.startswith(f"The players agreed to play on {pace_name('day')}.")
    assert "We keep it for you until" in told


def test_player_who_is_back_is_told_of_the_turn_alone(
    clock: Any, left: Game, alice: User, bob: User, carol: User
) -> None:
    with_mailbox(alice)
    change(left, "day", bob, carol)
    reclaim_seat(game_id=left.pk, user=alice)
    clock.shift(DAY / 2)
    claimed = claim_letter()
    assert claimed is not None and [row.kind for row in claimed.rows] == [Kind.DECISION]


def test_vote_of_one_refuses_and_the_pace_stays(game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    say(game, bob, "day", yes=False)
    assert texts(game)[-1] == "1 refuses pace day"
    assert reload(game).is_live
    with pytest.raises(ProposalChanged):
        say(game, alice, "day", yes=True)


def test_refused_proposer_waits_and_others_need_not(clock: Any, game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    say(game, bob, "day", yes=False)
    with pytest.raises(PaceProposedRecently):
        propose(game, alice, "days")
    propose(game, bob, "days")
    say(game, bob, "days", yes=False)
    clock.shift(pace_votes.PROPOSAL_COOLDOWN + timedelta(seconds=1))
    propose(game, alice, "day")


def test_change_does_not_count_as_refused(game: Game, alice: User, bob: User) -> None:
    change(game, "day", alice, bob)
    change(game, "fast", alice, bob)
    assert reload(game).is_live


def test_same_proposal_is_an_agreement_and_another_is_refused(game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    with pytest.raises(ProposalChanged):
        propose(game, bob, "days")
    propose(game, bob, "day")
    assert texts(game)[-1] == "pace day"


def test_pace_of_the_game_is_no_proposal(mail: Game, alice: User) -> None:
    for pace in ("day", "hourly"):
        with pytest.raises(SamePace):
            propose(mail, alice, pace)


def test_spectators_and_finished_games_have_no_vote(mail: Game, carol: User, alice: User) -> None:
    with pytest.raises(NotSeated):
        propose(mail, carol, "fast")
    play_to_the_end(reload(mail))
    with pytest.raises(NotYourDecision):
        propose(mail, alice, "fast")


def test_person_alone_with_computers_decides(start: NewGame, alice: User) -> None:
    game = start(alice, "random", preset="course", terms={"pace": 30, "bank": 180})
    propose(game, alice, "none")
    assert reload(game).seconds_per_move is None


def test_leaving_of_the_last_voter_changes_the_pace(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, preset="course", terms={"pace": 30, "bank": 180})
    change(game, "day", alice, bob)
    concession.concede(game_id=game.pk, by=carol)
    assert texts(game)[-1] == "pace day"


def test_leaving_of_the_proposer_closes_the_vote(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, carol, preset="course", terms={"pace": 30, "bank": 180})
    propose(game, alice, "day")
    concession.concede(game_id=game.pk, by=alice)
    assert not Vote.objects.filter(what__in=pace_kinds(), closed=None).exists()


def test_computer_takes_the_seat_and_the_others_go_on_by_mail(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, preset="course", terms={"pace": 30, "bank": 180})
    leave_to_bot(game, alice)
    change(game, "day", bob, carol)
    assert not reload(game).is_live


def test_vote_on_the_end_is_another_vote(game: Game, alice: User, bob: User) -> None:
    propose(game, alice, "day")
    propose_end(game_id=game.pk, by=bob, kind="none")
    found = open_pace_proposal(reload(game), list(game.seats.all()))
    assert found is not None and (found.pace, found.agreed, found.missing) == ("day", (0,), (1,))
    say(game, bob, "day", yes=True)
    assert reload(game).is_running


# -- News ----------------------------------------------------------------------------------------------------


def news(game: Game, user: User, **state: str) -> list[Notification]:
    return list(Notification.objects.filter(game=game, user=user, kind=Kind.ENDING, **state))


def waiting_news(game: Game, user: User) -> list[Notification]:
    return news(game, user, state=Notification.State.WAITING)


def test_others_who_vote_are_told_of_a_proposal(mail: Game, alice: User, bob: User) -> None:
    for user in (alice, bob):
        with_mailbox(user)
    propose(mail, alice, "fast")
    assert news(mail, alice) == []
    [told] = news(mail, bob)
    assert notification_text.subject(told) == "alice proposes another pace"
    assert notification_text.sentence(told) == (
        "alice proposes to play on live, with 3 min + 30 s per move. The pace changes only if everyone "
        "agrees. Open the game to respond."
    )


def test_news_of_a_proposal_is_sent_until_it_is_answered(
    clock: Any, mail: Game, alice: User, bob: User
) -> None:
    with_mailbox(bob)
    propose(mail, alice, "fast")
    clock.shift(DAY / 2)
    claimed = claim_letter()
    assert claimed is not None and [row.kind for row in claimed.rows] == [Kind.ENDING]


@pytest.mark.parametrize("yes", [True, False])
def test_answer_drops_the_news_of_a_proposal(
    start: NewGame, alice: User, bob: User, carol: User, yes: bool
) -> None:
    game = start(alice, bob, carol, preset="course", terms={"pace": 86400})
    for user in (bob, carol):
        with_mailbox(user)
    propose(game, alice, "fast")
    assert len(waiting_news(game, bob)) == 1
    say(game, bob, "fast", yes=yes)
    assert waiting_news(game, bob) == []
    assert len(waiting_news(game, carol)) == yes


def test_change_and_withdrawal_drop_the_news_of_a_proposal(mail: Game, alice: User, bob: User) -> None:
    with_mailbox(bob)
    propose(mail, alice, "days")
    assert len(waiting_news(mail, bob)) == 1
    say(mail, alice, "days", yes=False)
    assert waiting_news(mail, bob) == []
    change(mail, "fast", bob, alice)
    assert waiting_news(mail, bob) == []


def test_proposals_of_pace_and_end_keep_each_others_news(mail: Game, alice: User, bob: User) -> None:
    with_mailbox(bob)
    propose(mail, alice, "fast")
    propose_end(game_id=mail.pk, by=alice, kind="none")
    [of_pace, _of_end] = sorted(waiting_news(mail, bob), key=lambda row: row.version)
    vote_on_end(game_id=mail.pk, by=bob, kind="none", yes=False)
    assert waiting_news(mail, bob) == [of_pace]
    propose_end(game_id=mail.pk, by=bob, kind="none")
    say(mail, bob, "fast", yes=False)
    assert waiting_news(mail, bob) == []


def test_member_who_wants_no_news_of_proposals_gets_none_of_paces(game: Game, alice: User, bob: User) -> None:
    for user in (alice, bob):
        with_mailbox(user)
    set_wanted(bob, Kind.ENDING, Channel.MAIL, wanted=False)
    propose(game, alice, "day")
    assert news(game, bob) == []
    say(game, bob, "day", yes=False)
    propose(game, bob, "day")
    assert len(news(game, alice)) == 1


def test_takeback_over_a_change_keeps_the_new_clock(
    clock: Any, start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, terms={"pace": 30, "bank": 180})
    placed = play_next(game)
    if reload(game).waiting_for_id != placed.user_id:
        pytest.skip("The move ended the turn.")
    assert placed.user is not None
    change(game, "day", alice, bob)
    number = reload(game).version + 1
    take_back(game_id=game.pk, number=number, by=placed.user, to=placed.number - 1)
    assert deadline(game) == timezone.now() + DAY
