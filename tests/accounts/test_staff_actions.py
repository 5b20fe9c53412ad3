"""Staff actions: permission, validation, audit, and repeated forms."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import AuditEntry, User
from accounts.moderation.action_forms import ActionForm, ChoiceField, MemberField, MomentField, NumberField
from accounts.moderation.staff_actions import Action, perform
from accounts.refusals import ActionNotAllowed, Refusal
from tests.support import wording
from tests.support.simultaneous_calls import at_once

pytestmark = pytest.mark.django_db


class MoveForm(ActionForm):
    zone = ChoiceField(label="Zone", choices=[("", "---"), ("UTC", "UTC"), ("Europe/Berlin", "Berlin")])
    hours = NumberField(label="Hours", required=False, min_value=1, max_value=48)
    until = MomentField(label="Until", required=False)
    friend = MemberField(label="Friend", required=False)


def change_zone(target, *, by, reason, zone, hours, until, friend):
    User.objects.filter(pk=target.pk).update(time_zone=zone)
    return {"before": target.time_zone}


NO_MOMENT = "“Until” must be a future date and time, for example 2031-05-17 18:30."

MOVE = Action(
    name="move",
    label="Move",
    permission="accounts.manage_member",
    form_class=MoveForm,
    perform=change_zone,
    sentence="Puts the member into another time zone.",
    against=lambda target: None if target.is_active else "The account is closed.",
    bars=lambda target, by: "Leave yourself to others." if target == by else None,
)


@pytest.fixture
def vera():
    vera = User.objects.create_user("vera", is_staff=True)
    vera.user_permissions.add(Permission.objects.get(codename="manage_member"))
    return vera


def form_of(target, reason="They moved.", **values):
    return MoveForm({"zone": "UTC", **values, "reason": reason}, target=target)


def move(target, by, reason="They moved.", **values):
    return perform(MOVE, form_of(target, reason, **values), by=by)


def assert_refused(kind, sentence, *args, **values):
    with pytest.raises(kind) as refused:
        move(*args, **values)
    assert [sentence] == getattr(refused.value, "messages", None) or [refused.value.message]
    assert not AuditEntry.objects.exists()
    assert User.objects.get(username="marta").time_zone == ""


# -- Performing ------------------------------------------------------------------------------------


def test_action_is_audited_with_reason_and_values(marta, vera):
    until = (timezone.now() + timedelta(days=3)).isoformat()
    move(marta, vera, " They moved. ", zone="Europe/Berlin", hours="5", until=until, friend="VERA")
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.by_name, entry.action, entry.member) == (vera, "vera", "move", marta)
    assert entry.reason == "They moved."
    assert entry.details == {
        **{"zone": "Europe/Berlin", "hours": 5, "until": until, "before": ""},
        "friend": {"member": vera.pk},
    }
    assert User.objects.get(username="marta").time_zone == "Europe/Berlin"


def test_values_can_be_objects(marta, vera):
    entry = move(marta, vera, hours=5, until=timezone.now() + timedelta(days=1), friend=vera)
    assert (entry.details["hours"], entry.details["friend"]) == (5, {"member": vera.pk})


def test_shell_needs_no_permission(marta):
    entry = move(marta, None)
    assert (entry.by, entry.by_name) == (None, "the shell")


def test_failure_leaves_no_change_and_no_entry(marta, vera, monkeypatch):
    def broken(**columns):
        raise RuntimeError("The disk is full.")

    monkeypatch.setattr(AuditEntry.objects, "create", broken)
    with pytest.raises(RuntimeError):
        move(marta, vera, zone="Europe/Berlin")
    assert User.objects.get(username="marta").time_zone == ""


# -- Refusals --------------------------------------------------------------------------------------


def test_missing_permission_is_refused(marta):
    sentence = wording.NO_PERMISSION
    closed = {"is_superuser": True, "is_staff": True, "is_active": False}
    barred: list[dict[str, Any]] = [{}, {"is_staff": True}, closed]
    for columns in barred:
        by = User.objects.create_user(f"no-{len(columns)}", **columns)
        assert_refused(ActionNotAllowed, sentence, marta, by)


def test_permission_without_staff_status_is_refused(marta, vera):
    User.objects.filter(pk=vera.pk).update(is_staff=False)
    with pytest.raises(ActionNotAllowed):
        move(marta, User.objects.get(pk=vera.pk))


def test_own_account_is_refused(vera):
    with pytest.raises(ActionNotAllowed, match="Leave yourself to others"):
        move(vera, vera)


def test_action_not_offered_is_refused(marta, vera):
    marta.is_active = False
    assert_refused(Refusal, "The account is closed.", marta, vera)


def test_reason_is_required(marta, vera):
    for reason in ("", "   "):
        assert_refused(ValidationError, wording.ENTER_A_REASON, marta, vera, reason)
    assert_refused(ValidationError, "The reason can have at most 1000 characters.", marta, vera, "x" * 1001)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"zone": ""}, "Enter “Zone”."),
        ({"zone": "Mars"}, "“Zone” does not have a valid value. Choose from: UTC, Europe/Berlin."),
        ({"hours": "many"}, wording.WHOLE_NUMBER_EXPECTED.format(field="Hours", least=1, most=48)),
        ({"hours": "0"}, wording.WHOLE_NUMBER_EXPECTED.format(field="Hours", least=1, most=48)),
        ({"hours": "49"}, wording.WHOLE_NUMBER_EXPECTED.format(field="Hours", least=1, most=48)),
        ({"hours": "٣"}, wording.WHOLE_NUMBER_EXPECTED.format(field="Hours", least=1, most=48)),
        ({"until": "2001-01-01 12:00"}, NO_MOMENT),
        ({"until": "2031-06-31 12:00"}, NO_MOMENT),
        ({"until": "soon"}, NO_MOMENT),
        ({"friend": "nobody"}, wording.NO_SUCH_MEMBER.format(who="nobody. Correct “Friend”")),
    ],
)
def test_invalid_value_is_refused_with_sentence(marta, vera, values, sentence):
    assert_refused(ValidationError, sentence, marta, vera, **values)


# -- Repeated forms --------------------------------------------------------------------------------


def test_form_sent_twice_acts_once(marta, vera):
    key = uuid4()
    first, second = (perform(MOVE, form_of(marta), by=vera, key=key) for _ in range(2))
    assert first == second
    assert AuditEntry.objects.count() == 1


def test_other_form_acts_again(marta, vera):
    for _ in range(2):
        perform(MOVE, form_of(marta), by=vera, key=uuid4())
    assert AuditEntry.objects.count() == 2


def test_form_of_other_target_is_refused(marta, vera):
    key = uuid4()
    other = User.objects.create_user("nils")
    perform(MOVE, form_of(other), by=vera, key=key)
    with pytest.raises(Refusal, match="something else"):
        perform(MOVE, form_of(marta), by=vera, key=key)
    assert AuditEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_copies_of_form_act_once(marta, vera):
    key = uuid4()

    def count_up(target, *, by, reason):
        row = User.objects.select_for_update().get(pk=target.pk)
        User.objects.filter(pk=target.pk).update(mail_delay=row.mail_delay + 1)

    count = Action("count", "Count", "accounts.manage_member", ActionForm, count_up, sentence="Counts.")

    def send():
        form = ActionForm({"reason": "Once only."}, target=marta)
        return perform(count, form, by=vera, key=key).pk

    assert at_once(*[send] * 4) == [AuditEntry.objects.get().pk] * 4
    assert User.objects.get(username="marta").mail_delay == 4
