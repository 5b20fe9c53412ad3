"""manage.py member: what staff does about a member in the admin, for whoever has the server's shell."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from accounts.models import User
from accounts.services.actions import Field, WrongInput, carry_out
from accounts.services.moderating import MEMBER_ACTIONS
from accounts.services.refusals import Refusal


class Command(BaseCommand):
    help = (
        "Warns, mutes, suspends, bans or renames a member and the like, as the admin does, and writes it into"
        " the audit. Without an action it tells what stands against the member and what can be done."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the member")
        parser.add_argument("action", nargs="?", choices=MEMBER_ACTIONS, help="what to do")
        parser.add_argument("--reason", default="", help="why; in most cases the member reads it")
        for name, field in _fields().items():
            parser.add_argument(_option(name), help=str(field.label))

    def handle(self, *args: Any, name: str, action: str | None, reason: str, **options: Any) -> None:
        member = User.objects.filter(username__iexact=name).first()
        if member is None:
            raise CommandError(f"Nobody here is called {name}.")
        if action is None:
            self._tell(member)
            return
        values = {field: options[field] for field in _fields() if options[field] is not None}
        try:
            carry_out(MEMBER_ACTIONS[action], target=member, by=None, reason=reason, values=values)
        except WrongInput as error:
            raise CommandError("\n".join(wrong.sentence for wrong in error.all)) from error
        except Refusal as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(f"Done: {MEMBER_ACTIONS[action].label} {name}.")

    def _tell(self, member: User) -> None:
        for sanction in member.sanctions.standing():
            until = f"until {sanction.until:%Y-%m-%d %H:%M %Z}" if sanction.until else "without an end"
            self.stdout.write(f"{sanction.get_kind_display()}, {until}: {sanction.reason}")
        for name, action in MEMBER_ACTIONS.items():
            against = action.against(member) if action.against else None
            fields = "".join(f" {_asked(field)}" for field in action.fields)
            self.stdout.write(f"{name}{fields}: {f'not now. {against}' if against else action.sentence}")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _asked(field: Field) -> str:
    """The option that fills in a field, in brackets where it may be left out."""
    return f"{_option(field.name)} …" if field.required else f"[{_option(field.name)} …]"


def _fields() -> dict[str, Field]:
    """The fields of all actions by name; those of one name ask for the same."""
    return {field.name: field for action in MEMBER_ACTIONS.values() for field in action.fields}
