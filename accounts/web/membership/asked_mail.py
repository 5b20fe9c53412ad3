"""The mail that a visitor has asked for last: whether it still waits to be sent.

The pages tell so of mails whose waiting says nothing about an account: a request for a new password waits
alike for known and unknown addresses (accounts.mail.reset_requests), and a link to confirm an address goes to
the visitor's own account. It does not show whether the mail server took the mail.
"""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from accounts.mail import mail_server
from accounts.models import AccountMail

_SESSION_KEY = "asked_mail"

# A mail takes that long where all is well.
PATIENCE = timedelta(seconds=20)


def remember_mail(request: HttpRequest, mail: AccountMail) -> None:
    """Remember in the visitor's session that they have asked for this mail."""
    request.session[_SESSION_KEY] = mail.pk


def is_mail_delayed(request: HttpRequest) -> bool:
    """Return whether the mail that the visitor has asked for last waits longer than usual."""
    key = request.session.get(_SESSION_KEY)
    if key is None:
        return False
    waiting = AccountMail.objects.filter(pk=key, state=AccountMail.State.WAITING)
    made = waiting.values_list("made", flat=True).first()
    return made is not None and (mail_server.is_left_alone() or made < timezone.now() - PATIENCE)
