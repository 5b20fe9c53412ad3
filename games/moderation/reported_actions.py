"""Staff actions on what a report is about, done from the report and settling it in the same transaction."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.moderation import staff_actions
from accounts.moderation.account_actions import ACCOUNT_ACTIONS
from accounts.moderation.action_forms import ActionForm, ChoiceField
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.moderation.staff_actions import Action, Preset, Text
from games.models import AbuseReport, Game
from games.models.playable_systems import withheld_systems
from games.moderation import report_claims
from games.moderation.actions.game_actions import GAME_ACTIONS
from games.moderation.report_actions import REPORT_ACTIONS, AnswerForm

# No answer to a report. Its message has an action of its own.
_ELSEWHERE: Final = {
    *("hide-line", "show-line", "send-again", "dismiss-sign-up", "lift", "reply"),
    *(action.name for action in ACCOUNT_ACTIONS),
}

_STAYS_OPEN: Final = "open"
_REMOVES_MESSAGE: Final = "remove-line"


def reported_actions(report: AbuseReport) -> dict[str, Action]:
    """Return the actions on the game and the person that the report is about, by name.

    Each takes the report for its target, leaves an audit entry of its own, and settles the report with
    another one, unless the form says that it stays open. Their names differ from those of `REPORT_ACTIONS`.
    """
    return {action.name: _on(action, subject) for action, subject in _pairs(report)}


def possible_actions(report: AbuseReport, by: User) -> list[Action]:
    """Return those of `reported_actions` that this person can do now with the game or the person."""
    return [
        _on(action, subject)
        for action, subject in _pairs(report)
        if staff_actions.has_permission(action, by)
        and not (action.against and action.against(subject))
        and not (action.bars and action.bars(subject, by))
    ]


def _pairs(report: AbuseReport) -> list[tuple[Action, Game | User]]:
    """The actions on the game and the person, each with whom or what it acts on."""
    game = report.game
    found: list[tuple[Action, Game | User]] = []
    if game is not None and game.system not in withheld_systems():
        found += [(action, game) for name, action in GAME_ACTIONS.items() if name not in _ELSEWHERE]
    if report.person is not None:
        person = report.person
        found += [(action, person) for name, action in MEMBER_ACTIONS.items() if name not in _ELSEWHERE]
    return found


def _on(action: Action, subject: Game | User) -> Action:
    """Return the action on the game or the member with a report for its target."""

    def bars(report: AbuseReport, by: User) -> Text | None:
        barred = action.bars(subject, by) if action.bars else None
        return barred or _not_mine(report, by)

    def against(report: AbuseReport) -> Text | None:
        if report.settled:
            return _("This report is already closed.")
        return action.against(subject) if action.against else None

    def perform(
        report: AbuseReport,
        *,
        by: User | None,
        settle: str,
        template: str | None,
        words: str | None,
        **values: Any,
    ) -> Mapping[str, Any] | None:
        # The reports are locked first, as when they are settled alone.
        report_claims.lock_claimed(report, by)
        facts = action.perform(subject, by=by, **values)
        if settle != _STAYS_OPEN:
            told = {"reason": values["reason"], "template": template, "words": words}
            staff_actions.perform_part(REPORT_ACTIONS[settle], report, by=by, values=told)
        return facts

    def foresee(
        report: AbuseReport, *, settle: str, template: str | None, words: str | None, **values: Any
    ) -> str:
        said = [str(action.foresee(subject, **values))] if action.foresee else []
        if settle == _STAYS_OPEN:
            said.append(_("The report stays open, and you are still handling it."))
        elif settling := REPORT_ACTIONS[settle].foresee:
            said.append(str(settling(report, template=template, words=words)))
        return " ".join(said)

    return replace(
        action,
        form_class=_form_class(action, subject),
        perform=perform,
        against=against,
        bars=bars,
        foresee=foresee,
        about=lambda report: action.about(subject),
        presets=tuple(_preset(preset, subject) for preset in action.presets),
    )


def _preset(preset: Preset, subject: Game | User) -> Preset:
    return Preset(preset.name, preset.label, lambda report: preset.values(subject))


def _form_class(action: Action, subject: Game | User) -> type[ActionForm]:
    """Return the form of the action together with that of settling the report."""

    class SettlingForm(AnswerForm, action.form_class):  # type: ignore[name-defined]
        settle = ChoiceField(label=gettext_lazy("What happens to the report"))

        def __init__(self, *args: Any, target: AbuseReport, **kwargs: Any) -> None:
            super().__init__(*args, target=subject, **kwargs)
            self.target = target
            ways = _ways_to_settle(target)
            self.set_choices("settle", ways)
            self.fields["settle"].initial = ways[0][0]
            own = action.form_class.own_fields()
            self.order_fields([*own, "settle", "template", "words", "reason"])

    return SettlingForm


def _ways_to_settle(report: AbuseReport) -> list[tuple[str, Text]]:
    """The actions that settle the report because something was done, and to leave it open."""
    # The first is preselected, so it must do nothing more.
    names = ("member-acted",) if report.escalated_at else ("acted", _REMOVES_MESSAGE)
    fitting = [REPORT_ACTIONS[name] for name in names]
    possible = [one for one in fitting if not (one.against and one.against(report))]
    return [*((one.name, one.label) for one in possible), (_STAYS_OPEN, _("Leave report open"))]


def _not_mine(report: AbuseReport, by: User) -> Text | None:
    settling = REPORT_ACTIONS["member-acted" if report.escalated_at else "acted"]
    if not staff_actions.has_permission(settling, by):
        return _("You do not have permission to do this. Ask another member of staff.")
    return settling.bars(report, by) if settling.bars else None
