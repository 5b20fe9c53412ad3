"""The delay of spectators in words."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import Game

# By the number of rounds.
_CHOICES: Final[Mapping[int, Promise]] = {
    0: gettext_lazy("At once"),
    1: gettext_lazy("One round late"),
    2: gettext_lazy("Two rounds late"),
}
_TERMS: Final[Mapping[int, Promise]] = {
    1: gettext_lazy("Spectators see this game one round late until it is over."),
    2: gettext_lazy("Spectators see this game two rounds late until it is over."),
}
_NOTICES: Final[Mapping[int, Promise]] = {
    1: gettext_lazy("You see this game one round late. When it is over, you see all of it."),
    2: gettext_lazy("You see this game two rounds late. When it is over, you see all of it."),
}
_LABELS: Final[Mapping[int, Promise]] = {
    1: gettext_lazy("spectators one round late"),
    2: gettext_lazy("spectators two rounds late"),
}


def choices() -> list[tuple[int, Promise]]:
    """The delays from which a host chooses, with their names."""
    return list(_CHOICES.items())


def term(game: Game) -> str:
    """The sentence on the delay among the terms of a game; "" without one."""
    return str(_TERMS.get(game.spectator_delay, ""))


def label(game: Game) -> str:
    """The delay in a few words, for a list of terms; "" without one."""
    return str(_LABELS.get(game.spectator_delay, ""))


def notice(game: Game) -> str:
    """Tell a spectator that the game is shown late; "" for readers who see the present."""
    return str(_NOTICES.get(game.rounds_late, ""))
