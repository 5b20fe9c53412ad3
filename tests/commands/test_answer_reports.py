"""The command `answer_reports` settles abuse reports as the shell."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEntry, User
from accounts.moderation.staff_actions import SHELL_USER
from games.chat.messages import say
from games.models import AbuseReport, ChatMessage, ReplyTemplate
from games.moderation import abuse_reports, report_claims
from games.moderation.abuse_reports import report_person
from tests.support import wording
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def line(start: NewGame, alice: User, bob: User) -> ChatMessage:
    return say(game_id=start(alice, bob).pk, user=bob, text="You fool.")


@pytest.fixture
def report(line: ChatMessage, alice: User) -> AbuseReport:
    return abuse_reports.report(line=line, user=alice, trouble="insult", reason="Rude.")


def said(*arguments: str) -> str:
    told = StringIO()
    call_command("answer_reports", *arguments, stdout=told)
    return told.getvalue()


def test_command_lists_open_reports_and_answers(report: AbuseReport) -> None:
    listed = said()
    assert listed.startswith(
        f"{report.pk}: {wording.MESSAGE_FROM.format(name='bob')}, {wording.INSULTS_OR_THREATS}, "
    )
    assert "reported" not in listed
    told = said(str(report.pk))
    assert "by alice: Rude." in told and "The message: You fool." in told
    assert f"remove-line [--template …] [--words …]: {wording.REMOVE_MESSAGE}" in told
    assert (
        "nothing-found [--template …] [--words …]: not possible now. This is not for reports about messages."
        in told
    )


def test_reports_of_one_matter_share_line(report: AbuseReport, line: ChatMessage, carol: User) -> None:
    report_person(person=line.user, user=carol, trouble="spam")
    report_person(person=line.user, user=report.by, trouble="spam")
    assert said().count("\n") == 2
    assert f"bob, {wording.ADVERTISING_OR_SPAM}, " in said() and "reported 2 times." in said()


def test_report_is_settled_with_template(report: AbuseReport, line: ChatMessage) -> None:
    answer = ReplyTemplate.objects.create(name="Thanks", text="Thank you.")
    done = said(str(report.pk), "remove-line", "--template", str(answer.pk), "--reason", "An insult.")
    assert "done, and entered in the audit log" in done
    report.refresh_from_db()
    line.refresh_from_db()
    assert report.settled is not None and report.answer == "Thank you." and line.removed is not None
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.by_name, entry.action, entry.reason) == (
        None,
        SHELL_USER,
        "remove-line",
        "An insult.",
    )
    assert said() == f"{wording.NO_OPEN_REPORTS}\n"


def test_claimed_report_is_left_to_moderator(report: AbuseReport) -> None:
    mona = User.objects.create_superuser("mona")
    report_claims.claim(report, mona)
    assert "mona is reviewing it." in said()
    with pytest.raises(CommandError, match="mona is handling this report"):
        said(str(report.pk), "keep-line", "--reason", "Harmless.")


def test_invalid_arguments_are_refused_with_sentence(report: AbuseReport) -> None:
    for arguments, sentence in (
        (["999999"], "There is no report 999999."),
        ([str(report.pk), "burn"], "There is no action called burn."),
        ([str(report.pk), "keep-line"], "--reason: Enter a reason"),
        ([str(report.pk), "keep-line", "--template", "x"], "--template: “Reply” does not have a valid value"),
        ([str(report.pk), "acted", "--template", "x"], "--reason: Enter a reason"),
    ):
        with pytest.raises(CommandError, match=sentence):
            said(*arguments)
    report.refresh_from_db()
    assert report.settled is None
