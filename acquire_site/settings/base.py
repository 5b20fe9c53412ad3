"""Paths, apps, language and other basic settings."""

import contextlib
import os
import secrets
from pathlib import Path

from acquire_site.settings.environment import DEVELOPMENT, setting

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def workbench_secret(path: Path) -> str:
    """Return the secret key stored in `path`; create it once, even if processes start together."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


# Django's error pages show all variables, so also the players' tiles: only on request.
DEBUG = setting("DEBUG") is True
DATA_DIR = setting("DATA_DIR") or BASE_DIR / "data"
if DEVELOPMENT:
    # It holds password hashes and every hand.
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
# Where workers and sweeper show that they go round; local to a machine or container.
HEARTBEAT_DIR = setting("HEARTBEAT_DIR") or DATA_DIR / "heartbeats"

SECRET_KEY = setting("SECRET_KEY") or workbench_secret(DATA_DIR / "secret_key")
SECRET_KEY_FALLBACKS = setting("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = setting("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = setting("CSRF_TRUSTED_ORIGINS")

# The path of the admin; an unusual one attracts fewer attacks.
ADMIN_PATH = setting("ADMIN_PATH")

ROOT_URLCONF = "acquire_site.urls"
ASGI_APPLICATION = "acquire_site.asgi.application"

INSTALLED_APPS = [
    "acquire_site",
    "accounts",
    "games",
    "acquire_site.admin_config.GuardedAdminConfig",
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
    "acquire_site.request_log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "acquire_site.health_probes.answer_probes",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "acquire_site.request_middleware.set_permissions_policy",
    "acquire_site.request_middleware.pad_pages",
    "acquire_site.request_middleware.refuse_when_full",
    "acquire_site.request_middleware.read_forms_as_utf8",
    "acquire_site.request_middleware.refuse_nul_bytes",
    "accounts.web.api_access.bearer_auth.ignore_cookies",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "acquire_site.request_middleware.render_405",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.web.membership.member_middleware.remember_last_seen",
    "accounts.web.membership.member_middleware.use_time_zone",
    "accounts.web.membership.kept_forms.keep_forms",
    "accounts.web.membership.member_middleware.BlockSuspendedUsers",
    "accounts.web.membership.member_middleware.RequireRegistration",
    "accounts.web.operator.switch_middleware.ReadOnlyMiddleware",
    "games.web.notifications.addressee.lead_addressee",
    "games.web.play.game_middleware.PausedGamePage",
    "acquire_site.request_middleware.RejectBadAdminFilters",
    "accounts.web.membership.staff_login.RequireStaffReauthentication",
    "games.web.play.game_middleware.PracticeTableAccess",
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
                "accounts.web.operator.site_context.site",
                "accounts.web.operator.switch_middleware.site_notices",
                "games.web.lobby.games_context.waiting",
                "games.web.lobby.games_context.credits",
            ],
        },
    },
    # The tables, which are drawn most often.
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "jinja2"],
        "APP_DIRS": False,
        "OPTIONS": {
            "environment": "acquire_site.jinja_environment.environment",
            "context_processors": [
                "django.contrib.auth.context_processors.auth",
                "acquire_site.jinja_environment.csrf_once",
            ],
        },
    },
]

# -- Language and time -----------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
# With a single language, translation is off: it costs a page about a hundred look-ups.
USE_I18N = len(LANGUAGES) > 1
TIME_ZONE = setting("TIME_ZONE")
USE_TZ = True

# -- Games -----------------------------------------------------------------------------------------

# The designer's permission to offer Acquisition, as "who gave it, when". Without it, Acquisition is off.
ACQUISITION_PERMISSION = setting("ACQUISITION_PERMISSION")

# Moves that one person may make by hand in a minute: only a program needs more.
MOVES_PER_MINUTE = setting("MOVES_PER_MINUTE")

# Mean wait of an order or a plan before it answers; see games.play.automation.answer_delay.
ANSWER_DELAY_SECONDS = setting("ANSWER_DELAY_SECONDS")

# Number of days, today included, for which puzzles are prepared; 0 for no puzzles.
PUZZLE_DAYS_AHEAD = setting("PUZZLE_DAYS_AHEAD")
