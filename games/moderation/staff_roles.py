"""Staff groups and their permissions. Superusers may do everything."""

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
    """Create the missing groups with their permissions; existing ones stay as the operator has them.

    For migrations and the post_migrate signal: a flushed database has no groups.
    """
    try:
        groups = apps.get_model("auth", "Group").objects.using(using)
        rights = apps.get_model("auth", "Permission").objects.using(using)
        for label in ("accounts", "games"):
            # Django creates permissions after the last migration, too late for this.
            create_permissions(installed.get_app_config(label), apps=apps, using=using, verbosity=0)
            _name_rights(rights, label)
    except LookupError:
        return  # the database is at an older migration
    for name, wanted in ROLES.items():
        group, is_new = groups.get_or_create(name=name)
        if is_new:
            group.permissions.set([_named(rights, right) for right in wanted])


def _named(rights: Any, name: str) -> Any:
    app, codename = name.split(".")
    return rights.get(content_type__app_label=app, codename=codename)


def _name_rights(rights: Any, label: str) -> None:
    """Give the permissions their present names, as migrations hold no wording."""
    for model in installed.get_app_config(label).get_models():
        for codename, name in model._meta.permissions:
            mine = rights.filter(content_type__app_label=label, codename=codename)
            mine.exclude(name=str(name)).update(name=str(name))
