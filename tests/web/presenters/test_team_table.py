"""Team games at the table, at their end, in lists, documents and reviews."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.analysis.review_figures import final_shares
from games.archive.game_export import export_game, prefetch_for_export
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.teams import ranking
from games.log.standings import TeamPlace, team_places
from games.models import Game
from games.play.game_view import game_view
from games.web.lobby.game_cards import cards
from games.web.presenters.acquire.headline import headline, result
from games.web.presenters.acquire.mail_view import mail_context
from games.web.presenters.acquire.stock_panel import stocks
from games.web.presenters.podium import podium
from games.web.presenters.table_people import Person, TablePeople, money, people
from tests.engine.rules.acquire.acquire_positions import play, position
from tests.support.clients import client_of
from tests.support.finished_games import finish
from tests.support.games import NewGame

TEAMS = {"teams": "two", "seating": "joining"}
NAMES = ("Ann", "Bob", "Cyd", "Dan")


def seated(reader: int | None = None, teams: int = 2) -> TablePeople:
    names = NAMES if teams == 2 else (*NAMES, "Eve", "Fay")
    return people([Person(name, team=seat % teams) for seat, name in enumerate(names)], reader)


def seen(
    cash: list[int], reader: int | None = None, teams: str = "two", over: bool = True
) -> acquire.Observation:
    state = position(
        {"tower": "1A-12A"},
        rules=f"avalon-hill teams={teams}",
        hands=[""] * len(cash),
        cash=cash,
        decision="buy 0",
    )
    if over:
        play(state, "buy nothing and end")
    return acquire.observe(state, reader)


@pytest.mark.parametrize(
    ("reader", "sentence"),
    [
        (0, "Your team won by $1,000"),
        (2, "Your team won by $1,000"),
        (1, "Your team is second, $1,000 behind"),
        (None, "Team 1 (Ann and Cyd) won with $13,000"),
    ],
)
def test_end_is_told_by_team(reader: int | None, sentence: str) -> None:
    cash = [7000, 9000, 6000, 3000]
    assert result(seen(cash, reader), seated(reader)) == sentence


def test_shared_win_names_both_teams() -> None:
    told = headline(seen([7000, 9000, 6000, 4000]), seated())
    assert told == "Team 1 (Ann and Cyd) and Team 2 (Bob and Dan) shared the win with $13,000 each"


def test_third_team_is_told_its_distance() -> None:
    cash = [1000, 2000, 3000, 9000, 9500, 0]
    assert result(seen(cash, 5, "three"), seated(5, 3)) == "Your team is third, $8,500 behind"


def test_podium_has_the_teams_with_their_sums() -> None:
    places = ranking(Rules(teams="two"), [7000, 9000, 6000, 3000])
    steps = podium(places, seated(3), money)
    assert [(step.rank, step.name, step.score, step.me) for step in steps] == [
        (1, "Team 1: Ann and Cyd", "$13,000", False),
        (2, "Team 2: Bob and Dan", "$12,000", True),
    ]


def test_team_places_of_a_game_without_result_are_empty() -> None:
    assert team_places([], ((0, 2), (1, 3))) == []
    assert team_places([(1, 0, 5), (1, 2, 4), (2, 1, 8), (2, 3, 0)], ((0, 2), (1, 3))) == [
        TeamPlace(1, 0, 9),
        TeamPlace(2, 1, 8),
    ]


def test_panel_marks_partners_and_sums_the_teams() -> None:
    shown = stocks(seen([7000, 9000, 6000, 3000], 1, over=False), seated(1))
    assert [seat.team for seat in shown.seats] == ["1", "2", "1", "2"]
    assert [(team.name, team.worth, team.me, team.leads) for team in shown.teams] == [
        ("Team 1: Ann and Cyd", "$13,000", False, True),
        ("Team 2: Bob and Dan", "$12,000", True, False),
    ]


def test_panel_hides_the_sums_with_the_money_even_from_partners() -> None:
    state = position(
        rules="avalon-hill teams=two holdings=hidden", hands=[""] * 4, cash=[7000, 9000, 6000, 3000]
    )
    shown = stocks(acquire.observe(state, 0), seated(0))
    assert [team.worth for team in shown.teams] == ["", ""]
    assert [seat.cash for seat in shown.seats] == ["$7,000", "", "", ""]


def test_panel_of_a_game_without_teams_has_none() -> None:
    shown = stocks(seen([7000, 9000], over=False, teams="none"), people([Person("Ann"), Person("Bob")]))
    assert shown.teams == ()
    assert {seat.team for seat in shown.seats} == {""}


def test_mail_about_the_end_lists_partners_with_their_team() -> None:
    told = mail_context(seen([7000, 9000, 6000, 3000], 1), seated(1), ())
    assert told["headline"] == "Team 1 (Ann and Cyd) won with $13,000"
    assert [(line.rank, line.name) for line in told["standings"]] == [
        (1, "Ann (Team 1)"), (1, "Cyd (Team 1)"), (2, "you (Team 2)"), (2, "Dan (Team 2)"),
    ]  # fmt: skip


@pytest.fixture
def players(alice: User, bob: User, carol: User) -> list[User]:
    return [alice, bob, carol, User.objects.create_user("dora")]


@pytest.mark.django_db
class TestStoredGames:
    def text(self, client: Client, address: str) -> str:
        page = client.get(address)
        assert page.status_code == 200
        return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())

    def test_running_table_shows_the_teams(self, start: NewGame, players: list[User]) -> None:
        game = start(*players, **TEAMS)
        said = self.text(client_of(players[0]), game.get_absolute_url())
        assert "Team 1: you and carol" in said or "Team 1: alice and carol" in said
        assert "Team 2: bob and dora" in said
        [card] = cards([Game.objects.prefetch_related("seats__user").get(pk=game.pk)], players[0])
        assert card.places[0].name.endswith("(Team 1)")

    def test_mark_of_a_team_stands_beside_the_amount_that_a_replay_repaints(
        self, start: NewGame, players: list[User]
    ) -> None:
        game = start(*players, **TEAMS)
        page = client_of(players[0]).get(game.get_absolute_url()).content.decode()
        assert re.findall(r'<span class="cash">([^<]*)</span>', page) == ["$6,000"] * 4
        assert len(re.findall(r'<span class="purse">.*?<small class="team">', page, re.DOTALL)) == 4

    def test_finished_table_says_which_team_won(self, start: NewGame, players: list[User]) -> None:
        game = finish(start(*players, **TEAMS), [7000, 9000, 6000, 1000])
        said = self.text(client_of(players[1]), game.get_absolute_url())
        assert "Your team is second, $3,000 behind" in said
        assert "Team 1: alice and carol" in said
        [card] = cards([Game.objects.prefetch_related("seats__user").get(pk=game.pk)], players[1])
        assert card.lead == "Team 1 leads"

    def test_documents_tell_the_teams_and_their_places(self, start: NewGame, players: list[User]) -> None:
        game = finish(start(*players, **TEAMS), [7000, 9000, 6000, 1000])
        record = export_game(prefetch_for_export(Game.objects.filter(pk=game.pk)).get())
        assert record["rules"]["options"]["teams"] == "two"
        assert [(one["rank"], one["seat"]) for one in record["standings"]] == [(1, 0), (1, 2), (2, 1), (2, 3)]
        text = client_of(players[0]).get(reverse("export-text", args=[game.public_id])).content.decode()
        assert "1. carol (Team 1), $6,000" in text
        json.dumps(record)

    def test_review_divides_the_win_between_teams(self, start: NewGame, players: list[User]) -> None:
        game = finish(start(*players, **TEAMS), [7000, 9000, 6000, 1000])
        look = game_view(game.public_id, players[0])
        assert look is not None
        assert final_shares(look) == [1.0, 0.0]
