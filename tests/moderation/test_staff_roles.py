"""The groups of staff: there on every database, with their rights."""

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
def test_every_group_has_its_rights(name):
    assert rights_of(name) == set(ROLES[name])


def test_who_is_in_a_group_may_do_what_the_group_may():
    moderator = User.objects.create_user("vera", is_staff=True)
    moderator.groups.add(Group.objects.get(name="Moderators"))
    moderator = User.objects.get(pk=moderator.pk)
    assert moderator.has_perms(["accounts.use_desk", "games.moderate_game", "games.handle_report"])
    assert not moderator.has_perm("accounts.manage_member")


def test_the_right_to_act_is_nobodys_without_a_group():
    nobody = User.objects.create_user("norman", is_staff=True)
    assert nobody.get_all_permissions() == set()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_was_emptied_has_the_groups_again():
    call_command("flush", interactive=False, verbosity=0)
    assert {name: rights_of(name) for name in ROLES} == {name: set(ROLES[name]) for name in ROLES}


def test_the_groups_need_nothing_that_is_made_after_them():
    Group.objects.all().delete()
    Permission.objects.all().delete()
    ContentType.objects.all().delete()
    ContentType.objects.clear_cache()
    make_groups()
    assert rights_of("Moderators") == set(ROLES["Moderators"])


def test_what_the_operator_made_of_a_group_stays():
    Group.objects.get(name="Moderators").permissions.clear()
    make_groups()
    assert rights_of("Moderators") == set()
