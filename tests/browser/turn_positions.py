"""Games at a chosen step of a turn: three people, the first of whom is asked.

The steps are "alone" (a tile to place, and then nothing to buy), "calm" (a tile to place, and then much to
buy), "merge" (a tile that merges), "shares" (those of the defunct chain), "share" (a single one), "buy",
"end" (a purchase that may declare the end), "broke" (the same without the money for a share), "found" (a
tile that founds a chain), "tie" (a tile that merges two chains of the same size), "three" (one that takes
over two such chains), and "stuck" (no tile to place). "over" is a game that has just ended by a purchase of
nothing. With "crowd", six people with long names begin. "practice" is "shares" at a practice table, whose
host has the first session.
"""

from typing import TYPE_CHECKING

from tests.support.open_tables import Game, prepare
from tests.support.played_site import PlayedSite

if TYPE_CHECKING:
    from accounts.models import User
    from games.models import Game as StoredGame


# Names of the maximum length, and one as wide as a name can be: if these fit, all do.
CROWD = [
    "Ferdinand-of-Bohemia",
    "Christopher-Columbus",
    "Theophrastus_Bombast",
    "Alexandra_Fjodorowna",
    "MWWWWWWWWWWWWWWWWWWW",
    "Scheherazade-of-Fars",
]


def game_at(site: PlayedSite, step: str, name: str) -> Game:
    """A game of its own at this step; no other test has the same step and `name`, which name its players."""
    return prepare(site, __name__, f"{step}-{name}")


def main(name: str) -> None:
    """Create the game inside the site and print it for `prepare`."""
    from accounts.models import User
    from games.lobby.game_start import start_game
    from tests.support.merger_game import SEATED
    from tests.support.open_tables import print_game
    from tests.support.practice_tables import practise

    step = name.partition("-")[0]
    if step == "practice":
        host = User.objects.create_user(name)
        print_game(_before_merger(practise(host), "shares", [host]), [host])
        return
    names = CROWD if step == "crowd" else [f"{name}-{seat}" for seat in range(3)]
    people = [User.objects.create_user(one) for one in names]
    game = start_game(
        system="acquire", preset="avalon-hill", host=people[0], players=people, options=SEATED, skips=False
    )
    if step in ("merge", "shares", "share"):
        game = _before_merger(game, step, people)
    elif step == "over":
        game = _end(_put(game, "end"), people)
    elif step != "crowd":
        game = _put(game, step)
    print_game(game, people)


def _before_merger(game: "StoredGame", step: str, people: "list[User]") -> "StoredGame":
    from games.play.play_move import play_move
    from tests.support.merger_game import TILE, before_a_merger

    single = {"shares": {"luxor": [1, 5, 3], "tower": [0, 1, 3]}} if step == "share" else {}
    game = before_a_merger(game, **single)
    if step in ("shares", "share"):
        play_move(game_id=game.pk, number=1, seat=0, text=TILE, by=people[0])
    return game


def _end(game: "StoredGame", people: "list[User]") -> "StoredGame":
    from games.play.play_move import play_move

    play_move(game_id=game.pk, number=game.version + 1, seat=0, text="buy nothing and end", by=people[0])
    return game


# The chains, my tiles, and more about steps that are not "place a tile, then buy much".
_BETWEEN_SAFE_CHAINS = {"tower": "1A-12A", "american": "1C-12C"}
_CHAINS = {
    "alone": {"lone": "9F"},
    "end": {"tower": "1A-12A", "american": "1C-11C"},
    "broke": {"tower": "1A-12A", "american": "1C-11C"},
    "stuck": _BETWEEN_SAFE_CHAINS,
    "tie": {"tower": "1A-3A", "luxor": "5A-7A"},
    "three": {"american": "1B-5B", "tower": "6C 6D", "luxor": "7B 8B"},
}
_HANDS = {"found": "9G 12H", "stuck": "1B 2B", "tie": "4A 12H", "three": "6B 12H"}
_DECISIONS = {**dict.fromkeys(("alone", "calm", "found", "tie", "three"), "place 0"), "stuck": "stuck 0"}


def _put(game: "StoredGame", step: str) -> "StoredGame":
    from tests.engine.rules.acquire.acquire_positions import position
    from tests.support.games import put

    chains = {"tower": "1A-3A", "american": "1C-11C", "continental": "1E-4E", "lone": "9F"}
    return put(
        game,
        position(
            _CHAINS.get(step, chains),
            hands=[_HANDS.get(step, "5I 12H"), "12I", "12G"],
            shares={"tower": [3, 1, 0], "american": [2, 2, 4]},
            cash=[100 if step == "broke" else 6000, 6000, 6000],
            decision=_DECISIONS.get(step, "buy 0"),
            rules="avalon-hill seating=joining",
        ),
    )
