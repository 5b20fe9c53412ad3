"""Random actions of moderators in random games: the log always leads to the stored state."""

from random import Random

import pytest

from accounts.models import AuditEntry, User
from games.archive.replay import replay
from games.chat.messages import say
from games.models import Game, Notification
from tests.moderation.actions.conftest import again, replays
from tests.support.games import NewGame
from tests.support.mailboxes import with_mailbox
from tests.support.proof import seeds
from tests.support.random_moderation import anything

pytestmark = pytest.mark.django_db

STEPS = 60


def check(game: Game) -> None:
    now = again(game)
    assert replays(game)
    assert replay(now).faults == []
    stands = now.held_at is not None or now.deleted is not None
    assert (now.paused is not None) == (stands and now.finished is None)
    if now.paused is not None:
        assert now.deadline is None
    if now.is_running and now.paused is None:
        asks_person, asks_computer = now.waiting_for_id is not None, now.bot_due_at is not None
        assert asks_person != asks_computer
        assert (now.deadline is not None) == asks_person
    asking = Notification.objects.filter(game=game, kind="decision", state="waiting")
    assert {(row.user_id, row.version) for row in asking} <= {(now.waiting_for_id, now.version)}


@pytest.mark.parametrize("seed", seeds(1, 5))
@pytest.mark.parametrize("bank", [None, 3600], ids=["each decision", "bank"])
def test_log_leads_to_the_stored_state_after_random_actions(
    seed: int, bank: int | None, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    with_mailbox(User.objects.create_user("dora"))
    rng = Random(seed)
    terms = {"pace": 3600, "bank": bank, "visibility": "public", "rated": True}
    game = start(alice, bob, "easy", terms=terms)
    say(game_id=game.pk, user=alice, text="Good luck!")
    done = []
    for _ in range(STEPS):
        done.append(anything(game, rng))
        check(game)
    assert AuditEntry.objects.count() == sum("refused" not in what and what != "play" for what in done)
    assert AuditEntry.objects.count() > STEPS / 10
