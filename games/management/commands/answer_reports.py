"""Command `answer_reports`: answer abuse reports from the server's shell."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError
from django.utils.timezone import localtime

from accounts.management.action_command import ActionCommand, option, usage
from games.models import AbuseReport, ReplyTemplate
from games.moderation import report_queue
from games.moderation.report_actions import REPORT_ACTIONS
from games.web.text.game_titles import report_subject


class Command(ActionCommand):
    actions = REPORT_ACTIONS
    help = (
        "Replies to members' reports, as in the admin. Reports about the same thing are settled together. The"
        " audit log shows it. Without a report, it lists the open reports. Without an action, it shows one"
        " report and the possible replies. If a moderator has taken a report, leave it to them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("report", nargs="?", type=int, metavar="REPORT", help="number of the report")
        parser.add_argument(
            "action", nargs="?", metavar="ACTION", help="one of: " + ", ".join(REPORT_ACTIONS)
        )
        parser.add_argument("--reason", default="", help="reason, kept only in the audit log")
        for name, field in self.fields().items():
            parser.add_argument(option(name), help=f"{field.label}. {field.help_text}".strip())

    def handle(self, *args: Any, report: int | None, action: str | None, reason: str, **options: Any) -> None:
        if report is None:
            self._list()
            return
        found = AbuseReport.objects.select_related("person", "game", "line", "by").filter(pk=report).first()
        if found is None:
            raise CommandError(
                f"There is no report {report}. Run the command without a number to list the open reports."
            )
        if action is None:
            self._show(found)
            return
        if action not in REPORT_ACTIONS:
            raise CommandError(
                f"There is no action called {action}. Choose one of these: {', '.join(REPORT_ACTIONS)}."
            )
        chosen = REPORT_ACTIONS[action]
        self.perform(chosen, found, reason, options)
        self.stdout.write(f"{chosen.label}: done, and entered in the audit log.")

    def _list(self) -> None:
        """List the open reports, the oldest first, grouped by subject."""
        groups = report_queue.queue(None)
        for group in groups:
            held = f" {group.first.claimed_by} is reviewing it." if group.held_until else ""
            times = f", reported {len(group.reports)} times" if len(group.reports) > 1 else ""
            self.stdout.write(f"{_line(group.first)}{times}.{held}")
        if not groups:
            self.stdout.write("No open reports.")

    def _show(self, report: AbuseReport) -> None:
        """Show all reports of the same subject, and the possible answers."""
        for one in report_queue.same_subject(report):
            said = f": {one.reason}" if one.reason else "."
            self.stdout.write(f"{_line(one)}, by {one.by}{said}")
        if report.line is not None:
            self.stdout.write(f"The message: {report.line.text}")
        for answer in ReplyTemplate.objects.order_by("pk"):
            self.stdout.write(f"--template {answer.pk}: {answer.name}")
        for action in REPORT_ACTIONS.values():
            self.stdout.write(usage(action, report, action.label))


def _line(report: AbuseReport) -> str:
    made = localtime(report.made)
    handed = ", passed on" if report.escalated_at else ""
    subject, category = report_subject(report), report.get_category_display()
    return f"{report.pk}: {subject}, {category}, {made:%Y-%m-%d %H:%M}{handed}"
