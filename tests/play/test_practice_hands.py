"""Pages of a practice table do not depend on hands that are covered."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.play.seats import practice_hands
from tests.support.hidden_state import Viewer, permuted, stored
from tests.support.practice_tables import (
    decide,
    device_of,
    fresh,
    open_hand,
    play_until,
    practise,
    who_decides,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def table(alice: User) -> Game:
    return practise(alice, "random", skips=True)


def sent(viewer: Viewer, game: Game, *, everywhere: bool) -> list[Any]:
    """Everything that the device is sent about the table."""
    public_id, next_entry = game.public_id, game.version + 1
    answers = [viewer.is_sent(reverse("table", args=[public_id]))]
    if everywhere:
        pages = [
            reverse(name, args=[public_id]) for name in ("game", "log", "deal-check", "game-rules", "ending")
        ]
        pages += [reverse("home"), reverse("advice", args=[public_id, next_entry])]
        pages += [reverse("confirm-ending", args=[public_id, "standings"])]
        answers += [viewer.is_sent(address) for address in pages]
        # Refused in the same words, whatever is in the hand.
        for tile in ("1A", "6E", "12I"):
            move = reverse("move", args=[public_id, next_entry])
            answers.append(viewer.is_sent(move, kind="place", tile=tile))
        answers.append(viewer.is_sent(reverse("move", args=[public_id, next_entry]), move="redraw"))
        answers.append(
            viewer.is_sent(reverse("take-back", args=[public_id, next_entry]), to=str(game.version))
        )
        answers.append(viewer.is_sent(reverse("hand", args=[public_id]), seat="9"))
    return answers


def check_independence_of_hidden_tiles(viewer: Viewer, game: Game, rng: Random, *, everywhere: bool) -> None:
    state = fresh(game).state
    before = sent(viewer, game, everywhere=everywhere)
    with stored(game, permuted(state, viewer.seat, rng)):
        after = sent(viewer, game, everywhere=everywhere)
    for one, other in zip(before, after, strict=True):
        assert one == other, f"at version {game.version}, with the hand of {viewer.seat} open"


def follow_a_whole_game(game: Game, device: Client) -> set[str]:
    """Compare while all hands are covered, open the decider's hand, and compare again."""
    rng, kinds, asked = Random(1), set(), None
    while (game := fresh(game)).seat_to_move is not None:
        everywhere = game.decision_kind not in kinds or game.version % 40 == 0
        if game.bot_due_at is not None:
            check_independence_of_hidden_tiles(Viewer("all", device, None), game, rng, everywhere=everywhere)
            game = decide(game)
            continue
        if asked != game.seat_to_move:
            check_independence_of_hidden_tiles(Viewer("all", device, None), game, rng, everywhere=everywhere)
            assert open_hand(device, game).status_code == 302
            asked = game.seat_to_move
        opened = Viewer(who_decides(game).name, device, game.seat_to_move)
        page = device.get(game.get_absolute_url())
        assert {tile.name for tile in page.context["hand"]} == set(fresh(game).state["hands"][asked].split())
        check_independence_of_hidden_tiles(opened, game, rng, everywhere=False)
        kinds.add(game.decision_kind)
        game = decide(game)
    return kinds


def test_pages_of_a_whole_game_do_not_depend_on_covered_hands(table: Game, alice: User) -> None:
    assert follow_a_whole_game(table, device_of(alice)) >= {"place", "found", "buy", "dispose"}


def test_hand_that_is_not_covered_again_is_detected(
    table: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: after one hand was opened, every decider's hand is open."""

    def hand_of_the_decider(game: Game, seats: Any, user: Any, opened: Any = None, **how: Any) -> Any:
        mine = [seat for seat in seats if seat.owner_id == user.pk]
        return next((seat for seat in mine if opened and seat.number == game.seat_to_move), None)

    monkeypatch.setattr(practice_hands, "acting_seat", hand_of_the_decider)
    with pytest.raises(AssertionError, match="at version"):
        follow_a_whole_game(table, device_of(alice))


def test_hand_left_open_during_the_decision_of_another_is_detected(
    table: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: an opened hand stays open whoever decides."""

    def hand_once_opened(game: Game, seats: Any, user: Any, opened: Any = None, **how: Any) -> Any:
        return seats[opened.seat] if opened else None

    monkeypatch.setattr(practice_hands, "acting_seat", hand_once_opened)
    with pytest.raises(AssertionError, match="at version"):
        follow_a_whole_game(table, device_of(alice))


def test_hand_open_again_on_its_next_turn_is_detected(
    table: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: decisions since the opening are ignored."""
    monkeypatch.setattr(practice_hands, "_others_decided", lambda *facts: False)
    game, device = play_until(table, lambda game: game.bot_due_at is None), device_of(alice)
    open_hand(device, game)
    seat = game.seat_to_move
    game = play_until(game, lambda game: game.seat_to_move != seat)
    game = play_until(game, lambda game: game.seat_to_move == seat)
    with pytest.raises(AssertionError, match="at version"):
        check_independence_of_hidden_tiles(Viewer("all", device, None), game, Random(1), everywhere=False)
