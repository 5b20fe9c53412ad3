"""Advice by a bot: permission, workers, answers, and secrecy."""

import html
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import tasks
from games.analysis.advice import AdviceState, advice, compute_advice
from games.engine.bots.bot_levels import ADVISERS, BOTS, Bot
from games.engine.bots.move_estimate import Estimate
from games.engine.bots.thinking_time import ThinkingTime
from games.engine.rules.acquire import observation
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.moves import MOVES
from games.engine.rules.rule_systems import SYSTEMS
from games.lobby.game_start import start_game
from games.models import Game
from games.play.play_move import play_move
from games.realtime import ticks, worker_queue
from games.refusals import NotSeated, NotYourDecision
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, whole_record
from tests.support.hidden_state import Viewer, permuted, stored
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db

QUESTION = "What would Expert do?"


@dataclass
class Adviser:
    """A bot whose advice depends on a sampled deal; records what it was given."""

    given: list[Any] = field(default_factory=list)
    times: list[Any] = field(default_factory=list)

    def __call__(self, seen: Any, legal: Any, rng: Random, out_of_time: Any) -> list[Estimate]:
        self.given.append(seen)
        self.times.append(out_of_time)
        state = acquire.sample_state(seen, rng)
        unseen = sum(map(sum, state.hands)) + rng.random()
        weighed = [Estimate(move, unseen * (7 + at) % 1, 100.0 * at, 9) for at, move in enumerate(legal)]
        return sorted(weighed, key=lambda estimate: -estimate.chance)


@pytest.fixture
def adviser(monkeypatch: pytest.MonkeyPatch) -> Adviser:
    """The bot that advises in tests."""
    adviser = Adviser()
    give(monkeypatch, adviser)
    return adviser


def give(monkeypatch: pytest.MonkeyPatch, advise: Any) -> None:
    bot = Bot("Expert", "advises in a test.", BOTS["acquire"]["random"].choose, 0.2, advise=advise)
    monkeypatch.setitem(BOTS["acquire"], "expert", bot)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[tuple[int, int]]:
    """Games and versions that workers were asked to advise on."""
    settings.REDIS_URL = "redis://somewhere"
    told: list[tuple[int, int]] = []

    def send_task(name: str, args: list[int], **_: Any) -> None:
        if name == "games.tasks.advise":
            told.append((args[0], args[1]))

    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    monkeypatch.setattr(ticks, "_tick", lambda *_: None)
    monkeypatch.setattr(worker_queue.current_app, "send_task", send_task, raising=False)
    return told


@pytest.fixture
def game(start: NewGame, alice: User, adviser: Adviser) -> Game:
    """Alice against two bots; she has several tiles to choose from."""
    return up_to(start(alice, "random", "random"), alice)


def up_to(game: Game, user: User) -> Game:
    """Play until the user has something to choose."""
    while game.waiting_for_id != user.pk or len(choices(game)) < 2:
        assert game.seat_to_move is not None, "the game is over"
        game = play_on(game, 1, game.version)
    return game


def choices(game: Game) -> Any:
    game = Game.with_secrets.get(pk=game.pk)
    return acquire.observe(acquire.state_from_json(game.state), game.seat_to_move).legal


def url(game: Game, number: int | None = None) -> str:
    return reverse("advice", args=[game.public_id, game.version + 1 if number is None else number])


def page(user: User, game: Game) -> str:
    return html.unescape(client_of(user).get(game.get_absolute_url()).content.decode())


def text(answer: Any) -> str:
    return html.unescape(answer.content.decode())


# -- Question and answer -------------------------------------------------------------------------------


def test_page_shows_advice_of_worker(game: Game, alice: User, told: list[tuple[int, int]]) -> None:
    client = client_of(alice)
    assert QUESTION in page(alice, game)
    asked = text(client.post(url(game), **HTMX))
    assert "Expert is thinking…" in asked
    assert f'hx-get="{url(game)}"' in asked
    assert told == [(game.pk, game.version)]
    assert "Expert is thinking…" in text(client.get(url(game), **HTMX))
    tasks.advise(*told[0])
    answer = text(client.get(url(game), **HTMX))
    assert "Expert suggests:" in answer
    chance = r"(over |under )?\d+%"
    assert re.search(rf"Expert puts {wording.YOUR_WINNING_CHANCE} {chance} with this move", answer), answer
    assert "hx-get" not in answer
    assert "Expert suggests:" in page(alice, game)


def test_advice_works_without_script(game: Game, alice: User, told: list[tuple[int, int]]) -> None:
    client = client_of(alice)
    answer = client.post(url(game))
    assert (answer.status_code, answer["Location"]) == (302, game.get_absolute_url())
    assert "Expert is thinking…" in page(alice, game)
    assert client.get(url(game))["Location"] == game.get_absolute_url()
    compute_advice(game.pk, game.version)
    assert "Expert suggests:" in page(alice, game)


def test_repeated_question_is_computed_once(game: Game, alice: User, told: list[tuple[int, int]]) -> None:
    for _ in range(3):
        assert client_of(alice).post(url(game), **HTMX).status_code == 200
    assert len(told) == 1
    compute_advice(game.pk, game.version)
    assert "Expert suggests:" in text(client_of(alice).post(url(game), **HTMX))
    assert len(told) == 1


def test_fill_button_names_choice_of_form(game: Game, alice: User, told: list[tuple[int, int]]) -> None:
    compute_advice(game.pk, game.version)
    answer = client_of(alice).get(game.get_absolute_url())
    filled = re.search(r'data-fill="([^"]+)"', text(answer))
    assert filled
    assert filled[1] in answer.context["decision"].choices


def test_advice_is_repeatable(game: Game) -> None:
    compute_advice(game.pk, game.version)
    first = advice(game)
    cache.clear()
    compute_advice(game.pk, game.version)
    assert first.estimates
    assert advice(game) == first


def test_advice_is_gone_after_next_move(game: Game, alice: User, told: list[tuple[int, int]]) -> None:
    compute_advice(game.pk, game.version)
    later = up_to(play_on(game, 1), alice)
    assert "Expert suggests:" not in page(alice, later)
    for method in ("get", "post"):
        answer = getattr(client_of(alice), method)(url(game), **HTMX)
        assert answer.status_code == 409
        assert wording.GAME_HAS_MOVED_ON in text(answer)
        assert "hx-get" not in text(answer)


def test_advice_does_not_change_game(game: Game, alice: User, told: list[tuple[int, int]]) -> None:
    before = whole_record(game)
    client_of(alice).post(url(game), **HTMX)
    compute_advice(game.pk, game.version)
    assert whole_record(game) == before


# -- The worker ----------------------------------------------------------------------------------------


def test_adviser_gets_observation_and_time_limit(game: Game, adviser: Adviser) -> None:
    assert compute_advice(game.pk, game.version) is True
    (seen,), (out_of_time,) = adviser.given, adviser.times
    assert isinstance(seen, acquire.Observation)
    assert seen.seat == game.seat_to_move
    assert isinstance(out_of_time, ThinkingTime)


def test_late_worker_computes_nothing(game: Game, alice: User, adviser: Adviser) -> None:
    up_to(play_on(game, 1), alice)
    assert compute_advice(game.pk, game.version) is False
    assert adviser.given == []


def test_worker_checks_permission(game: Game, adviser: Adviser) -> None:
    Game.objects.filter(pk=game.pk).update(rated=True)
    assert compute_advice(game.pk, game.version) is False
    assert adviser.given == []


def fail(*_: Any) -> list[Estimate]:
    raise ZeroDivisionError


def illegal(seen: Any, *_: Any) -> list[Estimate]:
    return [Estimate(next(move for move in MOVES if move not in seen.legal), 0.5, 0.0, 1)]


@pytest.mark.parametrize("advise", [fail, illegal, lambda *_: []])
def test_failing_adviser_leaves_question_open(
    advise: Any,
    game: Game,
    alice: User,
    told: list[tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    give(monkeypatch, advise)
    client_of(alice).post(url(game), **HTMX)
    assert compute_advice(game.pk, game.version) is False
    assert "failed to advise" in caplog.text
    again = text(client_of(alice).get(url(game), **HTMX))
    assert "Expert did not answer." in again
    assert QUESTION in again


def test_task_of_dead_worker_is_dropped(game: Game, adviser: Adviser) -> None:
    tasks.advise.push_request(delivery_info={"redelivered": True})  # type: ignore[call-arg]
    try:
        tasks.advise(game.pk, game.version)
    finally:
        tasks.advise.pop_request()
    assert adviser.given == []


# -- Permission ----------------------------------------------------------------------------------------


def refused(user: User, game: Game, number: int | None = None) -> tuple[int, str]:
    """Status and sentence of a refused question, with and without a script."""
    client = client_of(user)
    with_script, without = client.post(url(game, number), **HTMX), client.post(url(game, number))
    assert with_script.status_code == without.status_code
    sentence = text(with_script)
    assert re.sub("<[^>]+>", "", sentence).strip() in text(without)
    return with_script.status_code, sentence


def test_rated_game_has_no_advice(
    start: NewGame, alice: User, adviser: Adviser, told: list[tuple[int, int]]
) -> None:
    game = up_to(start(alice, "random", terms={"rated": True}), alice)
    assert QUESTION not in page(alice, game)
    status, sentence = refused(alice, game)
    assert (status, sentence) == (403, "You cannot ask for advice in a rated game.")
    assert told == []


def test_game_with_other_people_has_no_advice(
    start: NewGame, alice: User, bob: User, adviser: Adviser, told: list[tuple[int, int]]
) -> None:
    game = up_to(start(alice, bob, "random"), alice)
    assert QUESTION not in page(alice, game)
    assert refused(alice, game) == (403, "You can ask for advice only in games against computer players.")
    assert told == []


def test_advice_for_other_seat_is_refused(game: Game, bob: User, told: list[tuple[int, int]]) -> None:
    compute_advice(game.pk, game.version)
    assert QUESTION not in page(bob, game)
    assert "Expert suggests:" not in page(bob, game)
    assert refused(bob, game) == (
        403,
        str(NotSeated.message),
    )
    assert client_of(bob).get(url(game), **HTMX).status_code == 403
    assert Client().post(url(game))["Location"].startswith("/accounts/login/")
    assert told == []


def test_advice_out_of_turn_and_after_end_is_refused(
    start: NewGame, alice: User, adviser: Adviser, told: list[tuple[int, int]]
) -> None:
    game = start(alice, "random")
    while game.waiting_for_id is not None:
        game = play_on(game, 1, game.version)
    assert QUESTION not in page(alice, game)
    for over in (False, True):
        game = play_on(game, 10_000) if over else game
        status, sentence = refused(alice, game)
        assert status == 409
        assert str(NotYourDecision.message) in sentence
    assert told == []


@pytest.mark.parametrize("ahead", [0, 2, 10**9])
def test_advice_on_other_move_is_refused(
    ahead: int, game: Game, alice: User, told: list[tuple[int, int]]
) -> None:
    status, sentence = refused(alice, game, game.version + ahead)
    assert status == 409
    assert f"{wording.GAME_HAS_MOVED_ON}." in sentence
    assert told == []


def test_advice_on_forced_move_is_refused(
    game: Game, alice: User, told: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observation, "legal_moves", lambda state: acquire.legal_moves(state)[:1])
    assert QUESTION not in page(alice, game)
    status, sentence = refused(alice, game)
    assert status == 409
    assert "There is only one possible move here." in sentence


def test_missing_adviser_is_refused(game: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, None)
    assert QUESTION not in page(alice, game)
    assert refused(alice, game)[0] == 503
    others = {level: bot for level, bot in BOTS["acquire"].items() if level != "expert"}
    monkeypatch.setitem(BOTS, "acquire", others)
    assert QUESTION not in page(alice, game)
    assert refused(alice, game)[0] == 503


def test_missing_broker_is_explained_and_question_stays(game: Game, alice: User, settings: Any) -> None:
    settings.REDIS_URL = ""
    assert refused(alice, game) == (
        503,
        "Advice is not available right now. Decide yourself, or ask again in a minute.",
    )
    assert QUESTION in page(alice, game)


def test_open_game_has_no_advice(create: NewGame, alice: User) -> None:
    assert client_of(alice).post(url(create(alice))).status_code == 404
    assert client_of(alice).post("/games/nowhere/advice/1/").status_code == 404


def test_questions_are_rate_limited(
    game: Game, alice: User, told: list[tuple[int, int]], settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "advice": "1/m/user"}
    client = client_of(alice)
    assert client.post(url(game), **HTMX).status_code == 200
    # A known answer does not count.
    assert client.post(url(game), **HTMX).status_code == 200
    later = up_to(play_on(game, 1), alice)
    answer = client.post(url(later), **HTMX)
    assert answer.status_code == 429
    assert answer["Retry-After"]
    assert "Wait a minute" in text(answer)
    assert len(told) == 1


# -- Rule systems --------------------------------------------------------------------------------------


def test_every_rule_system_has_adviser() -> None:
    assert set(ADVISERS) == set(SYSTEMS)
    assert all(BOTS[system][level].advise is not None for system, level in ADVISERS.items())


@pytest.mark.parametrize("tiles", [0, 9])
def test_hard_advises_in_acquisition(
    tiles: int, alice: User, told: list[tuple[int, int]], settings: Any
) -> None:
    """The advice is a legal move: a park first, later a tile."""
    settings.ACQUISITION_PERMISSION = "The designer, in a letter of 2026"
    game = start_game(system="acquisition", preset="standard", host=alice, players=[alice, "random"])
    parks = 6
    game = play_on(game, parks + tiles if tiles else 0)
    while game.waiting_for_id != alice.pk:
        game = play_on(game, 1, game.version)
    client = client_of(alice)
    assert "What would Hard do?" in page(alice, game)
    assert "Hard is thinking…" in text(client.post(url(game), **HTMX))
    tasks.advise(*told[0])
    answer = text(client.get(url(game), **HTMX))
    assert "Hard suggests:" in answer
    assert re.search(rf"Hard puts {wording.YOUR_WINNING_CHANCE} \d+% with this move", answer)
    best = advice(game).estimates[0].move
    assert best.kind == ("place" if tiles else "park")
    play_move(game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=str(best), by=alice)


# -- Secrets -------------------------------------------------------------------------------------------


def answer_with(game: Game, state: dict) -> AdviceState:
    """The advice if the game is in this state."""
    cache.clear()
    with stored(game, state):
        assert compute_advice(game.pk, game.version)
    return advice(game)


def compare_with_permuted_tiles(game: Game, user: User, turns: int) -> int:
    """Assert that advice does not depend on hidden tiles; return the number of comparisons."""
    rng, compared = Random(1), 0
    for _ in range(turns):
        game = up_to(play_on(game, 1, game.version), user)
        state = Game.with_secrets.get(pk=game.pk).state
        before = answer_with(game, state)
        words = page(user, game)
        assert answer_with(game, permuted(state, game.seat_to_move, rng)) == before
        assert strip(page(user, game)) == strip(words)
        compared += 1
    return compared


def strip(page: str) -> str:
    """The part of the page that shows the advice."""
    found = re.search(r'<div id="advice".*?</div>', page, re.DOTALL)
    assert found
    return found[0]


def test_advice_does_not_depend_on_hidden_tiles(game: Game, alice: User) -> None:
    assert compare_with_permuted_tiles(game, alice, 12) == 12


def test_advice_from_hidden_tiles_is_detected(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sabotage twin: `sample_state` returns the real state."""
    peeked: list[Any] = []
    observe = acquire.observe

    def notice(state: Any, seat: int | None, **more: Any) -> Any:
        peeked[:] = [state.copy()]
        return observe(state, seat, **more)

    monkeypatch.setattr(acquire, "observe", notice)
    monkeypatch.setattr(acquire, "sample_state", lambda seen, rng: peeked[0])
    with pytest.raises(AssertionError):
        compare_with_permuted_tiles(game, alice, 12)


def test_advice_is_invisible_to_others(game: Game, bob: User) -> None:
    watching = [Viewer("bob", client_of(bob), None), Viewer("a stranger", Client(), None)]
    addresses = [game.get_absolute_url(), reverse("log", args=[game.public_id])]
    before = [viewer.is_sent(address) for viewer in watching for address in addresses]
    compute_advice(game.pk, game.version)
    assert [viewer.is_sent(address) for viewer in watching for address in addresses] == before


def test_adviser_has_memory_with_hidden_holdings(start: NewGame, alice: User, adviser: Adviser) -> None:
    game = up_to(play_on(start(alice, "random", "random", holdings="hidden"), 12), alice)
    compute_advice(game.pk, game.version)
    (seen,) = adviser.given
    assert seen.memory is not None
    words = strip(page(alice, game))
    assert "Expert suggests:" in words
    assert "acquired now" not in words
