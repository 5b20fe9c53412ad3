"""The command act_on_member: performs staff actions on a member."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError

from accounts.management.action_command import ActionCommand, option, usage
from accounts.models import User
from accounts.moderation.member_actions import MEMBER_ACTIONS


class Command(ActionCommand):
    actions = MEMBER_ACTIONS
    help = (
        "Warns, mutes, suspends, bans or renames a member, and more, as in the admin. The audit log shows it."
        " Without an action, it lists the member's sanctions and what you can do."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="name of the member")
        parser.add_argument("action", nargs="?", choices=MEMBER_ACTIONS, help="what to do")
        parser.add_argument("--reason", default="", help="reason. The member reads it in most cases")
        for name, field in self.fields().items():
            parser.add_argument(option(name), help=str(field.label))

    def handle(self, *args: Any, name: str, action: str | None, reason: str, **options: Any) -> None:
        member = User.objects.filter(username__iexact=name).first()
        if member is None:
            raise CommandError(f"There is no member called {name}.")
        if action is None:
            self._list(member)
            return
        self.perform(MEMBER_ACTIONS[action], member, reason, options)
        self.stdout.write(f"{MEMBER_ACTIONS[action].label}: done for {name}, and entered in the audit log.")

    def error_line(self, name: str, sentence: str) -> str:
        return sentence

    def _list(self, member: User) -> None:
        for sanction in member.sanctions.active():
            until = f"until {sanction.until:%Y-%m-%d %H:%M %Z}" if sanction.until else "without an end date"
            self.stdout.write(f"{sanction.get_kind_display()}, {until}: {sanction.reason}")
        for action in MEMBER_ACTIONS.values():
            self.stdout.write(usage(action, member, action.sentence))
