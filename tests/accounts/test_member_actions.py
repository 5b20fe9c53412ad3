"""Staff actions on members, and the command `act_on_member`."""

import io
from dataclasses import replace
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.membership.account_deletion import delete_account
from accounts.membership.name_changes import check_name
from accounts.models import Appeal, AuditEntry, ReleasedName, User
from accounts.moderation.member_action import PERMISSION, SUPERUSERS, bars
from accounts.moderation.member_actions import MEMBER_ACTIONS
from accounts.moderation.sanctions import appeal, impose
from accounts.refusals import ActionNotAllowed, Refusal
from tests.support import wording
from tests.support.members import log_in
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db


# Fields besides the reason. "lift" and "reply" need an earlier sanction, "dismiss-sign-up" a case on the
# desk; they have tests of their own, and so have the actions on the account.
FOR_SUPERUSERS = ("remove-second-factor", "confirm-address", "give-role", "withdraw-role")
FOR_MANAGERS = [name for name in MEMBER_ACTIONS if name not in FOR_SUPERUSERS]
VALUES = {"mute": {}, "suspend": {"until": "2099-01-01 12:00"}, "rename": {"new_name": "martina"}}
NEEDS_MORE = ("lift", "reply", "dismiss-sign-up", "send-password-link")
NEEDS_NOTHING = [name for name in FOR_MANAGERS if name not in NEEDS_MORE]


@pytest.fixture
def manager():
    user = User.objects.create_user("vera", is_staff=True)
    user.groups.add(Group.objects.get(name="Member managers"))
    return user


@pytest.fixture
def superuser():
    return User.objects.create_superuser("sonja")


@pytest.fixture
def act(django_capture_on_commit_callbacks):
    def act(name, member, by, reason="They asked for it.", **values):
        with django_capture_on_commit_callbacks(execute=True):
            return perform_action(MEMBER_ACTIONS[name], member, by, reason, **values)

    return act


def fresh(user):
    return User.objects.get(pk=user.pk)


# -- Permission ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NEEDS_NOTHING)
def test_every_action_is_audited(act, marta, manager, name):
    entry = act(name, marta, manager, **VALUES.get(name, {}))
    assert (entry.action, entry.by, entry.member) == (name, manager, fresh(marta))
    assert entry.reason == "They asked for it."


@pytest.mark.parametrize("name", MEMBER_ACTIONS)
def test_action_needs_permission(act, marta, manager, name):
    moderator = User.objects.create_user("max", is_staff=True)
    moderator.groups.add(Group.objects.get(name="Moderators"))
    without = [moderator, User.objects.create_user("theo")]
    for person in [*without, manager] if name in FOR_SUPERUSERS else without:
        with pytest.raises(ActionNotAllowed):
            act(name, marta, person)
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("name", MEMBER_ACTIONS)
def test_own_account_is_refused(act, manager, superuser, name):
    for person in (manager, superuser) if name in FOR_MANAGERS else (superuser,):
        with pytest.raises(ActionNotAllowed, match="your own account"):
            act(name, person, person)


@pytest.mark.parametrize("name", FOR_MANAGERS)
def test_action_on_staff_needs_superuser(act, manager, superuser, name):
    colleague = User.objects.create_user("max", is_staff=True)
    for member in (colleague, superuser):
        with pytest.raises(ActionNotAllowed, match="Only a superuser"):
            act(name, member, manager)


def test_superuser_can_ban_staff(act, manager, superuser):
    act("ban", manager, superuser)
    assert fresh(manager).is_suspended


def test_missing_bar_is_detected(act, manager, monkeypatch):
    """Sabotage twin: the action has no bars."""
    monkeypatch.setitem(MEMBER_ACTIONS, "ban", replace(MEMBER_ACTIONS["ban"], bars=None))
    colleague = User.objects.create_user("max", is_staff=True)
    act("ban", colleague, manager)
    assert fresh(colleague).is_suspended


@pytest.mark.parametrize("name", FOR_MANAGERS)
def test_action_needs_reason_and_open_account(act, marta, manager, name):
    with pytest.raises((Refusal, ValidationError)):
        act(name, marta, manager, reason=" ", **VALUES.get(name, {}))
    delete_account(marta)
    with pytest.raises(Refusal, match="closed"):
        act(name, fresh(marta), manager, **VALUES.get(name, {}))


# -- Effect ----------------------------------------------------------------------------------------


def test_only_suspension_needs_end(act, marta, manager):
    with pytest.raises(ValidationError, match="Until"):
        act("suspend", marta, manager)
    act("mute", marta, manager)
    assert fresh(marta).is_muted


def test_suspension_lasts_until_its_minute(act, marta, manager, time_machine):
    time_machine.move_to("2031-05-01T10:00:00+00:00", tick=False)
    act("suspend", marta, manager, until="2031-05-01 11:30")
    time_machine.shift(timedelta(minutes=89, seconds=59))
    assert fresh(marta).is_suspended
    time_machine.shift(1)
    assert not fresh(marta).is_suspended


def test_only_active_sanction_can_be_lifted(act, marta, manager):
    with pytest.raises(Refusal, match=wording.NO_SANCTION):
        act("lift", marta, manager, kind="ban")
    act("ban", marta, manager)
    with pytest.raises(ValidationError, match="Choose from: ban"):
        act("lift", marta, manager, kind="mute")
    act("lift", marta, manager, kind="ban")
    assert not fresh(marta).is_suspended


def test_reply_is_template_or_own_words(act, marta, manager):
    act("mute", marta, manager)
    sanction = marta.sanctions.get()
    with pytest.raises(Refusal, match=wording.NO_APPEAL_IS_WAITING):
        act("reply", marta, manager, reply="stands")
    appeal(marta, sanction.pk, "He began.")
    with pytest.raises(ValidationError, match="Write a reply"):
        act("reply", marta, manager, reply="own")
    act("reply", marta, manager, reply="stands", words="Next time tell us.")
    told = Appeal.objects.get().reply
    assert told.endswith("looked at the decision again. It stands.\n\nNext time tell us.")
    assert "Next time tell us." in mail.outbox[-1].body
    assert "They asked for it." not in mail.outbox[-1].body


def test_sign_out_ends_every_session(act, marta, manager):
    browsers = [Client(), Client()]
    for browser in browsers:
        log_in(browser, "marta")
    assert act("sign-out", marta, manager).details == {"sessions": 2}
    assert not UserSession.objects.filter(user=marta).exists()
    for browser in browsers:
        assert browser.get("/settings/").status_code == 302


def test_renaming_is_mailed_and_reserves_old_name(act, marta, manager):
    act("rename", marta, manager, new_name="martina")
    assert fresh(marta).username == "martina"
    assert "from marta to martina" in mail.outbox[0].body
    assert ReleasedName.objects.get().user is None
    with pytest.raises(Exception, match="until recently"):
        check_name("marta", by=fresh(marta))


@pytest.mark.parametrize("name", ["x", "admin", "Guest-77", "theo", "th e", "the0", "marta"])
def test_unavailable_name_is_refused(act, marta, manager, name):
    User.objects.create_user("theo")
    with pytest.raises(ValidationError):
        act("rename", marta, manager, new_name=name)
    assert fresh(marta).username == "marta"


def test_anonymising_erases_person(act, marta, manager):
    act("warn", marta, manager)
    act("anonymise", marta, manager)
    left = fresh(marta)
    assert left.username.startswith("former player")
    assert not (left.is_active or left.has_unread_warning or left.sanctions.exists())
    assert not EmailAddress.objects.exists()
    assert AuditEntry.objects.count() == 2


def test_last_administrator_cannot_be_anonymised(act, superuser):
    User.objects.exclude(pk=superuser.pk).update(is_superuser=False)
    with pytest.raises(Refusal, match=wording.NO_ADMINISTRATOR_LEFT):
        act("anonymise", superuser, None)


def test_guest_cannot_be_renamed(act, manager):
    guest = User.objects.create_user("Guest-2345", is_guest=True)
    with pytest.raises(Refusal, match="Guests already have"):
        act("rename", guest, manager, new_name="martina")


def test_member_is_told_of_action(act, marta, manager):
    for name in NEEDS_NOTHING:
        mail.outbox.clear()
        act(name, marta, manager, **VALUES.get(name, {}))
        assert bool(mail.outbox) == (name not in ("sign-out", "revoke-tokens", "anonymise")), name


def test_every_action_has_sentence_permission_and_bars():
    for action in MEMBER_ACTIONS.values():
        assert str(action.sentence).endswith(".")
        assert action.permission == (SUPERUSERS if action.name in FOR_SUPERUSERS else PERMISSION)
        assert action.bars is bars


# -- The command -----------------------------------------------------------------------------------


def member(*arguments, **options):
    out = io.StringIO()
    call_command("act_on_member", *arguments, stdout=out, **options)
    return out.getvalue()


def test_command_performs_action(marta):
    assert "Suspend member: done for Marta" in member(
        "Marta", "suspend", reason="Spam.", until="2099-01-01 12:00"
    )
    assert fresh(marta).is_suspended
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.by_name, entry.member) == (None, "the shell", marta)


def test_command_refuses_with_sentence(marta):
    with pytest.raises(CommandError, match="There is no member called theo"):
        member("theo", "ban", reason="x")
    with pytest.raises(CommandError, match=wording.ENTER_A_REASON):
        member("marta", "ban")
    with pytest.raises(CommandError, match=wording.NO_SANCTION):
        member("marta", "lift", reason="x", kind="ban")
    assert not AuditEntry.objects.exists()


def test_command_lists_sanctions_and_actions(marta):
    impose(marta, "mute", reason="Rude.", by=None, until=timezone.now() + timedelta(days=1))
    told = member("marta")
    assert "muted, until" in told
    assert "Rude." in told
    assert "anonymise: " in told
    assert "suspend --until …: " in told and "mute [--until …]: " in told
    assert "rename --new-name …: " in told
    assert "reply --reply … [--words …]: not possible now. " in told
