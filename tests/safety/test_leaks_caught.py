"""Twins: each puts one leak into the site, and the leak check finds it."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.views import debug

from accounts.models import User
from games.archive import past_position
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import SQUARE_BY_NAME
from games.models import Game, PlannedTurn
from games.moderation import moderator_view
from games.play import game_ticks, play_move
from games.play.automation import plan_view
from games.play.bots import bot_moves
from games.play.game_ticks import send_update
from games.play.log_writer import Turn, make_move
from games.privacy import personal_data
from games.realtime import worker_queue
from games.realtime.best_effort import best_effort
from games.web.chat import note_views
from games.web.moderation import game_admin_page
from games.web.notifications import notification_text
from games.web.play import table_views
from games.web.presenters import table_markup, turn_text
from games.web.realtime import consumers
from tests.safety.leaks import twin_games
from tests.safety.leaks.leak_check import Check, Leak
from tests.safety.leaks.twin_sites import stored
from tests.safety.leaks.viewers import Viewer
from tests.support.kept_texts import by_name_and_chain, keep_by, without_reader

pytestmark = pytest.mark.django_db

# The second tile is about to be placed, and every seat has a full hand.
BEGUN = 2

# Everybody has moved, and there are chains.
KNOWN = 20


@pytest.fixture(scope="module")
def script() -> twin_games.Script:
    return twin_games.script(0)


@pytest.fixture
def check(script: twin_games.Script) -> Iterator[Check]:
    check = Check(script, all_look=True)
    with check.opened():
        while check.game.version < BEGUN:
            check.advance()
        yield check


def named(check: Check, name: str) -> Viewer:
    return next(viewer for viewer in [*check.players, *check.others] if viewer.name == name)


def asked(check: Check, name: str, *wanted: str) -> Callable[[], None]:
    """Return a function that makes some requests in a site full of secrets."""

    def ask() -> None:
        with check.full_site() as asks:
            check.ask(named(check, name), [ask for ask in asks if ask.route in wanted and ask.form is None])

    return ask


def hands() -> list[str]:
    """All hands of the only running game."""
    found: list[str] = Game.with_secrets.get(status="running").state["hands"]
    return found


def caught(
    work: Callable[[], None], monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, leaking: Any
) -> str:
    """Return what the check says of this leak, after making sure that it says nothing without it."""
    work()
    monkeypatch.setattr(owner, name, leaking)
    with pytest.raises(Leak) as leak:
        work()
    return str(leak.value)


def test_page_made_for_the_decider_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decider's tiles are marks on the board."""
    observe = acquire.observe

    def as_the_decider(state: Any, seat: int | None, **how: Any) -> Any:
        return observe(state, acquire.decider(state), **how)

    caught(check.tables, monkeypatch, acquire, "observe", as_the_decider)


def test_view_that_gets_the_state_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    title = table_views.title_for
    said = caught(
        asked(check, "a spectator", "game"),
        monkeypatch,
        table_views,
        "title_for",
        lambda game, reader: f"{title(game, reader)} {hands()[0][:16]}",
    )
    assert "in the body of GET" in said


def test_page_that_rates_anothers_hand_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number computed from hidden tiles holds no label: only another deal shows it."""
    title = table_views.title_for

    def telling(game: Game, reader: User | None) -> str:
        tiles = [SQUARE_BY_NAME[name] for name in hands()[check.game.seat_to_move or 0].split()]
        return f"{title(game, reader)} {sum(map(int, tiles))}"

    said = caught(asked(check, "a visitor", "game"), monkeypatch, table_views, "title_for", telling)
    assert "depends on what is hidden" in said


def test_log_line_with_a_hand_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def talkative(game: Game, turn: Turn) -> Any:
        logging.getLogger("games").debug("playing %s", turn.state.hands[0])
        return make_move(game, turn)

    assert "in the log of the move" in caught(check.advance, monkeypatch, play_move, "make_move", talkative)


def test_log_entry_that_names_the_drawn_tile_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written with the move, and the same in every deal from then on."""
    while not check.script.moves[check.game.version].startswith("buy"):
        check.advance()
    to_json = acquire.event_to_json

    def telling(event: Any) -> Any:
        return {**to_json(event), "bag": stored(check.game).state["bag"].split()[-1]}

    def steps() -> None:
        for viewer in check.others[:1]:
            check.step(viewer)

    assert "in the entry of the move" in caught(steps, monkeypatch, acquire, "event_to_json", telling)


def test_frame_with_a_tile_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    async def tick(self: Any, message: dict[str, Any]) -> None:
        await self.send_json({**message, "tile": hand[:16]})

    hand = hands()[check.game.seat_to_move or 0]
    said = caught(lambda: check.step(check.others[1]), monkeypatch, consumers.TickConsumer, "tick", tick)
    assert "in the frames of the move" in said


def test_task_with_a_hand_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def carrying(game_id: int, *args: Any, **more: Any) -> None:
        send_update(game_id, *args, **more)
        best_effort(worker_queue.current_app.send_task, "games.tasks.play_computer", args=[game_id, hands()])

    said = caught(check.advance, monkeypatch, game_ticks, "send_update", carrying)
    assert "in the tasks of the move" in said


def test_mail_with_anothers_tile_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = notification_text.sentence

    def telling(row: Any) -> str:
        others = next(seat.number for seat in row.game.seats.all() if seat.user_id != row.user_id)
        return f"{sentence(row)} Beware of {hands()[others][:16]}."

    def news() -> None:
        with check.full_site():
            check.news(check.players[0])

    assert "of news of every kind" in caught(news, monkeypatch, notification_text, "sentence", telling)


def test_admin_page_that_shows_the_state_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = game_admin_page._facts

    def telling(game: Game, now: Any) -> list[Any]:
        return [*facts(game, now), ("Hands", hands())]

    look = asked(check, "the superuser", "admin:games_game_change")
    assert "in the body of GET /admin/" in caught(look, monkeypatch, game_admin_page, "_facts", telling)


def test_admin_table_that_is_not_a_spectators_is_caught(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(game: Game) -> Any:
        return game.rule_system.observe(game.rule_system.state_from_json(game.state), 0)

    look = asked(check, "a moderator", "admin:games_game_table")
    assert "in the body of GET /admin/" in caught(look, monkeypatch, moderator_view, "_seen", seen)


def test_integrity_check_that_shows_the_rules_error_is_caught(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whole(game: Game, now: Any) -> list[str]:
        return [f"Its hands are {hands()}"]

    look = asked(check, "a moderator", "admin:games_game_doctor")
    assert "in the body of GET /admin/" in caught(look, monkeypatch, game_admin_page, "examine", whole)


def test_personal_data_with_the_state_are_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    hosted = personal_data._hosted

    def whole(game: Game) -> dict[str, Any]:
        return {**hosted(game), "hands": hands()}

    def take_home() -> None:
        with check.full_site() as asks:
            check.ask(
                check.players[0], [ask for ask in asks if ask.route == "export" and ask.form is not None]
            )

    assert "in the body of POST" in caught(take_home, monkeypatch, personal_data, "_hosted", whole)


def test_plan_shown_to_others_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_anybody(look: Any) -> Any:
        plan = PlannedTurn.objects.filter(game=look.game).first()
        return plan and plan.shown()

    watch = asked(check, check.players[0].name, "game")
    watch_too = asked(check, check.players[1].name, "game")

    def both() -> None:
        watch()
        watch_too()

    assert "GET /games/" in caught(both, monkeypatch, plan_view, "planned", of_anybody)


def test_notes_shown_to_others_are_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    def of_anybody(game: Game, user: Any) -> Any:
        return game.notes.first()

    look = asked(check, "a member elsewhere", "notes")
    assert "in the body of GET" in caught(look, monkeypatch, note_views, "note", of_anybody)


def test_error_report_with_variables_is_caught(
    check: Check, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    check.errors()
    settings.DEFAULT_EXCEPTION_REPORTER_FILTER = "django.views.debug.SafeExceptionReporterFilter"
    debug.get_default_exception_reporter_filter.cache_clear()  # type: ignore[attr-defined]
    try:
        with pytest.raises(Leak, match="in the report of the report of an error"):
            check.errors()
    finally:
        debug.get_default_exception_reporter_filter.cache_clear()  # type: ignore[attr-defined]


def test_seed_on_the_page_of_the_deal_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    look = asked(check, "a visitor", "deal-check")
    said = caught(look, monkeypatch, table_views, "revealed_seed", lambda game: check.script.seed.hex())
    assert "the seed in the body" in said


def drawn_alone(check: Check) -> Callable[[], None]:
    """Return a function that compares tables with those of a process that keeps nothing."""
    while check.game.version < KNOWN:
        check.advance()

    def draw() -> None:
        # Tiles that are on the board by now were kept while they were still in a hand.
        check.advance()
        for viewer in check.players:
            check.alone(viewer)

    return draw


def test_paragraph_kept_without_its_reader_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = keep_by(turn_text._told, without_reader)
    said = caught(drawn_alone(check), monkeypatch, turn_text, "_told", kept)
    assert "depends on who looked before" in said


def test_square_kept_by_name_and_chain_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = keep_by(table_markup._square, by_name_and_chain)
    said = caught(drawn_alone(check), monkeypatch, table_markup, "_square", kept)
    assert "depends on who looked before" in said


def test_past_hand_shown_to_everybody_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    look = asked(check, "a visitor", "past-position")
    said = caught(look, monkeypatch, past_position, "_seat_then", lambda *where: 0)
    assert "in the body of GET" in said


def test_past_number_computed_from_hidden_tiles_is_caught(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another deal has another past, too."""
    walk = past_position._walk

    def telling(game: Game, *where: Any) -> Any:
        found = walk(game, *where)
        [state] = found.states.values()
        return replace(found, turns=(*found.turns, 1000 + sum(state.hands[0])))

    look = asked(check, "a spectator", "past-position")
    assert "depends on what is hidden" in caught(look, monkeypatch, past_position, "_walk", telling)


def test_chosen_move_of_a_bot_is_caught(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice depends on the bot's hand, though no tile is named."""
    title = table_views.title_for
    while check.game.waiting_for_id is not None:
        check.advance()

    def telling(game: Game, reader: User | None) -> str:
        return f"{title(game, reader)} {(cache.get(bot_moves._cache_key(game)) or ('', 0))[0]}"

    look = asked(check, "a visitor", "game")
    assert "depends on what is hidden" in caught(look, monkeypatch, table_views, "title_for", telling)
