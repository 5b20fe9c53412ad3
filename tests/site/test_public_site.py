"""Pages of a public site besides its games: the operator's texts, error pages, robots and icons."""

import json
import logging
import re

import pytest
from django.contrib.staticfiles import finders
from django.db import InterfaceError, OperationalError
from django.test import Client

from accounts.models import SitePage, User
from accounts.operator import site_pages
from tests.support import wording

SLUGS = ["privacy", "terms", "contact"]


# -- The operator's pages --------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_every_page_links_to_the_default_texts(client, db, slug):
    assert f'href="/{slug}/"' in client.get("/").content.decode()
    page = client.get(f"/{slug}/")
    assert page.status_code == 200
    assert len(re.findall("<p>", page.content.decode())) >= 2


def test_operator_edits_the_pages_in_the_admin(admin_client):
    for slug in SLUGS:
        form = admin_client.get(f"/admin/accounts/sitepage/add/?slug={slug}").context["adminform"].form
        assert form.initial["text"] == site_pages.words(slug)["text"]
    assert not SitePage.objects.exists()
    text = "First of all.\n\nSee https://club.example/ for <b>more</b>."
    form = {"slug": "terms", "title": "House rules", "text": text}
    admin_client.post("/admin/accounts/sitepage/add/", form)
    page = SitePage.objects.get()
    listed = admin_client.get("/admin/accounts/sitepage/").content.decode()
    assert f"/admin/accounts/sitepage/{page.pk}/change/" in listed
    shown = Client().get("/terms/").content.decode()
    assert "<h1>House rules</h1>" in shown
    assert "<p>First of all.</p>" in shown
    assert '<a href="https://club.example/" rel="nofollow">' in shown
    assert "&lt;b&gt;more&lt;/b&gt;" in shown


def article(address):
    return re.search(r"<article.*</article>", Client().get(address).content.decode(), re.S)[0]


def test_privacy_page_says_that_moderators_read_the_chat(db):
    assert "Moderators can read the chat of every game" in article("/privacy/")


def test_each_page_is_stored_once(admin_client):
    for slug in SLUGS:
        admin_client.post("/admin/accounts/sitepage/add/", {"slug": slug, "title": "Ours", "text": "Ours."})
    assert SitePage.objects.count() == len(SLUGS)
    assert admin_client.get("/admin/accounts/sitepage/add/").status_code == 403


def test_deleted_page_shows_the_default_text_again(admin_client):
    before = article("/privacy/")
    page = SitePage.objects.create(slug="privacy", title="Ours", text="Ours.")
    form = {"title": "Ours and yours", "text": "Ours."}
    admin_client.post(f"/admin/accounts/sitepage/{page.pk}/change/", form)
    assert "Ours and yours" in article("/privacy/") != before
    admin_client.post(f"/admin/accounts/sitepage/{page.pk}/delete/", {"post": "yes"})
    assert article("/privacy/") == before


def test_contact_shows_the_operators_address_if_set(client, db, settings):
    assert "mailto:" not in client.get("/contact/").content.decode()
    settings.CONTACT_EMAIL = "club@acquire.example"
    assert '<a href="mailto:club@acquire.example">' in client.get("/contact/").content.decode()


def test_sign_up_asks_for_consent(client, db):
    page = client.get("/accounts/signup/").content.decode()
    label = re.search(r'<label for="id_consent">(.*?)</label>', page, re.S)[1]
    assert 'href="/terms/"' in label and 'href="/privacy/"' in label
    form = {"username": "marta", "password1": "a long enough secret", "password2": "a long enough secret"}
    answer = client.post("/accounts/signup/", form)
    assert "To create an account, accept the terms of use." in answer.content.decode()
    assert not User.objects.exists()


# -- Robots and home screens -----------------------------------------------------------------------


def test_robots_are_kept_out_of_personal_pages(client, db):
    answer = client.get("/robots.txt")
    assert answer.headers["Content-Type"].startswith("text/plain")
    for path in ("/accounts/", "/admin/", "/settings/"):
        assert f"Disallow: {path}\n" in answer.content.decode()


def test_site_can_be_added_to_a_home_screen(client, db):
    answer = client.get("/site.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["start_url"] == "/"
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))
    assert '<link rel="manifest" href="/site.webmanifest">' in client.get("/").content.decode()


def test_icon_is_where_browsers_look_for_it(client, db):
    assert finders.find(client.get("/favicon.ico").headers["Location"].removeprefix("/static/"))


# -- Error pages -----------------------------------------------------------------------------------


@pytest.fixture
def hardy(client):
    """A browser that is shown error pages instead of raising."""
    client.raise_request_exception = False
    return client


def failing(fault):
    def fail(*args, **kwargs):
        raise fault

    return fail


@pytest.mark.parametrize(
    "fault", [OperationalError("database is locked"), InterfaceError("connection is closed")]
)
def test_missing_database_shows_a_busy_page(hardy, monkeypatch, fault):
    monkeypatch.setattr("games.lobby.game_lists.Game.objects", failing(fault), raising=False)
    monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", failing(fault))
    monkeypatch.setattr("django.db.models.query.QuerySet.first", failing(fault))
    answer = hardy.get("/terms/")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert "The site is busy" in answer.content.decode()
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_htmx_gets_a_sentence_instead_of_an_error_page(hardy, monkeypatch):
    monkeypatch.setattr("django.db.models.query.QuerySet.first", failing(OperationalError("locked")))
    answer = hardy.get("/terms/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.content.decode().startswith(wording.SITE_IS_VERY_BUSY)


def test_unreadable_session_shows_a_busy_page_too(hardy, db, monkeypatch):
    """The error occurs before any view is reached."""
    hardy.force_login(User.objects.create_user("marta"))
    monkeypatch.setattr(
        "django.contrib.sessions.backends.db.SessionStore._get_session_from_db",
        failing(OperationalError("locked")),
    )
    assert hardy.get("/").status_code == 503


async def test_busy_database_gives_the_same_page_from_the_web_server(async_client, monkeypatch):
    monkeypatch.setattr("django.db.models.query.QuerySet.first", failing(OperationalError("locked")))
    async_client.raise_request_exception = False
    answer = await async_client.get("/terms/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_other_errors_show_a_page_that_takes_the_blame(hardy, monkeypatch, caplog):
    monkeypatch.setattr("accounts.operator.site_pages.page", failing(RuntimeError("a secret of the inside")))
    answer = hardy.get("/terms/")
    assert answer.status_code == 500
    assert "Retry-After" not in answer.headers
    page = answer.content.decode()
    assert wording.SOMETHING_WENT_WRONG in page
    assert "a secret of the inside" not in page
    assert "a secret of the inside" in caplog.text


def test_unknown_page_says_so(hardy, db):
    answer = hardy.get("/nowhere/")
    assert answer.status_code == 404
    assert "Page not found" in answer.content.decode()


def test_form_from_elsewhere_is_refused_with_a_message(db):
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", {})
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()


def test_forbidden_page_is_refused_with_a_message(hardy, db):
    hardy.force_login(User.objects.create_user("marta"))
    answer = hardy.get("/admin/", follow=True)
    assert answer.status_code == 403
    assert "You cannot view this page" in answer.content.decode()


def test_bad_request_is_refused_with_a_message(hardy, db, caplog):
    caplog.set_level(logging.CRITICAL)
    answer = hardy.get("/%00")
    assert answer.status_code == 400
    assert "<h1>" in answer.content.decode()


def test_rate_limit_shows_a_page_with_a_time(hardy, db):
    for _ in range(31):
        answer = hardy.post("/accounts/login/", {"login": "marta", "password": "x"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "60"
    assert wording.TOO_MANY_REQUESTS in answer.content.decode()


def test_rate_limit_gives_htmx_a_sentence(hardy, db):
    for _ in range(31):
        answer = hardy.post(
            "/accounts/login/", {"login": "marta", "password": "x"}, headers={"HX-Request": "true"}
        )
    assert answer.status_code == 429
    assert "<" not in answer.content.decode()
