"""Groups of features that tell of the same thing, and how much the valuation relies on each.

It needs numpy.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from games.engine.bots.acquire.feature_list import CHAIN_FEATURES, NAMES
from games.engine.bots.acquire.network import Arrays, np
from games.engine.bots.acquire.valuation_training import Positions, held_out_figures

SEAT_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "linear valuation": ("score",),
    "cash": (
        *("cash", "first_500", "first_1000", "first_2000", "first_4000"),
        *("cash_part", "cash_lead", "broke"),
    ),
    "stock, bonuses and leads": (
        *("stock", "bonuses", "lead", "mean_lead", "rank", "final_lead", "shelved"),
        *("lead_at_end", "wins_at_end"),
    ),
    "state of the board": (
        *("largest_chain", "bag", "chains", "safe_chains", "lone_tiles", "end_allowed"),
        *("founding_squares", "merging_squares"),
    ),
    "turn and number of seats": ("constant", "wait", "on_turn", "share_of_seats"),
    "own tiles": ("hand_founds", "hand_alone", "hand_dead", "hand_merges"),
}
CHAIN_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "size and price of chains": ("size", "price"),
    "shares of chains": ("shares", "stock", "bank"),
    "majorities": ("lead", "second_lead", "majority", "minority", "bonus", "unsafe_place"),
    "growth and mergers to come": ("threat", "growth", "threatened_bonus"),
    "own tiles at chains": ("hand_growth", "hand_threat", "hand_survives", "hand_bonus"),
}


def columns() -> dict[str, list[int]]:
    """The places of the features of each group."""
    place = {name: index for index, name in enumerate(NAMES)}
    chains = (len(NAMES) - sum(map(len, SEAT_GROUPS.values()))) // len(CHAIN_FEATURES)
    found = {group: [place[name] for name in names] for group, names in SEAT_GROUPS.items()}
    for group, names in CHAIN_GROUPS.items():
        found[group] = [place[f"chain_{rank}_{name}"] for rank in range(1, chains + 1) for name in names]
    return found


def reliance(arrays: Arrays, positions: Positions) -> dict[str, float]:
    """By group: how much larger the log-loss of who wins is if its features tell nothing.

    Each of them then has its mean over these positions.
    """
    everything = np.arange(len(positions.seats))
    known = held_out_figures(arrays, positions, everything)["log_loss"]
    means = positions.rows.mean(axis=0)
    found = {}
    for group, places in columns().items():
        rows = positions.rows.copy()
        rows[:, places] = means[places]
        without = held_out_figures(arrays, replace(positions, rows=rows), everything)["log_loss"]
        found[group] = round(without - known, 5)
    return found
