"""Ratings of team games: a kind of their own, by team."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import OVERALL, TEAM_GAMES, Game, GameOutcome, OpeningTally, Rating, Record, Result
from games.play.seats.end_votes import propose_end, vote_on_end
from games.ratings.leaderboards import changes_by, has_team_games, rated_among
from games.ratings.player_profile import results_of
from games.ratings.rating_history import recount
from games.ratings.result_queue import count_results
from games.ratings.skill_model import NEW_PLAYER, after_game
from tests.support.finished_games import finish, won_by
from tests.support.games import NewGame, leave_to_bot

pytestmark = pytest.mark.django_db

TEAMS = {"teams": "two", "seating": "joining"}
RATED = {"rated": True, "visibility": "public"}


@pytest.fixture
def people(alice: User, bob: User, carol: User) -> list[User]:
    return [alice, bob, carol, User.objects.create_user("dora")]


@pytest.fixture
def game(start: NewGame, people: list[User]) -> Game:
    """Alice and carol beat bob, the richest player, and dora."""
    game = finish(start(*people, **TEAMS, terms=RATED), [7000, 9000, 6000, 1000])
    count_results()
    return game


def ratings(user: User) -> dict[int, float]:
    return dict(Rating.objects.filter(user=user).values_list("players", "mu"))


def test_team_game_counts_for_team_games_alone(game: Game, people: list[User]) -> None:
    for user in people:
        assert set(ratings(user)) == {TEAM_GAMES}
    assert set(Rating.objects.values_list("month", flat=True)) == {""}


def test_partners_rise_and_fall_together(game: Game, people: list[User]) -> None:
    alice, bob, carol, dora = (ratings(user)[TEAM_GAMES] for user in people)
    assert alice == carol > NEW_PLAYER.mu > bob == dora
    assert GameOutcome.objects.get(game=game).teams == [[0, 2], [1, 3]]
    assert dict(Result.objects.values_list("user__username", "rank")) == {
        "alice": 1, "bob": 2, "carol": 1, "dora": 2,
    }  # fmt: skip


def test_other_games_leave_the_rating_for_team_games_alone(
    start: NewGame, game: Game, people: list[User]
) -> None:
    before = {user.username: ratings(user) for user in people}
    won_by(start, people[1], people[0])
    assert ratings(people[0])[TEAM_GAMES] == before["alice"][TEAM_GAMES]
    assert {OVERALL, 2, TEAM_GAMES} == set(ratings(people[0]))
    assert ratings(people[0])[OVERALL] < NEW_PLAYER.mu < ratings(people[0])[TEAM_GAMES]
    overall = {user.pk: ratings(user).get(OVERALL) for user in people}
    recount("acquire")
    assert {user.pk: ratings(user).get(OVERALL) for user in people} == overall
    assert ratings(people[0])[TEAM_GAMES] == before["alice"][TEAM_GAMES]


def test_equal_sums_change_nothing_between_equal_teams(start: NewGame, people: list[User]) -> None:
    finish(start(*people, **TEAMS, terms=RATED), [7000, 9000, 6000, 4000])
    count_results()
    assert [ratings(user)[TEAM_GAMES] for user in people] == pytest.approx([NEW_PLAYER.mu] * 4)


def test_profile_gives_the_place_among_teams_and_the_number_of_players(
    game: Game, people: list[User]
) -> None:
    [result] = results_of(people[1]).results
    assert (result.rank, result.places, result.players) == (2, 2, 4)
    page = Client().get(reverse("player", args=["bob"])).content.decode()
    assert "2 of 2" in page


@pytest.mark.parametrize("kind", ["standings", "none"])
def test_partners_who_end_a_game_without_a_say_of_others_have_conceded_it(
    start: NewGame, people: list[User], kind: str
) -> None:
    alice, _, carol, _ = people
    game = start(alice, "random", carol, "random", **TEAMS, terms=RATED)
    propose_end(game_id=game.pk, by=alice, kind=kind)
    vote_on_end(game_id=game.pk, by=carol, kind=kind, yes=True)
    count_results()
    assert ratings(alice)[TEAM_GAMES] == ratings(carol)[TEAM_GAMES] < NEW_PLAYER.mu


def test_end_that_both_teams_agreed_to_counts_by_the_standings(start: NewGame, people: list[User]) -> None:
    game = start(*people, **TEAMS, terms=RATED)
    propose_end(game_id=game.pk, by=people[0], kind="standings")
    for user in people[1:]:
        vote_on_end(game_id=game.pk, by=user, kind="standings", yes=True)
    count_results()
    assert [ratings(user)[TEAM_GAMES] for user in people] == pytest.approx([NEW_PLAYER.mu] * 4)


def test_team_game_has_no_records_and_no_openings(game: Game) -> None:
    assert not Record.objects.exists()
    assert not OpeningTally.objects.exists()


def test_changes_by_a_team_game_are_those_of_team_games(game: Game, people: list[User]) -> None:
    found = {one.user_id: one for one in changes_by(game)}
    assert set(found) == {user.pk for user in people}
    assert [found[user.pk].tied for user in people] == [False] * 4
    assert set(rated_among("acquire", found)) == set()
    assert set(rated_among("acquire", found, TEAM_GAMES)) == set(found)


def test_strong_partner_takes_less_of_the_credit_than_two_players_alone() -> None:
    """A game of teams is not six games of pairs: nobody is rated against the partner."""
    places = [(1, 1), (2, 2), (3, 1), (4, 2)]
    together, alone = (
        after_game("acquire", TEAM_GAMES, places, {}, teams) for teams in ([[0, 2], [1, 3]], ())
    )
    assert together[1].mu == together[3].mu and together[2].mu == together[4].mu
    assert together[1].mu < alone[1].mu
    assert together[1].wins == together[3].wins == 1


def test_pages_show_team_games_only_where_there_are_some(start: NewGame, people: list[User]) -> None:
    def said(address: str) -> str:
        return Client().get(address).content.decode()

    board = reverse("leaderboard-of", args=["acquire"])
    won_by(start, people[0], people[1])
    assert not has_team_games("acquire")
    assert "Team games" not in said(board)
    assert "Team games" not in said(reverse("player", args=["alice"]))
    finish(start(*people, **TEAMS, terms=RATED), [7000, 9000, 6000, 1000])
    count_results()
    assert has_team_games("acquire")
    assert "Team games" in said(board)
    assert "Team games" in said(reverse("player", args=["carol"]))
    assert Client().get(f"{board}?players={TEAM_GAMES}").status_code == 200
    history = reverse("rating-history", args=["carol", "acquire"])
    assert "won" in said(f"{history}?players={TEAM_GAMES}")


def test_player_who_left_a_team_has_its_place(start: NewGame, people: list[User]) -> None:
    game = start(*people, **TEAMS, terms=RATED)
    leave_to_bot(game, people[0])
    finish(game, [7000, 9000, 6000, 1000])
    count_results()
    assert GameOutcome.objects.get(game=game).places == [
        [user.pk, rank] for user, rank in zip(people, (1, 2, 1, 2), strict=True)
    ]
    assert GameOutcome.objects.get(game=game).losses == {}


def test_team_that_everybody_left_ranks_last(start: NewGame, people: list[User]) -> None:
    game = start(*people, **TEAMS, terms=RATED)
    for user in (people[0], people[2]):
        leave_to_bot(game, user)
    finish(game, [7000, 9000, 6000, 1000])
    count_results()
    assert [rank for _who, rank in GameOutcome.objects.get(game=game).places] == [2, 1, 2, 1]
    assert set(GameOutcome.objects.get(game=game).losses.values()) == {"bot played"}


def test_player_who_leaves_a_computer_partner_ranks_last(start: NewGame, people: list[User]) -> None:
    alice, bob, _, dora = people
    game = start(alice, bob, "random", dora, **TEAMS, terms=RATED)
    leave_to_bot(game, alice)
    finish(game, [7000, 9000, 6000, 1000])
    count_results()
    assert [rank for _who, rank in GameOutcome.objects.get(game=game).places] == [2, 1, 2, 1]
    assert GameOutcome.objects.get(game=game).losses == {str(alice.pk): "bot played"}
