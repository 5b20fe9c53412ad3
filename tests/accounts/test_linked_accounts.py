"""Accounts of one browser or network: found by those who look after members, and by nobody else."""

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
    """A visit by this user, in a browser of its own or one that was used before; returns the browser."""
    browser = browser or Client()
    browser.force_login(user)
    browser.get("/rules/", REMOTE_ADDR=address)
    return browser


def bonds(user):
    return [bond.words for bond in linked_accounts.account_links(user)]


def test_two_accounts_of_one_browser_are_linked(people):
    marta, theo, vera = people
    browser = visit(marta, address="192.0.2.1")
    browser.cookies.pop("sessionid")
    visit(theo, browser, address="198.51.100.7")
    visit(vera, address="203.0.113.9")
    assert bonds(marta) == ["shares a browser with theo"]
    assert bonds(theo) == ["shares a browser with marta"]
    assert bonds(vera) == []


def test_two_accounts_of_one_network_are_linked(people):
    marta, theo, _vera = people
    visit(marta)
    visit(theo)
    assert bonds(marta) == ["comes from the same network as theo"]


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_a_household_has_one_network(people, one, other, same):
    marta, theo, _vera = people
    visit(marta, address=one)
    visit(theo, address=other)
    assert bool(bonds(marta)) == same


def test_a_network_of_a_whole_town_links_nobody(people):
    for number in range(linked_accounts.MAX_NETWORK_MEMBERS):
        visit(User.objects.create_user(f"neighbour{number}"))
    visit(people[0])
    assert len(bonds(people[0])) == linked_accounts.MAX_NETWORK_MEMBERS
    visit(people[1])
    assert bonds(people[0]) == []


@pytest.mark.parametrize("address", ["", "unknown", "192.0.2.999"])
def test_what_is_no_address_links_nobody(people, address):
    for user in people:
        visit(user, address=address)
    assert bonds(people[0]) == []


@pytest.mark.parametrize("cookie", ["x", "x" * 5000, "ä" * 22, "<script>alert(1)</script>"])
def test_a_browser_that_tells_nonsense_is_told_another_number(people, cookie):
    for user in people:
        browser = Client()
        browser.cookies[settings.BROWSER_COOKIE_NAME] = cookie
        visit(user, browser)
        assert linked_accounts.is_browser(browser.cookies[settings.BROWSER_COOKIE_NAME].value)
    assert "shares a browser with theo" not in bonds(people[0])


def test_neither_address_nor_number_is_kept(people):
    browser = visit(people[0])
    number = browser.cookies[settings.BROWSER_COOKIE_NAME].value
    kept = json.dumps(list(AccessTrace.objects.values("kind", "mark")))
    assert number not in kept
    assert "192.0.2.1" not in kept
    assert {len(mark) for mark in AccessTrace.objects.values_list("mark", flat=True)} == {64}


def test_the_marks_need_the_key_of_the_site(people, settings):
    visit(people[0])
    before = set(AccessTrace.objects.values_list("mark", flat=True))
    settings.SECRET_KEY = "another key"
    linked_accounts.record_access(people[0], browser="", address="192.0.2.1")
    assert len(set(AccessTrace.objects.values_list("mark", flat=True)) - before) == 1


def test_the_cookie_is_for_the_server_alone(people):
    cookie = visit(people[0]).cookies[settings.BROWSER_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 30 * 24 * 3600


def test_strangers_get_no_cookie():
    browser = Client()
    browser.get("/rules/")
    assert settings.BROWSER_COOKIE_NAME not in browser.cookies


def test_once_a_day_is_enough(people, time_machine):
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


def test_after_thirty_days_it_is_forgotten(people):
    marta, theo, _vera = people
    visit(marta)
    visit(theo)
    AccessTrace.objects.filter(member=theo).update(last=timezone.now() - timedelta(days=30, minutes=1))
    assert bonds(marta) == []
    assert delete_expired(timezone.now())["traces of browsers and networks"] == 2
    assert set(AccessTrace.objects.values_list("member", flat=True)) == {marta.pk}


def test_my_data_tells_when_and_not_by_what(people):
    visit(people[0])
    with zipfile.ZipFile(io.BytesIO(personal_data_zip(people[0]))) as archive:
        account = json.loads(archive.read("account.json"))
    assert sorted(seen["kind"] for seen in account["seen_from"]) == ["browser", "network"]
    for trace in AccessTrace.objects.all():
        assert trace.mark not in json.dumps(account)


def test_who_leaves_leaves_no_trace(people):
    visit(people[0])
    delete_account(people[0])
    assert not AccessTrace.objects.exists()


def test_members_learn_nothing_of_it(people):
    marta, theo, _vera = people
    browser = visit(marta)
    visit(theo)
    for path in ("/settings/", "/accounts/standing/", "/players/theo/", "/players/marta/"):
        page = browser.get(path).content.decode()
        assert "same network" not in page
        assert "shares a browser" not in page
