"""Every staff action in every role: without the right it changes nothing, whatever is sent."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django import forms
from django.contrib import admin
from django.db import connection
from django.http import HttpResponse
from django.utils import timezone

from accounts.models import AuditEntry, User
from accounts.moderation import staff_actions
from accounts.moderation.action_forms import MemberField
from accounts.moderation.staff_actions import Action
from accounts.refusals import Refusal
from accounts.web.moderation.action_admin import ActionAdmin, mark
from games.models import Game
from tests.safety.database_changes import NOTED_BY_READING, Watch
from tests.safety.populated_site import GROUPS, ROLES, World, undone

pytestmark = pytest.mark.django_db

OUTSIDE = [role for role in ROLES if role not in (*GROUPS, "superuser")]


@pytest.fixture(scope="module")
def watch(world: World) -> Iterator[Watch]:
    """Watch the database of the module's site."""
    found = Watch()
    with connection.execute_wrapper(found):
        yield found


def acting() -> list[tuple[ActionAdmin, Action]]:
    """Every action, with the admin of its rows."""
    admins = [one for one in admin.site._registry.values() if isinstance(one, ActionAdmin)]
    return [(one, action) for one in admins for action in one.acts.values()]


def target_of(world: World, one: ActionAdmin) -> Any:
    """Row for an action: a running game, an ordinary member, or the first row there is."""
    if one.model is Game:
        return Game.objects.get(public_id=world.words["running"])
    if one.model is User:
        return User.objects.get(pk=world.people["seat"].pk)
    return one.model._default_manager.order_by("pk").last()


def filled_in(field: forms.Field) -> str:
    """Return a fitting value for the field."""
    if isinstance(field, forms.ChoiceField):
        return next((value for value, _label in field.choices if value), "")  # type: ignore[union-attr]
    if isinstance(field, forms.IntegerField):
        return str(max(1, field.min_value or 0))  # type: ignore[type-var]
    if isinstance(field, forms.DateTimeField):
        return (timezone.now() + timedelta(days=9)).isoformat()
    return "the-muted" if isinstance(field, MemberField) else "Words"


def sent(world: World, role: str, one: ActionAdmin, action: Action) -> HttpResponse:
    """Answer to the confirmed form of an action."""
    target = target_of(world, one)
    form = action.form_class(target=target)
    sent = {name: filled_in(form.fields[name]) for name in form.own_fields()}
    sent |= {"reason": "They asked for it.", "confirm": "Do it", "form": str(uuid4())}
    if "seen" in form.fields:
        sent["seen"] = str(form["seen"].initial)
    filled = action.form_class(sent, target=target)
    with suppress(Refusal):
        sent |= {"shown": mark(action, filled)} if filled.is_valid() else {}
    answer = world.client(role).post(one.act_url(target, action), sent)
    assert isinstance(answer, HttpResponse)
    return answer


def has_right(world: World, role: str, action: Action) -> bool:
    person = world.people.get(role)
    return person is not None and staff_actions.has_permission(action, User.objects.get(pk=person.pk))


def done_without_right(world: World, watch: Watch, roles: list[str]) -> set[tuple[str, str]]:
    """Return the actions that change something although the role lacks the right."""
    found = set()
    for one, action in acting():
        for role in roles:
            if has_right(world, role, action):
                continue
            with undone():
                watch.begin()
                answer = sent(world, role, one, action)
                if watch.changed() - NOTED_BY_READING or answer.status_code not in (302, 403, 404):
                    found.add((action.name, role))
    return found


def test_actions_of_every_kind_exist() -> None:
    assert {one.opts.model_name for one, _action in acting()} >= {"game", "user", "abusereport", "siteswitch"}


def test_groups_have_the_rights_of_their_tasks(world: World) -> None:
    found = {
        role: {one.opts.model_name for one, action in acting() if has_right(world, role, action)}
        for role in (*GROUPS, "superuser")
    }
    assert found["moderator"] == {"game", "abusereport"}
    # Reports about members are settled there.
    assert found["manager"] == {"user", "abusereport"}
    assert found["superuser"] >= {"game", "abusereport", "user", "siteswitch"}


def test_members_without_a_role_change_nothing_by_any_action(world: World, watch: Watch) -> None:
    assert done_without_right(world, watch, OUTSIDE) == set()


def test_staff_change_nothing_by_an_action_without_its_right(world: World, watch: Watch) -> None:
    assert done_without_right(world, watch, list(GROUPS)) == set()


def test_missing_check_of_the_right_is_detected(
    world: World, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    rights = {action.name: has_right(world, "manager", action) for _one, action in acting()}
    monkeypatch.setattr(staff_actions, "has_permission", lambda action, by: True)
    monkeypatch.setitem(globals(), "has_right", lambda world, role, action: rights[action.name])
    assert done_without_right(world, watch, ["manager"])


def test_actions_with_the_right_are_audited_whenever_they_change_something(
    world: World, watch: Watch
) -> None:
    done = 0
    for one, action in acting():
        with undone():
            before = AuditEntry.objects.count()
            watch.begin()
            answer = sent(world, "superuser", one, action)
            if answer.status_code == 403:
                continue
            assert answer.status_code == 302, action.name
            # The form is shown again where the action does not fit.
            is_done = not answer.headers["Location"].endswith("?sent=1")
            entries = AuditEntry.objects.count() - before
            assert entries == is_done, action.name
            done += entries
    # The other actions do not fit this site; a running game, for one, cannot be restored.
    assert done > len(acting()) / 3
