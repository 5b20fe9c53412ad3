"""A game just before a merger: alice's 4A lets Tower take over Sackson, of which everybody has shares."""

from games.models import Game
from games.play.play_move import play_move
from tests.engine.rules.acquire.acquire_positions import position
from tests.support.games import put

TILE = "place 4A"
SEATED = {"seating": "joining"}


def before_a_merger(game: Game, **fields: object) -> Game:
    """alice, bob and carol, in this order, have 2, 5 and 3 Sackson; Tower has three tiles."""
    usual = {
        "hands": ["4A 12H", "12I", "12G"],
        "shares": {"luxor": [2, 5, 3], "tower": [0, 1, 3]},
        "rules": "avalon-hill seating=joining",
    }
    return put(game, position({"tower": "1A-3A", "luxor": "5A 6A"}, **{**usual, **fields}))  # type: ignore[arg-type]


def move(game: Game, text: str) -> Game:
    """Make the decider's next move and return the game."""
    game = Game.objects.get(pk=game.pk)
    assert game.seat_to_move is not None
    play_move(
        game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=text, by=game.waiting_for
    )
    return Game.with_secrets.get(pk=game.pk)
