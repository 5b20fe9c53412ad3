"""Checking, changing and releasing names."""

import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import ReleasedName, User
from accounts.names.lookalikes import skeleton
from accounts.names.validators import name_is_nobodys, name_of_a_program, name_shape

# For this time others cannot take a released name.
FREED_FOR = timedelta(days=30)

GUEST_PREFIX = "Guest-"

# No vowels, so that no words arise; no 0, 1, O and I, which are easily misread.
CODE_LETTERS = "23456789BCDFGHJKLMNPQRSTVWXZ"


def check_name(name: str, by: User | None = None, *, is_program: bool = False) -> None:
    """Raise ValidationError if nobody, or not this user, may take the name.

    `is_program` means that the name is for a new bot account of a member.
    """
    name_shape(name)
    if is_program or (by and by.is_bot_account):
        name_of_a_program(name)
    else:
        name_is_nobodys(name)
    User.objects.check_free(name, by=by)
    freed = ReleasedName.objects.filter(skeleton=skeleton(name), freed__gt=timezone.now() - FREED_FOR)
    if by:
        freed = freed.exclude(user=by)
    if freed.exists():
        raise ValidationError(
            _("Someone used this name until recently, so it is reserved for a while. Choose another one.")
        )


def rename(user: User, name: str, *, may_go_back: bool = True) -> None:
    """Rename the user and keep the old name from others for a while.

    Without `may_go_back`, from the user as well. Raises ValidationError if the name cannot be taken.
    """
    check_name(name, by=user)
    try:
        with transaction.atomic():
            user.freed_names.filter(skeleton=skeleton(name)).delete()
            if skeleton(name) != skeleton(user.username):
                free_name(user, back_to=user if may_go_back else None)
            user.username = name
            user.save(update_fields=["username"])
    except IntegrityError as error:
        # Another request took the name after it was checked.
        user.refresh_from_db(fields=["username", "skeleton"])
        raise ValidationError(_("This name is taken. Choose another one.")) from error


def free_name(user: User, back_to: User | None = None) -> None:
    """Record that the user gives up the name; for a while only `back_to` can take it."""
    ReleasedName.objects.update_or_create(
        skeleton=skeleton(user.username), defaults={"user": back_to, "freed": timezone.now()}
    )


def save_with_code(user: User, prefix: str) -> None:
    """Save the user with an unused name made of `prefix` and a code."""
    while True:
        user.username = free_code(prefix)
        try:
            with transaction.atomic():
                return user.save()
        except IntegrityError:
            # Raise again unless another request took the name meanwhile.
            if not User.objects.named_like(user.username).exists():
                raise


def free_code(prefix: str) -> str:
    """A name of `prefix` and a code that nobody has at the moment."""
    while True:
        name = prefix + "".join(secrets.choice(CODE_LETTERS) for _ in range(4))
        if not User.objects.named_like(name).exists():
            return name
