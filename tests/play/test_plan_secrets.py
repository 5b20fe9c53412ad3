"""Planned turns are private: they change no byte that others are sent."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from accounts.models import User
from games.engine.owner_must_decide import OwnerMustDecide
from games.models import Game, LogEntry, PlannedTurn
from games.play import game_ticks
from games.play.automation import plan_view
from games.play.automation.planned_turns import withdraw_plan
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.games import NewGame, put
from tests.support.hidden_state import Viewer, addresses
from tests.support.planned_turns import board, plan_of, play, who

pytestmark = pytest.mark.django_db

WHOLE = {"found": ["found tower"], "buy": ["buy 2 tower"]}


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    """A game in which seat 0 places a tile next, seat 1 plans, and a bot has seat 2."""
    game = start(alice, bob, "random")
    computer, last = game.seats.get(user=None), game.seats.get(number=2)
    for number, seat in ((9, computer), (computer.number, last), (2, computer)):
        seat.number = number
        seat.save()
    state = position({"lone": "4A"}, hands=("1I 2I 6A", "5A 9I", "1C 2C"), turn=0)
    return put(game, state)


def sent_to(viewer: Viewer, game: Game) -> list[Any]:
    """Every viewer's pages of the game, and answers to refused forms."""
    answers = [
        viewer.is_sent(address) for address in (*addresses(game), reverse("table", args=[game.public_id]))
    ]
    number = game.version + 1
    for name, arguments in (("move", [game.public_id, number]), ("turn", [game.public_id, number])):
        answers.append(viewer.is_sent(reverse(name, args=arguments), move="next tower", tile="12I"))
    return answers


def check_only_the_owner_notices(game: Game, watching: list[Viewer], change: Callable[[], Any]) -> None:
    """Check that the change affects what seat 1 is sent, and nobody else."""
    before = {viewer.name: sent_to(viewer, game) for viewer in watching}
    change()
    for viewer in watching:
        same = sent_to(viewer, game) == before[viewer.name]
        assert same == (viewer.seat != 1), viewer.name


def test_plan_is_visible_to_its_owner_only(game: Game, viewers: Callable[[Game], list[Viewer]]) -> None:
    check_only_the_owner_notices(game, viewers(game), lambda: plan_of(game, 1, tile="5A", answers=WHOLE))


def test_stopped_plan_is_visible_to_its_owner_only(
    game: Game, viewers: Callable[[Game], list[Viewer]]
) -> None:
    plan_of(game, 1, tile="5A", answers=WHOLE)
    watching = viewers(game)
    check_only_the_owner_notices(
        game, watching, lambda: PlannedTurn.objects.get().stop(OwnerMustDecide("stuck"))
    )


def test_origin_of_a_planned_move_is_visible_to_its_owner_until_the_end(
    game: Game, viewers: Callable[[Game], list[Viewer]]
) -> None:
    plan_of(game, 1, tile="5A", board=board(game), answers=WHOLE)
    game = play(game, "place 1I", "buy nothing")
    planned = LogEntry.objects.filter(game=game, origin=LogEntry.Origin.PLAN)
    assert planned.count() == 3
    check_only_the_owner_notices(game, viewers(game), lambda: planned.update(origin=""))


def test_plan_shown_to_others_is_detected(
    game: Game, viewers: Callable[[Game], list[Viewer]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: a view that returns anybody's plan."""

    def anybody_s(look: Any) -> Any:
        plan = PlannedTurn.objects.filter(game=look.game).first()
        return plan and plan.shown()

    monkeypatch.setattr(plan_view, "planned", anybody_s)
    with pytest.raises(AssertionError):
        check_only_the_owner_notices(game, viewers(game), lambda: plan_of(game, 1, tile="5A", answers=WHOLE))


def test_admin_has_no_page_of_plans() -> None:
    model = apps.get_model("games", "plannedturn")
    assert not admin.site.is_registered(model)
    inlines = [inline.model for options in admin.site._registry.values() for inline in options.inlines]
    assert model not in inlines


def test_keeping_a_plan_sends_no_tick(
    game: Game, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(game_ticks, "send_update", lambda *what, **more: sent.append(what))
    with django_capture_on_commit_callbacks(execute=True):
        plan_of(game, 1, tile="5A", answers=WHOLE)
        withdraw_plan(game_id=game.pk, user=who(game, 1))
    assert sent == []


def test_log_record_of_a_plan_does_not_reveal_it(game: Game) -> None:
    plan_of(game, 1, tile="5A", answers=WHOLE)
    assert "5A" not in repr(PlannedTurn.objects.get()) and "tower" not in repr(PlannedTurn.objects.get())
