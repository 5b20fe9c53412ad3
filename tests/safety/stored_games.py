"""What must be true of what older code has stored, once it is migrated: all is there, and games go on."""

from collections.abc import Mapping
from typing import Any

from django.apps import apps

from accounts.models import User
from games import queries, services
from games.models import Game
from tests.games.conftest import make_room, play_to_the_end


def all_is_there(told: Mapping[str, Any]) -> None:
    """No row is lost that `told` counts, and each game has its log, its seats and its status."""
    for label, rows in told["rows"].items():
        now = apps.get_model(label)._base_manager.count()
        assert now >= rows, f"{label}: {rows - now} of {rows} rows are lost"
    for public_id, story in told["games"].items():
        game = Game.every.defer(None).get(public_id=public_id)
        log = [[entry.number, entry.seat, entry.text] for entry in game.moves.all()]
        assert log == story["log"], f"{game}: another log"
        seats = [list(seat) for seat in game.seats.values_list("user__username", "computer")]
        assert sorted(map(str, seats)) == sorted(map(str, story["seats"])), f"{game}: other seats"
        assert game.status == story["status"], f"{game}: {game.status}"
        if game.state is not None:
            assert queries.replay(game).faults == [], f"{game} does not lead to its state"


def games_go_on(told: Mapping[str, Any]) -> int:
    """Every game is played to its end, the one that waits too; how many moves were made."""
    moves = 0
    for public_id in told["games"]:
        game = Game.every.get(public_id=public_id)
        if game.is_open:
            joiner = User.objects.create_user(f"late-{public_id}")
            services.join(game_id=game.pk, user=joiner)
            services.start_by_host(game_id=game.pk, by=game.host)
        before = Game.every.get(pk=game.pk).version
        after = play_to_the_end(game)
        assert after.is_finished, f"{after} does not end"
        assert queries.replay(after).faults == [], f"{after} does not lead to its end"
        moves += after.version - before
    make_room(*User.objects.all())
    return moves
