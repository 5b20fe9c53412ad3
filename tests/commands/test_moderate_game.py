"""The command `moderate_game` acts as the shell."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry, User
from accounts.moderation.staff_actions import SHELL_USER
from games.models import Game
from tests.moderation.actions.conftest import REASON, again, last_entry
from tests.support import wording
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User, bob: User) -> Game:
    return play_on(start(alice, bob), 6)


def moderate(*arguments: str) -> str:
    said = StringIO()
    call_command("moderate_game", *arguments, stdout=said)
    return said.getvalue()


def test_action_is_performed_and_audited(game: Game) -> None:
    assert "done" in moderate(game.public_id, "pause", "--reason", REASON)
    assert again(game).held_at is not None
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.by_name, entry.action, entry.reason, entry.game) == (
        None,
        SHELL_USER,
        "pause",
        REASON,
        game.public_id,
    )


def test_fields_of_action_are_options(game: Game) -> None:
    moderate(game.public_id, "roll-back", "--entry", "2", "--reason", REASON)
    assert last_entry(game).text == "moderator goes back to 2"


def test_command_without_action_lists_actions(game: Game) -> None:
    listed = moderate(game.public_id)
    assert "pause: Pause game\n" in listed
    assert f"resume: not possible now. {wording.NO_PAUSE_TO_END}" in listed
    assert f"more-time --hours … [--seat …]: not possible now. {wording.NO_TIME_LIMIT}" in listed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pause"], "--reason: Enter a reason"),
        (["resume", "--reason", REASON], wording.NO_PAUSE_TO_END),
        (["roll-back", "--reason", REASON], "--entry: Enter “Entry”."),
        (["roll-back", "--entry", "two", "--reason", REASON], "--entry: “Entry” must be a whole number"),
        (["pause", "--entry", "2", "--reason", REASON], "The action “pause” has no option --entry."),
        (
            ["explode", "--reason", REASON],
            "There is no action called explode. Choose one of these: pause, resume",
        ),
    ],
    ids=["no reason", "not paused", "no entry", "no number", "no such field", "no such action"],
)
def test_impossible_action_is_refused_with_sentence(arguments: list[str], said: str, game: Game) -> None:
    with pytest.raises(CommandError) as refused:
        moderate(game.public_id, *arguments)
    assert said in str(refused.value)
    assert not AuditEntry.objects.exists()


def test_unknown_game_is_refused(game: Game) -> None:
    with pytest.raises(CommandError, match="No game has the ID nowhere"):
        moderate("nowhere")


def test_deleted_game_is_restored(game: Game) -> None:
    moderate(game.public_id, "delete", "--reason", REASON)
    assert not Game.objects.filter(pk=game.pk).exists()
    moderate(game.public_id, "restore", "--reason", REASON)
    assert Game.objects.filter(pk=game.pk).exists()
