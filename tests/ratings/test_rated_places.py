"""Games and seats that count for ratings, and their places: each rule of the page about ratings."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import BotAccount, User
from accounts.moderation import sanctions
from games.lobby.departures import leave_all_games
from games.lobby.join_game import leave
from games.lobby.practice_table import end_practice
from games.models import Game, GameOutcome, Rating, RatingChange
from games.moderation.actions.deletion_actions import DELETE, RESTORE
from games.moderation.actions.ending_actions import END_WITH_STANDINGS, END_WITHOUT_RESULT
from games.moderation.actions.listing_actions import MAKE_UNRATED
from games.moderation.actions.seat_actions import REPLACE_BY_COMPUTER
from games.play.game_lock import lock_game
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.seats.substitutes import keep_seat, reclaim_seat, take_over_seat
from games.ratings.result_queue import count_results
from games.refusals import BotAccountsNotAllowed, OwnBotAtTable
from tests.support.clients import client_of
from tests.support.finished_games import RATED, finish, won_by
from tests.support.games import NewGame, leave_to_bot, play_next
from tests.support.practice_tables import practise
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db

TERMS = {**RATED, "visibility": "public"}


def placed(game: Game) -> dict[object, int] | None:
    """Rank of each player for whom the game was rated."""
    count_results()
    places = GameOutcome.objects.get(game=game).places
    return None if places is None else dict(places)


def money(game: Game, **by: int) -> list[int]:
    """Cash by seat, from amounts by user name or bot level."""
    return [by[seat.user.username if seat.user else seat.bot_level] for seat in game.seats.all()]


# -- Games that count ----------------------------------------------------------------------------------


def test_ranks_at_the_end_count_and_equal_ranks_are_a_tie(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, "easy", terms=TERMS)
    game = finish(game, money(game, alice=9000, bob=7000, carol=9000, easy=8000))
    assert placed(game) == {alice.pk: 1, carol.pk: 1, "easy": 3, bob.pk: 4}
    assert Rating.objects.get(user=carol, players=4).wins == 1


@pytest.mark.parametrize("terms", [{"rated": False}, {"visibility": "public"}])
def test_unrated_game_does_not_count(start: NewGame, alice: User, bob: User, terms: dict[str, Any]) -> None:
    assert placed(finish(start(alice, bob, terms=terms), [6000, 5000])) is None
    assert not Rating.objects.exists()


def test_games_of_guests_do_not_count(start: NewGame, guest: User) -> None:
    assert placed(finish(start(guest, "easy", terms={"rated": True}), [6000, 5000])) is None


def test_private_games_count(start: NewGame, alice: User, bob: User) -> None:
    for visibility in ("invited", "unlisted"):
        won_by(start, alice, bob, visibility=visibility)
    assert Rating.objects.get(user=alice, players=0, month="").games == 2


def test_unfinished_games_do_not_count(start: NewGame, create: NewGame, alice: User, bob: User) -> None:
    start(alice, bob, terms=TERMS)
    leave(game_id=create(alice, rated=True).pk, user=alice)
    assert not GameOutcome.objects.exists()


def test_practice_tables_and_imported_games_do_not_count(alice: User) -> None:
    """An imported game is a practice table; the database enforces it."""
    game = practise(alice, "random")
    end_practice(game_id=game.pk, by=alice, kind="standings")
    assert Game.objects.get(pk=game.pk).is_finished
    assert not GameOutcome.objects.exists()


# -- Games that end early ------------------------------------------------------------------------------


def test_conceding_players_rank_last_in_the_order_of_conceding(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, "easy", terms=TERMS)
    concede(game_id=game.pk, by=carol)
    concede(game_id=game.pk, by=alice)
    game = finish(game, [{bob.pk: 1000}.get(seat.user_id, 9000 + seat.number) for seat in game.seats.all()])
    ranks = placed(game)
    assert ranks == {"easy": 1, bob.pk: 2, alice.pk: 3, carol.pk: 4}


def test_game_that_ends_by_concession_counts(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms=TERMS)
    concede(game_id=game.pk, by=alice)
    assert placed(game) == {bob.pk: 1, alice.pk: 2}


def propose_both(game: Game, kind: str, *users: User) -> None:
    propose_end(game_id=game.pk, by=users[0], kind=kind)
    for user in users[1:]:
        vote_on_end(game_id=game.pk, by=user, kind=kind, yes=True)
    assert Game.objects.get(pk=game.pk).is_finished


def test_agreed_standings_count(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    propose_both(game, "standings", alice, bob)
    assert placed(game) == {alice.pk: 1, bob.pk: 1, "easy": 1}


def test_game_ended_without_a_result_does_not_count(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    propose_both(game, "none", alice, bob)
    assert placed(game) is None


@pytest.mark.parametrize("kind", ["none", "standings"])
def test_ending_a_game_against_bots_counts_as_conceding(start: NewGame, alice: User, kind: str) -> None:
    game = start(alice, "easy", "hard", terms=TERMS)
    client = client_of(alice)
    assert (
        "so this counts as conceding for your rating."
        in client.get(f"{game.get_absolute_url()}ending/{kind}/").content.decode()
    )
    propose_both(game, kind, alice)
    assert placed(game) == {"easy": 1, "hard": 1, alice.pk: 3}


def test_ending_without_a_result_while_all_others_are_away_counts_as_conceding_after_them(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    leave_to_bot(game, bob)
    propose_both(game, "none", alice)
    assert placed(game) == {"easy": 1, alice.pk: 2, bob.pk: 3}


def test_proposal_of_a_lone_player_says_that_it_counts_as_conceding(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, terms=TERMS)
    client = client_of(alice)
    question = client.get(f"{game.get_absolute_url()}ending/none/").content.decode()
    assert (
        "If nobody else can decide by the time it ends, this counts as conceding for your rating." in question
    )
    propose_end(game_id=game.pk, by=alice, kind="none")
    leave_all_games(bob)
    assert placed(game) == {"medium": 1, alice.pk: 2}


def test_proposal_in_an_unrated_game_does_not_mention_ratings(start: NewGame, alice: User) -> None:
    game = start(alice, "easy", terms={"rated": False})
    client = client_of(alice)
    assert "conceded" not in client.get(f"{game.get_absolute_url()}ending/none/").content.decode()


def test_game_ended_by_a_moderator_counts_with_standings_only(start: NewGame, alice: User, bob: User) -> None:
    for action, ranks in ((END_WITH_STANDINGS, {alice.pk: 1, bob.pk: 1}), (END_WITHOUT_RESULT, None)):
        game = start(alice, bob, terms=TERMS)
        perform_action(action, game, None, "It had to be.")
        assert placed(game) == ranks


# -- Seats that change hands ---------------------------------------------------------------------------


def test_player_for_whom_a_bot_plays_at_the_end_has_conceded(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    """However well the bot plays, and below the site's own bots too."""
    game = start(alice, bob, carol, "easy", terms=TERMS)
    leave_to_bot(game, bob)
    game = finish(game, money(game, alice=5000, bob=9000, carol=7000, easy=4000))
    assert placed(game) == {carol.pk: 1, alice.pk: 2, "easy": 3, bob.pk: 4}


def leave_table(game: Game, user: User) -> None:
    """Let a stand-in keep the seat of this user, who has left a live table."""
    with transaction.atomic():
        locked = lock_game(game.pk)
        seats = list(locked.seats.all())
        keep_seat(locked, seats, next(seat for seat in seats if seat.user_id == user.pk))


@pytest.mark.parametrize("is_asked", [False, True])
def test_player_who_left_a_live_table_has_conceded_if_the_bot_made_a_move(
    start: NewGame, alice: User, bob: User, is_asked: bool
) -> None:
    game = start(alice, bob, "easy", preset="course", terms={**TERMS, "pace": 60})
    leave_table(game, alice if is_asked else bob)
    if is_asked:
        play_next(Game.objects.get(pk=game.pk))
    game = finish(game, money(game, alice=9000, bob=9000, easy=8000))
    left, other = (alice, bob) if is_asked else (bob, alice)
    assert placed(game) == {other.pk: 1, left.pk: 3 if is_asked else 1, "easy": 2 if is_asked else 3}


def test_players_who_leave_rank_in_the_order_of_leaving(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, "easy", terms=TERMS)
    leave_to_bot(game, bob)
    concede(game_id=game.pk, by=carol)
    game = finish(game, money(game, alice=5000, bob=9000, carol=7000, easy=4000))
    assert placed(game) == {alice.pk: 1, "easy": 2, carol.pk: 3, bob.pk: 4}


def test_player_who_lost_the_seat_left_when_the_bot_took_it(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    dave = User.objects.create_user("dave")
    game = start(alice, bob, carol, terms=TERMS)
    leave_to_bot(game, bob)
    concede(game_id=game.pk, by=carol)
    take_over_seat(game_id=game.pk, number=game.seats.get(user=bob).number, user=dave)
    game = finish(game, money(game, alice=5000, dave=9000, carol=7000))
    assert placed(game) == {alice.pk: 1, carol.pk: 2, bob.pk: 3}


def test_successor_who_leaves_too_changes_nothing(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    leave_to_bot(game, bob)
    take_over_seat(game_id=game.pk, number=game.seats.get(user=bob).number, user=carol)
    leave_to_bot(game, carol)
    game = finish(game, money(game, alice=5000, carol=9000, easy=4000))
    assert placed(game) == {alice.pk: 1, "easy": 2, bob.pk: 3}


def test_absent_player_who_agrees_to_the_standings_is_rated_by_them(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, terms=TERMS)
    leave_to_bot(game, bob)
    propose_both(game, "standings", alice, carol, bob)
    assert placed(game) == {alice.pk: 1, bob.pk: 1, carol.pk: 1}


def test_player_for_whom_a_moderator_lets_a_bot_play_on_has_conceded_unless_back(
    start: NewGame, alice: User, bob: User
) -> None:
    for is_back, ranks in ((False, {alice.pk: 1, bob.pk: 2}), (True, {bob.pk: 1, alice.pk: 2})):
        game = start(alice, bob, terms=TERMS)
        seat = str(game.seats.get(user=bob).number + 1)
        perform_action(REPLACE_BY_COMPUTER, game, None, "Ill.", seat=seat, level="hard", back="yes")
        if is_back:
            reclaim_seat(game_id=game.pk, user=bob)
        game = finish(game, money(game, alice=5000, bob=9000))
        assert placed(game) == ranks


def test_player_who_loses_the_seat_has_conceded_and_the_successor_is_unrated(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    leave_to_bot(game, bob)
    take_over_seat(game_id=game.pk, number=game.seats.get(user=bob).number, user=carol)
    game = finish(game, money(game, alice=5000, carol=9000, easy=4000))
    assert placed(game) == {alice.pk: 1, "easy": 2, bob.pk: 3}
    assert not Rating.objects.filter(user=carol).exists()


def test_returned_player_is_rated_as_usual(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms=TERMS)
    leave_to_bot(game, bob)
    reclaim_seat(game_id=game.pk, user=bob)
    game = finish(game, money(game, alice=5000, bob=9000))
    assert placed(game) == {bob.pk: 1, alice.pk: 2}


def test_player_replaced_by_a_moderator_has_conceded(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    number = game.seats.get(user=bob).number
    perform_action(REPLACE_BY_COMPUTER, game, None, "Gone.", seat=str(number + 1), level="hard", back="no")
    game = finish(game, [9000 if seat.number == number else 5000 for seat in game.seats.all()])
    assert placed(game) == {alice.pk: 1, "easy": 1, bob.pk: 3}


def test_seat_of_a_deleted_account_counts_as_a_bot(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, carol, terms=TERMS)
    number = game.seats.get(user=bob).number
    leave_all_games(bob)
    game = finish(game, [9000 if seat.number == number else 5000 for seat in game.seats.all()])
    assert placed(game) == {"medium": 1, alice.pk: 2, carol.pk: 2}
    assert not Rating.objects.filter(user=bob).exists()


def test_game_without_people_left_does_not_count(start: NewGame, alice: User) -> None:
    game = start(alice, "easy", terms=TERMS)
    leave_all_games(alice)
    assert placed(finish(game, [6000, 5000])) is None


def test_deleted_account_for_which_a_bot_played_before_counts_as_that_bot(
    start: NewGame, alice: User, bob: User
) -> None:
    game = start(alice, bob, "easy", terms=TERMS)
    number = game.seats.get(user=bob).number
    leave_to_bot(game, bob)
    leave_all_games(bob)
    game = finish(game, [9000 if seat.number == number else 5000 for seat in game.seats.all()])
    assert placed(game) == {"medium": 1, alice.pk: 2, "easy": 2}


# -- Bot accounts --------------------------------------------------------------------------------------


def program(owner: User, name: str) -> User:
    user = User.objects.create_user(name, is_bot_account=True)
    BotAccount.objects.create(user=user, owner=owner)
    return user


def test_bot_account_is_rated_and_listed_apart(start: NewGame, alice: User, bob: User) -> None:
    robot = program(bob, "robot")
    won_by(start, robot, alice)
    Rating.objects.update(ranked=True)
    names = []
    for who in ("", "?who=programs"):
        board = Client().get(f"/leaderboard/acquire/{who}").context["board"]
        names.append([line.user.username for line in board.lines])
    assert names == [["alice"], ["robot"]]


def test_bot_account_for_which_a_bot_plays_at_the_end_has_conceded(
    start: NewGame, alice: User, bob: User
) -> None:
    robot = program(bob, "robot")
    game = start(alice, robot, "easy", terms=TERMS)
    leave_to_bot(game, robot)
    game = finish(game, money(game, alice=5000, robot=9000, easy=6000))
    assert placed(game) == {"easy": 1, alice.pk: 2, robot.pk: 3}


def test_bot_account_takes_over_no_seat_and_its_owner_none_beside_it(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    robot, other = program(bob, "robot"), program(carol, "other")
    game = start(alice, carol, robot, terms=TERMS)
    leave_to_bot(game, alice)
    number = game.seats.get(user=alice).number
    for user, refusal in ((other, BotAccountsNotAllowed), (bob, OwnBotAtTable)):
        with pytest.raises(refusal):
            take_over_seat(game_id=game.pk, number=number, user=user)


def test_game_with_an_own_bot_account_or_two_of_one_owner_does_not_count(
    start: NewGame, alice: User, bob: User
) -> None:
    robots = [program(bob, "robot-1"), program(bob, "robot-2")]
    assert placed(finish(start(bob, robots[0], terms=TERMS), [6000, 5000])) is None
    assert placed(finish(start(alice, *robots, terms=TERMS), [6000, 5000, 4000])) is None


def test_bot_account_is_not_asked_about_ending_a_game(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, program(bob, "robot"), "easy", terms=TERMS)
    robot = User.objects.get(username="robot")
    propose_both(game, "none", alice)  # nobody else is asked
    assert placed(game) == {robot.pk: 1, "easy": 1, alice.pk: 3}


# -- Moderation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [MAKE_UNRATED, DELETE])
def test_moderation_of_a_finished_game_undoes_its_ratings(
    start: NewGame, alice: User, bob: User, action: Any
) -> None:
    games = [won_by(start, alice, bob), won_by(start, bob, alice)]
    alone = Rating.objects.get(user=bob, players=2).mu
    perform_action(action, games[0], None, "Two accounts of one person.")
    count_results()
    assert RatingChange.objects.filter(game=games[0]).count() == 0
    rating = Rating.objects.get(user=bob, players=2)
    assert (rating.games, rating.wins) == (1, 1)
    assert rating.mu > alone
    if action is DELETE:
        perform_action(RESTORE, Game.moderated.get(pk=games[0].pk), None, "A mistake.")
        count_results()
        assert Rating.objects.get(user=bob, players=2).mu == alone


def test_banned_and_deleted_players_are_in_no_leaderboard(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    won_by(start, alice, bob, carol)
    Rating.objects.update(ranked=True)

    def listed() -> list[str]:
        page = Client().get("/leaderboard/acquire/")
        return [line.user.username for line in page.context["board"].lines]

    assert listed() == ["alice", "bob", "carol"]
    sanctions.impose(alice, "suspension", reason="Rude.", by=None)
    assert listed() == ["bob", "carol"]
    sanctions.lift(alice, "suspension", reason="Sorry.", by=None)
    assert listed() == ["alice", "bob", "carol"]
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert listed() == ["alice", "carol"]
    assert Rating.objects.filter(user=bob).exists()
