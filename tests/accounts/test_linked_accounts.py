"""Accounts linked by browser or network, shown to staff only."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.membership.account_deletion import delete_account
from accounts.models import AccessTrace, User
from accounts.moderation import linked_accounts
from accounts.privacy.account_data import personal_data_zip
from accounts.privacy.cleanup import delete_expired

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [User.objects.create_user(name) for name in ("marta", "theo", "vera")]


def visit(user, browser=None, address="192.0.2.1"):
    """Visit a page as this user, in the given or a new browser; return the browser."""
    browser = browser or Client()
    browser.force_login(user)
    browser.get("/rules/", REMOTE_ADDR=address)
    return browser


def links(user):
    return [bond.sentence.partition(",")[0] for bond in linked_accounts.account_links(user)]


def test_accounts_of_one_browser_are_linked(people):
    marta, theo, vera = people
    browser = visit(marta, address="192.0.2.1")
    browser.cookies.pop("sessionid")
    visit(theo, browser, address="198.51.100.7")
    visit(vera, address="203.0.113.9")
    assert links(marta) == ["Shares a browser with theo"]
    assert links(theo) == ["Shares a browser with marta"]
    assert links(vera) == []


def test_accounts_of_one_network_are_linked(people):
    marta, theo, _vera = people
    visit(marta)
    visit(theo)
    assert links(marta) == ["Comes from the same network as theo"]


def test_link_says_when_it_was_last_seen(people, time_machine):
    time_machine.move_to("2031-05-01T10:00:00+00:00", tick=False)
    marta, theo, _vera = people
    visit(marta)
    visit(theo)
    [bond] = linked_accounts.account_links(marta)
    assert bond.sentence == "Comes from the same network as theo, last seen on 1 May 2031."


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_network_is_that_of_household(people, one, other, same):
    marta, theo, _vera = people
    visit(marta, address=one)
    visit(theo, address=other)
    assert bool(links(marta)) == same


def test_crowded_network_links_nobody(people):
    for number in range(linked_accounts.MAX_NETWORK_MEMBERS):
        visit(User.objects.create_user(f"neighbour{number}"))
    visit(people[0])
    assert len(links(people[0])) == linked_accounts.MAX_NETWORK_MEMBERS
    visit(people[1])
    assert links(people[0]) == []


@pytest.mark.parametrize("address", ["", "unknown", "192.0.2.999"])
def test_invalid_address_links_nobody(people, address):
    for user in people:
        visit(user, address=address)
    assert links(people[0]) == []


@pytest.mark.parametrize("cookie", ["x", "x" * 5000, "ä" * 22, "<script>alert(1)</script>"])
def test_invalid_browser_cookie_is_replaced(people, cookie):
    for user in people:
        browser = Client()
        browser.cookies[settings.BROWSER_COOKIE_NAME] = cookie
        visit(user, browser)
        assert linked_accounts.is_browser(browser.cookies[settings.BROWSER_COOKIE_NAME].value)
    assert "Shares a browser with theo" not in links(people[0])


def test_only_hashes_are_stored(people):
    browser = visit(people[0])
    number = browser.cookies[settings.BROWSER_COOKIE_NAME].value
    kept = json.dumps(list(AccessTrace.objects.values("kind", "mark")))
    assert number not in kept
    assert "192.0.2.1" not in kept
    assert {len(mark) for mark in AccessTrace.objects.values_list("mark", flat=True)} == {64}


def test_marks_depend_on_secret_key(people, settings):
    visit(people[0])
    before = set(AccessTrace.objects.values_list("mark", flat=True))
    settings.SECRET_KEY = "another key"
    linked_accounts.record_access(people[0], browser="", address="192.0.2.1")
    assert len(set(AccessTrace.objects.values_list("mark", flat=True)) - before) == 1


def test_both_traces_are_kept_by_one_statement_and_their_beginning_stays(
    people, time_machine, django_assert_num_queries
):
    time_machine.move_to("2031-05-01T10:00:00+00:00", tick=False)
    began = timezone.now()
    for day in range(2):
        time_machine.move_to(began + timedelta(days=day), tick=False)
        with django_assert_num_queries(1):
            linked_accounts.record_access(people[0], browser="b" * 22, address="192.0.2.1")
    kept = AccessTrace.objects.values_list("first", "last")
    assert list(kept) == [(began, began + timedelta(days=1))] * 2


def test_browser_cookie_is_hidden_from_scripts(people):
    cookie = visit(people[0]).cookies[settings.BROWSER_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 30 * 24 * 3600


def test_visitor_gets_no_cookie():
    browser = Client()
    browser.get("/rules/")
    assert settings.BROWSER_COOKIE_NAME not in browser.cookies


def test_trace_is_updated_once_a_day(people, time_machine):
    time_machine.move_to("2031-05-01T10:00:00+00:00", tick=False)
    browser = visit(people[0])
    first = timezone.now()
    time_machine.shift(3600)
    browser.get("/rules/", REMOTE_ADDR="192.0.2.1")
    assert set(AccessTrace.objects.values_list("last", flat=True)) == {first}
    time_machine.shift(24 * 3600)
    browser.get("/rules/", REMOTE_ADDR="192.0.2.1")
    assert set(AccessTrace.objects.values_list("last", flat=True)) == {timezone.now()}
    assert set(AccessTrace.objects.values_list("first", flat=True)) == {first}


def test_trace_expires_after_thirty_days(people):
    marta, theo, _vera = people
    visit(marta)
    visit(theo)
    AccessTrace.objects.filter(member=theo).update(last=timezone.now() - timedelta(days=30, minutes=1))
    assert links(marta) == []
    assert delete_expired(timezone.now())["traces of browsers and networks"] == 2
    assert set(AccessTrace.objects.values_list("member", flat=True)) == {marta.pk}


def test_personal_data_has_times_without_marks(people):
    visit(people[0])
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(people[0]))) as archive:
        account = json.loads(archive.read("account.json"))
    assert sorted(seen["kind"] for seen in account["seen_from"]) == ["browser", "network"]
    for trace in AccessTrace.objects.all():
        assert trace.mark not in json.dumps(account)


def test_deletion_removes_traces(people):
    visit(people[0])
    delete_account(people[0])
    assert not AccessTrace.objects.exists()


def test_members_do_not_see_links(people):
    marta, theo, _vera = people
    browser = visit(marta)
    visit(theo)
    for path in ("/settings/", "/accounts/standing/", "/players/theo/", "/players/marta/"):
        page = browser.get(path).content.decode()
        assert "same network" not in page
        assert "shares a browser" not in page.lower()
