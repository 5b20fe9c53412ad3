"""Settings of the workbench and of production."""

import json
import os
import subprocess
import sys

import pytest

from acquire_site import settings as module
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python, settings

# -- Production ------------------------------------------------------------------------------------


def test_production_with_six_variables_passes_djangos_deployment_check(tmp_path):
    done = python(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **PRODUCTION)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    # Silenced checks are no faults.
    assert "WARNINGS" not in said
    assert all(number in said for number in ("games.I001", "acquire.I001", "acquire.I002", "acquire.I003"))


@pytest.mark.parametrize("name", sorted(set(PRODUCTION) - {"DEBUG"}))
def test_production_without_one_of_them_is_refused_in_a_sentence(tmp_path, name):
    env = {**PRODUCTION, name: ""}
    done = python(["manage.py", "check"], tmp_path, **env)
    assert done.returncode != 0
    assert f"{name} is not set. With DEBUG=0 the site needs it" in done.stderr


def test_three_more_variables_silence_the_remaining_warnings(tmp_path):
    env = {"EMAIL_URL": "smtp://mail.example", "ADMIN_PATH": "back-room", "CONTACT_EMAIL": "me@club.example"}
    done = python(["manage.py", "check", "--deploy"], tmp_path, **PRODUCTION, **env)
    assert "acquire." not in done.stdout + done.stderr


def test_sqlite_in_production_needs_an_explicit_choice(tmp_path):
    env = {**PRODUCTION, "DATABASE_URL": "sqlite:////tmp/acquire.sqlite3"}
    refused = python(["manage.py", "check"], tmp_path, **env)
    assert refused.returncode != 0
    assert "set ALLOW_SQLITE=1 if that is what you want" in refused.stderr
    allowed = python(
        ["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **env, ALLOW_SQLITE="1"
    )
    assert allowed.returncode == 0, allowed.stderr


def test_secret_may_be_in_a_file(tmp_path):
    file = tmp_path / "key"
    file.write_text(PRODUCTION["SECRET_KEY"] + "\n")
    env = {**PRODUCTION, "SECRET_KEY": "", "SECRET_KEY_FILE": str(file)}
    assert settings(tmp_path, "SECRET_KEY", **env) == [PRODUCTION["SECRET_KEY"]]
    missing = python(["manage.py", "check"], tmp_path, **{**env, "SECRET_KEY_FILE": str(tmp_path / "none")})
    assert "SECRET_KEY_FILE is set, but the file cannot be read" in missing.stderr


def test_production_cookies_are_for_this_host_over_https_only(tmp_path):
    kinds = ("NAME", "SECURE", "HTTPONLY", "SAMESITE")
    names = [f"{cookie}_COOKIE_{kind}" for cookie in ("SESSION", "CSRF") for kind in kinds]
    assert settings(tmp_path, *names, **PRODUCTION) == [
        *("__Host-sid", True, True, "Lax"),
        *("__Host-csrf", True, True, "Lax"),
    ]


def test_ticks_tasks_and_cache_may_each_have_their_own_redis(tmp_path):
    names = ("CHANNEL_LAYERS", "CELERY_BROKER_URL", "CACHES")
    layers, broker, caches = settings(tmp_path, *names, **PRODUCTION)
    hosts = layers["default"]["CONFIG"]["hosts"]
    assert [host["address"] for host in hosts] == [broker] == [PRODUCTION["REDIS_URL"]]
    assert caches["default"]["BACKEND"].endswith("ReadOnlyReadsCache")
    several = {
        "CHANNEL_URLS": "redis://ticks-1/0, redis://ticks-2/0",
        "BROKER_URL": "redis://tasks/0",
        "CACHE_URL": "redis://cache/0",
    }
    layers, broker, caches = settings(tmp_path, *names, **PRODUCTION, **several)
    hosts = layers["default"]["CONFIG"]["hosts"]
    assert [host["address"] for host in hosts] == ["redis://ticks-1/0", "redis://ticks-2/0"]
    assert all(host["socket_timeout"] for host in hosts)
    assert broker == "redis://tasks/0"
    assert caches["default"]["LOCATION"] == "redis://cache/0"
    # Chosen moves of bots reveal hands.
    assert caches["record"]["BACKEND"].endswith("ReadOnlyReadsCache")


def test_production_makes_no_data_folder(tmp_path):
    settings(tmp_path, "DEBUG", **PRODUCTION)
    assert not (tmp_path / "data").exists()


def test_production_static_files_have_hashed_names(tmp_path):
    static = tmp_path / "static"
    code = (
        "import django; from django.conf import settings; django.setup(); "
        f"settings.STATIC_ROOT = {str(static)!r}; "
        "from django.core.management import call_command; "
        "call_command('collectstatic', interactive=False, verbosity=0)"
    )
    env = {**PRODUCTION, "DJANGO_SETTINGS_MODULE": "acquire_site.settings"}
    done = python(["-c", code], tmp_path, **env)
    assert done.returncode == 0, done.stderr
    names = json.loads((static / "staticfiles.json").read_text())["paths"]
    assert (static / names["games/css/base.css"]).exists()
    assert (static / f"{names['games/css/base.css']}.gz").exists()


def test_old_safari_may_open_the_socket(tmp_path):
    [policy] = settings(tmp_path, "CONTENT_SECURITY_POLICY", **PRODUCTION)
    assert policy["DIRECTIVES"]["connect-src"] == ["'self'", "wss://acquire.example", "wss://*.club.example"]


def test_addresses_are_confirmed_only_if_mail_can_be_sent(tmp_path):
    [without] = settings(tmp_path, "ACCOUNT_EMAIL_VERIFICATION", **PRODUCTION)
    [with_mail] = settings(
        tmp_path, "ACCOUNT_EMAIL_VERIFICATION", **PRODUCTION, EMAIL_URL="smtp://mail.example"
    )
    assert (without, with_mail) == ("optional", "mandatory")


def test_site_with_confirmed_addresses_passes_the_checks_too(tmp_path):
    env = {**PRODUCTION, "EMAIL_URL": "smtp://mail.example"}
    done = python(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **env)
    assert done.returncode == 0, done.stderr


# -- Workbench -------------------------------------------------------------------------------------


def test_workbench_needs_no_variables(tmp_path):
    layers, broker = settings(tmp_path, "CHANNEL_LAYERS", "CELERY_BROKER_URL")
    assert layers["default"]["BACKEND"] == "channels.layers.InMemoryChannelLayer"
    assert broker == "memory://"


@pytest.mark.parametrize("env, debug", [({}, False), ({"DEBUG": "1"}, True)])
def test_debug_pages_are_off_by_default(tmp_path, env, debug):
    assert settings(tmp_path, "DEBUG", **env) == [debug]


def test_workbench_listens_on_this_machine_only_by_default(tmp_path):
    assert settings(tmp_path, "ALLOWED_HOSTS") == [["localhost", "127.0.0.1", "[::1]"]]
    assert settings(tmp_path, "ALLOWED_HOSTS", ALLOWED_HOSTS="club.example") == [["club.example"]]


def test_workbench_writes_only_into_its_data_folder(tmp_path):
    databases, mail = settings(tmp_path, "DATABASES", "EMAIL_FILE_PATH")
    assert databases["default"]["NAME"] == str(tmp_path / "data" / "acquire.sqlite3")
    assert mail == str(tmp_path / "data" / "mail")


def test_workbench_keeps_its_secret_private(tmp_path):
    [first] = settings(tmp_path, "SECRET_KEY")
    [second] = settings(tmp_path, "SECRET_KEY")
    assert first == second
    assert len(first) >= 50
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o077 == 0


def modes(folder):
    """The permissions of a folder and of all that lies in it."""
    return {path.name: oct(path.stat().st_mode & 0o777) for path in [folder, *folder.iterdir()]}


def test_the_workbench_closes_its_data_to_other_users(tmp_path):
    done = python(["manage.py", "showmigrations", "games"], tmp_path)
    assert done.returncode == 0, done.stderr
    found = modes(tmp_path / "data")
    assert found.pop("data") == "0o700"
    assert "acquire.sqlite3" in found
    assert set(found.values()) == {"0o600"}


def test_the_workbench_closes_the_database_of_an_earlier_version(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "acquire.sqlite3").touch(mode=0o644)
    done = python(["manage.py", "showmigrations", "games"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert modes(data)["acquire.sqlite3"] == "0o600"


def test_processes_that_start_together_share_one_secret(tmp_path):
    code = "from acquire_site import settings; print(settings.SECRET_KEY)"
    env = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "data")}
    started = [
        subprocess.Popen([sys.executable, "-c", code], env=env, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in started}) == 1
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]


# -- Parts -----------------------------------------------------------------------------------------


def test_sqlite_takes_its_lock_when_a_transaction_begins():
    options = module.database("sqlite:////tmp/acquire.sqlite3")["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert options["timeout"] == 20
    assert "journal_mode=WAL" in options["init_command"]


def test_postgresql_has_timeouts():
    options = module.database("postgres://u@h/d")["OPTIONS"]
    for limit in ("lock_timeout=3s", "statement_timeout=10s", "idle_in_transaction_session_timeout=15s"):
        assert limit in options["options"]
    assert "options" not in module.database("postgres://u@h/d", limits=False)["OPTIONS"]


def test_postgresql_has_a_pool_only_on_request():
    assert "pool" not in module.database("postgres://u@h/d")["OPTIONS"]
    assert module.database("postgres://u@h/d", pool_size=8)["OPTIONS"]["pool"]["max_size"] == 8


@pytest.mark.parametrize(
    ("url", "password"), [("postgres://u@h/d", "apart"), ("postgres://u:p%40@h/d", "p@")]
)
def test_password_of_the_database_may_stand_apart(tmp_path, url, password):
    env = {**PRODUCTION, "DATABASE_URL": url, "DATABASE_PASSWORD": "apart"}
    [databases] = settings(tmp_path, "DATABASES", **env)
    assert databases["default"]["PASSWORD"] == password


@pytest.mark.parametrize(("pool", "at_once"), [("", 4), ("0", 4), ("1", 1), ("5", 3), ("20", 4)])
def test_few_requests_run_at_once_and_leave_two_connections(tmp_path, pool, at_once):
    assert settings(tmp_path, "MAX_CONCURRENT_REQUESTS", DB_POOL=pool) == [at_once]


def test_options_in_the_database_url_win():
    options = module.database("postgres://u@h/d?sslmode=require&options=-c%20lock_timeout%3D9s")["OPTIONS"]
    assert options["sslmode"] == "require"
    assert options["options"] == "-c lock_timeout=9s"


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail.example", 25, False, False),
        ("smtp://me:p%40ss@mail.example?tls=1", 587, True, False),
        ("smtps://me:p%40ss@mail.example", 465, False, True),
        ("smtp://mail.example:2525", 2525, False, False),
    ],
)
def test_mail_goes_to_the_server_of_the_url(tmp_path, url, port, tls, ssl):
    names = ("EMAIL_HOST", "EMAIL_PORT", "EMAIL_USE_TLS", "EMAIL_USE_SSL", "EMAIL_HOST_PASSWORD")
    password = "p@ss" if "@mail" in url else ""
    assert settings(tmp_path, *names, EMAIL_URL=url) == ["mail.example", port, tls, ssl, password]


@pytest.mark.parametrize(
    ("env", "header"),
    [
        ({}, "max-age=31536000"),
        ({"HSTS_SECONDS": "7200"}, "max-age=7200"),
        ({"HSTS_SUBDOMAINS": "1"}, "max-age=31536000; includeSubDomains"),
        ({"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}, "max-age=31536000; includeSubDomains; preload"),
    ],
)
def test_browsers_are_bound_to_https_no_further_than_asked(tmp_path, env, header):
    code = (
        "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'acquire_site.settings'; django.setup();"
        " from django.test import Client;"
        " answer = Client(headers={'host': 'acquire.example'}).get('/healthz', secure=True);"
        " print(answer.status_code, answer.headers['Strict-Transport-Security'])"
    )
    done = python(["-c", code], tmp_path, **PRODUCTION, **env)
    assert done.stdout.splitlines()[-1:] == [f"200 {header}"], done.stderr
