"""Teams before the start: joining one, changing it, and who plays with whom in the end."""

import pytest

from accounts.models import User
from games.lobby.game_start import start_as_host
from games.lobby.invite import invite
from games.lobby.join_game import change_team, join, leave
from games.lobby.rematch import start_rematch
from games.models import Game
from games.refusals import GameNotOpen, NoSuchTeam, NotSeated, TeamFull, TooFewPlayers
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db

FULL = Game.Start.FULL
TWO, THREE = {"teams": "two"}, {"teams": "three"}


def teams_of(game: Game) -> list[set[str]]:
    """The names in each team, levels for bots."""
    names = {
        seat.number: seat.user.username if seat.user else seat.bot_level
        for seat in game.seats.select_related("user")
    }
    return [{names[seat] for seat in team if seat in names} for team in game.teams]


@pytest.mark.parametrize(
    ("options", "least", "most", "sentence"),
    [
        (TWO, 3, 3, "for 4 or 6 players"),
        (TWO, 2, 4, "all 4 players"),
        (TWO, 5, 5, "for 4 or 6 players"),
        (THREE, 4, 4, "for 6 players"),
        ({"teams": "four"}, 4, 4, "teams is one of"),
    ],
)
def test_teams_need_their_number_of_players(
    create: NewGame, alice: User, options: dict[str, str], least: int, most: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        create(alice, options=options, least=least, most=most)


def test_players_take_turns_in_the_teams_unless_they_choose(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = create(alice, options=TWO, least=4, most=4)
    join(game_id=game.pk, user=bob)
    assert teams_of(game) == [{"alice"}, {"bob"}]
    join(game_id=game.pk, user=carol, team=1)
    assert teams_of(game) == [{"alice"}, {"bob", "carol"}]


def test_full_and_unknown_teams_are_refused(create: NewGame, alice: User, bob: User, carol: User) -> None:
    game = create(alice, options=TWO, least=4, most=4, computers={2: "random"})
    for refusal, team in ((TeamFull, 0), (NoSuchTeam, 2), (NoSuchTeam, -1)):
        with pytest.raises(refusal):
            join(game_id=game.pk, user=bob, team=team)
    assert not game.seats.filter(user=bob).exists()
    join(game_id=game.pk, user=bob)
    with pytest.raises(TeamFull):
        change_team(game_id=game.pk, user=bob, team=0)
    with pytest.raises(NoSuchTeam):
        change_team(game_id=game.pk, user=bob, team=7)
    with pytest.raises(NotSeated):
        change_team(game_id=game.pk, user=carol, team=1)
    assert teams_of(game) == [{"alice", "random"}, {"bob"}]


def test_game_without_teams_knows_no_team(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, least=4, most=4)
    with pytest.raises(NoSuchTeam):
        join(game_id=game.pk, user=bob, team=0)


def test_player_changes_the_team_and_keeps_the_others_where_they_are(
    create: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = create(alice, options=TWO, least=4, most=4)
    join(game_id=game.pk, user=bob)
    change_team(game_id=game.pk, user=bob, team=0)
    assert teams_of(game) == [{"alice", "bob"}, set()]
    change_team(game_id=game.pk, user=bob, team=0)
    join(game_id=game.pk, user=carol)
    assert teams_of(game) == [{"alice", "bob"}, {"carol"}]
    leave(game_id=game.pk, user=alice)
    game.refresh_from_db()
    assert teams_of(game) == [{"bob"}, {"carol"}]
    # Bob has waited longest, although his seat has the higher number.
    assert game.host == bob


def test_running_game_keeps_its_teams(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, options=TWO, least=4, most=4, computers={2: "random", 3: "random"}, start=FULL)
    join(game_id=game.pk, user=bob)
    with pytest.raises(GameNotOpen):
        change_team(game_id=game.pk, user=bob, team=0)


@pytest.mark.parametrize("attempt", range(8))
def test_deal_keeps_partners_together(
    create: NewGame, alice: User, bob: User, carol: User, attempt: int
) -> None:
    dave = User.objects.create_user("dave")
    game = create(alice, options=TWO, least=4, most=4, start=Game.Start.HOST)
    join(game_id=game.pk, user=dave, team=0)
    join(game_id=game.pk, user=bob, team=1)
    join(game_id=game.pk, user=carol, team=1)
    game = start_as_host(game_id=game.pk, by=alice)
    assert game.is_running
    assert sorted(map(sorted, teams_of(game))) == [["alice", "dave"], ["bob", "carol"]]


def test_bots_fill_the_teams(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, options=THREE, least=3, most=6, computers={3: "easy"}, fill="random")
    with pytest.raises(TooFewPlayers):
        start_as_host(game_id=game.pk, by=alice)
    join(game_id=game.pk, user=bob, team=2)
    game = start_as_host(game_id=game.pk, by=alice)
    assert sorted(map(sorted, teams_of(game))) == [["alice", "easy"], ["bob", "random"], ["random"]]


def test_rematch_keeps_the_bots_in_their_teams(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, options=TWO, least=4, most=4, computers={2: "easy", 3: "random"}, start=FULL)
    join(game_id=game.pk, user=bob)
    play_to_the_end(game)
    again = start_rematch(game_id=game.pk, by=bob)
    assert again.options == game.options
    assert teams_of(again) == [{"bob", "random"}, {"easy"}]
    assert again.invitations.get().user == alice


def test_invited_player_chooses_a_team(create: NewGame, alice: User, bob: User) -> None:
    game = create(alice, options=TWO, least=4, most=4, visibility=Game.Visibility.INVITED)
    invite(game_id=game.pk, user=bob, by=alice)
    join(game_id=game.pk, user=bob, team=0)
    assert teams_of(game) == [{"alice", "bob"}, set()]
