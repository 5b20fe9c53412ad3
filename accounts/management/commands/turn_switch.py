"""The command turn_switch: lists the site switches or turns one."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import SiteSwitch
from accounts.moderation.staff_actions import perform
from accounts.moderation.switch_actions import SWITCH_ACTIONS
from accounts.refusals import Refusal


class Command(BaseCommand):
    help = "Shows the site switches, or turns one on or off. The reason goes into the audit log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "kind",
            nargs="?",
            choices=SiteSwitch.Kind.values,
            help=("switch to turn on or off (default: show all)"),
        )
        parser.add_argument("state", nargs="?", choices=["on", "off"])
        parser.add_argument(
            "--until", help=('end date and time, for example "2031-05-17 18:30" (default: no end)')
        )
        parser.add_argument("--text", help="extra message for everyone")
        parser.add_argument("--reason", default="", help="reason, for the audit log")

    def handle(
        self,
        *,
        kind: str | None,
        state: str | None,
        until: str | None,
        text: str | None,
        reason: str,
        **_: Any,
    ) -> None:
        if kind is None:
            return self._tell(SiteSwitch.objects.all())
        if state is None:
            return self._tell(SiteSwitch.objects.filter(kind=kind))
        action, target = SWITCH_ACTIONS[f"turn-{state}"], SiteSwitch.objects.get(kind=kind)
        form = action.form_class({"until": until, "text": text, "reason": reason}, target=target)
        try:
            perform(action, form, by=None)
        except ValidationError as error:
            raise CommandError(error.messages[0]) from error
        except Refusal as refused:
            raise CommandError(refused.message) from refused
        self._tell(SiteSwitch.objects.filter(kind=kind))

    def _tell(self, switches: Any) -> None:
        for switch in switches:
            self.stdout.write(f"{switch.kind:13} {_state(switch)}".rstrip())


def _state(switch: SiteSwitch) -> str:
    if not switch.is_on():
        return "off"
    end = f"until {_moment(switch.until)}" if switch.until else "until it is turned off"
    return f"on {end} {switch.text}"


def _moment(moment: Any) -> str:
    return date_format(timezone.localtime(moment), "Y-m-d H:i e")
