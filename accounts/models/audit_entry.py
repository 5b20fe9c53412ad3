"""Audit entries: records of staff actions."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AppendOnlyQuerySet(models.QuerySet["AuditEntry"]):
    """A queryset that refuses updates and deletions."""

    def update(self, **columns: Any) -> int:
        raise TypeError("The audit is never changed.")

    def bulk_update(self, *args: Any, **kwargs: Any) -> int:
        raise TypeError("The audit is never changed.")

    def bulk_create(self, *args: Any, **options: Any) -> Any:
        if options.get("update_conflicts"):
            raise TypeError("The audit is never changed.")
        return super().bulk_create(*args, **options)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("The audit is never shortened.")

    def _raw_delete(self, using: str | None) -> int:
        raise TypeError("The audit is never shortened.")


class AuditEntry(models.Model):
    """An action of staff: who, what, why and on whom. Rows are added and never changed.

    The row outlives the people and games that it names, so the database has no foreign key constraints for
    them. PostgreSQL also refuses changes by a trigger.
    """

    made = models.DateTimeField(_("when"), default=timezone.now, editable=False, db_index=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
        help_text=_("Empty if done on the command line."),
    )
    by_name = models.CharField(_("by"), max_length=64, help_text=_("The name at the time."))
    action = models.SlugField(_("action"), max_length=40)
    reason = models.TextField(_("reason"))
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("member"),
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="+",
    )
    game = models.CharField(_("game"), max_length=20, blank=True, db_index=True)
    details = models.JSONField(_("details"), default=dict, help_text=_("Only facts that are public."))
    # Unique, so that a form sent twice acts once.
    form = models.UUIDField(null=True, unique=True, editable=False)

    objects: ClassVar[models.Manager["AuditEntry"]] = models.Manager.from_queryset(AppendOnlyQuerySet)()

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit log")
        # All of the staff may read it; nobody adds, changes or deletes entries by hand.
        default_permissions = ()
        ordering = ["-made", "-pk"]
        base_manager_name = "objects"

    def __str__(self) -> str:
        return f"{self.action} {self.game or self.member_id or ''}".rstrip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; refuse to change an existing one."""
        if not self._state.adding:
            raise TypeError("The audit is never changed.")
        # Otherwise a row with the key of another would overwrite it.
        super().save(force_insert=True, using=kwargs.get("using"))

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("The audit is never shortened.")
