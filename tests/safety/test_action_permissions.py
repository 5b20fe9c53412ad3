"""Every action of the staff for every role: who has no right to it changes nothing, whatever is sent."""

from collections.abc import Iterator
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
from accounts.web.moderation.action_admin import ActionAdmin
from games.models import Game
from tests.safety.database_changes import NOTED_BY_READING, Watch
from tests.safety.populated_site import GROUPS, ROLES, World, undone

pytestmark = pytest.mark.django_db

OUTSIDE = [role for role in ROLES if role not in (*GROUPS, "superuser")]


@pytest.fixture(scope="module")
def watch(world: World) -> Iterator[Watch]:
    """Watches the database of the module's world."""
    found = Watch()
    with connection.execute_wrapper(found):
        yield found


def acting() -> list[tuple[ActionAdmin, Action]]:
    """Every action with the admin whose rows it is for."""
    admins = [one for one in admin.site._registry.values() if isinstance(one, ActionAdmin)]
    return [(one, action) for one in admins for action in one.acts.values()]


def target_of(world: World, one: ActionAdmin) -> Any:
    """The row that is acted on: a game that runs, somebody of no rank, or whatever there is."""
    if one.model is Game:
        return Game.objects.get(public_id=world.words["running"])
    if one.model is User:
        return User.objects.get(pk=world.people["seat"].pk)
    return one.model._default_manager.order_by("pk").last()


def filled_in(field: forms.Field) -> str:
    """Something that fits the field."""
    if isinstance(field, forms.ChoiceField):
        return next((value for value, _label in field.choices if value), "")  # type: ignore[union-attr]
    if isinstance(field, forms.IntegerField):
        return str(max(1, field.min_value or 0))  # type: ignore[type-var]
    if isinstance(field, forms.DateTimeField):
        return (timezone.now() + timedelta(days=9)).isoformat()
    return "the-muted" if isinstance(field, MemberField) else "Words"


def sent(world: World, role: str, one: ActionAdmin, action: Action) -> HttpResponse:
    """The answer to the filled-in and confirmed form of an action."""
    target = target_of(world, one)
    form = action.form_class(target=target)
    sent = {name: filled_in(form.fields[name]) for name in form.own_fields()}
    sent |= {"reason": "They asked for it.", "confirm": "Do it", "form": str(uuid4())}
    if "seen" in form.fields:
        sent["seen"] = str(form["seen"].initial)
    answer = world.client(role).post(one.act_url(target, action), sent)
    assert isinstance(answer, HttpResponse)
    return answer


def has_right(world: World, role: str, action: Action) -> bool:
    person = world.people.get(role)
    return person is not None and staff_actions.has_permission(action, User.objects.get(pk=person.pk))


def done_without_right(world: World, watch: Watch, roles: list[str]) -> set[tuple[str, str]]:
    """Which actions change something for which of these roles that have no right to them."""
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


def test_there_are_actions_of_every_kind() -> None:
    assert {one.opts.model_name for one, _action in acting()} >= {"game", "user", "abusereport", "siteswitch"}


def test_the_groups_have_the_rights_to_what_they_are_for(world: World) -> None:
    found = {
        role: {one.opts.model_name for one, action in acting() if has_right(world, role, action)}
        for role in (*GROUPS, "superuser")
    }
    assert found["moderator"] == {"game", "abusereport"}
    # Reports about members end with them.
    assert found["manager"] == {"user", "abusereport"}
    assert found["superuser"] >= {"game", "abusereport", "user", "siteswitch"}


def test_who_is_no_staff_changes_nothing_by_any_action(world: World, watch: Watch) -> None:
    assert done_without_right(world, watch, OUTSIDE) == set()


def test_staff_changes_nothing_by_an_action_to_which_it_has_no_right(world: World, watch: Watch) -> None:
    assert done_without_right(world, watch, list(GROUPS)) == set()


def test_without_the_look_at_the_right_it_would_be_done(
    world: World, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    rights = {action.name: has_right(world, "manager", action) for _one, action in acting()}
    monkeypatch.setattr(staff_actions, "has_permission", lambda action, by: True)
    monkeypatch.setitem(globals(), "has_right", lambda world, role, action: rights[action.name])
    assert done_without_right(world, watch, ["manager"])


def test_who_has_the_right_leaves_an_entry_in_the_audit_whenever_something_is_done(
    world: World, watch: Watch
) -> None:
    done = 0
    for one, action in acting():
        with undone():
            before = AuditEntry.objects.count()
            watch.begin()
            answer = sent(world, "superuser", one, action)
            assert answer.status_code in (302, 403, 409, 422), action.name
            entries = AuditEntry.objects.count() - before
            assert entries == (1 if answer.status_code == 302 else 0), action.name
            done += entries
    # The others do not fit this world: a game that runs is not restored, for one.
    assert done > len(acting()) / 3
