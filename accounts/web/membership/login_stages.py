"""Steps of a log-in after the password."""

from allauth.account.stages import EmailVerificationStage as AllauthEmailVerificationStage
from django.http import HttpResponse


class EmailVerificationStage(AllauthEmailVerificationStage):
    """Require a confirmed address, except from administrators.

    Whoever runs the server makes the first administrator, before mail is known to work.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        if self.login.user and self.login.user.is_superuser:
            return None, True
        response, goes_on = super().handle()
        return response, goes_on
