"""Valuation: who wins a position and by how much, by the learned weights.

A network of 160 features, 48 hidden units and a linear skip gives each seat log odds and money. It runs on
numpy; without numpy a linear valuation of the same features judges. Positions are judged in batches, as a
search tries all its moves with the same deal.
"""

from collections.abc import Sequence
from importlib import import_module
from math import exp
from operator import mul
from typing import Any, Final

from games.engine.bots.acquire.bonus_cache import Payments
from games.engine.bots.acquire.evaluation import Evaluation, comfort, lead_of, share_of_win
from games.engine.bots.acquire.net_worth import worth
from games.engine.bots.acquire.seat_features import seat_features
from games.engine.bots.acquire.valuation_weights import SHAPES, Weights, weights
from games.engine.rules.acquire.state import State

# Weight of the chance to win in the value of a position; the comfort of the lead has the rest.
CHANCE: Final = 0.4
MONEY_UNIT: Final = 10_000
# Digits after the point that are compared, so that a seed gives the same game on any processor.
DIGITS: Final = 6


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
        found: list[Evaluation] = [(0.0, 0.0, 0.0)] * len(states)
        running = []
        for index, state in enumerate(states):
            if state.ended:
                lead = lead_of(worth(state, payments), seat)
                found[index] = _evaluation(share_of_win(lead), lead)
            else:
                running.append(index)
        if running:
            rows = [seat_features(states[index], payments) for index in running]
            judged = self._by_network(rows, seat) if self.with_network else None
            for place, index in enumerate(running):
                if judged is not None:
                    found[index] = _evaluation(*judged[place])
                else:
                    lead = lead_of(worth(states[index], payments), seat)
                    found[index] = _evaluation(self._linear_chance(rows[place], seat), lead)
        return found

    def _by_network(self, rows: Sequence[Sequence[Sequence[float]]], seat: int) -> list[tuple[float, float]]:
        np = self._network.np
        scores, _ = self._network.outputs(self._arrays, np.array(rows))
        odds = np.exp(scores[..., 0] - scores[..., 0].max(axis=1, keepdims=True))
        chances = np.round(odds[:, seat] / odds.sum(axis=1), DIGITS).tolist()
        money = scores[..., 1]
        others = np.delete(money, seat, axis=1).max(axis=1)
        leads = np.round((money[:, seat] - others) * MONEY_UNIT, DIGITS).tolist()
        return list(zip(chances, leads, strict=True))

    def _linear_chance(self, rows: Sequence[Sequence[float]], seat: int) -> float:
        scores = [sum(map(mul, self._linear, row)) for row in rows]
        most = max(scores)
        odds = [exp(score - most) for score in scores]
        return round(odds[seat] / sum(odds), DIGITS)


def network() -> Any:
    """The module of the network, imported when first asked for; None where numpy cannot be imported."""
    try:
        return import_module("games.engine.bots.acquire.network")
    except ImportError:
        return None


def valuation() -> Valuation:
    """The judge with the weights of this version. Raises WeightsError."""
    return Valuation(weights())


def _evaluation(chance: float, lead: float) -> Evaluation:
    return CHANCE * chance + (1 - CHANCE) * comfort(lead), chance, lead
