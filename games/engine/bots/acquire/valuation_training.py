"""Training of the valuation on positions of finished games. It needs numpy.

The network is fitted by Adam, in batches of 128 positions, with a learning rate that falls along a cosine. In
the first stage, weights of the features alone learn how the games ended, for where there is no numpy. In the
second, a network learns the same. In the third, a new network learns from TD(λ) targets: a mixture of the
end and of what the network before says about later positions of the same game, which is less noisy.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.feature_list import COUNT
from games.engine.bots.acquire.network import Arrays, np, outputs
from games.engine.bots.acquire.seat_features import SCORE_UNIT, seat_features
from games.engine.bots.acquire.self_play import PlayedGame
from games.engine.bots.acquire.valuation import MONEY_UNIT
from games.engine.bots.acquire.valuation_weights import FEATURES_DIGEST, HIDDEN, OUTPUTS, SHAPES

# Every game whose number leaves this remainder is held out. The divisor has nothing in common with the rounds
# of seats and presets, so all kinds of games are held out alike.
HELD_OUT_EVERY: Final = 11
HELD_OUT_REST: Final = 10

BATCH: Final = 128
RATE: Final = 0.002
DECAY: Final = 0.0003
# Weight of the error of the money beside that of the chance.
MONEY_PART: Final = 0.25
LAMBDA: Final = 0.92
BETA_MEAN: Final = 0.9
BETA_SQUARE: Final = 0.999
TINY: Final = 1e-8

# A checkpoint is continued only if all of these are the same.
CONSTANTS: Final[dict[str, object]] = {
    "features": FEATURES_DIGEST,
    "hidden": HIDDEN,
    "held_out": [HELD_OUT_EVERY, HELD_OUT_REST],
    "batch": BATCH,
    "rate": RATE,
    "decay": DECAY,
    "money": [MONEY_PART, MONEY_UNIT],
    "lambda": LAMBDA,
    "adam": [BETA_MEAN, BETA_SQUARE, TINY],
}
NETWORK: Final = ("hidden", "hidden_bias", "output", "output_bias", "skip")


@dataclass(frozen=True)
class Positions:
    """Positions of many games, one after the other, in the order of play.

    rows      features, a row for each seat of each position
    starts    by position: its first row
    seats     by position: its number of seats
    games     by position: the number of its game
    chance    by row: the share of the win that the seat got
    money     by row: its final money against the mean of all seats, in $10,000
    """

    rows: Any
    starts: Any
    seats: Any
    games: Any
    chance: Any
    money: Any

    def held_out(self, *, seats: int = 0) -> Any:
        """The numbers of the positions of held-out games, all of them or those with this number of seats."""
        chosen = self.games % HELD_OUT_EVERY == HELD_OUT_REST
        return np.flatnonzero(chosen & (self.seats == seats) if seats else chosen)

    def for_training(self) -> Any:
        """The numbers of the other positions."""
        return np.flatnonzero(self.games % HELD_OUT_EVERY != HELD_OUT_REST)

    def only(self, numbers: Any) -> "Positions":
        """These positions alone, in this order."""
        chosen, begins = self.rows_of(numbers)
        return Positions(
            rows=self.rows[chosen],
            starts=begins,
            seats=self.seats[numbers],
            games=self.games[numbers],
            chance=self.chance[chosen],
            money=self.money[chosen],
        )

    def rows_of(self, numbers: Any) -> tuple[Any, Any]:
        """The rows of these positions, and where each position begins among them."""
        seats = self.seats[numbers]
        begins = np.cumsum(seats) - seats
        return np.repeat(self.starts[numbers] - begins, seats) + np.arange(seats.sum()), begins


def positions_of(games: Iterable[PlayedGame]) -> Positions:
    """The positions at the beginning of each turn of these games."""
    rows: list[Any] = []
    seats: list[int] = []
    numbers: list[int] = []
    chance: list[float] = []
    money: list[float] = []
    for game in games:
        turns = 0
        payments = None
        for state in game.positions():
            if not state.ended:
                payments = payments or payments_for(state.rules, state.seats)
                rows.append(np.array(seat_features(state, payments), dtype=np.float32))
                turns += 1
                continue
            most = max(state.cash)
            winners = state.cash.count(most)
            mean = sum(state.cash) / game.seats
            chance += [(dollars == most) / winners for dollars in state.cash] * turns
            money += [(dollars - mean) / MONEY_UNIT for dollars in state.cash] * turns
        seats += [game.seats] * turns
        numbers += [game.number] * turns
    count = np.array(seats)
    return Positions(
        rows=np.concatenate(rows) if rows else np.zeros((0, COUNT), np.float32),
        starts=np.cumsum(count) - count,
        seats=count,
        games=np.array(numbers),
        chance=np.array(chance),
        money=np.array(money),
    )


def beginning(seed: int, *, linear: bool = False) -> Arrays:
    """Weights before training: the skip is the linear valuation, the network adds hardly anything."""
    chance = np.random.default_rng((seed, 0))
    skip = np.zeros((COUNT, OUTPUTS))
    skip[0, 0] = SCORE_UNIT
    if linear:
        return {"skip": skip}
    return {
        "hidden": chance.normal(0, (2 / COUNT) ** 0.5, SHAPES["hidden"]),
        "hidden_bias": np.zeros(HIDDEN),
        "output": chance.normal(0, 0.02, SHAPES["output"]),
        "output_bias": np.zeros(OUTPUTS),
        "skip": skip,
    }


def chances(scores: Any, begins: Any, seats: Any) -> Any:
    """The chance to win by row: the softmax over the seats of each position."""
    odds = np.exp(scores - np.repeat(np.maximum.reduceat(scores, begins), seats))
    return odds / np.repeat(np.add.reduceat(odds, begins), seats)


class Training:
    """One stage of training, which can be stored after each epoch and goes on from there.

    `stage` tells the stages of one seed apart. Targets are by row of the positions.
    """

    def __init__(
        self,
        positions: Positions,
        chance: Any,
        money: Any,
        *,
        seed: int,
        stage: int,
        epochs: int,
        linear: bool,
    ) -> None:
        self.positions = positions
        self.chance = chance
        self.money = money
        self.seed, self.stage, self.epochs = seed, stage, epochs
        self.epoch = 0
        self.arrays = beginning(seed, linear=linear)
        self._means = {name: np.zeros_like(value) for name, value in self.arrays.items()}
        self._squares = {name: np.zeros_like(value) for name, value in self.arrays.items()}
        self._steps = 0

    def run_epoch(self) -> None:
        """Go once through all positions, in an order that follows from seed, stage and epoch."""
        numbers = self.positions.for_training()
        np.random.default_rng((self.seed, self.stage, self.epoch)).shuffle(numbers)
        batches = [numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH)]
        for index, batch in enumerate(batches):
            part = (self.epoch + index / len(batches)) / self.epochs
            self._step(self._slopes(batch), RATE * (1 + np.cos(np.pi * part)) / 2)
        self.epoch += 1

    def _slopes(self, batch: Any) -> Arrays:
        chosen, begins = self.positions.rows_of(batch)
        rows = self.positions.rows[chosen].astype(float)
        seats = self.positions.seats[batch]
        scores, hidden = outputs(self.arrays, rows)
        error = np.empty_like(scores)
        error[:, 0] = chances(scores[:, 0], begins, seats) - self.chance[chosen]
        error[:, 1] = MONEY_PART * (scores[:, 1] - self.money[chosen])
        error /= len(batch)
        slopes = {"skip": rows.T @ error}
        if hidden is not None:
            back = (error @ self.arrays["output"].T) * (hidden > 0)
            slopes |= {
                "output": hidden.T @ error,
                "output_bias": error.sum(axis=0),
                "hidden": rows.T @ back,
                "hidden_bias": back.sum(axis=0),
            }
        return slopes

    def _step(self, slopes: Arrays, rate: float) -> None:
        """Move the weights by Adam, and let them decay."""
        self._steps += 1
        for name, slope in slopes.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - BETA_MEAN) * (slope - mean)
            square += (1 - BETA_SQUARE) * (slope * slope - square)
            steady = mean / (1 - BETA_MEAN**self._steps)
            spread = np.sqrt(square / (1 - BETA_SQUARE**self._steps))
            self.arrays[name] -= rate * steady / (spread + TINY)
            if name in ("hidden", "output"):
                self.arrays[name] *= 1 - rate * DECAY / RATE

    def stored(self) -> Arrays:
        """Everything that going on needs, as arrays by name."""
        return {
            "progress": np.array([self.epoch, self._steps]),
            **{f"weight {name}": value for name, value in self.arrays.items()},
            **{f"mean {name}": value for name, value in self._means.items()},
            **{f"square {name}": value for name, value in self._squares.items()},
        }

    def restore(self, stored: Any) -> None:
        """Go on from what `stored` returned."""
        self.epoch, self._steps = map(int, stored["progress"])
        for name in self.arrays:
            self.arrays[name] = stored[f"weight {name}"]
            self._means[name] = stored[f"mean {name}"]
            self._squares[name] = stored[f"square {name}"]


def log_loss(predicted: Any, actual: Any, count: int) -> float:
    """The mean over positions of the log-loss of who wins."""
    return float(-(actual * np.log(np.maximum(predicted, 1e-12))).sum() / count)


def held_out_figures(arrays: Arrays, positions: Positions, numbers: Any) -> dict[str, float]:
    """Log-loss of the winner, and error of the money in dollars, on these positions."""
    chosen, begins = positions.rows_of(numbers)
    seats = positions.seats[numbers]
    scores, _ = outputs(arrays, positions.rows[chosen].astype(float))
    money = np.sqrt(np.mean((scores[:, 1] - positions.money[chosen]) ** 2)) * MONEY_UNIT
    loss = log_loss(chances(scores[:, 0], begins, seats), positions.chance[chosen], len(numbers))
    return {"log_loss": round(loss, 5), "money_error": round(float(money))}


def td_targets(arrays: Arrays, positions: Positions) -> tuple[Any, Any]:
    """Targets of chance and money by row: TD(λ) mixtures of later judgements and the end."""
    everything = np.arange(len(positions.seats))
    _, begins = positions.rows_of(everything)
    scores, _ = outputs(arrays, positions.rows.astype(float))
    judged = np.stack([chances(scores[:, 0], begins, positions.seats), scores[:, 1]], axis=1)
    actual = np.stack([positions.chance, positions.money], axis=1)
    targets = actual.copy()
    for number in range(len(everything) - 2, -1, -1):
        if positions.games[number] != positions.games[number + 1]:
            continue
        own = slice(positions.starts[number], positions.starts[number] + positions.seats[number])
        later = slice(own.stop, own.stop + positions.seats[number])
        targets[own] = (1 - LAMBDA) * judged[later] + LAMBDA * targets[later]
    return targets[:, 0], targets[:, 1]


def packed(network: Arrays, linear: Arrays) -> "dict[str, array[float]]":
    """The arrays as they are stored in a weights file."""
    values = {name: network[name] for name in NETWORK} | {"linear": linear["skip"][:, 0]}
    return {name: array("f", values[name].ravel().tolist()) for name in SHAPES}
