"""Advice of a bot in words: the move, the reason as the reader can see it, and the chances."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.engine.bots.move_estimate import Estimate
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.advice_view import Advice, percent
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.support.proof import seeds
from tests.web.presenters.presenter_cases import ACQUIRE, readers


def estimate(move: str, chance: float, money: float = 0) -> Estimate:
    return Estimate(acquire.parse_move(move), chance, money, 100)


def advice(state: State, *estimates: Estimate) -> Advice:
    seat = state.decision.seat
    for each in estimates:
        acquire.check_move(state, each.move)
    seen = acquire.observe(state, seat)
    said = ACQUIRE.advice(seen, readers(state.seats, seat), "Expert", estimates)
    return replace(said, why=said.why.replace("\N{NO-BREAK SPACE}", " "))


def why(state: State, move: str) -> str:
    """The reason for the move, without the chances."""
    return advice(state, estimate(move, 0.5)).why.removesuffix(
        " Expert puts your winning chance at 50% with this move."
    )


NOW = "if Continental is acquired now"
CHAINS = {"continental": "1A-3A", "tower": "5C-6C"}


def buying(**shares: list[int]) -> State:
    return position(CHAINS, shares=shares, decision="buy 0")


def test_advice_is_named_as_its_button_and_fills_the_form() -> None:
    said = advice(buying(), estimate("buy 2 continental 1 tower", 0.41), estimate("buy nothing", 0.33))
    assert said.order == "Buy 2 Continental and 1 Tower for $1,400"
    assert said.answer == "2,1"
    assert said.why.endswith(
        "Expert puts your winning chance at 41% with this move, and at 33% if you buy nothing."
    )


def test_next_best_move_is_named_when_no_purchase_compares() -> None:
    said = advice(buying(), estimate("buy nothing", 0.4), estimate("buy 1 tower", 0.25))
    assert said.why == (
        "It saves your $6,000 for later. Expert puts your winning chance at 40% with this move, "
        "and at 25% with the next best one: Buy 1 Tower for $400."
    )


def test_move_that_only_seems_better_is_not_compared() -> None:
    said = advice(buying(), estimate("buy 1 tower", 0.4), estimate("buy nothing", 0.6))
    assert said.why.endswith("Expert puts your winning chance at 40% with this move.")


def test_margin_is_told_when_nothing_else_speaks_for_the_move() -> None:
    state = position(
        {"tower": "1A-12A", "continental": "1C-12C"}, hands=("5B", "", ""), bag="9I", decision="stuck 0"
    )
    ahead = advice(state, estimate("redraw", 0.5, 1234), estimate("pass", 0.4))
    assert ahead.order == "Show these tiles and draw new ones"
    assert ahead.answer == ""
    assert ahead.why == (
        "Expert expects you to finish $1,200 ahead of the best other player. Expert puts your winning "
        "chance at 50% with this move, and at 40% with the next best one: Buy shares without placing "
        "a tile."
    )
    assert "$1,200 behind the best" in advice(state, estimate("redraw", 0.5, -1234)).why


@pytest.mark.parametrize(
    "held, bought, said",
    [
        ([0, 0, 0], 1, f"It makes you the only Continental shareholder, worth $7,500 in bonuses {NOW}."),
        ([1, 2, 0], 2, f"It gives you the majority in Continental, worth $5,000 {NOW}."),
        ([2, 2, 0], 1, f"It gives you the sole majority in Continental, worth $5,000 {NOW}."),
        ([0, 2, 1], 2, f"It ties you for the majority in Continental, worth $3,800 to you {NOW}."),
        ([0, 5, 1], 2, f"It gives you the minority in Continental, worth $2,500 {NOW}."),
        ([0, 5, 1], 1, f"It ties you for the minority in Continental, worth $1,300 to you {NOW}."),
        ([3, 2, 0], 2, "It puts you 3 shares ahead in Continental."),
        ([3, 2, 2], 1, "It puts you 2 shares ahead in Continental."),
        ([0, 6, 5], 1, "It leaves you 5 shares short of the most in Continental."),
    ],
)  # fmt: skip
def test_purchase_is_explained_by_the_rank_that_it_wins(held: list[int], bought: int, said: str) -> None:
    assert why(buying(continental=held), f"buy {bought} continental") == said


def test_reader_is_the_seat_that_is_asked() -> None:
    state = position(CHAINS, shares={"continental": [2, 1, 0]}, turn="1", decision="buy 1")
    said = "It gives you the majority in Continental, worth $5,000 if Continental is acquired now."
    assert why(state, "buy 2 continental") == said


def test_chain_that_wins_most_comes_first() -> None:
    said = why(buying(tower=[0, 2, 0], continental=[0, 1, 0]), "buy 1 tower 2 continental")
    assert said == (
        "It gives you the majority in Continental, worth $5,000 if Continental is acquired now. It gives "
        "you the minority in Tower, worth $2,000 if Tower is acquired now."
    )


def test_four_ranks_are_told_where_four_are_paid() -> None:
    state = position(
        CHAINS,
        rules="avalon-hill payout=four",
        hands=("", "", "", ""),
        shares={"continental": [0, 3, 2, 0]},
        decision="buy 0",
    )
    assert "It puts you third in Continental, worth " in why(state, "buy 1 continental")


def test_bank_of_two_players_is_left_out_and_said_to_be() -> None:
    state = position(CHAINS, hands=("", ""), shares={"continental": [0, 1]}, decision="buy 0")
    assert why(state, "buy 2 continental") == (
        "It gives you the majority in Continental, worth $5,000 if Continental is acquired now. "
        "The bank’s bonus is not included."
    )


@pytest.mark.parametrize(
    "cash, said",
    [
        ([6000, 1000, 1000], "It ends the game with you $5,000 ahead."),
        ([1000, 6000, 1000], "It ends the game with you $5,000 behind."),
        ([6000, 6000, 1000], "It ends the game with you tied for the lead."),
    ],
)
def test_end_is_explained_by_the_leader(cash: list[int], said: str) -> None:
    state = position({"tower": "1A-12A"}, cash=cash, decision="buy 0")
    assert why(state, "buy nothing and end") == said


@pytest.mark.parametrize("seed", seeds(15, 40))
def test_lead_at_the_end_is_what_the_rules_would_pay(seed: int) -> None:
    rng = Random(seed)
    shares = {name: [rng.randrange(4) for _ in range(3)] for name in ("tower", "continental")}
    state = position(
        {"tower": "1A-12A", "continental": "1C-12C"}, shares=shares, decision="buy 0",
        cash=[6000, 100 * rng.randrange(400), 0],
    )  # fmt: skip
    move = rng.choice([move for move in acquire.legal_moves(state) if move.end])  # type: ignore[attr-defined]
    said = why(state, move.text)
    acquire.apply(state, move)
    ahead = state.cash[0] - max(state.cash[1:])
    if ahead:
        side = "ahead" if ahead > 0 else "behind"
        assert said == f"It ends the game with you ${abs(ahead):,} {side}."
    else:
        assert said == "It ends the game with you tied for the lead."


MERGER = {"tower": "1A-3A", "american": "5A-6A"}


def placing(hand: str = "4A 12I", **shares: list[int]) -> State:
    return position(MERGER, hands=(hand, "", ""), shares=shares, decision="place 0")


def test_merger_is_explained_by_its_payments() -> None:
    state = placing(american=[3, 1, 0])
    assert why(state, "place 4A") == "It pays you $3,000 and other players $1,500 in bonuses for American."
    alone = placing(american=[3, 0, 0], tower=[2, 0, 0])
    assert why(alone, "place 4A") == (
        "It pays you $4,500 in bonuses for American, and other players nothing. It raises Tower to "
        "$800 a share, so your 2 shares gain $600."
    )


def test_merger_without_payments_is_explained_by_its_size() -> None:
    assert why(placing(), "place 4A") == "Tower will have 6 tiles and cost $800 a share."
    assert why(placing(american=[0, 1, 0]), "place 4A").startswith(
        "It pays other players $4,500 in bonuses for American, and you nothing."
    )


def test_growth_is_explained_by_the_gain_of_my_shares() -> None:
    state = placing("1B", tower=[3, 0, 0])
    assert why(state, "place 1B") == ("It raises Tower to $600 a share, so your 3 shares gain $300.")


def test_tile_without_effect_is_explained_by_what_it_keeps() -> None:
    assert why(placing(), "place 12I") == (
        "It has no neighbours, so it founds nothing. You keep 4A, which merges American into Tower."
    )


def test_founding_is_explained_by_the_free_share() -> None:
    state = position({"lone": "5E 6E"}, hands=("", "", ""), tile="6E", decision="found 0")
    assert why(state, "found tower") == (
        "It makes you the only Tower shareholder, worth $6,000 in bonuses if Tower is acquired now."
    )


def test_free_share_that_wins_no_rank_is_told_by_its_price() -> None:
    state = position(
        {"lone": "5E 6E"}, hands=("", "", ""), shares={"tower": [0, 3, 2]}, tile="6E", decision="found 0"
    )
    assert why(state, "found tower") == "Your free share is worth $400."
    spent = position(
        {"lone": "5E 6E"}, hands=("", "", ""), shares={"tower": [3, 20, 2]}, tile="6E", decision="found 0"
    )
    assert "free" not in why(spent, "found tower")


def test_founding_tile_is_explained_by_the_free_share() -> None:
    state = position({"lone": "5E"}, hands=("6E 1A", "", ""), decision="place 0")
    assert why(state, "place 6E") == "It founds a chain and gives you 1 free share."


TWO_TEAMS: Any = {"rules": "avalon-hill teams=two", "hands": ("", "", "", "")}


@pytest.mark.parametrize(
    "held, said",
    [
        ([0, 1, 3, 0], "It pays your team $3,000 and your opponents $1,500 in bonuses for American."),
        ([1, 0, 3, 0], "It pays your team $4,500 in bonuses for American, and your opponents nothing."),
        ([0, 3, 0, 1], "It pays your opponents $4,500 in bonuses for American, and your team nothing."),
    ],
)
def test_merger_in_teams_is_explained_by_what_each_side_is_paid(held: list[int], said: str) -> None:
    hands = ("4A 12I", "", "", "")
    state = position(MERGER, **(TWO_TEAMS | {"hands": hands}), shares={"american": held}, decision="place 0")
    assert why(state, "place 4A") == said


@pytest.mark.parametrize(
    "cash, said",
    [
        ([1000, 6000, 7000, 1000], "It ends the game with your team $1,000 ahead."),
        ([7000, 6000, 1000, 4000], "It ends the game with your team $2,000 behind."),
        ([7000, 6000, 1000, 2000], "It ends the game with your team tied for the lead."),
    ],
)
def test_end_in_teams_is_explained_by_the_leading_team(cash: list[int], said: str) -> None:
    state = position({"tower": "1A-12A"}, **TWO_TEAMS, cash=cash, decision="buy 0")
    assert why(state, "buy nothing and end") == said


def test_chain_that_wins_most_for_the_team_comes_first() -> None:
    state = position(
        CHAINS, **TWO_TEAMS, shares={"continental": [0, 0, 1, 0], "tower": [0, 2, 0, 0]}, decision="buy 0"
    )
    assert why(state, "buy 2 continental 1 tower").startswith("It gives you the minority in Tower")


@pytest.mark.parametrize("lead, side", [(1234, "ahead of"), (-1234, "behind")])
def test_margin_in_teams_is_that_of_the_team(lead: int, side: str) -> None:
    state = position(
        {"tower": "1A-12A", "continental": "1C-12C"},
        **(TWO_TEAMS | {"hands": ("5B", "", "", "")}),
        bag="9I",
        decision="stuck 0",
    )
    said = f"Expert expects your team to finish $1,200 {side} the best other team."
    assert advice(state, estimate("redraw", 0.5, lead)).why.startswith(said)


def test_survivor_is_explained_by_the_bonuses_of_the_others() -> None:
    state = position(
        {"american": "1A-3A", "tower": "5A-7A", "lone": "4A"},
        shares={"american": [2, 1, 0]},
        tile="4A",
        merger="queue american tower",
        decision="survivor 0",
    )
    assert why(state, "survivor tower") == (
        "It pays you $4,000 and other players $2,000 in bonuses for American."
    )


def test_disposal_is_explained_by_the_prices() -> None:
    state = position(
        MERGER | {"lone": "4A"},
        shares={"american": [5, 2, 0], "tower": [0, 1, 0]},
        tile="4A",
        merger="survivor tower, defunct american, to dispose 0 1",
        decision="dispose 0",
    )
    assert why(state, "dispose sell 1 trade 4").startswith(
        "Your 2 new Tower shares are worth $1,600 after the merger. It gives you the majority in "
        "Tower, worth $8,000"
    )
    assert why(state, "dispose trade 2").startswith("Your new Tower share is worth $800 after the merger.")
    assert why(state, "dispose sell 3") == (
        "It leaves you with $6,900 in cash. You keep 2 shares in case American is founded again."
    )


def test_advice_with_hidden_holdings_depends_on_nothing_hidden() -> None:
    chains = {"tower": "1A-12A"}
    moves = ("buy 1 tower", "buy nothing and end", "buy nothing")
    told = set()
    for held, cash in (([0, 5, 0], 100), ([0, 0, 7], 90_000)):
        state = position(
            chains, rules="avalon-hill holdings=hidden", shares={"tower": held}, cash=[6000, cash, 0],
            decision="buy 0",
        )  # fmt: skip
        told.add(tuple(why(state, move) for move in moves))
    margin = "Expert expects you to finish $0 ahead of the best other player."
    assert told == {(margin, margin, "It saves your $6,000 for later.")}


@pytest.mark.parametrize("seed", seeds(40, 120))
def test_every_legal_move_can_be_advised(seed: int) -> None:
    state = midgame(Random(seed))
    seat = acquire.decider(state)
    if seat is None:
        return
    seen, people = acquire.observe(state, seat), readers(state.seats, seat)
    for move in Random(seed).sample(seen.legal, min(12, len(seen.legal))):
        said = ACQUIRE.advice(seen, people, "Expert", [Estimate(move, 0.5, -250.0, 9)])
        assert said.order and said.why
        assert "{" not in said.order + said.why


@pytest.mark.parametrize(
    "share, said",
    [(0, "0%"), (0.004, "under 1%"), (0.414, "41%"), (0.999, "over 99%"), (1, "100%")],
)
def test_chance_is_a_whole_percentage_but_never_certain(share: float, said: str) -> None:
    assert percent(share) == said
