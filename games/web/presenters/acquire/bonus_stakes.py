"""Bonuses that seats would be paid for a chain, and how more shares change them."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.bonuses import Bonus, bonuses
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.teams import partners, teams
from games.web.presenters.acquire.chain_names import label, price
from games.web.presenters.table_people import money


def me(seen: Observation) -> int:
    """The observer's seat."""
    assert seen.seat is not None
    return seen.seat


def in_teams(seen: Observation) -> bool:
    """Return whether the observer plays with partners."""
    return len(_own_side(seen)) > 1


def by_side(seen: Observation, amounts: Sequence[int]) -> tuple[int, list[int]]:
    """The sum of the observer's side and those of the others, from amounts by seat.

    A side is a team, or a seat where everybody plays alone.
    """
    sides = teams(seen.rules, seen.seats) or [(seat,) for seat in range(seen.seats)]
    sums = {side: sum(amounts[seat] for seat in side) for side in sides}
    return sums.pop(_own_side(seen)), list(sums.values())


def _own_side(seen: Observation) -> tuple[int, ...]:
    return partners(seen.rules, seen.seats, me(seen))


def is_hidden(seen: Observation) -> bool:
    """Return whether the holdings of others are hidden, so that places are not mentioned."""
    return None in seen.cash


def bonus_stakes(seen: Observation, number: int, more: int = 0, size: int = 0) -> dict[int, Bonus]:
    """The bonuses by seat if the observer had `more` shares and the chain this size (0 for its own).

    Leaves out the bank in games of two. Holdings must be open.
    """
    held = [count or 0 for count in seen.holdings[number]]
    held[me(seen)] += more
    share = price(seen.rules, number, size or seen.size[number])
    return {bonus.seat: bonus for bonus in bonuses(seen.rules, held, share)}


def dollars(paid: dict[int, Bonus], seat: int) -> int:
    """The seat's bonus in dollars."""
    return paid[seat].dollars if seat in paid else 0


def gain(seen: Observation, number: int, more: int, size: int = 0) -> int:
    """The dollars that `more` shares would add to the bonuses of the observer's side."""
    before, after = bonus_stakes(seen, number, 0, size), bonus_stakes(seen, number, more, size)
    return sum(dollars(after, seat) - dollars(before, seat) for seat in _own_side(seen))


def change(seen: Observation, number: int, more: int, size: int = 0) -> str:
    """A sentence on how `more` shares change the observer's place in the chain; "" if they do not."""
    before = bonus_stakes(seen, number, 0, size).get(me(seen))
    after = bonus_stakes(seen, number, more, size).get(me(seen))
    if after is None or after == before:
        return ""
    return _place(after, before).format(chain=label(seen.rules, number), dollars=money(after.dollars))


def _place(after: Bonus, before: Bonus | None) -> str:
    if after.sole:
        return _(
            "It makes you the only {chain} shareholder, worth {dollars} in bonuses if {chain} is acquired "
            "now."
        )
    if after.tied > 1:
        return {
            1: _(
                "It ties you for the majority in {chain}, worth {dollars} to you if {chain} is acquired now."
            ),
            2: _(
                "It ties you for the minority in {chain}, worth {dollars} to you if {chain} is acquired now."
            ),
            3: _("It ties you for third in {chain}, worth {dollars} to you if {chain} is acquired now."),
            4: _("It ties you for fourth in {chain}, worth {dollars} to you if {chain} is acquired now."),
        }[after.place]
    if after.place == 1 and before is not None and before.place == 1:
        return _("It gives you the sole majority in {chain}, worth {dollars} if {chain} is acquired now.")
    return {
        1: _("It gives you the majority in {chain}, worth {dollars} if {chain} is acquired now."),
        2: _("It gives you the minority in {chain}, worth {dollars} if {chain} is acquired now."),
        3: _("It puts you third in {chain}, worth {dollars} if {chain} is acquired now."),
        4: _("It puts you fourth in {chain}, worth {dollars} if {chain} is acquired now."),
    }[after.place]


def lead(seen: Observation, number: int, more: int) -> str:
    """A sentence on the observer's distance to the best other holder after `more` shares."""
    held = [count or 0 for count in seen.holdings[number]]
    own = held.pop(me(seen)) + more
    ahead, chain = own - max(held), label(seen.rules, number)
    if ahead > 0:
        return ngettext(
            "It puts you {n} share ahead in {chain}.", "It puts you {n} shares ahead in {chain}.", ahead
        ).format(n=ahead, chain=chain)
    if ahead == 0:
        return _("It ties you for the most shares in {chain}.").format(chain=chain)
    return ngettext(
        "It leaves you {n} share short of the most in {chain}.",
        "It leaves you {n} shares short of the most in {chain}.",
        -ahead,
    ).format(n=-ahead, chain=chain)
