"""Mail about a recovery code that was used."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_used
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.mail.account_letters import CHANGES
from accounts.models import AccountMail, User


@receiver(authenticator_used, dispatch_uid="accounts.mail_recovery_code_used")
def mail_recovery_code_used(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Tell the member, who may not be the one who found the codes, and how many are left."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        # The instance at hand does not know yet that the code is used up.
        authenticator.refresh_from_db()
        left = len(authenticator.wrap().get_unused_codes())
        template = CHANGES[AccountMail.Kind.RECOVERY_CODE_USED]
        get_adapter(request).send_notification_mail(template, user, {"codes_left": left})
