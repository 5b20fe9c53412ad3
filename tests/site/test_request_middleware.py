"""Headers of every answer, and requests that none of our pages would send."""

import io
import logging
import re

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse
from django.test import Client
from django.utils.log import log_response

from accounts.models import User
from acquire_site import request_middleware, site_views

FORM = "/accounts/login/"


def test_pages_allow_only_the_sites_own_scripts_and_styles(client, db):
    policy = client.get(FORM)["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy


def test_pages_are_not_framed_and_send_no_referrer(client, db):
    answer = client.get(FORM)
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


def test_pages_have_a_padding_of_random_length(client, db):
    paddings = {client.get(FORM)["X-Padding"] for _ in range(12)}
    assert len({len(padding) for padding in paddings}) > 1
    assert all(0 < len(padding) <= request_middleware.MAX_PADDING for padding in paddings)
    assert "X-Padding" not in client.get("/robots.txt")


def test_csrf_token_looks_different_in_every_answer(client, db):
    tokens = {
        re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get(FORM).text)[1] for _ in range(3)
    }
    assert len(tokens) == 3


def test_form_without_the_token_is_refused(db):
    assert Client(enforce_csrf_checks=True).post(FORM, {"login": "marta"}).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"login": "x" * 70_000}, id="too big"),
        pytest.param({f"field{number}": "" for number in range(101)}, id="too many fields"),
        pytest.param({"login": "mar\0ta", "password": "x"}, id="a NUL byte in a value"),
        pytest.param({"lo\0gin": "marta"}, id="a NUL byte in a name"),
    ],
)
@pytest.mark.parametrize("kind", ["urlencoded", "multipart"])
def test_oversized_form_is_a_bad_request(client, db, body, kind):
    if kind == "urlencoded":
        from urllib.parse import urlencode

        answer = client.post(FORM, urlencode(body), content_type="application/x-www-form-urlencoded")
    else:
        answer = client.post(FORM, body)
    assert answer.status_code == 400


@pytest.mark.parametrize("address", ["/%00", "/accounts/login/?next=%00", "/accounts/login/?%00=1"])
def test_address_with_a_nul_byte_is_a_bad_request(client, db, address):
    assert client.get(address).status_code == 400


def test_cookie_with_a_nul_byte_is_a_bad_request(client, db):
    assert client.get(FORM, headers={"cookie": r'sessionid="\000aaaaaaaaaaaaaaa"'}).status_code == 400


@pytest.mark.parametrize("chosen", ["x", "", "\u202e", "-1", "1.5", "٣", "9" * 400])
def test_admin_list_refuses_an_impossible_row(admin_client, chosen):
    form = {"action": "delete_selected", "_selected_action": chosen}
    assert admin_client.post("/admin/usersessions/usersession/", form).status_code == 400


def test_admin_refuses_a_lookup_without_a_column(admin_client):
    page = "/admin/usersessions/usersession/1/delete/"
    assert admin_client.get(page, {"_to_field": ""}).status_code == 400
    assert admin_client.post(page, {"_to_field": ""}).status_code == 400


def test_uploaded_file_is_dropped(client, db):
    from django.core.files.uploadedfile import SimpleUploadedFile

    upload = SimpleUploadedFile("big.bin", b"x" * 200_000)
    answer = client.post(FORM, {"login": "marta", "password": "x", "file": upload})
    assert answer.status_code == 200
    assert not answer.wsgi_request.FILES


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
@pytest.mark.parametrize("charset", ["utf-16", "idna", "latin-1", "nonsense", "base64", "utf-8"])
def test_form_in_another_encoding_is_read_as_far_as_possible(client, db, kind, charset):
    answer = client.generic("POST", FORM, b"login=marta\xff&password=x", f"{kind}; charset={charset}")
    assert answer.status_code in (200, 400)


@pytest.mark.parametrize(("method", "address"), [("get", "/play/"), ("post", "/rules/"), ("put", "/")])
def test_wrong_method_gets_a_page_that_says_so(client, db, method, address):
    answer = getattr(client, method)(address)
    assert answer.status_code == 405
    assert answer["Allow"]
    assert "Nothing has changed" in answer.content.decode()


@pytest.mark.parametrize("path", ["/", "/ws/nowhere/", "/ws/games/", "/ws/games/\0/"])
async def test_socket_to_nowhere_is_closed_and_not_logged(path, db, caplog):
    from acquire_site.asgi import sockets

    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": []}
    page = ApplicationCommunicator(sockets, scope)
    await page.send_input({"type": "websocket.connect"})
    assert (await page.receive_output(timeout=5))["type"] == "websocket.close"
    assert caplog.text == ""


@pytest.mark.parametrize("content_type", ["multipart/form-data", "multipart/form-data; boundary=x"])
def test_garbled_form_is_a_bad_request_or_empty(client, db, content_type):
    assert client.post(FORM, b"\xff\xfe garbage", content_type=content_type).status_code in (200, 400)


def test_form_values_are_not_logged(client, db, caplog):
    caplog.set_level(logging.DEBUG)
    User.objects.create_user("marta", password="the right secret")
    client.post(FORM, {"login": "marta", "password": "a-wrong-secret"})
    client.post(FORM, {"login": "a-wrong-secret\0"})
    client.get("/nowhere/")
    said = "\n".join(record.getMessage() for record in caplog.records if record.name != "django.db.backends")
    assert "nowhere" in said
    assert "a-wrong-secret" not in said


class Paper:
    """The site's log."""

    def __init__(self, monkeypatch):
        self.lines = io.StringIO()
        [stderr] = [one for one in logging.getLogger().handlers if one.get_name() == "stderr"]
        monkeypatch.setattr(stderr, "stream", self.lines)

    @property
    def text(self):
        return self.lines.getvalue()


@pytest.fixture
def paper(monkeypatch):
    return Paper(monkeypatch)


def test_everyday_refusals_are_not_logged(client, db, paper):
    assert client.get("/games/nowhere/").status_code == 404
    assert client.post("/play/", {"opponents": "12"}).status_code == 422
    assert paper.text == ""


@pytest.mark.parametrize("status", [401, 403, 404, 405, 409, 422, 429])
def test_refusal_with_a_message_is_not_logged(status, paper):
    log_response("Refused: %s", "/games/", response=HttpResponse(status=status))
    assert paper.text == ""


@pytest.mark.parametrize("status", [400, 500, 503])
def test_other_refusals_and_all_errors_are_logged(status, paper):
    log_response("Refused: %s", "/games/", response=HttpResponse(status=status))
    assert "django.request: Refused: /games/" in paper.text


def test_other_loggers_may_warn_of_anything(paper):
    logging.getLogger("games").warning("404", extra={"status_code": 404})
    assert "games: 404" in paper.text


def test_refused_form_says_that_nothing_was_saved_and_a_page_does_not(rf):
    assert "Your last action was not saved." in site_views.too_busy(rf.post("/settings/")).content.decode()
    assert "not saved" not in site_views.too_busy(rf.get("/settings/")).content.decode()
