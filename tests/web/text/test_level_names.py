"""Names of bot levels on pages."""

import ast
import html
from pathlib import Path

import pytest
from django.urls import reverse

from accounts.models import User
from games.engine.bots.bot_levels import BOTS, Bot
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.lobby.rematch import start_rematch
from games.models import Game
from games.web.text import level_texts
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db

ACQUIRE = BOTS["acquire"]


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> str:
    """One more level, which would search."""
    choose = ACQUIRE["medium"].choose
    bot = Bot("Patient", "counts its shares twice & waits.", choose, 3.0)
    monkeypatch.setitem(ACQUIRE, "patient", bot)
    return "patient"


def page(user: User, address: str) -> str:
    client = client_of(user)
    return html.unescape(client.get(address).content.decode())


@pytest.mark.parametrize("name", ["home", "new-game"])
def test_every_level_is_offered_and_described(name: str, alice: User, patient: str) -> None:
    shown = page(alice, reverse(name))
    for level, bot in ACQUIRE.items():
        assert f'<option value="{level}"' in shown
        assert f"<b>{bot.name}</b> {bot.character}" in shown


def test_level_can_be_chosen_when_playing_at_once(alice: User, patient: str) -> None:
    client = client_of(alice)
    client.post(reverse("play-now"), {"level": patient, "opponents": "2"})
    assert [seat.bot_level for seat in Game.objects.get().seats.exclude(bot_level="")] == [patient] * 2


def test_waiting_room_shows_the_level_of_each_bot(create: NewGame, alice: User, patient: str) -> None:
    game = create(alice, computers={1: patient, 2: "medium"}, fill=patient)
    shown = page(alice, game.get_absolute_url())
    for seat in game.seats.exclude(bot_level=""):
        assert f'{seat.nickname} ⚙ <span class="dim">{ACQUIRE[seat.bot_level].name}</span>' in shown
    assert wording.OPEN_SEATS_GO_TO_COMPUTERS.format(level="Patient") in shown


def test_table_shows_levels_and_distinct_names_of_bots(start: NewGame, alice: User, patient: str) -> None:
    game = start(alice, patient, patient, "medium")
    shown = page(alice, game.get_absolute_url())
    computers = list(game.seats.exclude(bot_level=""))
    assert len({seat.nickname for seat in computers}) == 3
    for seat in computers:
        assert f'{seat.nickname} ⚙ <small class="dim">{ACQUIRE[seat.bot_level].name}</small>' in shown


def test_rematch_has_bots_of_the_same_levels(start: NewGame, alice: User, patient: str) -> None:
    game = play_to_the_end(start(alice, patient, "medium", patient))
    again = start_rematch(game_id=game.pk, by=alice)
    levels = again.seats.exclude(bot_level="").values_list("bot_level", flat=True)
    assert sorted(levels) == ["medium", patient, patient]


def test_removed_level_keeps_its_name(start: NewGame, alice: User) -> None:
    game = start(alice, "random")
    game.seats.exclude(bot_level="").update(bot_level="retired")
    assert "retired" in page(alice, game.get_absolute_url())


def test_unknown_level_is_refused(alice: User) -> None:
    terms = GameTerms(system="acquire", preset="classic", least=2, most=2, computers={1: "retired"})
    with pytest.raises(ValueError, match="There is no computer opponent 'retired'"):
        create_game(host=alice, terms=terms)


def test_texts_of_all_levels_are_collected_for_translation() -> None:
    calls = ast.walk(ast.parse(Path(level_texts.__file__).read_text()))
    collected = [
        argument.value
        for call in calls
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "gettext_noop"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    ]
    bots = [bot for system in BOTS.values() for bot in system.values()]
    assert set(collected) == {text for bot in bots for text in (bot.name, bot.character)}
    assert tuple(collected) == level_texts.LEVEL_TEXTS
