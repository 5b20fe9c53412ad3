"""What moderators can answer to reports, as actions: each is written into the audit."""

from collections.abc import Callable
from typing import Any, Final

from django.db.models.fields import BLANK_CHOICE_DASH
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from accounts.services.action_forms import ActionForm, ChoiceField, TextField
from accounts.services.actions import Action
from accounts.services.refusals import Refusal
from games.models import Report, ReportAnswer
from games.models.report import ANSWER_LENGTH, Outcome
from games.models.systems import withheld

from . import handling
from .handling import HANDLE, MANAGE


class AnswerForm(ActionForm):
    """What those who reported are told besides the outcome."""

    template = ChoiceField(
        label=gettext_lazy("Answer"),
        required=False,
        choices=lambda: [*BLANK_CHOICE_DASH, *ReportAnswer.objects.values_list("pk", "name")],
        help_text=gettext_lazy("Added to the sentence that says what came of it."),
    )
    words = TextField(
        label=gettext_lazy("Or in your own words"),
        required=False,
        max_length=ANSWER_LENGTH,
        help_text=gettext_lazy("Instead of the answer above. Say nothing about what became of others."),
    )


def _bars(report: Report, by: User) -> str | None:
    if sentence := handling.bars(report, by):
        return sentence
    if report.settled or handling.has(report, by):
        return None
    return _("Take this report first, so that nobody else works on it, too.")


def _against(*, handed: bool, line: bool | None = None) -> Callable[[Report], str | None]:
    """Why an answer is not offered: it is settled, others handle it, or it fits lines only, or all else."""

    def against(report: Report) -> str | None:
        if report.settled:
            return _("This report is settled already.")
        if bool(report.handed) != handed:
            return _("This is for a report that was handed on.") if handed else _("It was handed on.")
        if line is not None and (report.about == Report.About.LINE) != line:
            return _("This is for lines of the talk.") if line else _("This is not for lines of the talk.")
        return None

    return against


def _settling(outcome: Outcome) -> Callable[..., dict[str, Any]]:
    def perform(
        report: Report, *, by: User | None, reason: str, template: str | None, words: str | None
    ) -> dict[str, Any]:
        return handling.settle(report, by=by, outcome=outcome, answer=_answer(template, words))

    return perform


def _handing_on(report: Report, *, by: User | None, reason: str) -> dict[str, Any]:
    return handling.hand_on(report, by=by)


def _answer(template: str | None, words: str | None) -> str:
    if words or not template:
        return words or ""
    found = ReportAnswer.objects.filter(pk=template).first()
    if found is None:
        raise Refusal(_("This answer is not there any more. Choose another one."))
    return found.text


def _foreseeing(outcome: Outcome) -> Callable[..., str]:
    def foresee(report: Report, *, template: str | None, words: str | None) -> str:
        told = Report.objects.filter(subject=report.subject, settled=None).count()
        sentence = ngettext(
            "{n} member who reported it is told: “{words}”",
            "{n} members who reported it are told: “{words}”",
            told,
        )
        said = " ".join(filter(None, [came_of_it(outcome), _answer(template, words)]))
        return sentence.format(n=told, words=said)

    return foresee


def came_of_it(outcome: str) -> str:
    """What those who reported are told: whether something was done, and nothing about anybody else."""
    if outcome in (Outcome.REMOVED, Outcome.ACTED):
        return _("We looked at it and acted on it. Thank you for telling us.")
    return _("We looked at it and found nothing against the rules. Thank you for telling us.")


def _about(report: Report) -> dict[str, Any]:
    """Whom an entry of the audit is about; of a game that is not shown here not even the address."""
    game = report.game
    return {
        "member": report.person,
        "game": game.public_id if game and game.system not in withheld() else "",
    }


def _settler(
    name: str,
    label: str | Promise,
    sentence: str | Promise,
    outcome: Outcome,
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
        _settler(
            "remove-line",
            gettext_lazy("Take the line away"),
            gettext_lazy("Nobody reads it any more. Those who reported it are told that we acted."),
            Outcome.REMOVED,
            line=True,
        ),
        _settler(
            "keep-line",
            gettext_lazy("Let the line stay"),
            gettext_lazy("Those who reported it are told that we found nothing against the rules."),
            Outcome.KEPT,
            line=True,
        ),
        _settler(
            "acted",
            gettext_lazy("Settle: something was done"),
            gettext_lazy(
                "For what you have done by other actions, with the game or the person. Those who reported it"
                " are told that we acted."
            ),
            Outcome.ACTED,
        ),
        _settler(
            "nothing-found",
            gettext_lazy("Settle: nothing found"),
            gettext_lazy("Those who reported it are told that we found nothing against the rules."),
            Outcome.NOTHING,
            line=False,
        ),
        Action(
            name="hand-on",
            label=gettext_lazy("Hand on to the member managers"),
            permission=HANDLE,
            form_class=ActionForm,
            perform=_handing_on,
            sentence=gettext_lazy("For what a member must answer for. It stays open, and they settle it."),
            against=_against(handed=False),
            bars=_bars,
            about=_about,
        ),
        _settler(
            "member-acted",
            gettext_lazy("Settle, as a member manager: something was done"),
            gettext_lazy("Those who reported it are told that we acted, and not what was done."),
            Outcome.ACTED,
            handed=True,
        ),
        _settler(
            "member-nothing",
            gettext_lazy("Settle, as a member manager: nothing found"),
            gettext_lazy("Those who reported it are told that we found nothing against the rules."),
            Outcome.NOTHING,
            handed=True,
        ),
    )
}
