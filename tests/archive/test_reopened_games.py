"""The record of a game that went on after its end: it can be checked, and nothing hidden leaves it early."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.analysis.review_moments import moment_at
from games.archive import game_export
from games.archive.import_errors import ImportFailed
from games.archive.past_position import position_at
from games.archive.replay import check_deal, hidden_after_redeals, redeals, replay
from games.log.positions import redeal_seed
from games.models import Game, LogEntry, Redeal
from games.play.game_view import game_view
from tests.archive.round_trip import check_round_trip, exported, imported
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.reopened_games import Referee, ended, reopened, stored

pytestmark = pytest.mark.django_db

ANYBODY = AnonymousUser()


@pytest.fixture
def running(start: NewGame, alice: User, bob: User) -> Game:
    """A game that ended with entry 25 and runs again from entry 10, with five moves since."""
    game = start(alice, bob, terms={"visibility": "public"}, preset="classic")
    return play_on(reopened(ended(game, 24), 10), 5, seed=3)


@pytest.fixture
def over(running: Game) -> Game:
    """The same game after its second end."""
    return ended(running)


def seeds_of(game: Game) -> set[str]:
    game = stored(game)
    return {bytes(seed).hex() for seed in game.redeals.values_list("seed", flat=True)}


# -- Everybody can check it ----------------------------------------------------------------------------


@pytest.mark.parametrize("people", [2, 3])
def test_referee_follows_a_game_that_was_reopened_twice(
    people: int, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    players = [alice, bob, carol][:people]
    game = start(*players, terms={"visibility": "public"}, preset="classic")
    game = reopened(ended(game, 40), 17)
    game = reopened(ended(game, 30, result=False, seed=2), 60)
    game = play_to_the_end(game, seed=3)
    record = exported(game)
    assert len(record["redeals"]) == 2
    checked = 0
    for number, hidden in Referee(record).positions():
        assert position_at(game.public_id, ANYBODY, number).uncovered == hidden, number
        checked += 1
    assert checked == game.version + 1


def test_referee_finds_a_deal_by_the_known_seed(over: Game) -> None:
    """The twin: a redeal that everybody could have computed."""
    record = exported(over)
    record["redeals"][0]["seed"] = record["seed"]
    with pytest.raises(AssertionError):
        list(Referee(record).positions())


def test_game_is_replayed_with_each_of_its_seeds(over: Game) -> None:
    assert replay(stored(over)).faults == []
    check = check_deal(stored(over))
    assert check.fingerprint and check.log


def test_seed_without_its_hash_is_a_fault(over: Game) -> None:
    Redeal.objects.filter(game=over).update(seed=bytes(32))
    [fault] = replay(stored(over)).faults[:1]
    assert fault == "entry 26: its seed does not have the hash that it tells"
    check = check_deal(stored(over))
    assert not check.fingerprint and not check.log


def test_lost_seed_is_a_fault(over: Game) -> None:
    Redeal.objects.filter(game=over).delete()
    assert replay(stored(over)).faults[0] == "entry 26: its seed is missing"
    assert not check_deal(stored(over)).fingerprint


def test_deal_by_a_seed_that_was_used_before_is_a_fault(over: Game) -> None:
    game = stored(over)
    text = f"moderator goes back to 10 and deals again by {game.seed_hash}"
    LogEntry.objects.filter(game=game, number=26).update(text=text)
    Redeal.objects.filter(game=game).update(seed=game.seed)
    assert replay(game).faults[0] == "entry 26: it deals again from a seed that was used before"


def test_deal_page_shows_each_deal_of_a_finished_game(over: Game, client: Client) -> None:
    page = client.get(reverse("deal-check", args=[over.public_id]), {"check": "1"})
    [one] = redeals(stored(over))
    text = page.content.decode()
    assert "Dealt again with entry 26" in text
    assert one.seed_hash in text and str(one.seed) in text
    assert "Each seed matches the fingerprint shown before." in text
    hands = hidden_after_redeals(stored(over))[26]["hands"]
    assert all(" ".join(hand) in text for hand in hands)


def test_text_export_names_each_seed(over: Game, client: Client) -> None:
    text = client.get(reverse("export-text", args=[over.public_id])).content.decode()
    [one] = redeals(stored(over))
    assert f"Dealt again with entry 26, seed: {one.seed}" in text


# -- The format ----------------------------------------------------------------------------------------


def test_only_a_reopened_game_has_the_second_version(over: Game, start: NewGame, alice: User) -> None:
    record = exported(over)
    assert record["version"] == 2
    [one] = redeals(stored(over))
    assert record["redeals"] == [{"entry": 26, "commitment": one.seed_hash, "seed": one.seed}]
    other = exported(ended(start(alice, "easy", terms={"visibility": "public"}), 6))
    assert other["version"] == 1
    assert "redeals" not in other


def test_reopened_game_survives_round_trip(over: Game, carol: User) -> None:
    again = check_round_trip(over, carol)
    assert exported(again, carol)["redeals"] == exported(over)["redeals"]


def test_file_of_a_reopened_game_is_refused_where_its_seeds_do_not_fit(over: Game, carol: User) -> None:
    record = exported(over)
    one = record["redeals"][0]
    spoiled: list[tuple[Any, str]] = [
        ([], "Log entry 26 is not a valid ruling."),
        ([{**one, "seed": "00" * 32}], "The seed does not match its fingerprint"),
        ([{**one, "seed": "short"}], "“seed” is missing"),
        ([{**one, "entry": "26"}], "“redeals” is missing"),
        ([one, {**one, "entry": 3}], "“redeals” is missing"),
        ("none", "“redeals” is missing"),
    ]
    for seeds, sentence in spoiled:
        with pytest.raises(ImportFailed) as refused:
            imported({**record, "redeals": seeds}, carol)
        assert sentence in refused.value.message
    assert not Game.all_games.filter(imported__isnull=False).exists()


def test_file_that_goes_back_behind_a_deal_without_dealing_is_refused(over: Game, carol: User) -> None:
    record = exported(over)
    ruling = {**record["log"][25], "text": "moderator goes back to 5"}
    log = [*record["log"][:28], {**ruling, "number": 29}]
    with pytest.raises(ImportFailed, match="BACK"):
        imported({**record, "log": log}, carol)


def test_file_that_reopens_without_dealing_is_refused(over: Game, carol: User) -> None:
    record = exported(over)
    for text in ("moderator reopens at 10", "moderator goes back to 10"):
        log = [*record["log"][:25], {**record["log"][25], "text": text}, *record["log"][26:]]
        with pytest.raises(ImportFailed):
            imported({**record, "log": log, "redeals": []}, carol)


# -- While it runs again -------------------------------------------------------------------------------


def test_nothing_public_has_the_new_seed_while_the_game_runs(running: Game, client: Client) -> None:
    [seed] = seeds_of(running)
    public_id = running.public_id
    addresses = [
        *(
            reverse(name, args=[public_id])
            for name in ("game", "log", "deal-check", "export-json", "export-text")
        ),
        reverse("api-game", args=[public_id]),
        *(reverse("past-position", args=[public_id, number]) for number in range(running.version + 1)),
        *(reverse("api-position", args=[public_id, number]) for number in range(running.version + 1)),
    ]
    for address in addresses:
        page = client.get(address)
        assert page.status_code == 200, address
        assert seed not in page.content.decode(), address
        assert bytes(running.seed or b"").hex() not in page.content.decode(), address


def test_export_of_the_running_game_tells_the_hash_alone(running: Game) -> None:
    record = exported(running)
    [one] = redeals(stored(running))
    assert one.seed is None
    assert (record["version"], record["redeals"]) == (2, [{"entry": 26, "commitment": one.seed_hash}])
    assert "seed" not in record and "standings" not in record
    assert record["log"][25]["text"] == f"moderator goes back to 10 and deals again by {one.seed_hash}"


def test_deal_page_of_the_running_game_shows_both_hashes(running: Game, client: Client) -> None:
    text = client.get(reverse("deal-check", args=[running.public_id])).content.decode()
    [one] = redeals(stored(running))
    assert running.seed_hash in text and one.seed_hash in text
    assert "Dealt again with entry 26" in text


def test_past_positions_of_the_running_game_show_a_player_the_own_hand_alone(
    running: Game, alice: User
) -> None:
    seat = running.seats.get(user=alice).number
    for number in range(running.version + 1):
        found = position_at(running.public_id, alice, number)
        assert found.look.seat == seat and found.look.seen.seat == seat
        assert found.uncovered is None
        assert position_at(running.public_id, ANYBODY, number).look.seen.hand is None


def test_hand_after_the_redeal_is_the_new_one(running: Game, alice: User) -> None:
    game = stored(running)
    seat = game.seats.get(user=alice).number
    state = game.rule_system.state_from_json(game.state)
    assert set(position_at(game.public_id, alice, game.version).look.seen.hand) == set(state.hands[seat])
    before = position_at(game.public_id, alice, 10).look.seen.hand
    after = position_at(game.public_id, alice, 26).look.seen.hand
    assert before == position_at(game.public_id, alice, 10).look.seen.hand != after


def test_reader_who_found_the_game_over_gets_no_newer_seed(
    start: NewGame, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row of the game is read before it is reopened, its log after that."""
    game = ended(start(alice, bob, terms={"visibility": "public"}), 20)
    stale = stored(game)
    play_on(reopened(game, 8), 3)
    assert stale.is_finished
    [seed] = seeds_of(game)
    assert redeals(stale) == []
    assert hidden_after_redeals(stale) == {}
    record = game_export.export_game(stale)
    assert seed not in str(record)
    assert len(record["log"]) == stale.version


def test_seed_told_too_early_is_detected(
    running: Game, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def telling(one: Any) -> dict[str, Any]:
        return {
            "entry": one.number,
            "commitment": one.seed_hash,
            "seed": redeal_seed(running, one.number).hex(),
        }

    monkeypatch.setattr(game_export, "_redeal", telling)
    with pytest.raises(AssertionError):
        test_nothing_public_has_the_new_seed_while_the_game_runs(running, client)


def test_decision_dealt_again_is_asked_with_its_new_hand(start: NewGame, alice: User, bob: User) -> None:
    game = ended(start(alice, bob, terms={"visibility": "public"}), 12)
    game = stored(ended(reopened(game, 0), 8, seed=5))
    look = game_view(game.public_id, ANYBODY)
    assert look is not None
    move = next(entry for entry in look.entries if entry.number > 14 and entry.kind == "move")
    player = game.seats.get(number=move.seat).user
    then = position_at(game.public_id, player, move.number - 1).look.seen
    assert moment_at(look, move.number).asked.hand == then.hand
