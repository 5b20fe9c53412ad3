"""Export, import and comparison of games."""

import json
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.archive import game_export
from games.archive.game_import import import_game
from games.archive.past_position import position_at
from games.archive.replay import replay
from games.models import Game
from games.play.takebacks import take_back
from tests.support.games import play_on

PARTS = ("format", "version", "rules", "commitment", "seed", "seats", "log", "position", "standings")
ANYBODY = AnonymousUser()


def with_takeback(game: Game, user: User) -> Game:
    """Play until the user has placed a tile and must buy, and take the tile back."""
    while True:
        game = play_on(game, 1, seed=game.version)
        placed = game.moves.last().text.startswith("place")
        if placed and game.decision_kind == "buy" and game.waiting_for_id == user.pk:
            break
    take_back(game_id=game.pk, number=game.version + 1, to=game.version - 1, by=user)
    return game


def exported(game: Game, user: Any = ANYBODY) -> dict[str, Any]:
    """The exported game, after a way through JSON."""
    record: dict[str, Any] = json.loads(json.dumps(game_export.exported(game.public_id, user)))
    return record


def imported(record: Any, by: User) -> Game:
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    return import_game(data, by=by)


def check_round_trip(game: Game, owner: User) -> Game:
    """Export and import the game, and compare every part and position; return the imported game."""
    record = exported(game)
    again = imported(record, owner)
    told = exported(again, owner)
    # Another site does not know whether a bot account had the seat.
    for seat in record["seats"]:
        seat["program"] = False
    for part in PARTS:
        assert told[part] == record[part], part
    for name in ("name", "started", "finished", "ending", "status"):
        assert told["game"][name] == record["game"][name], name
    for number in range(game.version + 1):
        here = position_at(game.public_id, ANYBODY, number)
        there = position_at(again.public_id, owner, number)
        assert (there.look.seen, there.uncovered) == (here.look.seen, here.uncovered), number
        assert [entry.events for entry in there.look.entries] == [entry.events for entry in here.look.entries]
    whole = Game.with_secrets.get(pk=again.pk)
    assert replay(whole).faults == []
    assert whole.state == Game.with_secrets.get(pk=game.pk).state
    return whole
