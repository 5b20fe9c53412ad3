"""Valuation: who wins a position and by how much, by the learned weights.

A network of 160 features, 48 hidden units and a linear skip gives each seat log odds and money. It runs on
numpy; without numpy a linear valuation of the same features judges. Positions are judged in batches, as a
search tries all its moves with the same deal.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from operator import mul
from pathlib import Path
from typing import Any, Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.evaluation import Evaluation, comfort, share_of_win, win_chances
from games.engine.bots.acquire.feature_list import COUNT
from games.engine.bots.acquire.net_worth import lead_of, worth
from games.engine.bots.acquire.seat_features import features_of, unpacked
from games.engine.bots.acquire.valuation_weights import SHAPES, Weights, read_weights, weights
from games.engine.rules.acquire.state import State

# Weight of the chance to win in the value of a position; the comfort of the lead makes up the rest.
CHANCE: Final = 0.4
MONEY_UNIT: Final = 10_000
# Digits after the point that are compared, so that a seed gives the same game on any processor.
DIGITS: Final = 6

# The chance to win and the money of each seat. In a team game the chance is that of its team.
Outlook = tuple[list[float], list[float]]


class Valuation:
    """Judge of positions with these weights; `with_network` tells whether the whole network is used."""

    def __init__(self, learned: Weights, *, with_network: bool = True) -> None:
        self._network: Any = network() if with_network else None
        self.with_network = self._network is not None
        self._linear = list(learned.values["linear"])
        if self._network is not None:
            self._arrays = {
                name: self._network.np.array(learned.values[name], dtype=float).reshape(shape)
                for name, shape in SHAPES.items()
            }

    def judge(self, states: Sequence[State], seat: int, payments: Payments) -> list[Evaluation]:
        """Value, chance and lead of the seat in each of these positions, all of the same game."""
        return self.judge_each(states, [seat] * len(states), payments)

    def judge_each(
        self, states: Sequence[State], seats: Sequence[int], payments: Payments
    ) -> list[Evaluation]:
        """The same, each position for the seat at its index."""
        outlooks = self.outlooks(states, payments)
        return [
            _evaluation(chances[seat], round(lead_of(state, dollars, seat), DIGITS))
            for state, seat, (chances, dollars) in zip(states, seats, outlooks, strict=True)
        ]

    def outlooks(self, states: Sequence[State], payments: Payments) -> list[Outlook]:
        """The chance to win and the final money of each seat in each of these positions, all of one game.

        Only the differences between the seats' money count.
        """
        running = [state for state in states if not state.ended]
        judged = iter(self._judged(running, payments) if running else ())
        return [_at_the_end(state) if state.ended else next(judged) for state in states]

    def _judged(self, running: Sequence[State], payments: Payments) -> list[Outlook]:
        positions = features_of(running, payments)
        if self._network is not None:
            return self._by_network(running[0], positions)
        return [
            (self._linear_chances(state, rows), worth(state, payments))
            for state, rows in zip(running, positions, strict=True)
        ]

    def _by_network(self, one: State, positions: Iterable[list[bytes]]) -> list[Outlook]:
        """The outlooks of positions of one game, of which `one` is any."""
        np = self._network.np
        scores, _ = self._network.outputs(self._arrays, _array(np, positions, one.seats))
        if one.rules.teams != "none":
            money = (scores[..., 1] * MONEY_UNIT).tolist()
            return [
                (_rounded_chances(one, odds), dollars)
                for odds, dollars in zip(scores[..., 0].tolist(), money, strict=True)
            ]
        odds = np.exp(scores[..., 0] - scores[..., 0].max(axis=1, keepdims=True))
        chances = np.round(odds / odds.sum(axis=1, keepdims=True), DIGITS)
        return list(zip(chances.tolist(), (scores[..., 1] * MONEY_UNIT).tolist(), strict=True))

    def _linear_chances(self, state: State, rows: Sequence[bytes]) -> list[float]:
        return _rounded_chances(state, [sum(map(mul, self._linear, unpacked(row))) for row in rows])


def _array(np: Any, positions: Iterable[list[bytes]], seats: int) -> Any:
    """The features as an array."""
    packed = b"".join([row for by_seat in positions for row in by_seat])
    return np.frombuffer(packed).reshape(-1, seats, COUNT)


def _rounded_chances(state: State, scores: list[float]) -> list[float]:
    return [round(chance, DIGITS) for chance in win_chances(state, scores)]


def _at_the_end(state: State) -> Outlook:
    dollars: list[float] = [*state.cash]
    return [share_of_win(lead_of(state, dollars, seat)) for seat in range(state.seats)], dollars


def network() -> Any:
    """The module of the network, imported when first asked for; None where numpy cannot be imported."""
    try:
        return import_module("games.engine.bots.acquire.network")
    except ImportError:
        return None


def valuation() -> Valuation:
    """The judge with the weights of this version. Raises WeightsError."""
    return Valuation(weights())


@cache
def valuation_of(file: str) -> Valuation:
    """The judge with the weights of this file, loaded once. Raises WeightsError."""
    return Valuation(read_weights(Path(file)))


def _evaluation(chance: float, lead: float) -> Evaluation:
    return CHANCE * chance + (1 - CHANCE) * comfort(lead), chance, lead
