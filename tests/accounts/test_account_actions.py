"""Staff actions on what a member logs in with, and on the roles of staff."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import ValidationError

from accounts.models import AccountMail, AuditEntry, User
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.refusals import Refusal
from tests.support import wording
from tests.support.staff_actions import perform_action

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def sonja(db):
    return User.objects.create_superuser("sonja")


@pytest.fixture
def nora(db):
    return User.objects.create_user("nora")


def act(name, member, by, **values):
    return perform_action(MEMBER_ACTIONS[name], member, by, "They asked for it.", **values)


def fresh(user):
    return User.objects.get(pk=user.pk)


def kinds():
    return list(AccountMail.objects.values_list("kind", flat=True))


def key_of(name):
    return str(Group.objects.get(name=name).pk)


def test_second_factors_are_removed_and_the_member_is_told(nora, sonja):
    for kind in ("totp", "recovery_codes"):
        Authenticator.objects.create(user=nora, type=kind, data={})
    entry = act("remove-second-factor", nora, sonja)
    assert not Authenticator.objects.filter(user=nora).exists()
    assert (entry.member, entry.details) == (nora, {"factors": ["recovery_codes", "totp"]})
    assert kinds() == ["factors removed"]
    with pytest.raises(Refusal, match="has no second factor"):
        act("remove-second-factor", nora, sonja)


def test_second_factors_of_others_stay(nora, sonja):
    Authenticator.objects.create(user=sonja, type="totp", data={})
    Authenticator.objects.create(user=nora, type="totp", data={})
    act("remove-second-factor", nora, sonja)
    assert Authenticator.objects.get().user == sonja


def test_address_is_confirmed_and_becomes_the_one_in_use(nora, sonja):
    row = EmailAddress.objects.create(user=nora, email="nora@example.org")
    act("confirm-address", nora, sonja, address=str(row.pk))
    row.refresh_from_db()
    assert row.verified and row.primary
    assert fresh(nora).email == "nora@example.org"
    assert kinds() == ["address confirmed"]
    with pytest.raises(Refusal, match="has a confirmed address"):
        act("confirm-address", nora, sonja, address=str(row.pk))


def test_address_that_another_account_has_confirmed_is_refused(nora, sonja):
    EmailAddress.objects.create(user=sonja, email="nora@example.org", verified=True)
    row = EmailAddress.objects.create(user=nora, email="nora@example.org")
    with pytest.raises(ValidationError, match="Another account"):
        act("confirm-address", nora, sonja, address=str(row.pk))
    row.refresh_from_db()
    assert not row.verified
    assert not AuditEntry.objects.exists()


def test_link_for_a_new_password_goes_to_the_confirmed_address(nora, sonja):
    with pytest.raises(Refusal, match=wording.NO_CONFIRMED_ADDRESS):
        act("send-password-link", nora, sonja)
    EmailAddress.objects.create(user=nora, email="nora@example.org", verified=True, primary=True)
    before = fresh(nora).password
    act("send-password-link", nora, sonja)
    assert fresh(nora).password == before
    row = AccountMail.objects.get()
    assert (row.kind, row.address) == ("reset request", "nora@example.org")


def test_role_is_given_and_withdrawn(nora, sonja):
    act("give-role", nora, sonja, role=key_of("Moderators"))
    assert fresh(nora).is_staff and fresh(nora).has_perm("games.moderate_game")
    act("give-role", fresh(nora), sonja, role=key_of("Member managers"))
    act("withdraw-role", fresh(nora), sonja, role=key_of("Moderators"))
    assert fresh(nora).is_staff and not fresh(nora).has_perm("games.moderate_game")
    act("withdraw-role", fresh(nora), sonja, role=key_of("Member managers"))
    assert not fresh(nora).is_staff
    assert [entry.details["role"] for entry in AuditEntry.objects.order_by("pk")] == [
        *("Moderators", "Member managers", "Moderators", "Member managers"),
    ]


def test_staff_without_a_group_lose_entry_and_single_rights(nora, sonja):
    User.objects.filter(pk=nora.pk).update(is_staff=True)
    nora.user_permissions.add(Permission.objects.get(codename="turn_switch"))
    act("withdraw-role", fresh(nora), sonja, role="entry")
    assert not fresh(nora).is_staff
    assert not fresh(nora).user_permissions.exists()


def test_superuser_is_made_and_unmade(nora, sonja):
    act("give-role", nora, sonja, role="superuser")
    assert fresh(nora).is_superuser and fresh(nora).is_staff
    act("withdraw-role", fresh(nora), sonja, role="superuser")
    assert not (fresh(nora).is_superuser or fresh(nora).is_staff)


def test_last_superuser_keeps_the_role(sonja):
    with pytest.raises(Refusal, match=wording.NO_ADMINISTRATOR_LEFT):
        act("withdraw-role", sonja, None, role="superuser")
    assert fresh(sonja).is_superuser


def test_guests_and_programs_get_no_role(sonja):
    guest = User.objects.create_user("Guest-2345", is_guest=True)
    with pytest.raises(Refusal, match="Only members with a password"):
        act("give-role", guest, sonja, role=key_of("Moderators"))


def test_role_that_is_not_offered_is_refused(nora, sonja):
    with pytest.raises(ValidationError):
        act("give-role", nora, sonja, role="9999")
    assert not fresh(nora).is_staff
