"""System checks of the games."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Warning, register

from games.engine.bots import learners
from games.models.playable_systems import NEED_PERMISSION, is_complete_permission

_HOW = 'Enter who gave permission to offer the game, a comma, and when: {variable}="who, when".'


@register()
def permissions(**_: Any) -> list[CheckMessage]:
    """Warn of a permission that does not say who gave it and when; its rule system stays withheld."""
    return list(_incomplete_permissions())


@register(deploy=True)
def off(**_: Any) -> list[CheckMessage]:
    """Explain why a rule system is withheld from the site."""
    return [
        Info(
            f"The game {system!r} is off: whoever designed it asks those who offer it for permission, and "
            f"{variable} names none.",
            hint=f"{_HOW.format(variable=variable)} Nothing of it is shown until then.",
            id="games.I001",
        )
        for system, variable in NEED_PERMISSION.items()
        if not str(getattr(settings, variable))
    ]


@register()
def learned_weights(**_: Any) -> list[CheckMessage]:
    """Refuse learned weights that are missing, damaged or foreign, and warn of a lack of numpy."""
    found: list[CheckMessage] = [
        Error(problem, hint=mending, id="games.E001") for problem, mending in learners.faults()
    ]
    if learners.lacks_numpy():
        found.append(
            Warning(
                "numpy is not installed, so computer players cannot learn, and Expert and Master play more "
                "weakly: they judge positions without their network.",
                hint="Install it with `pip install -r requirements/app.txt`.",
                id="games.W002",
            )
        )
    return found


def _incomplete_permissions() -> Iterator[CheckMessage]:
    for system, variable in NEED_PERMISSION.items():
        text = str(getattr(settings, variable))
        if text and not is_complete_permission(text):
            yield Warning(
                f"{variable} is {text!r}, which does not say who gave the permission and when, so the game "
                f"{system!r} is off.",
                hint=f"{_HOW.format(variable=variable)} "
                "This text is shown on the game’s about page. Leave it empty to keep the game off.",
                id="games.W001",
            )
