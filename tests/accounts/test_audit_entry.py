"""Audit entries are added and never change."""

import pytest
from django.db import DatabaseError, connection, models, transaction

from accounts.models import AuditEntry, User

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ATTEMPTS = {
    "save": lambda row: row.save(),
    "delete": lambda row: row.delete(),
    "update": lambda row: AuditEntry.objects.update(reason="Another one."),
    "filter and update": lambda row: AuditEntry.objects.filter(pk=row.pk).update(reason="Another one."),
    "filter and delete": lambda row: AuditEntry.objects.filter(pk=row.pk).delete(),
    "delete unseen": lambda row: AuditEntry.objects.filter(pk=row.pk)._raw_delete(None),
    "update in bulk": lambda row: AuditEntry.objects.bulk_update([row], ["reason"]),
    "update or create": lambda row: AuditEntry.objects.update_or_create(
        pk=row.pk, defaults={"reason": "So."}
    ),
    "by the base manager": lambda row: AuditEntry._base_manager.update(reason="Another one."),
    "create over it": lambda row: AuditEntry.objects.bulk_create(
        [AuditEntry(pk=row.pk, by_name="x", action="x", reason="Another one.")],
        update_conflicts=True,
        update_fields=["reason"],
        unique_fields=["id"],
    ),
}

BY_HAND = ["UPDATE accounts_auditentry SET reason = 'Another one.'", "DELETE FROM accounts_auditentry"]


@pytest.fixture
def row():
    return AuditEntry.objects.create(by_name="the shell", action="pause", reason="They asked for it.")


def changed_by(row, attempt):
    """Return whether the attempt changes or removes the stored entry."""
    try:
        with transaction.atomic():
            row.reason = "Another one."
            attempt(row)
    except TypeError:
        pass
    return list(AuditEntry.objects.values_list("reason", flat=True)) != ["They asked for it."]


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=list(ATTEMPTS))
def test_entry_cannot_be_changed_or_deleted(row, attempt):
    with pytest.raises(TypeError):
        attempt(row)
    assert not changed_by(row, attempt)


def test_entry_with_existing_key_is_refused(row):
    with pytest.raises(DatabaseError), transaction.atomic():
        AuditEntry(pk=row.pk, by_name="x", action="x", reason="Another one.").save()
    assert AuditEntry.objects.get().reason == "They asked for it."


def test_missing_model_guard_is_detected(row, monkeypatch):
    """Sabotage twin: `save` of a plain model."""
    if connection.vendor == "postgresql":
        pytest.skip("there the trigger holds as well; the next test takes it away")
    monkeypatch.setattr(AuditEntry, "save", models.Model.save)
    assert changed_by(row, ATTEMPTS["save"])


@pytest.mark.parametrize("statement", BY_HAND)
def test_postgresql_refuses_changes_by_sql(row, statement):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has the guard of the model only")
    with pytest.raises(DatabaseError, match="The audit is never changed"), transaction.atomic():
        run(statement)
    assert AuditEntry.objects.get().reason == "They asked for it."


@pytest.mark.parametrize("statement", BY_HAND)
def test_missing_trigger_is_detected(row, statement):
    """Sabotage twin: the trigger is disabled."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has the guard of the model only")
    run("ALTER TABLE accounts_auditentry DISABLE TRIGGER accounts_auditentry_stays")
    run(statement)
    assert list(AuditEntry.objects.values_list("reason", flat=True)) != ["They asked for it."]


def test_entry_survives_deleted_users():
    staff, member = User.objects.create_user("vera"), User.objects.create_user("marta")
    AuditEntry.objects.create(by=staff, by_name="vera", action="warn", reason="Rude.", member=member)
    User.objects.all().delete()
    row = AuditEntry.objects.select_related("by", "member").get()
    assert (row.by_name, row.by, row.member) == ("vera", None, None)
    assert row.member_id is not None


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
