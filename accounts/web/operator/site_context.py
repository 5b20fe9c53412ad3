"""What pages know about accounts and about whoever runs the site."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, str]:
    """`contact_email`, the operator's address; `mail_folder`, where mail lands that is not sent."""
    return {"contact_email": settings.CONTACT_EMAIL, "mail_folder": settings.MAIL_FOLDER}
