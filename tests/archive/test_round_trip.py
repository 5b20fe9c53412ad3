"""Export and import give the same game, whatever happened in it."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.archive.game_import import forget_imported
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.game_start import start_game
from games.models import Game
from games.play.seats.concession import concede
from games.play.seats.end_votes import propose_end, vote_on_end
from games.play.seats.substitutes import take_over_seat
from tests.archive.round_trip import check_round_trip, exported, imported
from tests.moderation.actions.conftest import act
from tests.support.games import NewGame, make_room, play_on, play_to_the_end
from tests.support.proof import WITH_ONE_FIXTURE, examples
from tests.support.random_moderation import anything
from tests.support.random_play import Chance, kinds, play_anything

pytestmark = [pytest.mark.django_db, pytest.mark.long]

EVERY_PRESET = [(system, preset) for system, rules in SYSTEMS.items() for preset in rules.PRESETS]


@settings(max_examples=examples(3, 10), suppress_health_check=WITH_ONE_FIXTURE)
@given(
    played=st.sampled_from(EVERY_PRESET),
    seats=st.integers(2, 4),
    seed=st.integers(0, 1 << 30),
    moves=st.sampled_from([0, 7, 40, 120, 10_000]),
    ending=st.sampled_from(["standings", "none"]),
    skips=st.booleans(),
)
def test_any_game_survives_round_trip(
    alice: User,
    bob: User,
    played: tuple[str, str],
    seats: int,
    seed: int,
    moves: int,
    ending: str,
    skips: bool,
) -> None:
    system, preset = played
    make_room(alice)
    options = {"holdings": "hidden"} if system == "acquire" and seed % 2 else {}
    players = [alice, *["random"] * (seats - 1)]
    game = start_game(
        system=system, preset=preset, host=alice, players=players, options=options, skips=skips,  # type: ignore[arg-type]
        visibility="public",
    )  # fmt: skip
    game = play_on(game, moves, seed)
    if game.is_running:
        propose_end(game_id=game.pk, by=alice, kind=ending)
        game = Game.with_secrets.get(pk=game.pk)
    assert game.is_finished
    again = check_round_trip(game, bob)
    forget_imported(game=again, by=bob)


def test_game_with_all_player_actions_survives_round_trip(
    clock: Any, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    """Orders, plans, takebacks, replaced seats, votes and concessions."""
    outsiders = [User.objects.create_user(name) for name in ("dave", "erin")]
    happened: set[str] = set()
    for number, preset in enumerate(["avalon-hill", "classic"]):
        chance = Chance(preset, [alice, bob, carol], outsiders, clock)
        terms = {"skips": bool(number), "pace": 86400, "overrun": ["take", "vote"][number]}
        game = play_anything(start(alice, bob, carol, preset=preset, terms=terms), chance)
        check_round_trip(game, alice)
        happened |= kinds(game)
    assert {"back", "grace", "plan"} <= happened, happened


@pytest.mark.parametrize("name", ["end-with-standings", "end-without-result"])
def test_moderated_game_survives_round_trip(
    name: str, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    User.objects.create_user("dora")
    rng = Random(name)
    game = start(alice, bob, "easy", terms={"pace": 3600, "visibility": "public", "rated": True})
    for _ in range(30):
        anything(game, rng)
    if Game.all_games.get(pk=game.pk).deleted:
        act("restore", game)
    if Game.all_games.get(pk=game.pk).is_running:
        act(name, game)
    if Game.all_games.get(pk=game.pk).rated:
        act("make-unrated", game)
    check_round_trip(Game.with_secrets.get(pk=game.pk), carol)


def test_conceded_game_survives_round_trip(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = play_on(start(alice, bob, carol), 30)
    concede(game_id=game.pk, by=carol)
    game = play_on(game, 20)
    concede(game_id=game.pk, by=alice)
    again = check_round_trip(Game.with_secrets.get(pk=game.pk), bob)
    assert again.ending == "conceded"


def test_game_that_ended_unrated_survives_round_trip(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = play_on(start(alice, bob, "easy", terms={"rated": True}), 30)
    concede(game_id=game.pk, by=bob)
    propose_end(game_id=game.pk, by=alice, kind="unrated")
    again = check_round_trip(Game.with_secrets.get(pk=game.pk), carol)
    assert again.ending == "unrated"
    assert exported(again, carol)["standings"]


def test_second_round_trip_keeps_log(start: NewGame, alice: User, bob: User) -> None:
    record = exported(play_to_the_end(start(alice, "random")))
    first = imported(record, bob)
    second = imported(exported(first, bob), bob)
    assert exported(second, bob)["log"] == record["log"]


# -- Names of players ------------------------------------------------------------------------------------


def test_imported_names_are_not_members(
    start: NewGame, alice: User, bob: User, carol: User, client: Client
) -> None:
    """A name can be a number that is the key of a member here."""
    User.objects.filter(pk=alice.pk).update(username=str(10**6 + carol.pk))
    game = play_on(start(alice, bob, terms={"pace": 60, "overrun": "take"}), 20)
    seat = game.seats.get(user=alice)
    game.seats.filter(pk=seat.pk).update(bot_level="medium", replaced_at=game.last_change_at)
    take_over_seat(game_id=game.pk, number=seat.number, user=carol)
    propose_end(game_id=game.pk, by=bob, kind="none")
    vote_on_end(game_id=game.pk, by=carol, kind="none", yes=True)
    record = exported(game)
    said = f"seat {seat.number} to carol from {10**6 + carol.pk}"
    assert said in [entry["text"] for entry in record["log"]]
    # On another site that number can be a member's key.
    dave = User.objects.create_user("dave", pk=10**6 + carol.pk)
    again = imported(record, dave)
    client.force_login(dave)
    page = client.get(reverse("log", args=[again.public_id])).content.decode()
    assert "dave" not in page.partition("<main")[2]
    assert f"took over from {10**6 + carol.pk}" in page
    moment = client.get(reverse("review-moment", args=[again.public_id, game.version - 3]))
    page = moment.content.decode()
    assert 'class="review-stage"' in page
    assert "dave" not in page.partition("<main")[2]


def test_imported_game_has_no_members(start: NewGame, alice: User, bob: User) -> None:
    again = check_round_trip(play_to_the_end(start(alice, bob)), bob)
    assert not again.seats.exclude(user=None).exists()
    assert not again.moves.exclude(user=None).exists()
    assert sorted(again.seats.values_list("nickname", flat=True)) == ["alice", "bob"]
