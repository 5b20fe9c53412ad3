"""A dealer that shares no code with the site."""

from collections.abc import Sequence
from hashlib import sha256

BOARD = [f"{column}{row}" for row in "ABCDEFGHI" for column in range(1, 13)]


class SecondDealer:
    """A second implementation of the deal, written from docs/deal.md alone."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def number(self, label: str, counter: int, below: int) -> int:
        multiple = 2**256 // below * below
        for attempt in range(1000):
            text = f"{label} {counter} {attempt}".encode()
            value = int(sha256(bytes.fromhex(self.seed) + text).hexdigest(), 16)
            if value < multiple:
                return value % below
        raise AssertionError("no number")

    def shuffle(self, label: str, count: int) -> list[int]:
        order = list(range(count))
        for counter in range(count - 1):
            last = count - 1 - counter
            other = self.number(label, counter, last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def bag(self) -> list[str]:
        return [BOARD[number] for number in self.shuffle("bag", 108)]

    def deal_again(self, hands: Sequence[list[str]], bag: list[str]) -> tuple[list[list[str]], list[str]]:
        """The hands and the bag after these were dealt again."""
        hidden = sorted([*bag, *(tile for hand in hands for tile in hand)], key=BOARD.index)
        tiles = [hidden[number] for number in self.shuffle("bag", len(hidden))]
        dealt = []
        for hand in hands:
            dealt.append(tiles[: len(hand)])
            tiles = tiles[len(hand) :]
        return dealt, tiles

    def table(self, seats: int) -> dict[str, str]:
        bag = self.bag()
        starting, bag = bag[:seats], bag[seats:]
        first = min(range(seats), key=lambda seat: (starting[seat][-1], int(starting[seat][:-1])))
        hands = {(first + turn) % seats: bag[6 * turn : 6 * turn + 6] for turn in range(seats)}
        return {
            "seed": self.seed,
            "commitment": sha256(bytes.fromhex(self.seed)).hexdigest(),
            "seats": " ".join(str(player) for player in self.shuffle("seats", seats)),
            "bag": " ".join(self.bag()[:10]),
            "starting": " ".join(starting),
            "first": str(first),
            **{f"hand {seat}": " ".join(hands[seat]) for seat in range(seats)},
            "bank of 80": " ".join(str(self.number("bank", n, 80)) for n in range(3)),
            "bank of 108": " ".join(str(self.number("bank", n, 108)) for n in range(3)),
        }
