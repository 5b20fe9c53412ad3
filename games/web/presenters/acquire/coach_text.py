"""Coach marks in words; the rules of the game decide what some of them say."""

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.observation import Observation
from games.lessons.acquire.coach_moments import safe_chains, tiles_that
from games.web.presenters.acquire.bonus_stakes import is_hidden
from games.web.presenters.acquire.chain_names import in_order, label


def coach_mark(name: str, seen: Observation) -> str:
    """A coach mark on the observer's decision, in a sentence or two."""
    if name == "safe":
        safe = in_order(seen.rules, safe_chains(seen))[0]
        return _("{chain} has 11 or more tiles, so it is safe. It can never be acquired.").format(
            chain=label(seen.rules, safe)
        )
    if name == "dead":
        return _dead(seen)
    if name == "blocked":
        return _(
            "{tile} is blocked: all chains are on the board. You can place it once one has gone."
        ).format(tile=SQUARE_NAMES[tiles_that(seen, "blocked")[0]])
    if name == "bonuses":
        return _bonuses(seen)
    if name == "end":
        return _end(seen)
    return {
        "place": _("Each tile says what it would do. A founder gets a free share while the bank has any."),
        "found": _("Choose any chain. Expensive ones pay higher bonuses. Cheap ones let you buy more."),
        "buy": _("Press + to buy up to 3 shares. You can sell them only in mergers, so keep some money."),
        "chain": _("A tile beside a chain makes it grow. The more tiles it has, the more its shares cost."),
        "merge": _("One of your tiles merges chains. The largest survives. The others pay bonuses."),
        "survivor": _(
            "These chains are the same size, so you choose. Only chains that go defunct pay bonuses."
        ),
        "dispose": _(
            "Sell for money now, trade 2 for 1 of the survivor, or hold in case the chain is founded again."
        ),
    }[name]


def _end(seen: Observation) -> str:
    if is_hidden(seen):
        return _("You can end the game now, along with your purchase. Do it if you think you are ahead.")
    return _("You can end the game now, along with your purchase. Do it if your net worth is the highest.")


def _dead(seen: Observation) -> str:
    if seen.rules.dead_tiles == "replace":
        text = _("{tile} is dead: you can never place it. You get a new tile for it after your turn.")
    else:
        text = _("{tile} is dead: you can never place it. It stays in your hand.")
    return text.format(tile=SQUARE_NAMES[tiles_that(seen, "dead")[0]])


def _bonuses(seen: Observation) -> str:
    if seen.rules.payout == "four":
        return _(
            "When a chain is acquired, its four largest shareholders get a bonus. Try to be one of them."
        )
    return _(
        "When a chain is acquired, only its two largest shareholders get a bonus. Try to be one of them."
    )
