"""Template context about the site and its operator."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """`contact_email`, the operator's address; `mail_folder`, where unsent mail is stored."""
    return {"contact_email": settings.CONTACT_EMAIL, "mail_folder": settings.MAIL_FOLDER}
