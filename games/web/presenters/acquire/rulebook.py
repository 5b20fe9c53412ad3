"""The rules in words: price chart, options and presets."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.engine.rules.acquire import chains as acquire
from games.engine.rules.acquire.board import SQUARES
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import END_SIZE, SAFE, SHARES, STEPS, TIERS
from games.engine.rules.acquire.rule_options import OPTIONS, PRESETS, Rules
from games.engine.rules.acquire.state import CASH, HAND
from games.web.presenters.acquire.board_view import figure
from games.web.presenters.acquire.chain_names import Chain, named
from games.web.presenters.preset_view import Preset
from games.web.presenters.table_people import join_list, money


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A price, the sizes at which each tier (low, middle, high) has it, and the bonuses."""

    price: str
    sizes: tuple[str, ...]
    majority: str
    minority: str


@dataclass(frozen=True, slots=True)
class Prices:
    """The price chart: its tiers, low to high, with their chains, and its rows."""

    tiers: tuple[tuple[str, tuple[Chain, ...]], ...]
    rows: tuple[PriceRow, ...]


def prices(rules: Rules) -> Prices:
    """The price chart of these rules."""
    titles = (_("Low"), _("Middle"), _("High"))
    chains = [tuple(named(rules, name) for name in names) for names in TIERS[rules.tiers]]
    all_prices = sorted({acquire.price(tier, size) for tier in range(3) for size in STEPS})
    return Prices(
        tuple(zip(titles, chains, strict=True)),
        tuple(
            PriceRow(
                money(price),
                tuple(_sizes(tier, price) for tier in range(3)),
                money(10 * price),
                money(5 * price),
            )
            for price in all_prices
        ),
    )


def _sizes(tier: int, price: int) -> str:
    """The sizes at which a chain of the tier has this price: "4", "6–10", "41 or more"."""
    sizes = [size for size in range(1, len(SQUARES) + 1) if acquire.price(tier, size) == price]
    if not sizes:
        return ""
    if sizes[0] == STEPS[-1]:
        return _("{n} or more").format(n=sizes[0])
    return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}–{sizes[-1]}"


def option_names() -> dict[str, str]:
    """The displayed name of every option."""
    return {
        "tiers": _("Price tiers"),
        "starting_tiles": _("Starting tiles"),
        "seating": _("Seating"),
        "rounding": _("Bonus rounding"),
        "payout": _("Who gets a bonus"),
        "eighth_chain": _("An eighth chain"),
        "safe_merger": _("Safe chains in mergers"),
        "dead_tiles": _("Dead tiles"),
        "redraw_hand": _("An unplayable hand"),
        "disposal": _("Shares of a defunct chain"),
        "holdings": _("Other players’ money and shares"),
        "teams": _("Teams"),
    }


def option_values() -> dict[tuple[str, Any], str]:
    """The meaning of every value of every option, as a sentence."""
    return {
        ("tiers", "2008"): _(
            "Low: Worldwide and Sackson. Middle: Festival, Imperial and American. High: Continental "
            "and Tower."
        ),
        ("tiers", "1962"): _(
            "Low: Luxor and Tower. Middle: American, Festival and Worldwide. High: Continental and Imperial."
        ),
        ("starting_tiles", True): _("Each player’s first tile goes onto the board and decides who starts."),
        ("starting_tiles", False): _("The board starts empty. The player in the first seat starts."),
        ("seating", "dealt"): _("Seats are dealt at random when the game starts."),
        ("seating", "joining"): _("Players sit in the order they joined."),
        ("rounding", "up100"): _("Bonuses are rounded up to the next $100."),
        ("rounding", "nearest1"): _("Bonuses are rounded to the nearest dollar."),
        ("payout", "two"): _("The largest and second-largest shareholders get a bonus."),
        ("payout", "four"): _(
            "The four largest shareholders get 100%, 75%, 50% and 25% of the majority bonus."
        ),
        ("eighth_chain", "blocked"): _("You cannot place a tile that would found an eighth chain."),
        ("eighth_chain", "place"): _(
            "You can place a tile that would found an eighth chain, but it founds nothing."
        ),
        ("safe_merger", True): _("A safe chain can acquire chains that are not safe."),
        ("safe_merger", False): _("No tile can join a safe chain to any other chain."),
        ("dead_tiles", "stay"): _("Dead tiles stay in your hand."),
        ("dead_tiles", "replace"): _("At the end of your turn, you show and replace your dead tiles."),
        ("redraw_hand", True): _(
            "If you cannot place any tile, you can show your hand, set it aside and draw a new one."
        ),
        ("redraw_hand", False): _("If you cannot place any tile, you go on to buying shares."),
        ("disposal", "all"): _("You can hold, sell or trade them in any mix."),
        ("disposal", "hold"): _("You must hold them. You cannot sell or trade them."),
        ("holdings", "open"): _("Everyone can see everyone’s money and shares."),
        ("holdings", "hidden"): _("Other players’ money and shares are hidden until the end."),
        ("teams", "none"): _("Everyone plays alone."),
        ("teams", "two"): _("Two teams of two or three. The team with the most money wins."),
        ("teams", "three"): _("Three teams of two. The team with the most money wins."),
    }


def presets() -> list[Preset]:
    """All presets, the default first."""
    texts = {
        "avalon-hill": (
            _("Rulebook"),
            _("The rules printed with the Avalon Hill edition."),
            _("Based on the rulebook of the edition published by Avalon Hill in 2008."),
        ),
        "classic": (
            _("Classic"),
            _("The older price tiers, with Luxor."),
            _(
                "Based on an encyclopaedia article about the game, with the price tiers of the 1962 "
                "3M edition."
            ),
        ),
        "quick-reference": (
            _("Quick reference"),
            _("Dead tiles are shown and replaced at the end of each turn."),
            _("Based on a printed quick reference for players."),
        ),
        "course": (
            _("University course"),
            _("A stricter variant. You must hold the shares of a defunct chain."),
            _("Based on the description of the game in a university software course."),
        ),
    }
    return [Preset(name, *texts[name]) for name in PRESETS]


def preset_name(name: str) -> str:
    """The preset's title. Raises KeyError for an unknown preset."""
    return {preset.name: preset.title for preset in presets()}[name]


@dataclass(frozen=True, slots=True)
class Difference:
    """An option in which rules differ from the rule book: its name, its value here, and its value there."""

    option: str
    here: str
    otherwise: str


def differences(rules: Rules) -> list[Difference]:
    """The differences of these rules from the rule book's."""
    names, values, usual = option_names(), option_values(), Rules()
    return [
        Difference(
            names[option], values[option, getattr(rules, option)], values[option, getattr(usual, option)]
        )
        for option in OPTIONS
        if getattr(rules, option) != getattr(usual, option)
    ]


def terms() -> list[tuple[str, str]]:
    """The terms of the rules, each with the name of the lesson that lets the reader try it."""
    return [
        (_("Lone tile"), "tiles"),
        (_("Founding a chain"), "tiles"),
        (_("Free share of the founder"), "tiles"),
        (_("Buying shares"), "shares"),
        (_("Growing a chain"), "growth"),
        (_("Price of a share"), "growth"),
        (_("Majority bonus"), "bonuses"),
        (_("Minority bonus"), "bonuses"),
        (_("Merger"), "mergers"),
        (_("Survivor"), "mergers"),
        (_("Defunct chain"), "defunct"),
        (_("Sell, trade or hold"), "defunct"),
        (_("Safe chain"), "safety"),
        (_("Dead tile"), "safety"),
        (_("Declaring the end"), "ending"),
    ]


def rules_page() -> dict[str, Any]:
    """The context of games/presenters/acquire/how_to_play.html."""
    rules = Rules()
    return {
        "prices": prices(rules),
        "presets": presets(),
        "safe": SAFE,
        "end_size": END_SIZE,
        "shares": SHARES,
        "hand": HAND,
        "cash": money(CASH),
        "example": example(rules),
        "figures": {
            "founding": figure("....", ".o..", "...."),
            "growing": figure("CC..", ".C..", "..o."),
            "merger": figure(".W..C..", "WW.CC..", ".W.CC..", "....CC."),
        },
    }


def game_rules(rules: Rules) -> dict[str, Any]:
    """The price chart, for the page of the rules of a game."""
    return {"chart_template": "games/presenters/acquire/_prices.html", "prices": prices(rules)}


def preset_page(name: str) -> dict[str, Any]:
    """The context of games/presenters/acquire/preset.html. Raises KeyError for an unknown preset."""
    rules = PRESETS[name]
    preset = next(preset for preset in presets() if preset.name == name)
    return {
        "preset": preset,
        "presets": presets(),
        "differences": differences(rules),
        "terms": terms(),
        "prices": prices(rules),
        "usual_prices": rules.tiers == Rules().tiers,
        "all_options": [
            (option_names()[option], option_values()[option, getattr(rules, option)]) for option in OPTIONS
        ],
    }


def example(rules: Rules) -> dict[str, Any]:
    """The worked merger of the rules page, calculated by the engine."""
    held = (6, 4, 4, 1)
    size = 5
    chain = named(rules, "worldwide")
    survivor = named(rules, "continental")
    share = rules.prices[chain.number][size]
    paid = {bonus.seat: bonus.dollars for bonus in bonuses(rules, held, share)}
    names = ("Ann", "Ben", "Cleo", "Dev")
    return {
        "chain": chain,
        "survivor": survivor,
        "size": size,
        "price": money(share),
        "majority": money(10 * share),
        "minority": money(5 * share),
        "rows": [
            (name, count, money(paid[seat]) if seat in paid else "–")
            for seat, (name, count) in enumerate(zip(names, held, strict=True))
        ],
        "tied": join_list(names[1:3]),
        "three_sold": money(3 * share),
    }
