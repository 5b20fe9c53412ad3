"""A rating never changes without a line that says why."""

from random import Random

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, GameOutcome, Rating, RatingChange, RatingCorrection, RatingLedger
from games.moderation.actions.deletion_actions import DELETE, RESTORE
from games.moderation.actions.listing_actions import MAKE_UNRATED
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end
from games.play.seats.substitutes import take_over_seat
from games.ratings import leaderboards, rating_corrections, rating_history
from games.ratings.leaderboards import Change, Correction
from games.ratings.rated_places import Loss
from games.ratings.rating_history import recount
from games.ratings.result_queue import count_results
from games.ratings.skill_model import points
from tests.support.clients import client_of
from tests.support.finished_games import RATED, finish, users, won_by
from tests.support.games import NewGame, leave_to_bot
from tests.support.rating_history import counted_bit_by_bit, played
from tests.support.staff_actions import perform_action

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

Reason = RatingCorrection.Reason
TERMS = {**RATED, "visibility": "public"}
HISTORY = "/players/{}/ratings/acquire/"


def shown(user: User) -> int:
    """The rating that pages show."""
    return points(Rating.objects.get(user=user, players=0, month="").mu)


def corrections(user: User) -> list[Correction]:
    lines, _following = leaderboards.history_of(user, "acquire")
    return [line for line in lines if isinstance(line, Correction)]


def changes(user: User) -> list[Change]:
    lines, _following = leaderboards.history_of(user, "acquire")
    return [line for line in lines if isinstance(line, Change)]


def page(url: str, user: User | None = None) -> str:
    answer = (client_of(user) if user else Client()).get(url)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


# -- Corrections ----------------------------------------------------------------------------------------


def test_games_in_their_order_need_no_correction(start: NewGame, alice: User, bob: User) -> None:
    for _ in range(3):
        won_by(start, alice, bob)
    assert not RatingCorrection.objects.exists()


def test_game_that_stops_counting_is_told_with_the_ratings_before_and_after(
    start: NewGame, alice: User, bob: User
) -> None:
    games = [won_by(start, alice, bob) for _ in range(2)]
    before = shown(alice)
    perform_action(MAKE_UNRATED, games[0], None, "It was arranged.")
    count_results()
    [told] = corrections(alice)
    assert (told.reason, told.game) == (Reason.UNCOUNTED, games[0])
    assert (told.before, told.points) == (before, shown(alice))
    assert told.before > shown(alice)


def test_only_game_that_stops_counting_leaves_no_rating(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    perform_action(MAKE_UNRATED, game, None, "It was arranged.")
    count_results()
    [told] = corrections(alice)
    assert told.points is None
    assert not Rating.objects.exists()


def test_game_that_counts_again_is_counted_late(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    won_by(start, bob, alice)
    for action in (DELETE, RESTORE):
        perform_action(action, Game.all_games.get(pk=game.pk), None, "It had to be.")
        count_results()
    assert [told.reason for told in corrections(alice)] == [Reason.LATE, Reason.UNCOUNTED]


def test_new_method_is_told(start: NewGame, alice: User, bob: User) -> None:
    won_by(start, alice, bob)
    RatingLedger.objects.update(method="places 1")
    Rating.objects.filter(user=alice).update(mu=40.0)
    recount("acquire")
    [told] = corrections(alice)
    assert (told.reason, told.game, told.before) == (Reason.METHOD, None, points(40.0))
    assert corrections(bob) == []


def test_recount_by_the_same_method_is_told_only_if_a_rating_changes(
    start: NewGame, alice: User, bob: User
) -> None:
    won_by(start, alice, bob)
    recount("acquire")
    assert not RatingCorrection.objects.exists()
    Rating.objects.filter(user=alice).update(mu=40.0)
    recount("acquire")
    assert {told.reason for told in corrections(alice)} == {Reason.RECOUNT}


def is_every_rating_explained() -> bool:
    """Return whether for each member the lines lead to the rating that is shown."""
    if RatingCorrection.objects.filter(at=None).exists():
        return False
    for rating in Rating.objects.filter(month=""):
        whose = {"user": rating.user, "system": rating.system, "players": rating.players}
        last = RatingChange.objects.filter(**whose, month="").order_by("finished", "game").last()
        if last is None or last.mu != rating.mu:
            return False
        corrected = RatingCorrection.objects.filter(**whose).order_by("at", "pk").last()
        if corrected and corrected.mu is None:
            return False
    return True


def test_ratings_counted_late_and_in_slices_are_explained(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_history, "SLICE", 7)
    rng = Random(5)
    counted_bit_by_bit(rng, played(rng, alice, 60, users(6)), 9)
    assert RatingCorrection.objects.exists()
    assert is_every_rating_explained()


def test_silent_recount_would_be_noticed(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_corrections, "begin", lambda *_args: None)
    with pytest.raises(ValueError, match="not enough values"):
        test_game_that_stops_counting_is_told_with_the_ratings_before_and_after(start, alice, bob)


def test_each_line_stands_on_one_page(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboards, "PAGE", 2)
    gone = won_by(start, alice, bob)
    won_by(start, bob, alice)
    perform_action(MAKE_UNRATED, gone, None, "It was arranged.")
    count_results()
    for _ in range(4):
        won_by(start, alice, bob)
    seen: list[str] = []
    after = ""
    while True:
        lines, after = leaderboards.history_of(alice, "acquire", after=after)
        seen += ["correction" if isinstance(line, Correction) else "game" for line in lines]
        if not after:
            break
    assert seen == ["game"] * 4 + ["correction", "game"]


# -- Reasons of games -----------------------------------------------------------------------------------


def test_winner_and_second_have_no_loss(start: NewGame, alice: User, bob: User) -> None:
    won_by(start, alice, bob)
    assert [(one.rank, one.loss, one.tied) for one in (*changes(alice), *changes(bob))] == [
        (1, None, False),
        (2, None, False),
    ]


def test_conceding_is_told(start: NewGame, alice: User, bob: User) -> None:
    concede(game_id=start(alice, bob, terms=TERMS).pk, by=alice)
    count_results()
    assert changes(alice)[0].loss == Loss.CONCEDED


def test_ending_alone_is_told(start: NewGame, alice: User) -> None:
    propose_end(game_id=start(alice, "easy", terms=TERMS).pk, by=alice, kind="none")
    count_results()
    assert changes(alice)[0].loss == Loss.ENDED_ALONE


def test_computer_that_played_to_the_end_is_told(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms=TERMS)
    leave_to_bot(game, bob)
    finish(Game.with_secrets.get(pk=game.pk), [5000, 5000])
    count_results()
    assert changes(bob)[0].loss == Loss.BOT_PLAYED


def test_lost_seat_is_told(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = start(alice, bob, terms=TERMS)
    leave_to_bot(game, bob)
    seat = game.seats.get(user=bob)
    game.seats.update(reserved_until=None)
    take_over_seat(game_id=game.pk, number=seat.number, user=carol)
    finish(Game.with_secrets.get(pk=game.pk), [5000, 5000])
    count_results()
    assert changes(bob)[0].loss == Loss.SEAT_LOST
    assert changes(carol) == []


# -- Pages ----------------------------------------------------------------------------------------------


def test_history_shows_game_people_reason_and_both_ratings(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    html = page(HISTORY.format("alice"))
    assert f'<a href="{game.get_absolute_url()}">Game with bob</a>' in html
    assert "<td>won</td>" in html
    assert f"1500 → {shown(alice)}" in html
    assert "<td>second</td>" in page(HISTORY.format("bob"))


def test_history_shows_corrections_and_names_no_private_game(start: NewGame, alice: User, bob: User) -> None:
    public, private = won_by(start, alice, bob), won_by(start, alice, bob, visibility="invited")
    won_by(start, bob, alice)
    for game in (public, private):
        perform_action(MAKE_UNRATED, game, None, "It was arranged.")
        count_results()
    html = page(HISTORY.format("alice"))
    assert html.count("This game no longer counts, so later games were counted again.") == 2
    assert public.get_absolute_url() in html
    assert private.public_id not in html


def test_end_of_the_game_says_why(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms=TERMS)
    concede(game_id=game.pk, by=alice)
    count_results()
    html = page(game.get_absolute_url(), bob)
    assert "conceded" in html
    assert f"1500 → {shown(bob)}" in html


def test_end_of_a_game_that_does_not_count_says_why(start: NewGame, alice: User, bob: User) -> None:
    game = won_by(start, alice, bob)
    perform_action(MAKE_UNRATED, game, None, "It was arranged.")
    assert "No ratings changed because a moderator made the game unrated." in page(game.get_absolute_url())
    alone = start(alice, bob, "easy", terms=TERMS)
    concede(game_id=alone.pk, by=bob)
    propose_end(game_id=alone.pk, by=alice, kind="unrated")
    assert "Only computer players were left as opponents" in page(alone.get_absolute_url())
    count_results()
    assert GameOutcome.objects.get(game=alone).places is None
