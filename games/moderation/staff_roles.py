"""The groups of staff, and what each may do. Superusers may do everything."""

from typing import Any, Final

from django.apps import apps as installed
from django.contrib.auth.management import create_permissions

ROLES: Final = {
    "Moderators": (
        *("accounts.use_desk", "accounts.view_user"),
        *("games.moderate_game", "games.handle_report"),
        *("games.view_game", "games.view_abusereport", "games.change_abusereport"),
        *("games.view_notification", "games.view_deliveryattempt"),
    ),
    "Member managers": (
        *("accounts.use_desk", "accounts.view_user", "accounts.manage_member"),
        *("games.view_notification", "games.view_deliveryattempt"),
    ),
}


def make_groups(apps: Any = installed, using: str = "default", **_: Any) -> None:
    """Make the groups that are missing, with their rights; one that is there stays as the operator has it.

    For a migration and for what follows every migration: a database that was emptied has no groups.
    """
    try:
        groups = apps.get_model("auth", "Group").objects.using(using)
        rights = apps.get_model("auth", "Permission").objects.using(using)
        for label in ("accounts", "games"):
            # Django makes them after the last migration, which is too late for us.
            create_permissions(installed.get_app_config(label), apps=apps, using=using, verbosity=0)
    except LookupError:
        return  # a database that stands at an older migration
    for name, wanted in ROLES.items():
        group, is_new = groups.get_or_create(name=name)
        if is_new:
            group.permissions.set([_named(rights, right) for right in wanted])


def _named(rights: Any, name: str) -> Any:
    app, codename = name.split(".")
    return rights.get(content_type__app_label=app, codename=codename)
