"""The forms to play now against computer players, one for each rule system."""

from dataclasses import dataclass
from types import ModuleType

from games.models.playable_systems import playable_systems
from games.web.lobby.play_now_form import PlayNowForm, level_descriptions, levels
from games.web.presenters.presenter_registry import PRESENTERS


@dataclass(frozen=True, slots=True)
class Start:
    """The form to play now for one rule system, with descriptions of its bot levels.

    `opponents` and `level` are what the form has chosen in advance.
    """

    system: str
    table: ModuleType
    form: PlayNowForm
    levels: list[tuple[str, str]]
    opponents: int
    level: str


def starts(sent: PlayNowForm | None = None, *, is_newcomer: bool) -> list[Start]:
    """The forms of all playable systems; `sent` is the posted form, if any."""
    forms = [
        sent if sent and sent.system == system else PlayNowForm(system, is_newcomer=is_newcomer)
        for system in playable_systems()
    ]
    return [
        Start(
            form.system,
            PRESENTERS[form.system],
            form,
            level_descriptions(form.system),
            form.initial["opponents"],
            dict(levels(form.system))[form.initial["level"]],
        )
        for form in forms
    ]
