"""Sentences for rulings, for the player concerned and for everybody else."""

import pytest
from django.utils import timezone

from accounts.models import User
from games.log.rulings import RULING_KINDS, Ruling
from games.models import Game, LogEntry
from games.web.text.log_view import entry
from games.web.text.pace_text import PACE_NAMES
from games.web.text.seat_names import table_persons
from tests.support import wording
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

END = ("end with standings", "end without result", "end unrated")


@pytest.fixture
def game(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    return start(alice, bob, carol, preset="course")


def told(game: Game, ruling: Ruling, reader: int | None, seat: int | None = 0) -> str:
    """The log's sentence for a ruling about alice's seat, or another one."""
    move = LogEntry(
        game=game, number=1, kind=LogEntry.Kind.RULING, seat=seat, text=str(ruling), created_at=timezone.now()
    )
    return entry(move, table_persons(game.seats.all()), reader).text


def every_ruling() -> list[Ruling]:
    """One ruling of each kind, and for votes one of each subject."""
    found: list[Ruling] = []
    for kind, notation in RULING_KINDS.items():
        if kind == "paces":
            found += [Ruling(kind, name=name) for name in PACE_NAMES]
        elif "{what}" not in notation:
            found.append(Ruling(kind, 0, "7", seed_hash="5e" * 32))
        elif kind == "question":
            found.append(Ruling(kind, what="computer keeps 0"))
        else:
            found += [Ruling(kind, 0, what=what) for what in END]
    return found + [Ruling(kind, 0, what="computer keeps 2") for kind in ("agrees", "refuses")]


@pytest.mark.parametrize("ruling", every_ruling(), ids=str)
def test_player_concerned_is_called_you_and_not_by_name(ruling: Ruling, game: Game) -> None:
    assert "alice" not in told(game, ruling, 0)
    assert "you" not in told(game, ruling, 1).lower()
    if "alice" in told(game, ruling, 1):
        assert told(game, ruling, 0) != told(game, ruling, 1) == told(game, ruling, None)


def test_sentences_fit_their_reader(game: Game) -> None:
    back = Ruling("back", 3)
    assert told(game, back, 0) == wording.TOOK_BACK.format(who="You")
    assert told(game, back, 1) == wording.TOOK_BACK.format(who="alice")
    vote = Ruling("agrees", 1, what="computer keeps 0")
    assert told(game, vote, None, seat=1) == wording.VOTED_FOR_A_COMPUTER.format(who="bob", late="alice")
    assert told(game, vote, 0, seat=1) == wording.VOTED_FOR_A_COMPUTER.format(who="bob", late="you")
    assert told(game, vote, 1, seat=1) == wording.VOTED_FOR_A_COMPUTER.format(who="You", late="alice")
    assert told(game, Ruling("keeps", 0), 0).startswith("You ran out of time. A computer player")
    assert told(game, Ruling("keeps", 0), 1).startswith("alice ran out of time. A computer player")
    late = Ruling("question", what="computer keeps 0")
    assert told(game, late, 0).endswith("A vote began on whether a computer player takes over your seat.")
    assert told(game, Ruling("standings"), 0, seat=None).startswith(wording.EVERYONE_AGREED_TO_END)


def test_note_about_the_readers_own_move_says_you(game: Game) -> None:
    move = LogEntry(
        game=game, number=1, kind=LogEntry.Kind.MOVE, seat=0, text="buy nothing", created_at=timezone.now()
    )
    move.author = LogEntry.Author.HOUSE
    people = table_persons(game.seats.all())
    assert entry(move, people, 0).note == wording.LATE_SO_COMPUTER_MOVED.format(who="You")
    assert entry(move, people, 1).note == wording.LATE_SO_COMPUTER_MOVED.format(who="alice")
    move.origin = LogEntry.Origin.FORCED_MOVE
    assert entry(move, people, 0).note == wording.COULD_NOT_BUY.format(who="You")
    assert entry(move, people, 1).note == wording.COULD_NOT_BUY.format(who="alice")
