"""Effects of a tile, from a mark to sentences."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAINS, SAFE
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect, gives_free_share
from games.web.presenters.acquire.chain_names import chain, chain_labels, in_order, label, price
from games.web.presenters.table_people import join_list, money

# More names do not fit into the bar of a phone.
MOST_NAMED = 3

PLAYABLE = ("alone", "joins", "founds", "grows", "merges")


def mark(seen: Observation, effect: TileEffect) -> str:
    """A mark for the square of the board."""
    if effect.kind in ("alone", "joins"):
        return "·"
    if effect.kind == "founds":
        return "★"
    if effect.kind == "dead":
        return "✕"
    if effect.kind == "blocked":
        return "‖"
    letters = [chain(seen.rules, number).letter for number in effect.chains]
    if effect.kind == "grows":
        return f"+{letters[0]}"
    if len(effect.survivors) > 1:
        return "=".join(letters[:2])
    return f"{letters[1] if len(letters) == 2 else ''}›{letters[0]}"


def short(seen: Observation, effect: TileEffect) -> str:
    """The effect in a few words, for the list of tiles: "grows Tower"."""
    names = chain_labels(seen.rules, effect.chains)
    if effect.kind == "alone":
        return _("stands alone")
    if effect.kind == "joins":
        return _("does not found a chain")
    if effect.kind == "founds":
        return _("founds a chain")
    if effect.kind == "dead":
        return _("dead")
    if effect.kind == "blocked":
        return _("blocked for now")
    if effect.kind == "grows":
        return _("grows {chain}").format(chain=names[0])
    if len(effect.survivors) > 1:
        return _("merges {chains}").format(chains=join_list(names))
    return _("merges {defunct} into {survivor}").format(defunct=join_list(names[1:]), survivor=names[0])


def order(seen: Observation, square: int, effect: TileEffect) -> str:
    """The label of the button: "Place 8E: found a chain"."""
    tile = SQUARE_NAMES[square]
    names = chain_labels(seen.rules, effect.chains)
    if effect.kind in ("alone", "joins"):
        return _("Place {tile}").format(tile=tile)
    if effect.kind == "founds":
        return _("Place {tile}: found a chain").format(tile=tile)
    if effect.kind == "grows":
        return _("Place {tile}: grow {chain}").format(tile=tile, chain=names[0])
    if len(effect.survivors) > 1:
        return _("Place {tile}: merge {chains}").format(tile=tile, chains=join_list(names))
    return _("Place {tile}: merge {defunct} into {survivor}").format(
        tile=tile, defunct=join_list(names[1:]), survivor=names[0]
    )


def consequence(seen: Observation, effect: TileEffect) -> str:
    """The effect in a sentence or two."""
    if effect.kind == "alone":
        return _("It has no neighbours, so it founds nothing.")
    if effect.kind == "joins":
        return _("It touches lone tiles but founds nothing while all chains are on the board.")
    if effect.kind == "founds":
        return _founding(seen, effect)
    if effect.kind == "dead":
        return _("It would join safe chains, so you can never place it.")
    if effect.kind == "blocked":
        return _("It would found an eighth chain. You can place it once a chain has left the board.")
    if effect.kind == "merges" and len(effect.survivors) > 1:
        return _("The largest chains are the same size, so you choose the survivor.")
    return outcome(seen, effect.chains[0], effect.size)


def _founding(seen: Observation, effect: TileEffect) -> str:
    free = [number for number in CHAINS if not seen.size[number]]
    names = chain_labels(seen.rules, in_order(seen.rules, free))
    has_share = any(gives_free_share(seen.bank, number) for number in free)
    if len(names) > MOST_NAMED and has_share:
        text = _("You found one of {n} chains. You get 1 free share.")
    elif len(names) > MOST_NAMED:
        text = _("You found one of {n} chains. The bank has no free share left.")
    elif has_share:
        text = _("You found {chains}. You get 1 free share.")
    else:
        text = _("You found {chains}. The bank has no free share left.")
    return text.format(chains=either(names), n=len(names))


def either(names: list[str]) -> str:
    """Join alternatives: "Festival or Sackson"."""
    if len(names) < 2:
        return "".join(names)
    # Translators: a list of alternatives and its last entry.
    return _("{some} or {last}").format(some=", ".join(names[:-1]), last=names[-1])


def outcome(seen: Observation, number: int, size: int) -> str:
    """A sentence on the chain once it has this size."""
    if seen.size[number] < SAFE <= size:
        text = ngettext(
            "{chain} will have {n} tile, be safe and cost {price} a share.",
            "{chain} will have {n} tiles, be safe and cost {price} a share.",
            size,
        )
    else:
        text = ngettext(
            "{chain} will have {n} tile and cost {price} a share.",
            "{chain} will have {n} tiles and cost {price} a share.",
            size,
        )
    return text.format(chain=label(seen.rules, number), n=size, price=money(price(seen.rules, number, size)))
