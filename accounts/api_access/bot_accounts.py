"""Bot accounts: registering, describing and deleting them."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.membership import account_deletion
from accounts.membership.name_changes import check_name
from accounts.models import BotAccount, User

MAX_PROGRAMS = 3


@transaction.atomic
def register_program(owner: User, name: str, description: str = "", address: str = "") -> BotAccount:
    """Make a bot account, which cannot log in. Raises ValidationError."""
    # Lock the row: two forms at once must not both find room for one more.
    owner = User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if owner.is_guest or owner.is_bot_account or not owner.is_active or owner.is_suspended:
        raise ValidationError(_("Only members who are allowed to play can create bots."))
    if owner.programs.count() >= MAX_PROGRAMS:
        sentence = ngettext(
            "You already have {n} bot, which is the limit. Delete it first.",
            "You already have {n} bots, which is the limit. Delete one first.",
            MAX_PROGRAMS,
        )
        raise ValidationError(sentence.format(n=MAX_PROGRAMS))
    check_name(name, is_program=True)
    user = User(username=name, is_bot_account=True, mail_mode=User.MailMode.OFF, time_zone=owner.time_zone)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        # Another request took the name after it was checked.
        raise ValidationError(_("This name is taken. Choose another one.")) from error
    return BotAccount.objects.create(user=user, owner=owner, description=description, address=address)


def describe_program(program: BotAccount, description: str, address: str) -> None:
    """Set the description and address of a bot account."""
    program.description, program.address = description, address
    program.save(update_fields=["description", "address"])


def take_down(program: BotAccount) -> None:
    """Delete a bot account; bots take over its seats."""
    account_deletion.delete_account(program.user)
