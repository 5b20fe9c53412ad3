"""Mergers on the page: preview, payments, and who has decided."""

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.events import BonusPaid
from games.web.presenters.acquire.hand_view import tile_effects
from games.web.presenters.acquire.merger_panel import Merger, merger
from games.web.presenters.acquire.merger_preview import previews
from games.web.presenters.acquire.payouts import Payouts
from tests.engine.rules.acquire.acquire_positions import play, position
from tests.web.presenters.presenter_cases import Played, readers

CHAINS = {"continental": "1A-4A", "worldwide": "6A-8A", "festival": "5B-5C"}
SHARES = {"worldwide": [3, 3, 1], "festival": [0, 2, 0], "continental": [1, 0, 0]}


def joined(**fields: object) -> Played:
    state = position(CHAINS, shares=SHARES, hands=("5A 12I", "12H", "12G"), **fields)  # type: ignore[arg-type]
    played = Played(state)
    played.play("place 5A")
    return played


def panel(played: Played, seat: int | None) -> Merger:
    found = played.context(seat)["merger"]
    assert found is not None
    return found


def test_preview_before_placing_names_the_payments() -> None:
    state = position(CHAINS, shares=SHARES, hands=("5A 12I", "", ""))
    seen = acquire.observe(state, 0)
    [preview] = previews(seen, readers(3, 0), tile_effects(seen))
    assert preview.title == "Place 5A: merge Worldwide and Festival into Continental"
    assert preview.outcome == "Continental will have 10 tiles and cost $800 a share."
    worldwide, festival = preview.takeovers
    assert [(paid.who, paid.shares, paid.dollars) for paid in worldwide.payments] == [
        ("you", 3, "$2,300"),
        ("marta", 3, "$2,300"),
        ("Rook ⚙", 1, "–"),
    ]
    assert [(paid.who, paid.dollars) for paid in festival.payments] == [("marta", "$4,500")]


def test_preview_is_what_is_paid() -> None:
    state = position(CHAINS, shares=SHARES, hands=("5A 12I", "12H", "12G"))
    seen = acquire.observe(state, 0)
    [preview] = previews(seen, readers(3, 0), tile_effects(seen))
    events = play(state, "place 5A", *["dispose nothing"] * 3)
    paid = {(event.chain, event.seat): event.dollars for event in events if isinstance(event, BonusPaid)}
    foretold = {
        (takeover.chain.name, payment.who): payment.dollars
        for takeover in preview.takeovers
        for payment in takeover.payments
        if payment.dollars != "–"
    }
    names = ("you", "marta", "Rook ⚙")
    assert foretold == {(chain, names[seat]): f"${dollars:,}" for (chain, seat), dollars in paid.items()}


def test_preview_with_hidden_holdings_names_nobody() -> None:
    state = position(CHAINS, shares=SHARES, hands=("5A 12I", "", ""), rules="avalon-hill holdings=hidden")
    seen = acquire.observe(state, 0)
    [preview] = previews(seen, readers(3, 0), tile_effects(seen))
    assert all(not takeover.payments for takeover in preview.takeovers)
    assert preview.takeovers[0].note == "The majority bonus is $3,000. Shareholdings are hidden."


def test_panel_shows_survivor_payments_and_decider() -> None:
    shown = panel(joined(), 1)
    assert shown.survivor is not None and shown.survivor.label == "Continental"
    assert shown.defunct is not None and shown.defunct.label == "Worldwide"
    assert (shown.survivor_size, shown.defunct_size, shown.price) == (4, 3, "$300")
    assert shown.how == (
        "<b>sam</b> joined them with 5A. Continental will have 10 tiles and cost $800 a share."
    )
    assert [(row.who, row.shares, row.bonus, row.why, row.decided) for row in shown.shareholders] == [
        ("sam", 3, "$2,300", "majority, shared", "now"),
        ("you", 3, "$2,300", "majority, shared", "after <b>sam</b>"),
        ("Rook ⚙", 1, "–", "", "after <b>you</b>"),
    ]
    assert [takeover.chain.label for takeover in shown.coming] == ["Festival"]


def test_panel_shows_decisions_already_made() -> None:
    played = joined()
    played.play("dispose sell 1 trade 2")
    first, second, _ = panel(played, 2).shareholders
    assert (first.shares, first.decided, first.now) == (
        3,
        "traded 2 for 1 Continental, sold 1 for $300",
        False,
    )
    assert (second.decided, second.now) == ("now", True)


def test_next_chain_has_its_own_panel() -> None:
    played = joined()
    for _ in range(3):
        played.play("dispose nothing")
    shown = panel(played, 0)
    assert shown.defunct is not None and shown.defunct.label == "Festival"
    assert [(row.who, row.bonus, row.why) for row in shown.shareholders] == [
        ("marta", "$4,500", "both, as the only shareholder")
    ]
    assert shown.coming == ()


def test_tie_of_the_largest_shows_what_is_at_stake() -> None:
    chains = {"continental": "1A-4A", "worldwide": "6A-9A"}
    played = Played(position(chains, shares=SHARES | {"festival": [0, 0, 0]}, hands=("5A", "12H", "12G")))
    played.play("place 5A")
    shown = panel(played, 0)
    assert shown.survivor is None
    assert [chain.label for chain in shown.open] == ["Continental", "Worldwide"]
    assert {takeover.chain.label for takeover in shown.coming} == {"Continental", "Worldwide"}
    assert shown.how.endswith(
        "Continental and Worldwide are the same size, so the player who placed the tile chooses the survivor."
    )


def test_tile_of_the_bank_is_told_with_two_players() -> None:
    state = position(
        {"continental": "1A-4A", "worldwide": "6A-8A"},
        shares={"worldwide": [3, 2]},
        hands=("5A", "12H"),
        bank_tiles="9I",
    )
    played = Played(state)
    played.play("place 5A")
    shown = panel(played, 0)
    assert shown.bank == "9I was turned up for the bank, which counts as holding 9."
    assert [row.bonus for row in shown.shareholders] == ["$1,500", "–"]


def test_panel_is_absent_without_a_merger() -> None:
    state = position(CHAINS, hands=("12I", "", ""))
    assert merger(acquire.observe(state, 0), readers(3, 0), []) is None


# -- The strip above the button ------------------------------------------------------------------------


def told(payouts: Payouts) -> list[tuple[str, str, str]]:
    return [(cell.who, cell.dollars, cell.why) for cell in payouts.cells]


def test_payouts_of_a_tile_begin_with_the_readers_own() -> None:
    state = position(CHAINS, shares=SHARES, hands=("5A 12I", "", ""))
    [paid] = Played(state).context(0)["payouts"]
    assert paid.answer == "5A"
    assert told(paid) == [
        ("you", "$2,300", "majority, shared"),
        ("marta", "$2,300", "majority, shared"),
        ("marta", "$4,500", "both, as the only shareholder"),
    ]


def test_payouts_of_a_merger_are_those_that_were_paid() -> None:
    [paid] = joined().context(0)["payouts"]
    assert paid.answer == ""
    assert [cell[:2] for cell in told(paid)] == [("you", "$2,300"), ("marta", "$2,300")]


def test_payouts_are_not_told_to_others() -> None:
    state = position(CHAINS, shares=SHARES, hands=("5A 12I", "", ""))
    assert Played(state).context(1)["payouts"] == []


HIDDEN = "avalon-hill holdings=hidden"


def test_payouts_name_nobody_while_holdings_are_hidden() -> None:
    hidden = position(CHAINS, shares=SHARES, hands=("5A 12I", "", ""), rules=HIDDEN)
    [paid] = Played(hidden).context(0)["payouts"]
    assert (paid.answer, paid.cells) == ("5A", ())
    assert paid.note == (
        "The majority bonus for Worldwide is $3,000. The majority bonus for Festival is $3,000. "
        "Shareholdings are hidden."
    )
    others = {**SHARES, "worldwide": [3, 1, 3], "festival": [1, 0, 1]}
    again = position(CHAINS, shares=others, hands=("5A 12I", "", ""), rules=HIDDEN)
    assert Played(again).context(0)["payouts"] == [paid]


def test_no_bonus_is_announced_for_hidden_shares_that_are_all_in_the_bank() -> None:
    unsold = position(CHAINS, shares={"continental": [1, 0, 0]}, hands=("5A 12I", "", ""), rules=HIDDEN)
    [paid] = Played(unsold).context(0)["payouts"]
    assert paid.note == "No bonus is paid."


def test_paid_bonuses_are_told_while_holdings_are_hidden() -> None:
    [paid] = joined(rules=HIDDEN).context(0)["payouts"]
    assert [cell[:2] for cell in told(paid)] == [("you", "$2,300"), ("marta", "$2,300")]


def test_payouts_of_a_tie_depend_on_the_survivor() -> None:
    chains = {"worldwide": "1A-3A", "festival": "5A-7A"}
    state = position(chains, shares={"worldwide": [3, 1, 0]}, hands=("4A 12I", "", ""))
    [paid] = Played(state).context(0)["payouts"]
    assert (paid.answer, paid.cells) == ("4A", ())
    assert paid.note == "The sizes tie. The bonuses depend on the survivor you choose."


def test_payouts_of_two_players_depend_on_a_tile_for_the_bank() -> None:
    shares = {chain: held[:2] for chain, held in SHARES.items()}
    [paid] = Played(position(CHAINS, shares=shares, hands=("5A 12I", ""))).context(0)["payouts"]
    assert paid.cells == () and "turned up for the bank" in paid.note
