"""Rule systems that may be played here; some need a permission."""

from types import ModuleType
from typing import Final

from django.conf import settings

from games.engine.rules.rule_systems import SYSTEMS

# Systems that need their designer's permission, and the variable that holds it, as "who, when".
NEED_PERMISSION: Final = {"acquisition": "ACQUISITION_PERMISSION"}


def permission(system: str) -> str:
    """Return who permits the system and since when; "" if no permission is needed or given."""
    text = str(getattr(settings, NEED_PERMISSION[system])).strip() if system in NEED_PERMISSION else ""
    return text if is_complete_permission(text) else ""


def is_complete_permission(text: str) -> bool:
    """Return whether a text has two parts with a comma between them, as "who, when"."""
    who, _comma, when = text.partition(",")
    return bool(who.strip() and when.strip())


def withheld_systems() -> list[str]:
    """The systems that may not be played here: they are hidden, and their games are paused."""
    return [system for system in NEED_PERMISSION if not permission(system)]


def playable_systems() -> dict[str, ModuleType]:
    """The modules of all systems that may be played here, by name; never empty."""
    out = withheld_systems()
    return {name: rules for name, rules in SYSTEMS.items() if name not in out}
