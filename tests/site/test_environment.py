"""The settings as the environment gives them: what is read, what is refused, and in which words."""

import ast

import pytest

from acquire_site.settings.environment import WrongSettings, doubtful_names, names_set_twice, read_settings
from acquire_site.settings.setting_table import SECTIONS, SETTINGS
from tests.support.played_site import ROOT
from tests.support.settings_process import PRODUCTION, python

# A text that no sentence may contain.
CANARY = "hunter2canary"

# The other half of a key for web push, and a private key in DER that cannot sign for it (P-384).
PUBLIC_PUSH_KEY = "BIRF7-tM2-2ad0dXxjJVMkxWBu93Ppu0FA1tmvEi2TejJA5mMs6-5e4IsJQNSedF9afxnQeMjKyMQgv5Bd3azEg"
KEY_OF_ANOTHER_CURVE = (
    "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDJ_LHmerEATOoAUnTP6PS-G6ZQXVXAR73D11YRUylPVt"
    "A6FzbX69xqhxLy-NhChJChZANiAASJt6eRG3taljBcCtvpqjTwRzeOTSvGP5msU0db1-p3Hv-4ki50at08n-r-C_Kf"
    "9A-3FKJvvSySN8G1kk0UKzXS9S7ziIGPCVcMcmPLM9PzBHhtFnw5J6rcyrh9bnFBjRY"
)

WRONG = [
    ("DEBUG", "flase"),
    ("ALLOWED_HOSTS", "https://acquire.example"),
    ("ALLOWED_HOSTS", "acquire.example:8000"),
    ("CSRF_TRUSTED_ORIGINS", "acquire.example"),
    ("CSRF_TRUSTED_ORIGINS", "https://acquire.example/"),
    ("CSRF_TRUSTED_ORIGINS", "ftp://acquire.example"),
    ("SITE_URL", "acquire.example"),
    ("SITE_URL", "https://acquire.example/games"),
    ("ADMIN_PATH", "back room"),
    ("ADMIN_PATH", "/"),
    ("CONTACT_EMAIL", "you at acquire.example"),
    ("DEFAULT_FROM_EMAIL", "Acquire"),
    ("TIME_ZONE", "Europe"),
    ("TIME_ZONE", "Europe/Atlantis"),
    ("TIME_ZONE", "/etc/localtime"),
    ("DATABASE_URL", "mysql://acquire@db.example/acquire"),
    ("DATABASE_URL", "postgres://acquire@db.example"),
    ("DATABASE_URL", f"postgres://acquire:{CANARY}/x@db.example/acquire"),
    ("DATABASE_URL", f"postgres://acquire:x#{CANARY}@db.example/acquire"),
    ("DATABASE_URL", f"postgres://acquire:x]{CANARY}[@db.example/acquire"),
    ("DATABASE_URL", CANARY),
    ("REDIS_URL", f"http://:{CANARY}@redis.example"),
    ("REDIS_URL", f"redis://:{CANARY}/1@redis.example/0"),
    ("REDIS_URL", "redis:///0"),
    ("REDIS_URL", f"redis://redis.example/{CANARY}"),
    ("BROKER_URL", f"amqp://:{CANARY}@queue.example"),
    ("CHANNEL_URLS", f"redis://one/0, {CANARY}"),
    ("CACHE_URL", f"memcached://:{CANARY}@cache.example"),
    ("CHANNEL_LAYER", "channels.layers.InMemoryChannelLayer"),
    ("EMAIL_URL", f"http://me:{CANARY}@mail.example"),
    ("EMAIL_URL", f"smtp://me:{CANARY}@mail.example:many"),
    ("EMAIL_URL", f"smtp://me:{CANARY}?x@mail.example"),
    ("EMAIL_URL", "smtp://mail.example?ssl=1"),
    ("EMAIL_URL", "smtp://"),
    ("MAIL_BOUNCE_KEY", f"{CANARY} and more"),
    ("METRICS_TOKEN", f"{CANARY} and more"),
    ("VAPID_PRIVATE_KEY", CANARY),
    ("VAPID_PRIVATE_KEY", f"{CANARY}!"),
    ("VAPID_PRIVATE_KEY", PUBLIC_PUSH_KEY),
    ("VAPID_PRIVATE_KEY", "_" * 43),
    ("VAPID_PRIVATE_KEY", "A" * 200),
    ("VAPID_PRIVATE_KEY", KEY_OF_ANOTHER_CURVE),
    ("VAPID_SUBJECT", "you@acquire.example"),
    ("VAPID_SUBJECT", "mailto:you"),
    ("TRUSTED_PROXIES", "-1"),
    ("TRUSTED_PROXIES", "100"),
    ("DB_POOL", "many"),
    ("MOVES_PER_MINUTE", "0"),
    ("PUZZLE_DAYS_AHEAD", "1.5"),
    ("HSTS_SECONDS", "1" + "0" * 30),
    ("BOT_TIME_LIMIT", "0"),
    ("BOT_DELAY_FACTOR", "nan"),
    ("BOT_DELAY_FACTOR", "slow"),
    ("STAFF_TOTP", "maybe"),
    ("LOG_FORMAT", "xml"),
    ("LOG_LEVEL", "LOUD"),
    ("SENTRY_DSN", f"https://sentry.example/{CANARY}"),
    ("SENTRY_DSN", f"https://{CANARY}@sentry.example"),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", f"{CANARY}:4318"),
]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch):
    """An environment without settings."""
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


def read(monkeypatch, **env):
    for name, text in env.items():
        monkeypatch.setenv(name, text)
    return read_settings()


def refusal(monkeypatch, **env):
    """The lines that name a fault."""
    with pytest.raises(WrongSettings) as caught:
        read(monkeypatch, **env)
    first, *lines, last = str(caught.value).splitlines()
    assert first == "The settings cannot be used:"
    assert last == "docs/settings.md explains them all."
    return lines


# -- What is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), WRONG)
def test_wrong_value_is_refused_in_a_sentence_with_an_example(monkeypatch, name, text):
    [line] = refusal(monkeypatch, **{name: text})
    setting = SETTINGS[name]
    assert line.startswith(f"{name} ")
    assert f"It takes {setting.kind.wants}." in line
    assert setting.shown_example in line
    assert setting.secret or repr(text) in line
    assert CANARY not in line


def test_every_setting_but_free_text_has_a_wrong_value_here():
    free = {
        name for name, setting in SETTINGS.items() if setting.kind.parser in {"str", "path", "secret_keys"}
    }
    known = {name for name, _ in WRONG}
    # One of each kind is enough for numbers and switches.
    tried = {SETTINGS[name].kind.parser for name in known}
    assert {name for name in SETTINGS if SETTINGS[name].kind.parser not in tried} <= free


def test_a_sentence_that_shows_a_secret_is_seen(monkeypatch):
    """The twin: a secret that is declared to be none."""
    import dataclasses

    open_setting = dataclasses.replace(SETTINGS["EMAIL_URL"], secret=False)
    monkeypatch.setitem(SETTINGS, "EMAIL_URL", open_setting)
    [line] = refusal(monkeypatch, EMAIL_URL=f"http://me:{CANARY}@mail.example")
    assert CANARY in line


def test_all_faults_are_named_at_once(monkeypatch):
    lines = refusal(monkeypatch, DEBUG="0", SECRET_KEY="x", DB_POOL="many", TIME_ZONE="here")
    names = [line.split()[0] for line in lines]
    assert sorted(names) == sorted(
        ["TIME_ZONE", "DB_POOL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DATABASE_URL", "REDIS_URL"]
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b"http://me:hunter2canary@mail.example",
            "EMAIL_URL (in the file that EMAIL_URL_FILE names) has a wrong value",
        ),
        (b"\xffhunter2canary", "EMAIL_URL_FILE is set, but the file is not text"),
        (None, "EMAIL_URL_FILE is set, but the file cannot be read"),
    ],
)
def test_wrong_file_is_refused_without_its_content(monkeypatch, tmp_path, content, said):
    file = tmp_path / "mail"
    if content is not None:
        file.write_bytes(content)
    [line] = refusal(monkeypatch, EMAIL_URL_FILE=str(file))
    assert line.startswith(said)
    assert CANARY not in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["manage.py", "check", "--deploy"],
        ["manage.py", "migrate"],
        ["-m", "uvicorn", "acquire_site.asgi:application", "--port", "0"],
        ["-m", "celery", "--app", "acquire_site", "worker"],
    ],
    ids=["check", "migrate", "web", "worker"],
)
def test_no_process_starts_with_wrong_settings_and_none_shows_a_traceback(tmp_path, arguments):
    url = f"postgres://acquire:{CANARY}/x@db.example/acquire"
    done = python(arguments, tmp_path, **{**PRODUCTION, "DATABASE_URL": url, "LOG_LEVEL": "LOUD"})
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "DATABASE_URL has a wrong value: it has a host or port that cannot be read" in said
    assert "LOG_LEVEL is 'LOUD'. It takes one of DEBUG, INFO" in said
    assert "Traceback" not in said
    assert CANARY not in said


# -- What is read ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "  "])
def test_empty_setting_counts_as_not_set(monkeypatch, text):
    values = read(monkeypatch, TIME_ZONE=text, ALLOWED_HOSTS=text, GUESTS_PER_HOUR=text)
    assert (values["TIME_ZONE"], values["GUESTS_PER_HOUR"]) == ("UTC", 5)
    assert values["ALLOWED_HOSTS"] == ("localhost", "127.0.0.1", "[::1]")


def test_setting_has_no_blanks_around_it_and_wins_over_its_file(monkeypatch, tmp_path):
    (tmp_path / "text").write_text(" in the file\n")
    assert read(monkeypatch, METRICS_TOKEN_FILE=str(tmp_path / "text").strip(), METRICS_TOKEN="here")
    monkeypatch.setenv("ACQUISITION_PERMISSION_FILE", str(tmp_path / "text"))
    assert read_settings()["ACQUISITION_PERMISSION"] == "in the file"
    assert read(monkeypatch, ACQUISITION_PERMISSION=" here ")["ACQUISITION_PERMISSION"] == "here"


@pytest.mark.parametrize("text", ["a.example b.example", "a.example,b.example", " a.example , b.example "])
def test_words_are_separated_by_commas_or_blanks(monkeypatch, text):
    assert read(monkeypatch, ALLOWED_HOSTS=text)["ALLOWED_HOSTS"] == ["a.example", "b.example"]


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("Yes", True), ("ON", True), ("0", False), ("no", False), ("off", False)]
)
def test_switch_is_yes_or_no(monkeypatch, text, value):
    assert read(monkeypatch, STAFF_TOTP=text)["STAFF_TOTP"] is value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ALLOWED_HOSTS", "* .club.example [::1] 127.0.0.1 a_b.example"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.club.example http://localhost:8000"),
        ("DATABASE_URL", "postgres://acquire@%2Fvar%2Frun%2Fpostgresql/acquire"),
        ("DATABASE_URL", "postgresql://u:p%2F@db.example:5433/acquire?sslmode=require"),
        ("DATABASE_URL", "sqlite:////var/lib/acquire/acquire.sqlite3"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("REDIS_URL", "rediss://user:p%2F@redis.example:6380/3?ssl_cert_reqs=none"),
        ("REDIS_URL", "unix:///run/redis.sock?db=1"),
        ("EMAIL_URL", "smtp://me@mail.example:p%40ss@mail.example:587?tls=1"),
        ("DEFAULT_FROM_EMAIL", "acquire@acquire.example"),
        ("VAPID_SUBJECT", "https://acquire.example/contact/"),
        ("SENTRY_DSN", "http://key@127.0.0.1:9/1"),
        ("TIME_ZONE", "Europe/Berlin"),
        ("ADMIN_PATH", "/staff/back-room/"),
        ("BOT_DELAY_FACTOR", "0"),
    ],
)
def test_unusual_value_is_taken(monkeypatch, name, text):
    assert read(monkeypatch, **{name: text})[name] is not None


def test_key_made_by_our_command_is_taken(monkeypatch):
    from games.web.notifications.web_push import new_private_key

    key = new_private_key()
    assert read(monkeypatch, VAPID_PRIVATE_KEY=key)["VAPID_PRIVATE_KEY"] == key


def test_key_in_der_is_taken(monkeypatch):
    der = (
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoH__vqM6Trgpr3wh-PESJD1djT4wYdUSaUugr5UFdL"
        "-hRANCAATp_lo_QzNdlD9yXj3l6y46M7MJCodoPTwjtq4_LE-uhMJHoGhtFALN9aYd-3Ri_1d_tqA7icacWmuWvc1J"
        "uMqG"
    )
    assert read(monkeypatch, VAPID_PRIVATE_KEY=der)["VAPID_PRIVATE_KEY"] == der


def test_every_example_is_a_value_that_the_setting_takes(monkeypatch):
    for setting in SETTINGS.values():
        if setting.shown_example and setting.name != "DEBUG":
            monkeypatch.setenv(setting.name, setting.shown_example)
    read_settings()


# -- Names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("EMIAL_URL", "EMAIL_URL"),
        ("SECRET_KEY_FALLBACK", "SECRET_KEY_FALLBACKS"),
        ("SECRET_KEY_FILES", "SECRET_KEY_FILE"),
        ("ALLOWED_HOST", "ALLOWED_HOSTS"),
        ("DATABSE_URL", "DATABASE_URL"),
        ("SENTRY_DNS", "SENTRY_DSN"),
        ("DEBGU", "DEBUG"),
        ("DB_POLO", "DB_POOL"),
        ("TIMEZONE", "TIME_ZONE"),
        ("ACQUIRE_EMAIL_URL", "EMAIL_URL"),
        ("ACQUIRE_COLOUR", ""),
        ("ACQUIREPORT", ""),
        ("PUZZLE_STOCK", "PUZZLE_DAYS_AHEAD"),
        ("BOT_PACE", "BOT_DELAY_FACTOR"),
    ],
)
def test_doubtful_name_is_told(name, meant):
    assert list(doubtful_names({name: "1"})) == [(name, meant)]


def test_names_of_others_are_left_alone():
    ordinary = [
        "PATH",
        "HOME",
        "LANG",
        "TZ",
        "PGDATA",
        "LOGNAME",
        "XDG_DATA_DIRS",
        "SITE_HOST",
        "PYTHONUNBUFFERED",
    ]
    others = [
        "POSTGRES_PASSWORD",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
        "SENTRY_ENVIRONMENT",
        "ACQUIRE_WITHOUT",
    ]
    ours = [*SETTINGS, *(f"{name}_FILE" for name in SETTINGS)]
    assert list(doubtful_names(dict.fromkeys([*ordinary, *others, *ours], "1"))) == []


def test_setting_and_file_at_once_are_told():
    assert names_set_twice({"EMAIL_URL": "smtp://a", "EMAIL_URL_FILE": "/b", "SECRET_KEY_FILE": "/c"}) == [
        "EMAIL_URL"
    ]
    assert names_set_twice({"EMAIL_URL": " ", "EMAIL_URL_FILE": "/b"}) == []


# -- The table -------------------------------------------------------------------------------------


def settings_read():
    """The names that the settings modules read."""
    found = set()
    for path in (ROOT / "acquire_site" / "settings").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setting":
                found.add(ast.literal_eval(node.args[0]))
    return found


def test_every_setting_of_the_table_is_read_and_no_other():
    assert settings_read() == set(SETTINGS)
    assert len(SETTINGS) == sum(len(section.settings) for section in SECTIONS)


def test_what_holds_a_password_is_secret():
    words = ("KEY", "PASSWORD", "TOKEN", "DSN")
    kinds = {
        "database_url",
        "redis_url",
        "redis_urls",
        "mail_url",
        "push_key",
        "token",
        "secret_keys",
        "sentry_dsn",
    }
    # Numbers and switches hold no password: API_PER_MINUTE_WITH_TOKEN is a limit.
    texts = [setting for setting in SETTINGS.values() if setting.kind.parser not in {"int", "float", "bool"}]
    open_ones = [setting.name for setting in texts if not setting.secret]
    assert [name for name in open_ones if any(word in name.split("_") for word in words)] == []
    assert [name for name in open_ones if SETTINGS[name].kind.parser in kinds] == []


def test_page_of_settings_is_up_to_date():
    """After a change of the table: make settings-page."""
    from tests.tools import settings_page

    assert settings_page.PAGE.read_text() == settings_page.page()


def test_page_names_every_setting_and_its_default():
    text = (ROOT / "docs" / "settings.md").read_text()
    rows = {
        name: next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))
        for name in SETTINGS
    }
    assert [name for name, row in rows.items() if "**needed**" in row] == [
        name for name, setting in SETTINGS.items() if setting.needed
    ]
    assert rows["HSTS_SECONDS"].endswith("| `31536000` |")
