"""The command sendtestemail: Django's, which says in a sentence why no email was sent."""

from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import sendtestemail


class Command(sendtestemail.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMAIL_URL:
            raise CommandError(
                "Without EMAIL_URL no email can be sent. A shell that has read the settings does not know"
                " lines that were added since. Read them again."
            )
        try:
            super().handle(*args, **options)
        except OSError as error:  # the mail server's answers are among them
            raise CommandError(
                f"The mail server did not take the email. {type(error).__name__}: {error}"
            ) from error
