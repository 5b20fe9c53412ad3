"""Effects of a tile, from a mark to sentences."""

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.chains import CHAINS, SAFE
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect
from games.web.presenters.acquire.chain_names import chain, chain_labels, in_order, label, price
from games.web.presenters.acquire.event_text import tiles
from games.web.presenters.table_people import join_list, money

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
        return _("founds nothing")
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
        return _("It touches nothing that could become a chain.")
    if effect.kind == "joins":
        return _("It touches lone tiles, and founds nothing while all chains are on the board.")
    if effect.kind == "founds":
        return _founding(seen, effect)
    if effect.kind == "dead":
        return _("It would join chains that are safe, so it can never be placed.")
    if effect.kind == "blocked":
        return _("It would found an eighth chain. It can be placed once a chain has left the board.")
    if effect.kind == "merges" and len(effect.survivors) > 1:
        return _("They are of one size, so you choose which of them survives.")
    return outcome(seen, effect.chains[0], effect.size)


def _founding(seen: Observation, effect: TileEffect) -> str:
    free = [number for number in CHAINS if not seen.size[number]]
    names = chain_labels(seen.rules, in_order(seen.rules, free))
    if any(seen.bank[number] for number in free):
        return _("{chains}; one share is free.").format(chains=either(names))
    return _("{chains}; the bank has no share left to give.").format(chains=either(names))


def either(names: list[str]) -> str:
    """Join alternatives: "Festival or Sackson"."""
    if len(names) < 2:
        return "".join(names)
    return _("{some} or {last}").format(some=", ".join(names[:-1]), last=names[-1])


def outcome(seen: Observation, number: int, size: int) -> str:
    """A sentence on the chain once it has this size."""
    facts = {
        "chain": label(seen.rules, number),
        "tiles": tiles(size),
        "price": money(price(seen.rules, number, size)),
    }
    if seen.size[number] < SAFE <= size:
        return _("{chain} will have {tiles}, be safe, and cost {price} a share.").format(**facts)
    return _("{chain} will have {tiles} and cost {price} a share.").format(**facts)
