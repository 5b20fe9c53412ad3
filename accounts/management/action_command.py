"""Base of the commands that perform staff actions from the server's shell."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError

from accounts.moderation.staff_actions import Action, check_action, perform
from accounts.refusals import Refusal


class ActionCommand(BaseCommand):
    """A command with the fields of its actions' forms as options."""

    actions: ClassVar[Mapping[str, Action]]

    def fields(self) -> dict[str, forms.Field]:
        """The fields of all actions by name; fields with the same name ask for the same."""
        return {name: field for action in self.actions.values() for name, field in own_fields(action).items()}

    def perform(self, action: Action, target: Any, reason: str, options: Mapping[str, Any]) -> None:
        """Perform an action with the given options; raise CommandError with all errors."""
        given = {name: options[name] for name in self.fields() if options[name] is not None}
        form = action.form_class({**given, "reason": reason}, target=target)
        try:
            check_action(action, target, None)
            if unknown := sorted(given.keys() - own_fields(action).keys()):
                raise CommandError(
                    self.error_line(
                        unknown[0], f"The action “{action.name}” has no option {option(unknown[0])}."
                    )
                )
            perform(action, form, by=None)
        except ValidationError as error:
            lines = [
                self.error_line(name, str(text)) for name, texts in form.errors.items() for text in texts
            ]
            raise CommandError("\n".join(lines)) from error
        except Refusal as refused:
            raise CommandError(refused.message) from refused

    def error_line(self, name: str, sentence: str) -> str:
        """The error line for a field."""
        return f"{option(name)}: {sentence}"


def own_fields(action: Action) -> dict[str, forms.Field]:
    return action.form_class.own_fields()


def option(name: str) -> str:
    """The name of the option for a field."""
    return f"--{name.replace('_', '-')}"


def usage(action: Action, target: Any, text: Any) -> str:
    """The line that lists an action: its options, optional ones in brackets, and what it does."""
    fields = own_fields(action).items()
    options = [f"{option(name)} …" if field.required else f"[{option(name)} …]" for name, field in fields]
    against = action.against(target) if action.against else None
    return f"{' '.join([action.name, *options])}: {f'not possible now. {against}' if against else text}"
