"""The audit in the admin: reading, search, export; no changes."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry, User
from accounts.web.moderation.audit_admin import harmless

pytestmark = pytest.mark.django_db

LIST = "/admin/accounts/auditentry/"


@pytest.fixture
def staff(client):
    client.force_login(User.objects.create_user("vera", is_staff=True))
    return client


@pytest.fixture(autouse=True)
def entries(marta):
    friend = User.objects.create_user("theo")
    AuditEntry.objects.create(
        by_name="vera",
        action="warn",
        reason="Rude at a table.",
        member=marta,
        details={"friend": {"member": friend.pk}},
    )
    AuditEntry.objects.create(by_name="the shell", action="pause", reason="=HYPERLINK(1)", game="abcdefghjk")


def reasons(client, query=""):
    page = client.get(f"{LIST}{query}").content.decode()
    return {reason for reason in ("Rude at a table.", "=HYPERLINK(1)") if reason in page}


def exported(client, query=""):
    answer = client.get(f"{LIST}export/{query}")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_all_staff_can_read_audit(staff):
    assert len(reasons(staff)) == 2
    page = staff.get(LIST).content.decode()
    assert "friend: theo" in page
    assert f'href="{LIST}"' in staff.get("/admin/").content.decode()


def test_others_cannot_read_audit(client, marta):
    for address in (LIST, f"{LIST}export/"):
        assert client.get(address).status_code == 302
    client.force_login(marta)
    for address in (LIST, f"{LIST}export/"):
        assert client.get(address).headers["Location"].startswith("/admin/login/")


def test_audit_is_searched_and_filtered(staff):
    assert reasons(staff, "?q=marta") == reasons(staff, "?action=warn") == {"Rude at a table."}
    assert reasons(staff, "?q=abcdefghjk") == {"=HYPERLINK(1)"}
    assert reasons(staff, "?q=nothing-like-it") == set()


def test_list_queries_do_not_depend_on_length(staff, marta):
    def costs():
        with CaptureQueriesContext(connection) as queries:
            staff.get(LIST)
        return len(queries)

    staff.get(LIST)
    few = costs()
    for number in range(40):
        friend = User.objects.create_user(f"friend-{number}")
        AuditEntry.objects.create(
            by_name="vera", action="warn", reason="x", member=friend, details={"to": {"member": friend.pk}}
        )
    assert costs() == few


def test_export_has_listed_rows(staff, marta):
    rows = exported(staff)
    assert [row["action"] for row in rows] == ["pause", "warn"]
    assert (rows[1]["member"], rows[1]["details"]) == ("marta", "friend: theo")
    assert [row["action"] for row in exported(staff, "?action=warn")] == ["warn"]


def test_export_defuses_formulas(staff):
    assert exported(staff)[0]["reason"] == "'=HYPERLINK(1)"


def test_unquoted_formula_is_detected(staff, monkeypatch):
    """Sabotage twin: cells are exported as they are."""
    monkeypatch.setattr("accounts.web.moderation.audit_admin.harmless", lambda cell: cell)
    assert exported(staff)[0]["reason"] == "=HYPERLINK(1)"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1"])
def test_formula_cell_is_quoted(cell):
    assert harmless(cell) == f"'{cell}"


def test_entry_survives_deleted_members(staff):
    User.objects.filter(username__in=["marta", "theo"]).delete()
    assert exported(staff)[1]["member"] == ""
    entry = AuditEntry.objects.get(action="warn")
    assert staff.get(f"{LIST}{entry.pk}/change/").status_code == 200


@pytest.mark.parametrize("rest", ["add/", "{key}/change/", "{key}/delete/"])
def test_administrator_cannot_change_audit(admin_client, rest):
    entry = AuditEntry.objects.get(action="warn")
    form = {"reason": "Another.", "by_name": "x", "action": "x", "post": "yes"}
    assert admin_client.post(f"{LIST}{rest.format(key=entry.pk)}", form).status_code == 403
    form = {"action": "delete_selected", "_selected_action": str(entry.pk), "post": "yes"}
    admin_client.post(LIST, form)
    assert AuditEntry.objects.count() == 2
    assert AuditEntry.objects.get(action="warn").reason == "Rude at a table."
