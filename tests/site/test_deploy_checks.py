"""Each wrong setting of a public site is reported by a check of its own."""

import copy
import os
import re
from pathlib import Path
from unittest.mock import MagicMock, Mock

import pytest

from acquire_site import deploy_checks
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python

pytestmark = pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")


@pytest.fixture
def public(settings, tmp_path):
    """Valid settings of a public site."""
    settings.DATA_DIR = tmp_path
    settings.ALLOWED_HOSTS = ["acquire.example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://acquire.example"]
    settings.SITE_URL = "https://acquire.example"
    settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME = "__Host-sid", "__Host-csrf"
    settings.SECRET_KEY, settings.SECURE_HSTS_SECONDS = "the key", 3600
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    settings.BOT_DELAY_FACTOR = 1.0
    settings.ANSWER_DELAY_SECONDS = 4.0
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": "redis://redis.example/0", "socket_timeout": 1.0}]},
        }
    }
    settings.EMAIL_URL = "smtp://mail.example"
    settings.EMAIL_MUST_BE_CONFIRMED = settings.STAFF_TOTP = True
    settings.ADMIN_PATH, settings.CONTACT_EMAIL = "back-room", "me@club.example"
    settings.DATABASES = {
        "default": {
            **copy.deepcopy(settings.DATABASES["default"]),
            "ENGINE": "django.db.backends.postgresql",
            "OPTIONS": {"options": "-c statement_timeout=10s"},
        }
    }
    return settings


def numbers():
    return [message.id.removeprefix("acquire.") for message in deploy_checks.settings_of_a_public_site()]


def test_valid_settings_have_no_warnings(public):
    assert numbers() == []


def test_no_two_faults_have_the_same_number():
    source = (ROOT / "acquire_site" / "deploy_checks.py").read_text()
    named = re.findall(r'id="acquire\.([WI]\d+)"', source)
    numbered = re.findall(r"^ +yield \(\s*(\d+),", source, re.MULTILINE)
    found = [*named, *(f"W{int(number):03}" for number in numbered)]
    assert len(found) > 20
    assert sorted(found) == sorted(set(found))


@pytest.mark.parametrize(
    ("number", "name", "value"),
    [
        ("W001", "ALLOWED_HOSTS", ["acquire.example", "*"]),
        ("W002", "CSRF_TRUSTED_ORIGINS", ["http://acquire.example"]),
        ("W002", "CSRF_TRUSTED_ORIGINS", ["https://*"]),
        ("W003", "SITE_URL", "http://acquire.example"),
        ("W004", "SESSION_COOKIE_NAME", "sessionid"),
        ("W004", "CSRF_COOKIE_NAME", "csrftoken"),
        ("W005", "CONTENT_SECURITY_POLICY", {"DIRECTIVES": {"script-src": ["'self'", "'unsafe-inline'"]}}),
        ("W005", "CONTENT_SECURITY_POLICY", {}),
        ("W006", "SECURE_HSTS_SECONDS", 60),
        ("W022", "SECURE_HSTS_PRELOAD", True),
        ("W007", "DATA_UPLOAD_MAX_MEMORY_SIZE", None),
        ("W007", "DATA_UPLOAD_MAX_NUMBER_FIELDS", None),
        ("W008", "USE_X_FORWARDED_HOST", True),
        ("W009", "PASSWORD_HASHERS", ["django.contrib.auth.hashers.MD5PasswordHasher"]),
        ("W010", "EMAIL_MUST_BE_CONFIRMED", False),
        ("W011", "CHANNEL_LAYERS", {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}),
        ("W012", "CELERY_BROKER_TRANSPORT_OPTIONS", {}),
        ("W012", "CHANNEL_LAYERS", {"default": {"BACKEND": "x", "CONFIG": {"hosts": [{"address": "y"}]}}}),
        ("W013", "LOG_LEVEL", "debug"),
        ("W014", "METRICS_TOKEN", "secret"),
        ("W014", "MAIL_BOUNCE_KEY", "secret"),
        ("W015", "BOT_DELAY_FACTOR", 0.0),
        ("W029", "ANSWER_DELAY_SECONDS", 0.0),
        ("W016", "DATABASES", {"default": {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {}}}),
        ("W018", "STAFF_TOTP", False),
        ("W021", "CSRF_TRUSTED_ORIGINS", ["https://acquire.example", "https://www.acquire.example"]),
        ("W023", "SECRET_KEY_FALLBACKS", ["older", "the key"]),
        ("W024", "EMAIL_URL", "smtp://me:secret@mail.example:587"),
        ("W025", "ADMIN_PATH", "accounts"),
        ("W025", "ADMIN_PATH", "games"),
        ("W027", "DATA_DIR", Path("/no/such/folder")),
        ("W027", "DATA_DIR", Path(__file__)),
        ("I001", "EMAIL_URL", ""),
        ("I002", "ADMIN_PATH", "admin"),
        ("I003", "CONTACT_EMAIL", ""),
    ],
)
def test_each_fault_is_reported_and_nothing_else(public, number, name, value):
    setattr(public, name, value)
    assert numbers() == [number]
    [message] = deploy_checks.settings_of_a_public_site()
    assert message.hint


def test_data_folder_of_somebody_else_is_reported(public, monkeypatch):
    # Root may write everywhere, and tests may run as root.
    monkeypatch.setattr(os, "access", lambda path, mode: path != public.DATA_DIR)
    assert numbers() == ["W028"]


@pytest.mark.parametrize(
    ("env", "number"),
    [
        ({"ALLOWED_HOSTS": "*"}, "acquire.W001"),
        ({"SECRET_KEY": "short"}, "security.W009"),
        ({"DATA_DIR": "/no/such/folder"}, "acquire.W027"),
        ({"HSTS_SECONDS": "0"}, "security.W004"),
        ({"SSL_REDIRECT": "0"}, "security.W008"),
        ({"DB_LIMITS": "0"}, "acquire.W016"),
        ({"EMIAL_URL": "smtp://mail.example"}, "acquire.W019"),
        ({"SECRET_KEY_FILE": "/dev/null"}, "acquire.W020"),
        ({"SECRET_KEY_FALLBACKS": f"older, {PRODUCTION['SECRET_KEY']}"}, "acquire.W023"),
    ],
)
def test_fault_in_the_environment_fails_the_check(tmp_path, env, number):
    arguments = ["manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = python(arguments, tmp_path, **{**PRODUCTION, **env})
    assert done.returncode == 1
    assert number in done.stderr


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("smtp://me:secret@mail.example:587?tls=1", "acquire.example"),
        ("smtps://me:secret@mail.example", "acquire.example"),
        ("smtp://me:secret@localhost", "acquire.example"),
        ("smtp://mail.example", ".example"),
    ],
)
def test_settings_that_are_safe_are_not_warned_of(public, url, hosts):
    public.EMAIL_URL, public.ALLOWED_HOSTS = url, [hosts]
    assert numbers() == []


def test_longest_rule_for_browsers_may_be_shipped_with_them(public):
    public.SECURE_HSTS_PRELOAD = public.SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    assert numbers() == ["W022"]
    public.SECURE_HSTS_SECONDS = deploy_checks.PRELOAD_SECONDS
    assert numbers() == []


def test_mistyped_names_are_told_to_everybody_who_starts_the_site(tmp_path):
    env = {"EMIAL_URL": "smtp://mail.example", "ACQUIRE_COLOUR": "red"}
    done = python(["manage.py", "check"], tmp_path, **env)
    assert done.returncode == 0
    assert "EMIAL_URL is not a setting and has no effect.\n\tHINT: Did you mean EMAIL_URL?" in done.stderr
    assert "ACQUIRE_COLOUR is not a setting" in done.stderr


@pytest.mark.parametrize(("encoding", "found"), [("UTF8", []), ("SQL_ASCII", ["acquire.W031"])])
def test_database_that_cannot_hold_every_text_is_reported(monkeypatch, encoding, found):
    cursor = MagicMock()
    cursor.__enter__.return_value.fetchone.return_value = (encoding,)
    connection = Mock(vendor="postgresql", cursor=lambda: cursor)
    monkeypatch.setattr(deploy_checks, "connections", {"default": connection})
    messages = deploy_checks.a_database_that_holds_every_text(["default"])
    assert [message.id for message in messages] == found


def test_database_without_durability_is_reported(db):
    """The databases of tests do without it, for speed."""
    from django.db import connection

    found = [message.msg for message in deploy_checks.a_database_that_keeps_what_it_took(["default"])]
    if connection.vendor != "postgresql":
        assert found == []
        return
    with connection.cursor() as cursor:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            cursor.execute(f"SHOW {name}")
            off = cursor.fetchone()[0] == "off"
            assert any(f"with {name} off" in text for text in found) == off
