"""Users: members, guests and bot accounts."""

from collections.abc import Iterable
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from accounts.names.lookalikes import SkeletonField, skeleton, unique_skeleton
from accounts.names.validators import known_time_zone, name_shape


class Users(UserManager["User"]):
    use_in_migrations = False

    def named_like(self, name: str) -> models.QuerySet["User"]:
        """Users whose name looks like this one."""
        bare = skeleton(name)
        return self.filter(models.Q(skeleton=bare) | models.Q(skeleton__startswith=unique_skeleton(bare)))

    def check_free(self, name: str, by: "User | None" = None) -> None:
        """Raise ValidationError if a user other than `by` has this name or one that looks like it."""
        holders = self.named_like(name)
        if by:
            holders = holders.exclude(pk=by.pk)
        holder = holders.first()
        if holder and holder.username.lower() == name.lower():
            raise ValidationError(_("This name is taken. Choose another one."))
        if holder:
            raise ValidationError(_("This name looks too much like one that is taken. Choose another one."))


class User(AbstractUser):
    """A member, guest or bot account, with name and settings."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("Same as device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class MailMode(models.TextChoices):
        AT_ONCE = "at once", _("right away")
        DELAYED = "delayed", _("after a delay, unless I have seen it by then")
        DIGEST = "digest", _("once a day, in one email")
        OFF = "off", _("never")

    class CoachMarks(models.TextChoices):
        FIRST_GAME = "first game", _("until I have finished a game")
        ON = "on", _("on")
        OFF = "off", _("off")

    # The site asks for no other name than the public one.
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]

    username = models.CharField(
        _("name"),
        max_length=20,
        unique=True,  # Django requires it; the constraint below is stricter
        validators=[name_shape],
        help_text=_("3 to 20 letters (a to z), digits, hyphens or underscores."),
        error_messages={"unique": _("This name is taken. Choose another one.")},
    )
    skeleton = SkeletonField(
        max_length=64,
        unique=True,
        editable=False,
        help_text=_("The name reduced so that look-alikes match."),
    )
    is_guest = models.BooleanField(
        _("guest"),
        default=False,
        help_text=_("Plays without a password. Deleted after a month without a visit."),
    )
    is_bot_account = models.BooleanField(
        _("bot"),
        default=False,
        editable=False,
        help_text=_("A member’s bot plays from this account. Nobody can log in to it."),
    )
    last_seen = models.DateField(_("last seen"), default=timezone.localdate, editable=False)
    terms_accepted = models.DateTimeField(_("accepted terms on"), null=True, blank=True, editable=False)
    deletion_started_at = models.DateTimeField(
        _("deletion started"),
        null=True,
        editable=False,
        help_text=_("When deletion of the account began. Empty unless it is unfinished."),
    )

    time_zone = models.CharField(
        _("time zone"),
        max_length=64,
        blank=True,
        validators=[known_time_zone],
        help_text=_("IANA time zone name. Empty until a browser has sent one."),
    )
    theme = ChoiceField(_("colours"), max_length=6, choices=Theme, default=Theme.SYSTEM)
    patterns = models.BooleanField(_("patterns on the chains"), default=False)
    square_names = models.BooleanField(_("names on empty squares"), default=False, db_default=False)
    sounds = models.BooleanField(_("sounds"), default=False, db_default=False)
    coach_marks = ChoiceField(
        _("tips at the table"),
        max_length=10,
        choices=CoachMarks,
        default=CoachMarks.FIRST_GAME,
        db_default=CoachMarks.FIRST_GAME,
    )
    read_coach_marks = models.CharField(
        _("tips that were read"),
        max_length=200,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text=_("Their names, with a space after each."),
    )
    confirm_placing = models.BooleanField(_("confirm before placing a tile"), default=False)
    confirm_sending = models.BooleanField(_("confirm before sending any move"), default=False)

    mail_mode = ChoiceField(_("emails"), max_length=7, choices=MailMode, default=MailMode.DELAYED)
    mail_delay = models.PositiveSmallIntegerField(
        _("email delay in minutes"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(120)],
    )
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the daily email"), default=7, validators=[MaxValueValidator(23)]
    )
    quiet_nights = models.BooleanField(_("no emails at night"), default=False, db_default=False)
    codes_from_links = models.BooleanField(
        _("login codes from links in emails"), default=False, db_default=False
    )
    mail_stopped = models.CharField(
        _("email stopped"),
        max_length=300,
        blank=True,
        help_text=_("Why no email goes to this account’s address, in one sentence. Empty if email works."),
    )

    # Effects of the member's sanctions, for pages, which read this row anyway; see `Sanction`.
    has_unread_warning = models.BooleanField(
        _("warned"), default=False, editable=False, help_text=_("Has not read a warning yet.")
    )
    muted_until = models.DateTimeField(_("muted until"), null=True, editable=False)
    suspended_until = models.DateTimeField(_("suspended until"), null=True, editable=False)

    objects: ClassVar[Users] = Users()

    class Meta(AbstractUser.Meta):
        permissions = [
            ("use_desk", _("Can use the moderation queue")),
            ("manage_member", _("Can warn, mute, suspend and rename members")),
        ]
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="username_unique_in_any_case",
                violation_error_message=_("This name is taken. Choose another one."),
            )
        ]
        indexes = [
            models.Index(fields=["is_guest", "last_seen"]),
            models.Index(fields=["-date_joined", "-id"], name="latest_sign_ups"),
            # Accounts that the leaderboards of members leave out.
            models.Index(
                fields=["id"],
                condition=models.Q(is_active=False)
                | models.Q(is_bot_account=True)
                | models.Q(suspended_until__isnull=False),
                name="user_not_ranked",
            ),
        ]

    def clean(self) -> None:
        super().clean()
        try:
            User.objects.check_free(self.username, by=self)
        except ValidationError as taken:
            raise ValidationError({"username": taken}) from None

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @property
    def tzinfo(self) -> ZoneInfo:
        """The user's time zone, or the site's if it is not known."""
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)

    @property
    def is_muted(self) -> bool:
        """Return whether the user may not chat now."""
        return self.muted_until is not None and self.muted_until > timezone.now()

    @property
    def is_suspended(self) -> bool:
        """Return whether the user may not play now, for a while or for good."""
        return self.suspended_until is not None and self.suspended_until > timezone.now()

    def mail_address(self) -> str:
        """The confirmed mail address, or ""."""
        address = EmailAddress.objects.get_verified(self)
        return address.email if address else ""


class ReleasedName(models.Model):
    """A name that was given up: for thirty days nobody else can take it, to prevent impersonation."""

    skeleton = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(
        User,
        null=True,
        on_delete=models.SET_NULL,
        related_name="freed_names",
        help_text=_("The member who can take it back. Empty if the account was deleted."),
    )
    freed = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("released name")
        verbose_name_plural = _("released names")

    def __str__(self) -> str:
        return self.skeleton
