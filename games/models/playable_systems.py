"""Which rule systems may be played here: some only with a permission, which the operator writes down."""

from types import ModuleType
from typing import Final

from django.conf import settings

from games.engine.rules.rule_systems import SYSTEMS

# Systems that are played here only with the permission of whoever designed them, and the variable that
# says who gave it and when.
NEED_PERMISSION: Final = {"acquisition": "ACQUISITION_PERMISSION"}


def permission(system: str) -> str:
    """Who permits that the system is played here, and when that was said; "" where nobody has to or does."""
    text = str(getattr(settings, NEED_PERMISSION[system])).strip() if system in NEED_PERMISSION else ""
    return text if is_complete_permission(text) else ""


def is_complete_permission(text: str) -> bool:
    """Whether a text names two things with a comma between them, as "who, when" does."""
    who, _comma, when = text.partition(",")
    return bool(who.strip() and when.strip())


def withheld_systems() -> list[str]:
    """The systems that may not be played here: nothing of them is shown, and their games are paused."""
    return [system for system in NEED_PERMISSION if not permission(system)]


def playable_systems() -> dict[str, ModuleType]:
    """The rules of all systems that may be played here, by name; there is always one."""
    out = withheld_systems()
    return {name: rules for name, rules in SYSTEMS.items() if name not in out}
