"""Groups of staff exist on every database, with their rights."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command

from accounts.models import User
from games.moderation.staff_roles import ROLES, make_groups

pytestmark = pytest.mark.django_db


def rights_of(name):
    found = Group.objects.get(name=name).permissions.select_related("content_type")
    return {f"{right.content_type.app_label}.{right.codename}" for right in found}


@pytest.mark.parametrize("name", ROLES)
def test_each_group_has_its_rights(name):
    assert rights_of(name) == set(ROLES[name])


def test_member_of_a_group_has_its_rights():
    moderator = User.objects.create_user("vera", is_staff=True)
    moderator.groups.add(Group.objects.get(name="Moderators"))
    moderator = User.objects.get(pk=moderator.pk)
    assert moderator.has_perms(["accounts.use_desk", "games.moderate_game", "games.handle_report"])
    assert not moderator.has_perm("accounts.manage_member")


def test_staff_without_a_group_has_no_rights():
    nobody = User.objects.create_user("norman", is_staff=True)
    assert nobody.get_all_permissions() == set()


@pytest.mark.django_db(transaction=True)
def test_emptied_database_gets_the_groups_again():
    call_command("flush", interactive=False, verbosity=0)
    assert {name: rights_of(name) for name in ROLES} == {name: set(ROLES[name]) for name in ROLES}


def test_groups_create_the_permissions_they_need():
    Group.objects.all().delete()
    Permission.objects.all().delete()
    ContentType.objects.all().delete()
    ContentType.objects.clear_cache()
    make_groups()
    assert rights_of("Moderators") == set(ROLES["Moderators"])


def test_rights_changed_by_the_operator_stay():
    Group.objects.get(name="Moderators").permissions.clear()
    make_groups()
    assert rights_of("Moderators") == set()


def test_permission_is_given_its_present_name():
    right = Permission.objects.get(codename="moderate_game")
    present = right.name
    Permission.objects.filter(pk=right.pk).update(name="May do as before")
    make_groups()
    right.refresh_from_db()
    assert right.name == present != "May do as before"
