"""Mails about accounts that are to be sent."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from accounts.models.outbox_row import OutboxRow


class AccountMail(OutboxRow):
    """A mail about an account: a link that was asked for, a change, or a decision of the staff.

    The row names whom it is for and of what kind it is. Its text is made when it is sent, so no row holds a
    link, a code or a token. `facts` are what nothing else records, such as the browser of a change, and what
    the mail is about by its key; they are emptied when the mail is sent or dropped.
    """

    class Kind(models.TextChoices):
        # For an address, whether or not it belongs to an account: that is looked up when it is sent.
        RESET_REQUEST = "reset request", _("password reset requested")
        LOGIN_REQUEST = "log-in request", _("login code requested")

        PASSWORD_RESET = "password reset", _("link to reset the password")
        LOGIN_CODE = "log-in code", _("login code")
        CONFIRMATION = "confirmation", _("link to confirm an address")

        PASSWORD_CHANGED = "password changed", _("the password was changed")
        PASSWORD_REPLACED = "password replaced", _("the password was changed with a link")
        PASSWORD_SET = "password set", _("a password was set")
        ADDRESS_CHANGED = "address changed", _("the address was changed")
        ADDRESS_REMOVED = "address removed", _("an address was removed")
        RECOVERY_CODES = "recovery codes", _("new recovery codes")
        RECOVERY_CODE_USED = "code used", _("a recovery code was used")
        TOTP_ON = "totp on", _("an authenticator app was added")
        TOTP_OFF = "totp off", _("the authenticator app was removed")
        KEY_ADDED = "key added", _("a passkey or security key was added")
        KEY_REMOVED = "key removed", _("a passkey or security key was removed")

        SANCTION_IMPOSED = "sanction imposed", _("a sanction was imposed")
        SANCTION_LIFTED = "sanction lifted", _("a sanction was lifted")
        SANCTION_ENDED = "sanction ended", _("a sanction has ended")
        APPEAL_REPLY = "appeal reply", _("a reply to an appeal")
        TOKEN_CREATED = "token created", _("a token was created")
        RENAMED = "renamed", _("the staff changed the name")
        FACTORS_REMOVED = "factors removed", _("the staff removed the second factors")
        ADDRESS_CONFIRMED = "address confirmed", _("the staff confirmed the address")

    kind = ChoiceField(max_length=20, choices=Kind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="account_mails",
    )
    # Empty for decisions of the staff, which go to the address that is confirmed when they are sent.
    address = models.CharField(max_length=254, blank=True)
    facts = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("account email")
        verbose_name_plural = _("account emails")
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=False) | ~Q(address=""), name="account_mail_of_user_or_address"
            ),
        ]
        indexes = [
            models.Index(fields=["due"], condition=Q(state="waiting"), name="account_mail_due"),
            models.Index(fields=["settled"], condition=Q(settled__isnull=False), name="account_mail_settled"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id or 'an address'}"
