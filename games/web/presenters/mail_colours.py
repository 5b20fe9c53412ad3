"""Colours of boards in mails for readers with a dark scheme."""

from typing import Final

from games.web.presenters.board_drawing import STONE, SUNKEN, fill_class

# The dark colour of a square for its light one, both as in the style sheets. Colours that stay are left out.
DARK_FILLS: Final = {
    SUNKEN: "#111317",
    STONE: "#838a96",
    "#c4352c": "#cf3f36",  # American
    "#2458b4": "#3b70d2",  # Continental
    "#23793a": "#2a8244",  # Festival
    "#7b3f9c": "#9556b8",  # Luxor
    "#7a4b22": "#9a6232",  # Tower
    "#a8452c": "#b8523a",  # brick
    "#3c5f93": "#4a6fa8",  # steel
    "#a19c92": "#a8a399",  # concrete
    "#8ed0da": "#86c9d4",  # glass
    "#2f7d43": "#348a4b",  # park
}


def dark_fill_rules() -> list[str]:
    """The rules of the dark scheme for squares and badges."""
    return [
        f".{fill_class(light)}{{background-color:{dark} !important}}" for light, dark in DARK_FILLS.items()
    ]
