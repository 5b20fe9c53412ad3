"""Recent proof that a session is the member's own."""

import time

from allauth.account.internal.flows.login import get_authentication_records
from django.conf import settings
from django.http import HttpRequest


def has_recent_proof(request: HttpRequest) -> bool:
    """Return whether a password, a passkey or a second factor was given within REAUTH_SECONDS."""
    records = get_authentication_records(request, request.user)
    # A code by mail lets somebody in whose password others have tried too often; it is no password.
    newest = max((record.get("at", 0) for record in records if record.get("method") != "code"), default=0)
    return bool(time.time() - newest < settings.REAUTH_SECONDS)
