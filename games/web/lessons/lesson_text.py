"""The words of the lessons. A test compares their numbers with the rules."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class StepText:
    """The words of a step.

    `goal` says what to do and `note` what one must know for it; `hint` follows a wrong answer and `why` the
    right one. `spot` is the square that the board marks, "" for none.
    """

    goal: Text
    note: Text
    hint: Text
    why: Text
    spot: str = ""


TITLES: Final[dict[str, Text]] = {
    "tiles": _("Place and found"),
    "shares": _("Buying shares"),
    "growth": _("Growth and prices"),
    "bonuses": _("Majority and minority"),
    "mergers": _("Mergers"),
    "defunct": _("Sell, trade or hold"),
    "safety": _("Safe chains and dead tiles"),
    "ending": _("The end"),
}

STEPS: Final[dict[tuple[str, str], StepText]] = {
    ("tiles", "place"): StepText(
        goal=_("Place a tile that touches no other tile."),
        note=_(
            "Each tile has its own square. Here you hold 3, in a game 6. Dark ones lay there at the start."
        ),
        hint=_("That tile has a neighbour. Look above, below, left and right of its square."),
        why=_("A tile without neighbours stays a lone tile. At the end of your turn you draw a new tile."),
    ),
    ("tiles", "found"): StepText(
        goal=_("Found a chain next to 5E."),
        note=_("A tile placed beside a lone tile founds a chain. ★ marks it. Diagonals do not count."),
        hint=_("That tile is not beside 5E. Look to the right of it."),
        why=_("6E lies beside 5E and founds a chain. You choose which one."),
        spot="5E",
    ),
    ("tiles", "choose"): StepText(
        goal=_("Found Continental or Tower."),
        note=_("You get 1 share free. Of all chains not on the board, shares of these two cost the most."),
        hint=_("Shares of that chain cost less. Choose Continental or Tower."),
        why=_("You got your free share. The bank starts with 25 shares of each chain."),
        spot="6E",
    ),
    ("shares", "buy"): StepText(
        goal=_("Buy 3 shares."),
        note=_(
            "After placing a tile, you can buy up to 3 shares of chains on the board. You start with $6,000."
        ),
        hint=_("You can buy more. Choose 3 shares, of one chain or of both."),
        why=_("The price rises as the chain grows. You can sell shares only in mergers."),
    ),
    ("shares", "afford"): StepText(
        goal=_("Buy as many shares as you can."),
        note=_("You have $1,000. A Tower share costs $500, a Worldwide share $300. There are no loans."),
        hint=_("You can afford 3 only if you take the cheaper shares. Buy 3 Worldwide shares."),
        why=_("3 Worldwide shares cost $900. With little money, cheap chains let you buy more shares."),
    ),
    ("growth", "grow"): StepText(
        goal=_("Make Festival grow by 2 tiles."),
        note=_("A tile beside Festival joins it, as +F says. Lone tiles connected to that tile join too."),
        hint=_("That tile does not bring in 5F. Place the one between Festival and 5F."),
        why=_("Festival has 5 tiles. Its price rose from $400 to $600, so your 3 shares gained $600."),
    ),
    ("growth", "prices"): StepText(
        goal=_("Raise the price of your shares."),
        note=_("Prices rise in steps. The next one begins at 6 tiles for Imperial, at 11 for Worldwide."),
        hint=_("No price rose. Imperial has 5 tiles and needs 1 more."),
        why=_("Imperial has 6 tiles and costs $700 a share. Further steps come at 11, 21, 31 and 41 tiles."),
    ),
    ("bonuses", "majority"): StepText(
        goal=_("Get the most American shares."),
        note=_(
            "Ann has 4, you have 3. If American is acquired, the largest shareholder gets the majority bonus."
        ),
        hint=_("Ann still has as many as you, or more. Buy 2 American shares."),
        why=_("The majority bonus is 10 times the price of a share, here $6,000."),
    ),
    ("bonuses", "minority"): StepText(
        goal=_("Become second in Continental, ahead of Ben."),
        note=_("Ann has 8, too many to catch. Ben has 1. Second place earns the minority bonus."),
        hint=_("You are not ahead of Ben. If you tie, you share the bonus. Buy 2 Continental shares."),
        why=_("The minority bonus is half the majority bonus, here $3,000. A sole shareholder gets both."),
    ),
    ("mergers", "merge"): StepText(
        goal=_("Merge Worldwide and Imperial."),
        note=_("5C touches both chains, so it merges them: W›I. Imperial is larger and survives."),
        hint=_("That tile touches no chain. 5C lies between the two."),
        why=_("Worldwide goes defunct and pays its bonuses. You have the most shares, so you get $3,000."),
        spot="5C",
    ),
    ("mergers", "survivor"): StepText(
        goal=_("Choose the survivor that earns you the majority bonus."),
        note=_("American and Tower are the same size, so you decide. Only the defunct chain pays."),
        hint=_("Tower would pay the others. You have the most American shares, so let Tower survive."),
        why=_("American goes defunct and pays you $5,000."),
        spot="5D",
    ),
    ("defunct", "sell"): StepText(
        goal=_("Sell all your Worldwide shares."),
        note=_("With 3 more Festival shares you have the most. They cost $1,200, and you have $100."),
        hint=_("That leaves too little for 3 Festival shares. Sell all 4 Worldwide shares."),
        why=_("You got $300 a share, the price before the merger. Now you can buy 3 Festival shares."),
    ),
    ("defunct", "trade"): StepText(
        goal=_("Get the most Imperial shares."),
        note=_("Ann has 5 Imperial, you have 4. You can trade 2 Worldwide shares for 1 Imperial share."),
        hint=_("That is not more than Ann has. Trade all 4 for 2 Imperial shares."),
        why=_("You have 6 Imperial shares and Ann has 5. You gained a majority without paying."),
    ),
    ("defunct", "hold"): StepText(
        goal=_("Hold all your Worldwide shares."),
        note=_("A defunct chain can be founded again. You could do that with your tile 9E, next to 9F."),
        hint=_("Keep every share this time. Hold all 4."),
        why=_("If Worldwide is founded again, you have the most shares. If not, they are worth nothing."),
        spot="9E",
    ),
    ("safety", "safe"): StepText(
        goal=_("Make Tower safe."),
        note=_("A chain with 11 or more tiles is safe. Tower has 10."),
        hint=_("Tower did not grow. 7C lies beside it."),
        why=_("Tower has 11 tiles. It can acquire other chains, but never be acquired."),
    ),
    ("safety", "dead"): StepText(
        goal=_("Merge Festival into Tower."),
        note=_("8C is dead and marked ✕: it would join two safe chains, so you can never place it."),
        hint=_("Place the tile between Tower and Festival: 4D."),
        why=_("A safe chain can acquire one that is not safe. 8C stays in your hand."),
    ),
    ("ending", "declare"): StepText(
        goal=_("Declare the end of the game."),
        note=_("You can, because every chain is safe. A chain with 41 or more tiles is also enough."),
        hint=_("Tick “Declare the end of the game” before you send your purchase."),
        why=_("Every chain paid its bonuses, and all shares were sold. You had the most money."),
    ),
    ("ending", "count"): StepText(
        goal=_("End the game and win."),
        note=_("You and Ann tie in Continental, and she has more cash. Your purchase still counts."),
        hint=_("Buy 1 Continental share for the whole majority bonus, and declare the end."),
        why=_("Your bonus was $12,000 instead of $9,000, and Ann’s $6,000. That won the game."),
    ),
}
