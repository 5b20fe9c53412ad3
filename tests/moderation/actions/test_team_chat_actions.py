"""Moderators' actions in team games: what the chat of a team tells whom."""

from collections.abc import Sequence
from typing import Any

import pytest

from accounts.models import User
from games.chat import messages
from games.chat.conversation import conversation
from games.models import ChatMessage, Game, Seat
from games.realtime import ticks
from tests.moderation.actions.conftest import act, again
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(alice: User, bob: User, carol: User) -> list[User]:
    return [alice, bob, carol, User.objects.create_user("dora")]


@pytest.fixture
def game(start: NewGame, people: list[User]) -> Game:
    """Two teams of two, alice with carol and bob with dora, which may always write to each other."""
    return start(*people, teams="two", seating="joining", terms={"team_chat": "always"})


def to_team(game: Game, user: User, text: str) -> ChatMessage:
    return messages.say(game_id=game.pk, user=user, text=text, to_team=True)


def read_by_appointed(game: Game, partner: User, mona: User) -> list[str]:
    """The messages that eve reads in the seat that a moderator gives her."""
    eve = User.objects.create_user("eve")
    to_team(game, partner, "before")
    act("replace-by-member", game, mona, seat="1", member="eve")
    to_team(game, partner, "after")
    found = conversation(again(game), eve)
    return [] if found is None else [line.text for line in found.lines]


def test_appointed_member_reads_only_what_the_team_writes_later(
    game: Game, people: list[User], mona: User
) -> None:
    assert read_by_appointed(game, people[2], mona) == ["after"]


def test_seat_that_forgets_its_appointment_would_be_noticed(
    game: Game, people: list[User], mona: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(self: Seat, **how: Any) -> None:
        self.team_chat_since = 0
        super(Seat, self).save(**how)

    monkeypatch.setattr(Seat, "save", save)
    assert read_by_appointed(game, people[2], mona) == ["before", "after"]


@pytest.mark.parametrize("name", ["hide-line", "show-line"])
def test_opponents_do_not_hear_of_a_removed_message(
    game: Game,
    people: list[User],
    mona: User,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    line = to_team(game, people[0], "plan A")
    if name == "show-line":
        act("hide-line", game, mona, line=line.pk)
    told: list[Sequence[str]] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: told.append(groups))
    with django_capture_on_commit_callbacks(execute=True):
        act(name, game, mona, line=line.pk)
    assert [ticks.user_group(people[0].pk), ticks.user_group(people[2].pk)] in told
    assert all(ticks.game_group(game.public_id) not in groups for groups in told)
