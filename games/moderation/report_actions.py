"""Staff actions on abuse reports."""

from collections.abc import Callable
from typing import Any, Final

from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from accounts.moderation.action_forms import ActionForm, ChoiceField, TextField
from accounts.moderation.staff_actions import Action
from accounts.refusals import Refusal
from games.models import AbuseReport, ReplyTemplate
from games.models.abuse_report import MAX_ANSWER_LENGTH, ReportOutcome
from games.models.playable_systems import withheld_systems
from games.moderation import report_claims
from games.moderation.actions.chat_actions import message_to_hide
from games.moderation.report_claims import HANDLE, MANAGE


class AnswerForm(ActionForm):
    """Form for the text that reporters get besides the outcome."""

    template = ChoiceField(
        label=gettext_lazy("Reply"),
        required=False,
        choices=lambda: [*BLANK_CHOICE_DASH, *ReplyTemplate.objects.values_list("pk", "name")],
        help_text=gettext_lazy("Added to the sentence that states the outcome."),
    )
    words = TextField(
        label=gettext_lazy("Or your own text"),
        required=False,
        max_length=MAX_ANSWER_LENGTH,
        help_text=gettext_lazy("Replaces the reply above. Say nothing about what happened to anyone else."),
    )


def _bars(report: AbuseReport, by: User) -> str | None:
    if sentence := report_claims.claim_bar(report, by):
        return sentence
    if report.settled or report_claims.has_claimed(report, by):
        return None
    return _("Choose “Handle this report” first, so that nobody else works on it at the same time.")


def _against(*, handed: bool, line: bool | None = None) -> Callable[[AbuseReport], str | None]:
    """Return a check that refuses settled reports, those of others and, with `line`, other kinds."""

    def against(report: AbuseReport) -> str | None:
        if report.settled:
            return _("This report is already closed.")
        if bool(report.escalated_at) != handed:
            return (
                _("This is only for reports that were passed on.")
                if handed
                else _("This report was passed on.")
            )
        if line is not None and (report.about == AbuseReport.About.LINE) != line:
            return (
                _("This is only for reports about messages.")
                if line
                else _("This is not for reports about messages.")
            )
        return None

    return against


def _settling(outcome: ReportOutcome) -> Callable[..., dict[str, Any]]:
    def perform(
        report: AbuseReport, *, by: User | None, reason: str, template: str | None, words: str | None
    ) -> dict[str, Any]:
        return report_claims.settle(report, by=by, outcome=outcome, answer=_answer(template, words))

    return perform


def _handing_on(report: AbuseReport, *, by: User | None, reason: str) -> dict[str, Any]:
    return report_claims.escalate(report, by=by)


def _answer(template: str | None, words: str | None) -> str:
    if words or not template:
        return words or ""
    found = ReplyTemplate.objects.filter(pk=template).first()
    if found is None:
        raise Refusal(_("This reply no longer exists. Choose another one."))
    return found.text


def _foreseeing(outcome: ReportOutcome) -> Callable[..., str]:
    def foresee(report: AbuseReport, *, template: str | None, words: str | None) -> str:
        told = AbuseReport.objects.filter(subject=report.subject, settled=None).count()
        sentence = ngettext(
            "{n} member who reported this will read: “{words}”",
            "{n} members who reported this will read: “{words}”",
            told,
        )
        said = " ".join(filter(None, [outcome_message(outcome), _answer(template, words)]))
        removed = [message_to_hide(report.line)] if outcome == ReportOutcome.REMOVED and report.line else []
        return " ".join([*removed, sentence.format(n=told, words=said)])

    return foresee


def outcome_message(outcome: str) -> str:
    """The sentence to reporters on whether the staff acted, without details about others."""
    if outcome in (ReportOutcome.REMOVED, ReportOutcome.ACTED):
        return _("Thank you for your report. We reviewed it and took action.")
    return _("Thank you for your report. We reviewed it and found that no rule was broken.")


def _about(report: AbuseReport) -> dict[str, Any]:
    """The person and game for the audit entry; no game if its system may not be played here."""
    game = report.game
    return {
        "member": report.person,
        "game": game.public_id if game and game.system not in withheld_systems() else "",
    }


def _settle_action(
    name: str,
    label: str | Promise,
    sentence: str | Promise,
    outcome: ReportOutcome,
    *,
    handed: bool = False,
    line: bool | None = None,
) -> Action:
    return Action(
        name=name,
        label=label,
        permission=MANAGE if handed else HANDLE,
        form_class=AnswerForm,
        perform=_settling(outcome),
        sentence=sentence,
        against=_against(handed=handed, line=line),
        bars=_bars,
        foresee=_foreseeing(outcome),
        about=_about,
    )


REPORT_ACTIONS: Final[dict[str, Action]] = {
    action.name: action
    for action in (
        _settle_action(
            "remove-line",
            gettext_lazy("Remove message"),
            gettext_lazy(
                "Hides the message from everyone. Everyone who reported it reads that we took action."
            ),
            ReportOutcome.REMOVED,
            line=True,
        ),
        _settle_action(
            "keep-line",
            gettext_lazy("Keep message"),
            gettext_lazy("Everyone who reported it reads that no rule was broken."),
            ReportOutcome.KEPT,
            line=True,
        ),
        _settle_action(
            "acted",
            gettext_lazy("Close: action taken"),
            gettext_lazy(
                "Use this after you have acted on the game or the person. Everyone who reported it "
                "reads that we took action."
            ),
            ReportOutcome.ACTED,
        ),
        _settle_action(
            "nothing-found",
            gettext_lazy("Close: no rule broken"),
            gettext_lazy("Everyone who reported it reads that no rule was broken."),
            ReportOutcome.NOTHING,
            line=False,
        ),
        Action(
            name="hand-on",
            label=gettext_lazy("Pass to member managers"),
            permission=HANDLE,
            form_class=ActionForm,
            perform=_handing_on,
            sentence=gettext_lazy(
                "Use this if a member needs a sanction. The report stays open for the member managers."
            ),
            against=_against(handed=False),
            bars=_bars,
            about=_about,
        ),
        _settle_action(
            "member-acted",
            gettext_lazy("Close as member manager: action taken"),
            gettext_lazy("Everyone who reported it reads that we took action, but not what it was."),
            ReportOutcome.ACTED,
            handed=True,
        ),
        _settle_action(
            "member-nothing",
            gettext_lazy("Close as member manager: no rule broken"),
            gettext_lazy("Everyone who reported it reads that no rule was broken."),
            ReportOutcome.NOTHING,
            handed=True,
        ),
    )
}
