"""“Log in” and “Sign up” in the header keep where one was."""

from urllib.parse import quote

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def leads_to_log_in(client: Client, path: str, **headers: str) -> str:
    """The address behind "Log in" in the header of this page."""
    page = client.get(path, headers=headers).content.decode()
    return page.partition('href="/accounts/login/')[2].partition('"')[0]


@pytest.mark.parametrize(
    "path", ["/rules/", "/leaderboard/?system=acquire&page=2", "/nowhere/?a=b", "/games/new/x/"]
)
def test_log_in_leads_back_to_the_page(client: Client, path: str) -> None:
    page = client.get(path, follow=True)
    assert f'href="/accounts/login/?next={quote(path, safe="")}"' in page.content.decode()


def test_log_in_of_the_lobby_leads_to_the_lobby(client: Client) -> None:
    assert leads_to_log_in(client, "/") == ""


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"])
def test_pages_before_the_log_in_keep_where_it_leads(client: Client, path: str) -> None:
    assert leads_to_log_in(client, f"{path}?next=/rules/") == "?next=%2Frules%2F"
    assert leads_to_log_in(client, path) == ""
    assert leads_to_log_in(client, f"{path}?next=https://elsewhere.example/") == ""


def test_log_in_after_a_refused_form_leads_to_the_page_of_the_form(client: Client) -> None:
    def way(**headers: str) -> str:
        return client.post("/rules/", headers=headers).content.decode().partition("/accounts/login/")[2][:40]

    assert way(Referer="http://testserver/rules/classic/?a=b").startswith(
        '?next=%2Frules%2Fclassic%2F%3Fa%3Db"'
    )
    assert way(Referer="https://elsewhere.example/rules/").startswith('"')
    assert way().startswith('"')


@pytest.mark.parametrize("headers", [{"Host": "%"}, {"Host": ""}, {"Referer": "http://["}])
@pytest.mark.parametrize("path", ["/", "/settings/", "/play/"])
def test_malformed_headers_are_refused_without_an_error(db: None, path: str, headers: dict[str, str]) -> None:
    answer = Client().post(path, {"x": "y"}, headers=headers)
    assert answer.status_code < 500
