"""Evaluation of a position for a seat, used at the end of each rollout."""

from collections.abc import Callable
from functools import lru_cache
from math import exp, sqrt
from typing import Final

from games.engine.bots.acquire.bonus_cache import MAX_CACHED, Payments
from games.engine.bots.acquire.linear_weights import WEIGHTS
from games.engine.bots.acquire.net_worth import lead_of, team_sums, worth
from games.engine.rules.acquire.chains import CHAINS, END_SIZE, SAFE
from games.engine.rules.acquire.state import State

# The value of the position (0 to 1) by which moves are ranked, the expected share of the win,
# and the lead over the best other seat in dollars. In team games all are those of the seat's team.
Evaluation = tuple[float, float, float]
Evaluator = Callable[[State, int, Payments], Evaluation]

# A lead of this many dollars is worth 0.88 of a win.
COMFORT: Final = 8000.0
# Weight of the chance to win in the linear evaluation; the lead has the rest.
CHANCE: Final = 0.75
# A chain up to this size counts as small, as it will hardly keep its size.
SMALL: Final = 4
# A lead or deficit of more shares than this counts as this many.
MAX_SHARE_LEAD: Final = 4


def worth_evaluation(state: State, seat: int, payments: Payments) -> Evaluation:
    """Evaluate a position by net worth alone: half by being ahead, half by the lead."""
    lead = lead_of(state, worth(state, payments), seat)
    won = share_of_win(lead)
    return 0.5 * won + 0.5 * comfort(lead), won, lead


def linear_evaluation(state: State, seat: int, payments: Payments) -> Evaluation:
    """Evaluate a position by the chance to win that the linear weights give, and by the lead."""
    lead = lead_of(state, worth(state, payments), seat)
    chance = share_of_win(lead) if state.ended else win_chances(state, seat_scores(state, payments))[seat]
    return CHANCE * chance + (1 - CHANCE) * comfort(lead), chance, lead


def share_of_win(lead: float) -> float:
    """The share of the win of a finished game, from 0 to 1."""
    return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0


def comfort(lead: float) -> float:
    """The worth of a lead in dollars, from 0 to 1."""
    return 1.0 / (1.0 + exp(-2.0 * lead / COMFORT))


def win_chances(state: State, scores: list[float]) -> list[float]:
    """Each seat's chance to win, from log odds by seat; in a team game that of its team."""
    in_teams = state.rules.teams != "none"
    sides = team_scores(state, scores) if in_teams else scores
    most = max(sides)
    odds = [exp(score - most) for score in sides]
    whole = sum(odds)
    chances = [one / whole for one in odds]
    return [chances[seat % len(chances)] for seat in range(state.seats)] if in_teams else chances


def team_scores(state: State, scores: list[float]) -> list[float]:
    """Log odds to win by team.

    Log odds are a lead in units of its uncertainty. The leads of partners add up, and the uncertainty of the
    sum of `n` of them is that of one times the root of `n`.
    """
    sums = team_sums(state, scores)
    return [score / sqrt(state.seats / len(sums)) for score in sums]


def seat_scores(state: State, payments: Payments) -> list[float]:
    """Log odds to win by seat, without what all seats have in common."""
    scores = cash_scores(state)
    for chain in CHAINS:
        held, tiles = tuple(state.holdings[chain]), state.size[chain]
        paid = payments.to_holders(held, state.rules.prices[chain][tiles]) if tiles else ()
        for seat, score in enumerate(chain_scores(state, chain, held, paid)):
            scores[seat] += score
    return scores


def cash_scores(state: State) -> list[float]:
    """The part of the log odds that cash and the order of turns give, by seat."""
    seats, turn = state.seats, state.turn
    weights = WEIGHTS[min(max(state.size), END_SIZE)]
    wait = weights.wait / seats
    return [
        (weights.cash * cash + weights.first_1000 * min(cash, 1000) + weights.first_3000 * min(cash, 3000))
        / 1000
        + wait * ((seat - turn) % seats)
        for seat, cash in enumerate(state.cash)
    ]


def chain_scores(
    state: State, chain: int, held: tuple[int, ...], paid: tuple[float, ...]
) -> tuple[float, ...]:
    """The part of the log odds that a chain gives, by seat, from the shares and the bonus of each seat.

    A chain off the board pays no bonuses.
    """
    largest, tiles = min(max(state.size), END_SIZE), state.size[chain]
    if tiles:
        return _scores_on_board(largest, tiles, state.rules.prices[chain][tiles], held, paid)
    shelved = WEIGHTS[largest].shelved
    return tuple([shelved * shares for shares in held])


@lru_cache(maxsize=MAX_CACHED)
def _scores_on_board(
    largest: int, tiles: int, dollars: int, held: tuple[int, ...], paid: tuple[float, ...]
) -> tuple[float, ...]:
    """The log odds that a chain of this size and price gives, by seat; `largest` is 41 at most."""
    weights = WEIGHTS[largest]
    *_, second, first = sorted(held)
    safe = tiles >= SAFE
    price = dollars / 1000
    share = weights.shares[safe] + weights.price[safe] * price
    bonus = weights.bonus[safe]
    if tiles <= SMALL:
        share += weights.small_price * price
        bonus += weights.small_bonus
    lead = weights.lead[safe] * price
    scores = []
    for seat, shares in enumerate(held):
        ahead = shares - (second if shares == first else first)
        scores.append(
            share * shares
            + bonus * paid[seat] / 1000
            + lead * max(-MAX_SHARE_LEAD, min(ahead, MAX_SHARE_LEAD))
        )
    return tuple(scores)
