"""Names of building materials and buildings for display."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquisition.rule_options import MATERIAL_LETTERS, MATERIALS
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a seat for a template: its label, letter and CSS class."""

    label: str
    letter: str
    css: str


def material(seat: int) -> Material:
    """The seat's material."""
    labels = {"brick": _("brick"), "steel": _("steel"), "concrete": _("concrete"), "glass": _("glass")}
    name = MATERIALS[seat]
    return Material(labels[name], MATERIAL_LETTERS[seat], f"of-{name}")


def building(size: int) -> str:
    """The name of a building of this size."""
    return {SMALL: _("small building"), MEDIUM: _("medium building"), LARGE: _("large building")}[size]
