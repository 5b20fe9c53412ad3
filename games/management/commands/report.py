"""Command `answer_reports`: answer abuse reports from the server's shell."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management import BaseCommand, CommandError
from django.utils.timezone import localtime

from accounts.services.actions import Field, WrongInput, carry_out
from accounts.services.refusals import Refusal
from games.models import Report, ReportAnswer
from games.queries import reports
from games.services import REPORT_ACTIONS
from games.views.naming import reported

_FIELDS: Final[dict[str, Field]] = {
    field.name: field for action in REPORT_ACTIONS.values() for field in action.fields
}


class Command(BaseCommand):
    help = (
        "Settles reports of members as the admin does, those of one thing together, and writes it into the"
        " audit. Without a report it lists those that are open; without an action, what was said of one and"
        " what can be answered. Nobody needs to take a report first, but one that a moderator has taken is"
        " left to that moderator."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("report", nargs="?", type=int, metavar="REPORT", help="its number")
        parser.add_argument(
            "action", nargs="?", metavar="ACTION", help="one of: " + ", ".join(REPORT_ACTIONS)
        )
        parser.add_argument("--reason", default="", help="why; the audit alone keeps it")
        for name, field in _FIELDS.items():
            parser.add_argument(f"--{name}", help=f"{field.label}. {field.help}".strip())

    def handle(self, *args: Any, report: int | None, action: str | None, reason: str, **options: Any) -> None:
        if report is None:
            self._list()
            return
        found = Report.objects.select_related("person", "game", "line", "by").filter(pk=report).first()
        if found is None:
            raise CommandError(f"There is no report {report}.")
        if action is None:
            self._show(found)
            return
        if action not in REPORT_ACTIONS:
            raise CommandError(f"There is no action {action}. Choose one of: {', '.join(REPORT_ACTIONS)}.")
        chosen = REPORT_ACTIONS[action]
        values = {name: options[name] for name in _FIELDS if options[name] is not None}
        try:
            carry_out(chosen, target=found, by=None, reason=reason, values=values)
        except WrongInput as error:
            raise CommandError("\n".join(f"--{one.field}: {one.sentence}" for one in error.all)) from error
        except Refusal as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{chosen.label}: done, and written into the audit.")

    def _list(self) -> None:
        """List the open reports, the oldest first, grouped by subject."""
        groups = reports.queue(None)
        for group in groups:
            held = f" {group.first.claimed_by} looks at it." if group.held_until else ""
            times = f", reported {len(group.reports)} times" if len(group.reports) > 1 else ""
            self.stdout.write(f"{_line(group.first)}{times}.{held}")
        if not groups:
            self.stdout.write("No report waits.")

    def _show(self, report: Report) -> None:
        """Show all reports of the same subject, and the possible answers."""
        for one in reports.together(report):
            said = f": {one.reason}" if one.reason else "."
            self.stdout.write(f"{_line(one)}, by {one.by}{said}")
        if report.line is not None:
            self.stdout.write(f"The line: {report.line.text}")
        for answer in ReportAnswer.objects.order_by("pk"):
            self.stdout.write(f"--template {answer.pk}: {answer.name}")
        for name, action in REPORT_ACTIONS.items():
            against = action.against(report) if action.against else None
            fields = "".join(f" [--{field.name} …]" for field in action.fields)
            self.stdout.write(f"{name}{fields}: {f'not now. {against}' if against else action.label}")


def _line(report: Report) -> str:
    made = localtime(report.made)
    handed = ", handed on" if report.handed else ""
    return f"{report.pk}: {reported(report)}, {report.get_trouble_display()}, {made:%Y-%m-%d %H:%M}{handed}"
