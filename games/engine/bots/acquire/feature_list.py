"""The features of a seat: their names, units and reasons.

Each seat has 34 features of its own and 18 for each of the seven chains, in order of size. They are scaled to
be about 1 at most, so that training treats them alike.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name, its unit, and why it may tell who wins."""

    name: str
    unit: str
    reason: str


SEAT_FEATURES: Final = (
    Feature("score", "5 log odds", "the linear valuation against the mean of all seats, to be corrected"),
    Feature("constant", "1", "lets the linear part shift all others"),
    Feature("largest_chain", "41 tiles", "how far the game has come"),
    Feature("bag", "90 tiles", "how many turns can follow"),
    Feature("chains", "7 chains", "with all on the board, founding is blocked"),
    Feature("safe_chains", "4 chains", "safe chains pay at the end only"),
    Feature("lone_tiles", "15 tiles", "they are the chains to come"),
    Feature("end_allowed", "yes or no", "this turn may be the last"),
    Feature("founding_squares", "20 squares", "how easily a chain is founded"),
    Feature("merging_squares", "10 squares", "how close the next merger is"),
    Feature("cash", "$6,000", "money that can buy at once"),
    Feature("first_500", "$500", "whether the seat can buy anything"),
    Feature("first_1000", "$1,000", "whether it can buy a share in most chains"),
    Feature("first_2000", "$2,000", "whether it can buy three shares"),
    Feature("first_4000", "$4,000", "whether it can buy for two turns"),
    Feature("cash_part", "all cash", "who can buy when the others cannot"),
    Feature("cash_lead", "$6,000", "cash against the richest other seat"),
    Feature("broke", "yes or no", "no share on sale is within reach"),
    Feature("stock", "$10,000", "shares at today's price"),
    Feature("bonuses", "$10,000", "bonuses if all chains were paid now"),
    Feature("lead", "$10,000", "cash, stock and half the bonuses, against the best other seat"),
    Feature("mean_lead", "$10,000", "the same against the mean of the others"),
    Feature("rank", "3 seats", "the number of seats that are ahead by the same count"),
    Feature("final_lead", "$10,000", "the lead if the game ended now"),
    Feature("shelved", "10 shares", "shares of chains that are not on the board"),
    Feature("wait", "rounds", "turns until the seat's next one"),
    Feature("on_turn", "yes or no", "it may answer first"),
    Feature("hand_founds", "3 tiles", "own tiles that found a chain now"),
    Feature("hand_alone", "3 tiles", "own tiles that touch nothing"),
    Feature("hand_dead", "3 tiles", "own tiles that cannot be placed now"),
    Feature("hand_merges", "3 tiles", "own tiles that merge chains"),
    Feature("share_of_seats", "1 / seats", "the chance of a seat nothing is known about"),
    Feature("lead_at_end", "$5,000", "the final lead, while the end may be declared"),
    Feature("wins_at_end", "yes or no", "whether it would win by declaring now"),
)

CHAIN_FEATURES: Final = (
    Feature("size", "20 tiles", "large chains are safe and dear"),
    Feature("price", "$1,000", "today's price of a share"),
    Feature("shares", "10 shares", "the seat's shares, also of chains off the board"),
    Feature("stock", "$5,000", "their price"),
    Feature("lead", "5 shares", "against the largest other holder, five at most"),
    Feature("second_lead", "5 shares", "against the second largest other holder, five at most"),
    Feature("majority", "yes or no", "has or shares the majority"),
    Feature("minority", "yes or no", "has or shares the minority"),
    Feature("bonus", "$5,000", "the seat's bonus if the chain were paid now"),
    Feature("bank", "25 shares", "how many shares can still change the majority"),
    Feature("unsafe_place", "$1,000", "price, if unsafe and the seat would be paid a bonus"),
    Feature("threat", "4 squares", "empty squares that would absorb the chain"),
    Feature("growth", "12 squares", "empty squares that would let it grow"),
    Feature("threatened_bonus", "4 squares × $2,500", "the bonus that these squares would pay"),
    Feature("hand_growth", "2 tiles", "own tiles that let it grow"),
    Feature("hand_threat", "2 tiles", "own tiles that absorb it"),
    Feature("hand_survives", "2 tiles", "own tiles of mergers that it would survive"),
    Feature("hand_bonus", "1 tile × $5,000", "the bonus that own tiles would pay"),
)

NAMES: Final = (
    *(feature.name for feature in SEAT_FEATURES),
    *(f"chain_{place}_{feature.name}" for place in range(1, 8) for feature in CHAIN_FEATURES),
)
COUNT: Final = len(NAMES)
