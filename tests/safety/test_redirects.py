"""Nobody is redirected to another site, and nobody learns who is a member."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from tests.safety import site_addresses
from tests.safety.populated_site import PASSWORD, World, undone
from tests.safety.site_addresses import Address
from tests.support.replaced_views import replaced

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"

EVIL = "evil.example"

ELSEWHERE = [
    *(
        f"https://{EVIL}/",
        f"http://{EVIL}",
        f"//{EVIL}",
        f"///{EVIL}",
        f"////{EVIL}/",
        f"https:{EVIL}",
        f"https:/{EVIL}",
    ),
    *(
        f"/\\{EVIL}",
        f"\\\\{EVIL}",
        f"\\/{EVIL}",
        f"/\t/{EVIL}",
        f"/\n/{EVIL}",
        f"\t//{EVIL}",
        f" //{EVIL}",
        f"\x01//{EVIL}",
    ),
    *(
        f"https://testserver@{EVIL}/",
        f"https://testserver.{EVIL}/",
        f"https://{EVIL}#testserver",
        f"https://{EVIL}?testserver",
    ),
    *(
        f"https://{EVIL}\\@testserver/",
        f"//{EVIL}:80/",
        f"//testserver@{EVIL}",
        f"http:///{EVIL}",
        f"http:\\\\{EVIL}",
    ),
    *(
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc",
    ),
    *(
        f"ftp://{EVIL}/",
        f"https://{EVIL}%2f@testserver",
        f"https://\u3002{EVIL}",
        "https://\uff0fevil.example",
        f"//{EVIL}%00",
    ),
    *(
        f"/rules/\r\nLocation: https://{EVIL}/",
        f"/%0d%0aLocation:%20https://{EVIL}/",
        f"https://[::1]@{EVIL}",
        f"//[{EVIL}",
    ),
    *(
        f"http://testserver:80@{EVIL}",
        f"/..//{EVIL}",
        f"/.//{EVIL}",
        f"///\\;@{EVIL}",
        f"/%09/{EVIL}",
        f"/%5c{EVIL}",
    ),
]

LEADING = ("next", "after", "code", "seen", "game", "url", "return_to", "redirect", "redirect_to", "continue")

GO = (
    "Location",
    "HX-Redirect",
    "HX-Location",
    "HX-Push-Url",
    "HX-Replace-Url",
    "Refresh",
    "Content-Location",
)


def leads_away(target: str) -> bool:
    """Return whether a browser would leave the site for this target; it reads more leniently than Python."""
    target = re.sub(r"[\t\r\n]", "", target).strip("".join(map(chr, range(33)))).replace("\\", "/")
    try:
        parts = urlsplit(urljoin("http://testserver/here/", re.sub(r"^/{2,}", "//", target)))
    except ValueError:
        return True
    return parts.scheme not in {"http", "https"} or parts.netloc != "testserver"


def led_away(world: World, told: list[Address], roles: tuple[str, ...]) -> Iterator[str]:
    """Return every redirect to another site, in words."""
    for number, address in enumerate(told):
        for target in ELSEWHERE[number % 15 :: 15] if "/accounts/log" not in address.path else ELSEWHERE:
            path = address.path.partition("?")[0]
            asked = urlencode([(name, target) for name in LEADING])
            form = urlencode([*parse_qsl(address.form, True), *((name, target) for name in LEADING)])
            quoted = quote(target)
            headers = {"HX-Request": "true", "HX-Current-URL": quoted, "Referer": quoted, "Origin": quoted}
            for role in roles:
                with undone():
                    client = world.client(role)
                    answer = client.generic(address.method, f"{path}?{asked}", form, FORM, headers=headers)
                    assert answer.status_code < 500
                    for header in GO:
                        if leads_away(answer.headers.get(header, "/")):
                            yield f"{role}: {address.method} {path}: {header}: {answer.headers[header]!r}"


def leading(world: World) -> list[Address]:
    """Addresses that may answer with a redirect."""
    right = Address("POST", "/accounts/login/", urlencode({"login": "the-member", "password": PASSWORD}))
    told = [one.in_(world) for one in site_addresses.every() if not one.path.startswith("/admin/")]
    admin = [Address("GET", "/admin/login/"), Address("POST", "/admin/logout/"), Address("GET", "/admin/")]
    chosen = [
        one for one in told if one.method == "POST" or one.path.startswith(("/accounts/", "/next/", "/join/"))
    ]
    return [right, *chosen, *admin]


def test_forty_targets_are_on_other_sites() -> None:
    assert len(set(ELSEWHERE)) >= 40
    plainly = [target for target in ELSEWHERE if target.startswith(("https://", "//", "javascript", "\\\\"))]
    assert [target for target in plainly if not leads_away(target) and "%" not in target] == []


def test_no_redirect_leads_to_another_site(world: World) -> None:
    assert list(led_away(world, leading(world), ("anonymous", "player"))) == []


def test_unchecked_redirect_is_detected(world: World) -> None:
    def obliging(request: HttpRequest, **words: Any) -> HttpResponse:
        return HttpResponseRedirect(request.GET["next"])

    with replaced("next-game", lambda view: obliging):
        assert list(led_away(world, [Address("GET", "/next/")], ("player",)))


# -- Names of members ------------------------------------------------------------------------------

KNOWN, UNKNOWN = "player@club.example", "nobody@club.example"

SECRETS = re.compile(r'value="[^"]*"|X-CSRFToken": "[^"]*"|csrf\w*=[\w-]+')


def look(answer: Any, *names: str) -> tuple[int, dict[str, str], int, str]:
    """Observable facts of an answer: status, headers, length and words, without what is new each time."""
    # Each new member has the next number.
    content = re.sub('"X-Account": "[0-9]+"', "", answer.content.decode())
    page = SECRETS.sub("", content)
    for name in names:
        page = page.replace(name, "·" * len(name))
    changing = {"Content-Length", "Expires", "X-Padding", "X-Request-ID"}
    headers = {name: text for name, text in answer.headers.items() if name not in changing}
    return answer.status_code, headers, len(content), page


QUESTIONS = {
    "a new password": ("/accounts/password/reset/", {"email": "{}"}, (KNOWN, UNKNOWN)),
    "logging in by address": (
        "/accounts/login/",
        {"login": "{}", "password": "wrong-guess"},
        (KNOWN, UNKNOWN),
    ),
    "logging in by name": (
        "/accounts/login/",
        {"login": "{}", "password": "wrong"},
        ("the-player", "not-player"),
    ),
    "signing up": (
        "/accounts/signup/",
        {
            "username": "newcomer",
            "email": "{}",
            "password1": PASSWORD,
            "password2": PASSWORD,
            "consent": "on",
        },
        (KNOWN, UNKNOWN),
    ),
    "the link once more": ("/accounts/email/", {"action_send": "", "email": "{}"}, (KNOWN, UNKNOWN)),
    "stopping mail": ("/mail/stop/{}/", {}, ("a" * 40, "b" * 40)),
}


@pytest.mark.parametrize("what", QUESTIONS)
@pytest.mark.parametrize("mandatory", [True, False])
def test_answers_do_not_reveal_who_is_a_member(
    world: World, settings: Any, what: str, mandatory: bool
) -> None:
    if mandatory:
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
        settings.EMAIL_MUST_BE_CONFIRMED = True
    path, form, names = QUESTIONS[what]
    looks = []
    for name in names:
        with undone():
            client = world.client("anonymous")
            sent = {field: text.replace("{}", name) for field, text in form.items()}
            answer = client.post(path.replace("{}", name), sent)
            shown = client.get(answer.headers["Location"]) if answer.status_code == 302 else answer
            looks.append((look(answer, *names), look(shown, *names)))
    assert looks[0] == looks[1]


def test_answer_that_reveals_membership_is_detected(world: World) -> None:
    def telling(request: HttpRequest, **words: Any) -> HttpResponse:
        return HttpResponse("We know you." if request.POST["email"] == KNOWN else "Who?")

    with replaced("account_reset_password", lambda view: telling):
        known, unknown = (
            look(
                world.client("anonymous").post("/accounts/password/reset/", {"email": email}), KNOWN, UNKNOWN
            )
            for email in (KNOWN, UNKNOWN)
        )
    assert known != unknown


def test_log_in_keeps_every_page_that_visitors_see(world: World) -> None:
    visitor, seen = world.client("anonymous"), 0
    for address in (one.in_(world) for one in site_addresses.every()):
        if (
            address.method != "GET"
            or address.route.startswith(("accounts/", "admin/"))
            or address.path == "/"
        ):
            continue
        page = visitor.get(address.path)
        if page.headers["Content-Type"].startswith("text/html") and b'<header class="top">' in page.content:
            seen += 1
            assert f'href="/accounts/login/?next={quote(address.path, safe="")}"' in page.content.decode(), (
                address
            )
    assert seen > 30
