"""Staff actions on what a member logs in with, and on the roles of staff.

Django and allauth have forms and list actions for all of this, which ask for no reason and leave no entry in
the audit. The admin has these instead.
"""

from collections.abc import Mapping
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.mail import account_mails
from accounts.mail.addresses import confirmed_addresses
from accounts.membership import account_deletion
from accounts.models import User
from accounts.moderation.action_forms import ActionForm, ChoiceField
from accounts.moderation.member_action import READ_IN_MAIL, SUPERUSERS, gone, member_action
from accounts.moderation.staff_actions import Text
from accounts.refusals import Refusal

# The choices besides the keys of the groups. Without a role, staff can only enter the admin.
SUPERUSER_ROLE: Final = "superuser"
_ENTRY: Final = "entry"


# -- Logging in ------------------------------------------------------------------------------------


def _no_factor(member: User) -> Text | None:
    found = Authenticator.objects.filter(user=member).exists()
    return gone(member) or (None if found else _("This member has no second factor."))


def _remove_factors(member: User, *, by: User | None, reason: str) -> Mapping[str, Any]:
    held = list(Authenticator.objects.select_for_update().filter(user=member))
    if not held:
        raise Refusal(str(_("This member has no second factor.")))
    Authenticator.objects.filter(pk__in=[factor.pk for factor in held]).delete()
    account_mails.mail_factors_removed(member, reason)
    return {"factors": sorted(factor.type for factor in held)}


def _foresee_factors(member: User) -> Text:
    number = Authenticator.objects.filter(user=member).count()
    return ngettext("This removes {n} second factor.", "This removes {n} second factors.", number).format(
        n=number
    )


def _no_address_to_confirm(member: User) -> Text | None:
    if closed := gone(member):
        return closed
    addresses = EmailAddress.objects.filter(user=member)
    if addresses.filter(verified=True).exists():
        return _("This member has a confirmed address. Only the member can change it.")
    return None if addresses.exists() else _("This member has no email address.")


class AddressForm(ActionForm):
    """Form for one of the addresses of a member."""

    address = ChoiceField(label=_("Email address"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = EmailAddress.objects.filter(user=self.target, verified=False).order_by("-primary", "pk")
        choices = [(str(row.pk), row.email) for row in found]
        self.set_choices("address", choices)
        self.fields["address"].initial = choices[0][0] if choices else None


def _confirm_address(member: User, *, by: User | None, reason: str, address: str) -> None:
    member = User.objects.select_for_update().get(pk=member.pk)
    if why := _no_address_to_confirm(member):
        raise Refusal(str(why))
    row = EmailAddress.objects.filter(user=member, pk=address).first()
    if row is None or not row.set_verified():
        raise ValidationError({"address": _("Another account has confirmed this address.")})
    row.set_as_primary()
    User.objects.filter(pk=member.pk).update(mail_stopped="", is_guest=False)
    account_mails.mail_address_confirmed(member, reason)


def _no_confirmed_address(member: User) -> Text | None:
    found = confirmed_addresses().filter(user=member).exists()
    return gone(member) or (None if found else _("This member has no confirmed email address."))


def _send_password_link(member: User, *, by: User | None, reason: str) -> None:
    account_mails.request_password_reset(confirmed_addresses().get(user=member).email)


# -- Roles -----------------------------------------------------------------------------------------


Roles = list[tuple[str, Text]]


def _roles(member: User) -> Roles:
    groups = member.groups.order_by("name").values_list("pk", "name")
    held: Roles = [(str(key), name) for key, name in groups]
    if member.is_superuser:
        held.append((SUPERUSER_ROLE, _("Superuser")))
    return held or ([(_ENTRY, _("Admin access"))] if member.is_staff else [])


def _roles_to_give(member: User) -> Roles:
    groups = Group.objects.exclude(user=member).order_by("name").values_list("pk", "name")
    free: Roles = [(str(key), name) for key, name in groups]
    return free if member.is_superuser else [*free, (SUPERUSER_ROLE, _("Superuser"))]


class GiveRoleForm(ActionForm):
    role = ChoiceField(label=_("Role"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("role", _roles_to_give(self.target))


class WithdrawRoleForm(ActionForm):
    role = ChoiceField(label=_("Role"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.set_choices("role", _roles(self.target))


def _cannot_be_staff(member: User) -> Text | None:
    if member.is_guest or member.is_bot_account:
        return _("Only members with a password can have a role.")
    return gone(member)


def _holds_no_role(member: User) -> Text | None:
    return gone(member) or (None if _roles(member) else _("This member has no role."))


def _give_role(member: User, *, by: User | None, reason: str, role: str) -> Mapping[str, Any]:
    member = User.objects.select_for_update().get(pk=member.pk)
    member.is_staff = True
    if role == SUPERUSER_ROLE:
        member.is_superuser = True
    else:
        member.groups.add(int(role))
    member.save(update_fields=["is_staff", "is_superuser"])
    return {"role": _role_name(role)}


def _withdraw_role(member: User, *, by: User | None, reason: str, role: str) -> Mapping[str, Any]:
    if role == SUPERUSER_ROLE and account_deletion.locked_administrators() == [member.pk]:
        raise Refusal(str(_("Without this account the site would have no administrator.")))
    member = User.objects.select_for_update().get(pk=member.pk)
    if role == SUPERUSER_ROLE:
        member.is_superuser = False
    elif role != _ENTRY:
        member.groups.remove(int(role))
    member.is_staff = member.is_superuser or member.groups.exists()
    if not member.is_staff:
        member.user_permissions.clear()
    member.save(update_fields=["is_staff", "is_superuser"])
    return {"role": _role_name(role)}


def _role_name(role: str) -> str:
    """The name of a role, which the audit keeps also when the group is gone."""
    return role if role in (SUPERUSER_ROLE, _ENTRY) else Group.objects.get(pk=role).name


def _foresee_role(member: User, *, role: str) -> Text:
    if role == SUPERUSER_ROLE:
        return gettext("{name} will be able to do everything, even act on other staff.").format(name=member)
    return gettext("{name} will be able to do everything the group {group} can.").format(
        name=member, group=_role_name(role)
    )


def _foresee_withdrawal(member: User, *, role: str) -> Text:
    if len(_roles(member)) > 1:
        return gettext("{name} will keep the other roles.").format(name=member)
    return gettext("{name} will no longer be able to enter the admin.").format(name=member)


ACCOUNT_ACTIONS: Final = (
    member_action(
        "send-password-link",
        _("Send password link"),
        _("Sends the “Forgot your password?” email to the member’s confirmed address."),
        _send_password_link,
        against=_no_confirmed_address,
    ),
    member_action(
        "remove-second-factor",
        _("Remove second factors"),
        _(
            "For a member who has lost them. The member can then log in with only the password. "
            "First make sure that the request comes from the member. The member gets an email with "
            "the reason."
        ),
        _remove_factors,
        against=_no_factor,
        foresee=_foresee_factors,
        read_by=READ_IN_MAIL,
        permission=SUPERUSERS,
    ),
    member_action(
        "confirm-address",
        _("Confirm address"),
        _(
            "For a member who cannot open the link in the email. The address then counts as "
            "confirmed, so we can send password links to it. The member gets an email with the "
            "reason."
        ),
        _confirm_address,
        AddressForm,
        against=_no_address_to_confirm,
        read_by=READ_IN_MAIL,
        permission=SUPERUSERS,
    ),
    member_action(
        "give-role",
        _("Give role"),
        _("Gives the member the rights of the role. Nobody is notified."),
        _give_role,
        GiveRoleForm,
        against=_cannot_be_staff,
        foresee=_foresee_role,
        permission=SUPERUSERS,
    ),
    member_action(
        "withdraw-role",
        _("Withdraw role"),
        _("Takes the rights of the role away from the member. Nobody is notified."),
        _withdraw_role,
        WithdrawRoleForm,
        against=_holds_no_role,
        foresee=_foresee_withdrawal,
        permission=SUPERUSERS,
    ),
)
