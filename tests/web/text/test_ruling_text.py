"""Sentences for rulings, for the player concerned and for everybody else."""

import pytest
from django.utils import timezone

from accounts.models import User
from games.log.rulings import RULING_KINDS, Ruling
from games.models import Game, LogEntry
from games.web.text.log_view import entry
from games.web.text.seat_names import table_persons
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

END = ("end with standings", "end without result")


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
        if "{what}" not in notation:
            found.append(Ruling(kind, 0, "7"))
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
    assert told(game, back, 0) == "You took back what is struck through."
    assert told(game, back, 1) == "alice took back what is struck through."
    vote = Ruling("agrees", 1, what="computer keeps 0")
    assert told(game, vote, None, seat=1) == "bob wants a computer to play on for alice."
    assert told(game, vote, 0, seat=1) == "bob wants a computer to play on for you."
    assert told(game, vote, 1, seat=1) == "You want a computer to play on for alice."
    late = Ruling("question", what="computer keeps 0")
    assert told(game, late, 0).endswith("The others vote whether a computer takes your seat.")
    assert told(game, Ruling("standings"), 0, seat=None).startswith("Everybody agreed to end the game")


def test_note_about_the_readers_own_move_says_you(game: Game) -> None:
    move = LogEntry(
        game=game, number=1, kind=LogEntry.Kind.MOVE, seat=0, text="buy nothing", created_at=timezone.now()
    )
    move.author = LogEntry.Author.HOUSE
    people = table_persons(game.seats.all())
    assert entry(move, people, 0).note == "Time was up: a computer decided this once for you."
    assert entry(move, people, 1).note == "Time was up: a computer decided this once for alice."
    move.origin = LogEntry.Origin.FORCED_MOVE
    assert entry(move, people, 0).note == "Nothing to decide for you: no share could be bought."
