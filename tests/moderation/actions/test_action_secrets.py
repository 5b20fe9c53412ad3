"""Actions of moderators reveal no hand, no bag and no seed."""

import json
import re
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command

from accounts.models import AuditEntry, User
from accounts.refusals import Refusal
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.models import Game, LogEntry, Notification
from games.moderation.actions import rollback_action
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.web.notifications import delivery
from tests.moderation.actions.conftest import act, again
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db

DEEDS = [
    ("pause", {}),
    ("resume", {}),
    ("more-time", {"hours": 3}),
    ("roll-back", {"entry": 6}),
    ("replace-by-computer", {"seat": "1", "level": "easy", "back": "yes"}),
    ("run-computer", {}),
    ("replace-by-member", {"seat": "2", "member": "carol"}),
    ("send-again", {}),
    ("lock-talk", {}),
    ("unlist", {}),
    ("delete", {}),
    ("restore", {}),
]


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob, terms={"pace": 86_400, "visibility": "public"}), 12)


def hidden(game: Game) -> set[str]:
    """Names of the hidden tiles, and the seed."""
    game = again(game)
    state = game.rule_system.state_from_json(game.state)
    tiles = {tile for hand in state.hands for tile in hand} | set(state.bag)
    return {SQUARE_NAMES[tile] for tile in tiles} | {bytes(game.seed).hex()}


def written(game: Game, mona: User) -> str:
    """Everything that is written while a moderator does everything: log, audit, outbox and output."""
    User.objects.update(mail_mode=User.MailMode.AT_ONCE)
    shell = StringIO()
    before = again(game).version
    for name, values in DEEDS:
        try:
            act(name, game, mona, reason="Nobody plays.", **values)  # type: ignore[arg-type]
        except Refusal as error:
            shell.write(error.message)  # type: ignore[arg-type]
    call_command("moderate_game", game.public_id, stdout=shell)
    columns = ("about", "moderator_action", "kind", "outcome")
    return json.dumps(
        [
            list(LogEntry.objects.filter(number__gt=before).values_list("text", "events", "reason")),
            list(AuditEntry.objects.values_list("action", "reason", "details", "by_name")),
            list(Notification.objects.values_list(*columns)),
            shell.getvalue(),
        ]
    )


def words_of(text: str) -> set[str]:
    return set("".join(letter if letter.isalnum() else " " for letter in text).split())


def test_actions_write_no_hidden_tile(game: Game, mona: User, carol: User) -> None:
    secrets = hidden(game)
    found = written(game, mona)
    assert not words_of(found) & secrets
    assert len(AuditEntry.objects.all()) >= 10


def test_mails_about_actions_name_no_hidden_tile(game: Game, mona: User, carol: User) -> None:
    written(game, mona)
    Notification.objects.exclude(kind="moderated").delete()
    Notification.objects.update(due=again(game).opened)
    delivery.deliver(30.0)
    assert mail.outbox
    secrets = hidden(game)
    for letter in mail.outbox:
        # The board names rows and columns apart, so a tile named here would leak. A signature is random.
        said = re.sub(r"(?<=/mail/stop/)\S+", "", letter.subject + letter.body)  # type: ignore[operator]
        assert not words_of(said) & secrets


def test_action_that_reveals_the_bag_is_detected(
    game: Game, mona: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = rollback_action.ROLL_BACK.perform

    def telling(target: Game, **values: Any) -> dict[str, Any]:
        facts = honest(target, **values)
        state = again(target).rule_system.state_from_json(again(target).state)
        return {**facts, "next": SQUARE_NAMES[state.bag[-1]]}

    monkeypatch.setitem(GAME_ACTIONS, "roll-back", replace(rollback_action.ROLL_BACK, perform=telling))
    with pytest.raises(AssertionError):
        test_actions_write_no_hidden_tile(game, mona, carol)


def test_errors_of_a_broken_game_reveal_no_position(game: Game, mona: User) -> None:
    secrets = hidden(game)
    broken = {**again(game).state, "bag": ["nonsense"]}
    Game.all_games.filter(pk=game.pk).update(state=broken)
    for name in ("run-computer", "end-with-standings"):
        try:
            act(name, game, mona)
        except Refusal as error:
            assert not words_of(error.message) & secrets  # type: ignore[arg-type]
            assert "nonsense" not in error.message
