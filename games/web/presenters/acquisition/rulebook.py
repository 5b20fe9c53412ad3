"""The rules in words: numbers, the only option and the only preset."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.rules.acquisition.rule_options import OPTIONS, PARKS, PRESETS, TILES, Rules
from games.engine.rules.acquisition.state import LARGE
from games.web.presenters.acquisition.about_text import credit
from games.web.presenters.acquisition.board_view import figure
from games.web.presenters.acquisition.material_names import material
from games.web.presenters.preset_view import Preset


def option_names() -> dict[str, str]:
    """The displayed name of every option."""
    return {"tiles": _("Building tiles")}


def option_values() -> dict[tuple[str, Any], str]:
    """The meaning of every value of every option, as a sentence."""
    return {("tiles", number): _tiles(number) for number in OPTIONS["tiles"]}


def _tiles(number: int) -> str:
    most = max(TILES.values())
    if number == most:
        two, three, four = (TILES[seats] for seats in (2, 3, 4))
        return _(
            "Every tile in the box: {two} each for 2 players, {three} each for 3, {four} each for 4."
        ).format(two=two, three=three, four=four)
    text = ngettext("{n} tile for each player", "{n} tiles for each player", number).format(n=number)
    less = [seats for seats, tiles in TILES.items() if tiles < number]
    if not less:
        return _("{tiles}.").format(tiles=text)
    if len(less) == 1:
        return _("{tiles}, but {four} with 4 players.").format(tiles=text, four=TILES[4])
    return _("{tiles}, but {three} with 3 players and {four} with 4.").format(
        tiles=text, three=TILES[3], four=TILES[4]
    )


def presets() -> list[Preset]:
    """The only preset."""
    return [Preset(name, _("Acquisition"), _("Phil Leduc’s rules, unaltered."), credit()) for name in PRESETS]


def preset_name(name: str) -> str:
    """The preset's title. Raises KeyError for an unknown preset."""
    return {preset.name: preset.title for preset in presets()}[name]


def rules_page() -> dict[str, Any]:
    """The context of games/presenters/acquisition/rules.html."""
    return {
        "materials": [material(seat) for seat in range(max(TILES))],
        "counts": [(seats, PARKS[seats], TILES[seats]) for seats in TILES],
        "largest": LARGE,
        "figure": figure("BB..", "..S.", ".P.."),
        "credit": credit(),
    }


def game_rules(rules: Rules) -> dict[str, Any]:
    """Nothing: the options of a game tell all of its rules that may differ."""
    return {}


def preset_page(name: str) -> dict[str, Any]:
    """The context of games/presenters/acquisition/preset.html. Raises KeyError for an unknown preset."""
    preset = {preset.name: preset for preset in presets()}[name]
    return {"preset": preset, "tiles": _tiles(max(TILES.values()))}
