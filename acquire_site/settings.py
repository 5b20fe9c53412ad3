"""Settings of the site. Everything that differs between places comes from the environment.

With no environment at all this is a workbench: SQLite and mail in data/, plain http, this machine only.
DEBUG=0 is production and needs five more: SECRET_KEY, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS,
DATABASE_URL and REDIS_URL. Every other variable named below has a safe default.
"""

import contextlib
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def env(name: str, default: str = "") -> str:
    """The variable's text without blanks around it; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool) -> bool:
    text = env(name, str(default)).lower()
    if text not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ImproperlyConfigured(f"{name} is yes or no (1 or 0), not {text!r}.")
    return text in {"1", "true", "yes", "on"}


def env_in_production(name: str) -> str:
    """The variable's text; DEBUG=0 without it is refused here, not met later as a puzzle."""
    if not WORKBENCH and not env(name):
        raise ImproperlyConfigured(f"With DEBUG=0 the variable {name} must be set.")
    return env(name)


def words(text: str) -> list[str]:
    """The parts of a list written with commas or blanks."""
    return text.replace(",", " ").split()


def workbench_secret(path: Path) -> str:
    """The key kept in `path`, made there once even when several processes start together."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


# -- Place -----------------------------------------------------------------------------------------

WORKBENCH = env_bool("DEBUG", True)
# Django's own pages about errors show every variable, and so the players' tiles: only on request.
DEBUG = WORKBENCH and bool(env("DEBUG"))
DATA_DIR = Path(env("DATA_DIR", str(BASE_DIR / "data")))
if WORKBENCH:
    DATA_DIR.mkdir(parents=True, exist_ok=True)

SECRET_KEY = env_in_production("SECRET_KEY") or workbench_secret(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = words(env("SECRET_KEY_FALLBACKS"))
ALLOWED_HOSTS = words(env_in_production("ALLOWED_HOSTS")) or ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = words(env_in_production("CSRF_TRUSTED_ORIGINS"))

ROOT_URLCONF = "acquire_site.urls"
ASGI_APPLICATION = "acquire_site.asgi.application"

INSTALLED_APPS = [
    "acquire_site",
    "accounts",
    "games",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_htmx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "acquire_site.middleware.read_forms_as_utf8",
    "acquire_site.middleware.refuse_nul_bytes",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "acquire_site.middleware.explain_wrong_methods",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.remember_last_seen",
    "accounts.middleware.use_time_zone",
    "accounts.middleware.GuestsRegisterFirst",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.site",
                "games.context.waiting",
            ],
        },
    }
]

# -- Database, sessions, cache ---------------------------------------------------------------------


def database(url: str) -> dict[str, Any]:
    """Django's settings for a database URL; options in the URL win over ours."""
    settings: dict[str, Any] = dict(dj_database_url.parse(url, conn_health_checks=True))
    options: dict[str, Any] = {}
    if settings["ENGINE"].endswith("sqlite3"):
        # SQLite knows no row locks: a writing transaction takes the lock of the file when it begins.
        # A power cut may cost a workbench its last seconds; production waits for the disk.
        synchronous = "NORMAL" if WORKBENCH else "FULL"
        options = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={synchronous}",
        }
        # Threads see one test database only when it is a file; the process id keeps runs apart.
        settings["TEST"] = {"NAME": str(DATA_DIR / f"test-{os.getpid()}.sqlite3")}
    elif "postgresql" in settings["ENGINE"]:
        # A frozen process must not hold a game's row. DB_LIMITS=0 is for long migrations.
        if env_bool("DB_LIMITS", True):
            limits = {
                "lock_timeout": "3s",
                "statement_timeout": "10s",
                "idle_in_transaction_session_timeout": "15s",
            }
            options["options"] = " ".join(f"-c {name}={value}" for name, value in limits.items())
        # For web processes only: Celery's prefork children cannot share a pool.
        if pool_size := int(env("DB_POOL", "0")):
            options["pool"] = {"min_size": 1, "max_size": pool_size, "timeout": 10}
    settings["OPTIONS"] = {**options, **settings.get("OPTIONS", {})}
    return settings


DATABASES = {
    "default": database(env_in_production("DATABASE_URL") or f"sqlite:///{DATA_DIR / 'acquire.sqlite3'}")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Nothing of value lives in Redis: sessions, rate limits and the cache are in the database.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "site_cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.db"
# Renewed on every day of use (accounts.middleware); longer than a guest is kept.
SESSION_COOKIE_AGE = 60 * 24 * 3600

# -- Redis: hints only -----------------------------------------------------------------------------

REDIS_URL = env_in_production("REDIS_URL")

# A stopped or hung Redis may cost a page one second, never more.
REDIS_PATIENCE = 1.0

CHANNEL_LAYERS: dict[str, dict[str, Any]] = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
if REDIS_URL:
    CHANNEL_LAYERS["default"] = {
        "BACKEND": env("CHANNEL_LAYER", "channels_redis.pubsub.RedisPubSubChannelLayer"),
        "CONFIG": {
            "hosts": [
                {
                    "address": REDIS_URL,
                    "socket_timeout": REDIS_PATIENCE,
                    "socket_connect_timeout": REDIS_PATIENCE,
                }
            ],
            "prefix": "acquire-live",
        },
    }

CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = REDIS_PATIENCE
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": "acquire:",
    "visibility_timeout": 300,  # longer than any task; nothing is ever sent with an ETA beyond it
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_timeout": REDIS_PATIENCE,
    "socket_connect_timeout": REDIS_PATIENCE,
    "socket_keepalive": True,
    "health_check_interval": 25,
    "max_retries": 0,
}
# The sweeper finds what a lost task should have done, so a publisher never waits or tries again.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT = True
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_TIME_LIMIT = 60
# Computers' moves have workers of their own, so that nothing else waits while they think. A search
# that does not heed its cap is broken off after so many seconds; one that does not heed that either
# is ended with its process, and the task comes back as from a process that died.
BOT_TIME_LIMIT = float(env("BOT_TIME_LIMIT", "10"))
CELERY_TASK_ROUTES = {f"games.tasks.{name}": {"queue": "bots"} for name in ("play_computer", "advise")}
_bot_limits = {"soft_time_limit": BOT_TIME_LIMIT, "time_limit": 1.5 * BOT_TIME_LIMIT}
CELERY_TASK_ANNOTATIONS = {
    "games.tasks.play_computer": {**_bot_limits, "acks_on_timeout": False},
    "games.tasks.advise": _bot_limits,
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# How long computer opponents seem to think: 1 is the natural pace, 0 is at once. Below 1 the time
# of an answer may tell how long a search took.
BOT_PACE = float(env("BOT_PACE", "1.0"))

# -- Accounts --------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

EMAIL_URL = env("EMAIL_URL")

# Without a way to send mail nobody could confirm an address, so it is asked for only with one.
EMAIL_MUST_BE_CONFIRMED = env_bool("EMAIL_MUST_BE_CONFIRMED", bool(EMAIL_URL) and not WORKBENCH)

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if WORKBENCH else "https"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_MUST_BE_CONFIRMED else "optional"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
# Only in the browser that signed up, and only once.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGOUT_REDIRECT_URL = LOGOUT_REDIRECT_URL
# Nobody learns from a form whether an address belongs to an account.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_RATE_LIMITS = {
    "guest": f"{env('GUESTS_PER_HOUR', '5')}/h/ip",
    "rename": "5/d/user",
    "export": "10/h/user",
    # What a computer opponent would do here: as often as somebody plays fast, and no more.
    "advice": "30/m/user,300/h/user",
    # A message only to see whether it arrives; a browser or a webhook, whose name is looked up.
    "try-notices": "10/h/user",
    "add-endpoint": "30/h/user",
}
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_SIGNUP_FIELDS = [
    "username*",
    "email*" if EMAIL_MUST_BE_CONFIRMED else "email",
    "password1*",
    "password2*",
]
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_USERNAME_VALIDATORS = "accounts.validators.username_validators"
MFA_FORMS = {"add_webauthn": "accounts.forms.AddKeyForm"}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Acquire"
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute wrong
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = WORKBENCH

# Where people reach whoever runs the site; shown on the page about contact.
CONTACT_EMAIL = env("CONTACT_EMAIL")

# -- Mail ------------------------------------------------------------------------------------------

DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", "Acquire <acquire@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
EMAIL_TIMEOUT = 10
if EMAIL_URL:
    # smtp://name:password@host:587?tls=1 (STARTTLS) or smtps://name:password@host:465
    _mail = urlsplit(EMAIL_URL)
    if _mail.scheme not in {"smtp", "smtps"} or not _mail.hostname:
        raise ImproperlyConfigured("EMAIL_URL looks like smtp://name:password@host:587?tls=1.")
    EMAIL_HOST = _mail.hostname
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = parse_qs(_mail.query).get("tls", ["0"])[0] == "1"
    EMAIL_PORT = _mail.port or (465 if EMAIL_USE_SSL else 587 if EMAIL_USE_TLS else 25)
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
# A page that causes mail to a real server does not wait for it.
MAIL_BEHIND_THE_PAGE = bool(EMAIL_URL)
# Where mail lands that is not sent, for the pages that would else say "look into your mailbox".
MAIL_FOLDER = ""
if WORKBENCH and not EMAIL_URL:
    MAIL_FOLDER = str(
        EMAIL_FILE_PATH.relative_to(BASE_DIR) if EMAIL_FILE_PATH.is_relative_to(BASE_DIR) else EMAIL_FILE_PATH
    )

# -- Notifications -----------------------------------------------------------------------------------

# Where the site is found, for links in mails: `manage.py play` tells its port.
SITE_URL = env("SITE_URL").rstrip("/")
if not SITE_URL:
    _origins = [origin for origin in CSRF_TRUSTED_ORIGINS if "*" not in origin]
    _hosts = [f"https://{host.lstrip('.')}" for host in ALLOWED_HOSTS]
    SITE_URL = "http://localhost:8000" if WORKBENCH else (_origins or _hosts)[0]

# Who reports mail that came back signs with this key; without one nobody can report.
MAIL_BOUNCE_KEY = env("MAIL_BOUNCE_KEY")

# `manage.py vapid_key` makes one. Without it there is no web push. The subject is where a push service
# that has a complaint writes to: mailto:… or https://…, else the sender of the mails.
VAPID_PRIVATE_KEY = env("VAPID_PRIVATE_KEY")
VAPID_SUBJECT = env("VAPID_SUBJECT")

# -- What a browser may do and a request may hold ----------------------------------------------------

# Old Safari does not count a WebSocket to the same host as 'self'.
_websockets = [
    f"wss://{host.replace('.', '*.', 1) if host.startswith('.') else host}" for host in ALLOWED_HOSTS
]
if WORKBENCH:
    _websockets = [f"ws://{host}:*" for host in ALLOWED_HOSTS if host[0] not in ".["]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "connect-src": ["'self'", *_websockets],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
# The site takes no files, so one that is sent is dropped as it comes.
FILE_UPLOAD_HANDLERS: list[str] = []

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
if not WORKBENCH:
    SECURE_SSL_REDIRECT = env_bool("SSL_REDIRECT", True)
    SECURE_HSTS_SECONDS = int(env("HSTS_SECONDS", str(365 * 24 * 3600)))
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env_bool("HSTS_SUBDOMAINS", True)
    SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# -- Static files ------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = WORKBENCH
WHITENOISE_AUTOREFRESH = WORKBENCH
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if WORKBENCH
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# -- Language and time -------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = env("TIME_ZONE", "UTC")
USE_TZ = True

# -- Logging -----------------------------------------------------------------------------------------

# To stderr, and no more of a request than its address: bodies and variables hold players' tiles.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "news": {"()": "django.utils.log.CallbackFilter", "callback": "ext://acquire_site.logs.is_news"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["news"]},
    },
    "root": {"handlers": ["stderr"], "level": env("LOG_LEVEL", "INFO")},
    "loggers": {"django": {"handlers": [], "level": "INFO", "propagate": True}},
}
