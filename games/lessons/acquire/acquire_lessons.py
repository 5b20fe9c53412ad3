"""The eight lessons of Acquire.

The reader has seat 0. The other hands and the bag are dealt from what is left; no step depends on them.
"""

from typing import Final

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.state import HAND
from games.lessons.acquire import lesson_goals as goals
from games.lessons.lesson import Lesson, Step

# All positions follow this preset.
RULEBOOK: Final = "avalon-hill"


def _position(board: str, hand: str, *lines: str) -> str:
    """The text of a position: the rows of the board, the reader's tiles, and more lines.

    The two other players get tiles from all over the board, which the reader never sees.
    """
    rows = board.split()
    taken = "".join(rows)
    free = [name for name, mark in zip(SQUARE_NAMES, taken, strict=True) if mark == "."]
    rest = [name for name in free if name not in hand.split()]
    others = rest[:: max(1, len(rest) // (2 * HAND))][: 2 * HAND]
    return "\n".join(
        [
            f"rules: {RULEBOOK}",
            "board:",
            *rows,
            f"hand 0: {hand}",
            f"hand 1: {' '.join(others[::2])}",
            f"hand 2: {' '.join(others[1::2])}",
            *lines,
        ]
    )


_FIRST_TILES: Final = """
............
............
........o...
............
....o.......
............
..o.........
............
............
"""
_TWO_CHAINS: Final = """
............
..III.......
............
.........o..
.....FF.....
............
............
..o.........
............
"""
_LITTLE_MONEY: Final = """
............
..W.........
..WW........
............
.........TT.
.........T..
............
....o.......
............
"""
_GROWING: Final = """
............
............
...F........
...FF.......
............
....o.......
............
.........o..
............
"""
_PRICE_STEPS: Final = """
............
........I...
.......III..
........I...
............
.WWW........
.WWW........
............
............
"""
_SHAREHOLDERS: Final = """
............
............
..AAA.......
..AA........
............
........TT..
............
............
....o.......
"""
_BEHIND: Final = """
............
.CC.........
.CC.........
............
............
........F...
........F...
..o.........
............
"""
_MERGER: Final = """
.....II.....
..W..II.....
..WW.I...TT.
..........T.
............
............
.o.......o..
............
............
"""
_EQUALS: Final = """
............
............
............
..AA.TT.....
..AA.TT.....
............
.........o..
............
............
"""
_DEFUNCT: Final = """
.....II.....
..W..II.....
..WW.II.....
............
............
........o...
............
............
............
"""
_DEFUNCT_BESIDE_FESTIVAL: Final = """
.....II.....
..W..II..FF.
..WW.II..F..
............
............
........o...
............
............
............
"""
_ALMOST_SAFE: Final = """
............
.TTTTT......
.TTTTT......
............
........FF..
.........F..
............
............
............
"""
_TWO_SAFE: Final = """
............
.TTTTT..AAAA
.TTTTTT.AAAA
.........AAA
..FFF.......
............
............
............
............
"""
_ALL_SAFE: Final = """
............
.TTTTT..AAAA
.TTTTTT.AAAA
.........AAA
............
............
....o.......
............
............
"""
_LARGEST: Final = """
............
.........FF.
.........F..
CCCCCCCC....
CCCCCCCC....
CCCCCCCC....
CCCCCCCC....
CCCCCCCCC...
............
"""

_CASH: Final = "cash: 4600 5200 4800"
_MERGED: Final = ("place 5C",)
# Everyone who has shares of the defunct chain keeps them.
_TWO_HOLD: Final = ("dispose nothing",) * 2
_ONE_HOLDS: Final = _TWO_HOLD[:1]

LESSONS: Final = (
    Lesson(
        "tiles",
        (
            Step("place", _position(_FIRST_TILES, "2B 6E 9D", _CASH), goals.stays_alone, "place 2B"),
            Step("found", _position(_FIRST_TILES, "4D 6E 11H", _CASH), goals.begins_chain, "place 6E"),
            Step(
                "choose",
                _position(_FIRST_TILES, "4D 6E 11H", _CASH),
                goals.founds_dearest,
                "found tower",
                moves=("place 6E",),
            ),
        ),
    ),
    Lesson(
        "shares",
        (
            Step(
                "buy",
                _position(
                    _TWO_CHAINS, "1H 8C 11A", _CASH, "imperial: 1 0 0", "festival: 0 1 0", "decision: buy 0"
                ),
                goals.buys_most,
                "buy 3 imperial",
            ),
            Step(
                "afford",
                _position(
                    _LITTLE_MONEY,
                    "1H 8C 11A",
                    "cash: 1000 5200 4800",
                    "worldwide: 2 1 0",
                    "tower: 0 1 3",
                    "decision: buy 0",
                ),
                goals.buys_most,
                "buy 3 worldwide",
            ),
        ),
    ),
    Lesson(
        "growth",
        (
            Step(
                "grow",
                _position(_GROWING, "3C 5E 10B", _CASH, "festival: 3 1 0"),
                goals.brings_in_lone_tile,
                "place 5E",
            ),
            Step(
                "prices",
                _position(_PRICE_STEPS, "5F 11C 6I", _CASH, "imperial: 4 1 0", "worldwide: 4 0 2"),
                goals.raises_price,
                "place 11C",
            ),
        ),
    ),
    Lesson(
        "bonuses",
        (
            Step(
                "majority",
                _position(
                    _SHAREHOLDERS,
                    "1H 8C 11A",
                    "cash: 2000 3800 4400",
                    "american: 3 4 0",
                    "tower: 0 0 4",
                    "decision: buy 0",
                ),
                goals.gets_majority,
                "buy 2 american",
            ),
            Step(
                "minority",
                _position(
                    _BEHIND,
                    "1H 8C 11A",
                    "cash: 1300 2800 5400",
                    "continental: 0 8 1",
                    "festival: 3 0 1",
                    "decision: buy 0",
                ),
                goals.gets_minority,
                "buy 2 continental",
            ),
        ),
    ),
    Lesson(
        "mergers",
        (
            Step(
                "merge",
                _position(_MERGER, "5C 4H 8H", _CASH, "worldwide: 3 2 0", "imperial: 1 4 0", "tower: 0 0 3"),
                goals.merges,
                "place 5C",
                then=_TWO_HOLD,
            ),
            Step(
                "survivor",
                _position(_EQUALS, "5D 4H 8H", _CASH, "american: 5 2 0", "tower: 0 4 2"),
                goals.pays_majority,
                "survivor tower",
                moves=("place 5D",),
                then=_TWO_HOLD,
            ),
        ),
    ),
    Lesson(
        "defunct",
        (
            Step(
                "sell",
                _position(
                    _DEFUNCT_BESIDE_FESTIVAL,
                    "5C 4H 8H",
                    "cash: 100 3200 2800",
                    "worldwide: 4 6 5",
                    "imperial: 0 3 5",
                    "festival: 2 4 0",
                ),
                goals.sells_all,
                "dispose sell 4",
                moves=_MERGED,
                then=_TWO_HOLD,
            ),
            Step(
                "trade",
                _position(
                    _DEFUNCT, "5C 4H 8H", "cash: 3000 3200 2800", "worldwide: 4 0 5", "imperial: 4 5 0"
                ),
                goals.trades_for_majority,
                "dispose trade 4",
                moves=_MERGED,
                then=_ONE_HOLDS,
            ),
            Step(
                "hold",
                _position(
                    _DEFUNCT, "5C 9E 8H", "cash: 3000 3200 2800", "worldwide: 4 1 0", "imperial: 2 3 4"
                ),
                goals.holds_all,
                "dispose nothing",
                moves=_MERGED,
                then=_ONE_HOLDS,
            ),
        ),
    ),
    Lesson(
        "safety",
        (
            Step(
                "safe",
                _position(_ALMOST_SAFE, "7C 8E 3H", _CASH, "tower: 3 4 0", "festival: 2 0 1"),
                goals.makes_safe,
                "place 7C",
            ),
            Step(
                "dead",
                _position(_TWO_SAFE, "8C 4D 8G", _CASH, "tower: 3 4 0", "american: 2 0 5", "festival: 3 1 0"),
                goals.merges,
                "place 4D",
                then=_TWO_HOLD,
            ),
        ),
    ),
    Lesson(
        "ending",
        (
            Step(
                "declare",
                _position(
                    _ALL_SAFE,
                    "1H 8G 11A",
                    "cash: 4000 3000 2500",
                    "tower: 6 3 1",
                    "american: 4 2 5",
                    "decision: buy 0",
                ),
                goals.declares_end,
                "buy nothing and end",
            ),
            Step(
                "count",
                _position(
                    _LARGEST,
                    "1A 12I 11A",
                    "cash: 2500 6000 2900",
                    "continental: 6 6 2",
                    "festival: 1 0 5",
                    "decision: buy 0",
                ),
                goals.wins,
                "buy 1 continental and end",
            ),
        ),
    ),
)
