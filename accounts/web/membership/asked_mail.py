"""The mail that a visitor has asked for last: whether it still waits to be sent.

The pages tell so of mails whose waiting says nothing about an account: requests for a new password or for a
code wait alike for known and unknown addresses (accounts.mail.address_requests), and a link to confirm an
address goes to the visitor's own account. It does not show whether the mail server took the mail.
"""

import math
import time
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.mail import mail_server
from accounts.models import AccountMail

_SESSION_KEY = "asked_mail"

# On this status htmx stops polling.
_NOTHING_TO_ASK = 286

# A mail usually takes no longer than this.
PATIENCE_SECONDS = 20


def remember_mail(request: HttpRequest, mail: AccountMail) -> None:
    """Remember in the visitor's session that they have asked for this mail."""
    request.session[_SESSION_KEY] = [mail.pk, time.time()]


def is_mail_delayed(request: HttpRequest) -> bool:
    """Return whether the mail that the visitor has asked for last waits longer than usual."""
    age, waits = _asked_mail(request)
    return waits and (mail_server.is_left_alone() or age > PATIENCE_SECONDS)


@require_safe
@never_cache
def mail_delay(request: HttpRequest) -> HttpResponse:
    """Return the notice about a delayed mail, or tell the page to stop asking once no mail waits.

    The notice is not sent again, or screen readers would read it each time. Within `PATIENCE_SECONDS` the
    page goes on asking whatever became of the mail: the moment at which it was sent could show whether a mail
    to somebody else was sent before it.
    """
    age, waits = _asked_mail(request)
    if not waits and age > PATIENCE_SECONDS:
        return HttpResponse(status=_NOTHING_TO_ASK)
    if is_mail_delayed(request) == ("shown" in request.GET):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "accounts/_mail_delay_notice.html")


def _asked_mail(request: HttpRequest) -> tuple[float, bool]:
    """The seconds since the visitor last asked for a mail, and whether that mail still waits."""
    if _SESSION_KEY not in request.session:
        return math.inf, False
    key, asked_at = request.session[_SESSION_KEY]
    waits = AccountMail.objects.filter(pk=key, state=AccountMail.State.WAITING).exists()
    return time.time() - asked_at, waits
