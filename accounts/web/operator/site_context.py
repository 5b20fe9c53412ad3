"""Template context about the site and its operator."""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts.web.membership import asked_mail


def site(request: HttpRequest) -> dict[str, Any]:
    """`contact_email`, the operator's address; `mail_folder`, where unsent mail is stored; `is_mail_delayed`.

    The last is called by templates that ask for it: whether the mail that the visitor asked for still waits.
    """
    return {
        "contact_email": settings.CONTACT_EMAIL,
        "mail_folder": settings.MAIL_FOLDER,
        "is_mail_delayed": partial(asked_mail.is_mail_delayed, request),
    }
