"""A site opened to the public: headers of its answers, and no secret in its files."""

import json
import math
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python

# -- Headers ---------------------------------------------------------------------------------------

ASK = """
import json
import django
django.setup()
from django.test import Client
client = Client(raise_request_exception=False)
answers = {path: client.get(path, secure=secure, headers={"host": "acquire.example"}) for path, secure in
           (("/robots.txt", True), ("/rules/", False))}
print(json.dumps([[one.status_code, dict(one.headers)] for one in answers.values()]))
"""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; connect-src 'self' wss://acquire.example wss://*.club.example; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

ALWAYS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

# Different in each answer, or irrelevant to safety.
ORDINARY = {
    "Allow",
    "Cache-Control",
    "Content-Language",
    "Content-Length",
    "Content-Type",
    "Vary",
    "X-Request-ID",
}


def test_every_public_answer_has_exactly_these_headers(tmp_path: Path) -> None:
    settings = {**PRODUCTION, "DJANGO_SETTINGS_MODULE": "acquire_site.settings"}
    done = python(["-c", ASK], tmp_path, **settings)
    assert done.returncode == 0, done.stderr
    page, plain = json.loads(done.stdout.splitlines()[-1])
    assert (page[0], plain[0]) == (200, 301)
    headers = page[1]
    assert _parts({name: headers[name] for name in headers if name not in ORDINARY}) == _parts(ALWAYS)
    assert plain[1]["Location"] == "https://acquire.example/rules/"


def _parts(headers: dict[str, str]) -> dict[str, set[str]]:
    """Headers with their parts sorted."""
    return {name: {part.strip() for part in text.split(";")} for name, text in headers.items()}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ALLOWED_HOSTS", "*"),
        ("CSRF_TRUSTED_ORIGINS", "http://acquire.example"),
        ("SECRET_KEY", "secret"),
        ("HSTS_SECONDS", "0"),
        ("SSL_REDIRECT", "0"),
    ],
)
def test_carelessly_opened_site_is_warned(tmp_path: Path, name: str, text: str) -> None:
    deploy = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    assert python(deploy, tmp_path, **{**PRODUCTION, name: text}).returncode != 0


# -- Files -----------------------------------------------------------------------------------------

# Assembled here, so that this file does not contain them either.
KEYS = re.compile(
    "|".join(
        (
            "-----BEGIN [A-Z ]*PRIVATE" + " KEY-----",
            "AK" + "IA[0-9A-Z]{16}",
            "gh" + "[pousr]_[A-Za-z0-9]{36}",
            "gl" + "pat-[A-Za-z0-9_-]{20}",
            "sk_" + "live_[0-9a-zA-Z]{24}",
            "xox" + "[baprs]-[0-9A-Za-z-]{10,}",
            "hooks.slack" + r"\.com/services/T[0-9A-Z]{8,}/",
        )
    )
)

# A long random word assigned to a name like this; paths of templates hold no digit.
GIVEN = re.compile(
    r"""(?i)(?:secret|password|token|api_?key|private_?key)\w*["']?\s*[:=]\s*"""
    r"""["'](?=[^"']*\d)([A-Za-z0-9+/_=-]{24,})["']"""
)


def secrets_in(name: str, text: str) -> list[str]:
    """Return every apparent secret in the text of a file, in words."""
    found = [f"{name}: {match[0][:40]}" for match in KEYS.finditer(text)]
    # Words of tests are no secrets.
    given = () if name.startswith("tests/") else GIVEN.finditer(text)
    return found + [f"{name}: {match[0][:40]}" for match in given if chance(match[1]) > 3.5]


def chance(word: str) -> float:
    """Bits of entropy per character of the word."""
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values())


def test_no_file_holds_a_secret() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of the repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = []
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in (data := path.read_bytes()):
            found += secrets_in(name, data.decode(errors="replace"))
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE" + " KEY-----",
        'SECRET_KEY = "' + 'x9Kq2mPz7vLw4nRt8bYc1dFg6hJs"',
        "'api_key': '" + "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c'",
    ],
)
def test_secret_in_a_file_is_detected(text: str) -> None:
    assert secrets_in("acquire_site/settings.py", text)


def test_security_rules_of_ruff_hold_and_are_not_silenced() -> None:
    """Ruff's rules S are those of bandit."""
    ruff = Path(sys.executable).with_name("ruff")
    if not ruff.exists():
        pytest.skip("ruff is not installed")
    # Without the project's exceptions except three: asserts, randomness without secrecy, our own commands.
    options = [
        "--isolated",
        "--select",
        "S",
        "--ignore",
        "S101,S311,S603",
        "--ignore-noqa",
        "--target-version",
        "py311",
    ]
    checked = ["acquire_site", "accounts", "games"]
    done = subprocess.run([ruff, "check", *options, *checked], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
