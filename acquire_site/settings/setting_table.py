"""The table of all settings, from which they are read and docs/settings.md is made.

A variable that is not here is no setting. After a change: `make settings-page`.
"""

from dataclasses import dataclass
from typing import Any

from acquire_site.settings import setting_kinds as kinds
from acquire_site.settings.setting_kinds import Kind


@dataclass(frozen=True)
class Setting:
    """A variable of the environment.

    `default` holds unless `in_development` does, which is for sites without DEBUG=0. What depends on other
    settings has no default here, but words for it in `otherwise`.
    """

    name: str
    kind: Kind
    meaning: str
    default: Any = None
    in_development: Any = None
    otherwise: str = ""
    example: str = ""
    secret: bool = False
    needed: bool = False

    @property
    def shown_example(self) -> str:
        """The example of the setting or of its kind, or its default; empty for what nobody should copy."""
        example = self.example or self.kind.example
        if example or self.default in (None, "", ()):
            return example
        return str(int(self.default)) if isinstance(self.default, bool) else str(self.default)


@dataclass(frozen=True)
class Section:
    """Settings of one subject."""

    title: str
    settings: tuple[Setting, ...]


_NO_MAIL = "off; emails are files in `DATA_DIR/mail`"

SECTIONS = (
    Section(
        "The site",
        (
            Setting(
                "DEBUG",
                kinds.SWITCH,
                "0 is for a site that others can reach. 1 shows Django's error pages, which contain hidden"
                " tiles.",
                otherwise="not set: a site to try or work on",
                example="0",
            ),
            Setting(
                "SECRET_KEY",
                kinds.SECRET_KEY,
                "Signs sessions and links in emails; 50 random characters. [key_rotation.md](key_rotation.md)"
                " says how to change it.",
                default="",
                otherwise="made in `DATA_DIR`",
                secret=True,
                needed=True,
            ),
            Setting(
                "SECRET_KEY_FALLBACKS",
                kinds.SECRET_KEYS,
                "Former keys that are still accepted.",
                default=(),
                secret=True,
            ),
            Setting(
                "ALLOWED_HOSTS",
                kinds.HOSTS,
                "Names under which the site answers.",
                in_development=("localhost", "127.0.0.1", "[::1]"),
                needed=True,
            ),
            Setting(
                "CSRF_TRUSTED_ORIGINS",
                kinds.ORIGINS,
                "Addresses under which browsers see the site.",
                in_development=(),
                needed=True,
            ),
            Setting(
                "SITE_URL",
                kinds.SITE_URL,
                "The address in emails.",
                default="",
                otherwise="the first of `CSRF_TRUSTED_ORIGINS`",
            ),
            Setting("ADMIN_PATH", kinds.URL_PATH, "Where the admin is.", default="admin"),
            Setting("CONTACT_EMAIL", kinds.ADDRESS, "Your address, on the contact page.", default=""),
            Setting("TIME_ZONE", kinds.TIME_ZONE, "Of people who have not set theirs.", default="UTC"),
            Setting(
                "HEARTBEAT_DIR",
                kinds.FOLDER,
                "Where workers and sweeper show that they go round; local to a machine.",
                otherwise="`DATA_DIR/heartbeats`",
            ),
            Setting(
                "DATA_DIR",
                kinds.FOLDER,
                "For backups, and for emails that are not sent.",
                otherwise="`data`",
            ),
            Setting(
                "STATIC_ROOT",
                kinds.FOLDER,
                "Where `manage.py collectstatic` puts style sheets, scripts and pictures.",
                otherwise="`staticfiles`",
            ),
        ),
    ),
    Section(
        "Database and Redis",
        (
            Setting(
                "DATABASE_URL",
                kinds.DATABASE_URL,
                "The database. Options after `?` go to the driver.",
                default="",
                otherwise="SQLite in `DATA_DIR`",
                example="postgres://acquire:password@db.example/acquire",
                secret=True,
                needed=True,
            ),
            Setting(
                "DATABASE_PASSWORD",
                kinds.TEXT,
                "The password, if `DATABASE_URL` has none.",
                default="",
                secret=True,
            ),
            Setting(
                "ALLOW_SQLITE", kinds.SWITCH, "1 for a small site on SQLite with `DEBUG=0`.", default=False
            ),
            Setting(
                "DB_POOL",
                kinds.count(most=1000),
                "Connections that a web process keeps; 0 for one for each request. `manage.py serve` takes"
                " 8.",
                default=0,
            ),
            Setting(
                "DB_LIMITS",
                kinds.SWITCH,
                "Whether slow queries and long locks end; 0 is for a long migration.",
                default=True,
            ),
            Setting(
                "PGBOUNCER",
                kinds.SWITCH,
                "1 if `DATABASE_URL` leads to PgBouncer in transaction mode.",
                default=False,
            ),
            Setting(
                "PREPARED_STATEMENTS",
                kinds.SWITCH,
                "Whether PostgreSQL plans a query once for each connection. `PGBOUNCER=1` turns it off; other"
                " poolers in transaction mode need 0.",
                default=True,
            ),
            Setting(
                "REDIS_URL",
                kinds.REDIS_URL,
                "Tasks for workers and ticks for open pages.",
                default="",
                otherwise="none: within the process",
                secret=True,
                needed=True,
            ),
            Setting(
                "BROKER_URL",
                kinds.REDIS_URL,
                "A Redis of its own for tasks.",
                default="",
                otherwise="`REDIS_URL`",
                secret=True,
            ),
            Setting(
                "CHANNEL_URLS",
                kinds.REDIS_URLS,
                "Redis servers of their own for ticks.",
                default=(),
                otherwise="`REDIS_URL`",
                secret=True,
            ),
            Setting(
                "CHANNEL_LAYER",
                kinds.choice(
                    "channels_redis.pubsub.RedisPubSubChannelLayer", "channels_redis.core.RedisChannelLayer"
                ),
                "How ticks go through Redis. The second loses ticks when Redis restarts.",
                default="channels_redis.pubsub.RedisPubSubChannelLayer",
            ),
            Setting(
                "CACHE_URL",
                kinds.REDIS_URL,
                "A Redis for rate limits and the like, which the site then needs like its database.",
                default="",
                otherwise="the database",
                secret=True,
            ),
        ),
    ),
    Section(
        "Backups",
        (
            Setting(
                "BACKUP_COMMAND",
                kinds.TEXT,
                "What the shell runs after each backup; see"
                " [operating.md](operating.md#backups-on-another-machine).",
                default="",
                otherwise="nothing",
                example="sh deploy/offsite-backup",
            ),
            Setting(
                "BACKUP_ALARM_HOURS",
                kinds.count(),
                "Hours without a good backup after which `doctor` complains; 0 for never.",
                default=26,
                in_development=0,
            ),
            Setting(
                "POSTGRES_DIR",
                kinds.FOLDER,
                "A folder on PostgreSQL's disk, if PostgreSQL runs on this machine; `doctor` reports when"
                " that disk is nearly full.",
                otherwise="`/var/lib/postgresql`",
            ),
        ),
    ),
    Section(
        "Email and notifications",
        (
            Setting(
                "EMAIL_URL", kinds.MAIL_URL, "The mail server.", default="", otherwise=_NO_MAIL, secret=True
            ),
            Setting(
                "DEFAULT_FROM_EMAIL",
                kinds.SENDER,
                "The sender of emails.",
                default="Acquire <acquire@localhost>",
            ),
            Setting(
                "EMAIL_MUST_BE_CONFIRMED",
                kinds.SWITCH,
                "Whether members have to confirm their address.",
                otherwise="1 with `EMAIL_URL` and `DEBUG=0`",
            ),
            Setting(
                "MAIL_BOUNCE_KEY",
                kinds.TOKEN,
                "Signs reports of bounces; see [notifications.md](notifications.md).",
                default="",
                secret=True,
            ),
            Setting(
                "VAPID_PRIVATE_KEY",
                kinds.PUSH_KEY,
                "Turns web push on. `manage.py vapid_key` makes one.",
                default="",
                secret=True,
            ),
            Setting(
                "VAPID_SUBJECT",
                kinds.CONTACT_URL,
                "Where push services complain.",
                default="",
                otherwise="the sender of emails",
            ),
        ),
    ),
    Section(
        "Security",
        (
            Setting(
                "TRUSTED_PROXIES",
                kinds.count(most=10),
                "How many proxies of yours are before the site; see [operating.md](operating.md#growing).",
                default=0,
            ),
            Setting("SSL_REDIRECT", kinds.SWITCH, "Whether http leads to https.", default=True),
            Setting(
                "HSTS_SECONDS",
                kinds.count(),
                "How long browsers insist on https. Use 3600 in the first week.",
                default=365 * 24 * 3600,
            ),
            Setting(
                "HSTS_SUBDOMAINS",
                kinds.SWITCH,
                "1 makes browsers insist on https for all subdomains of the host, too.",
                default=False,
            ),
            Setting(
                "HSTS_PRELOAD",
                kinds.SWITCH,
                "1 permits browsers to ship the host in their lists of https-only hosts. It takes months to"
                " get out of them.",
                default=False,
            ),
            Setting(
                "STAFF_TOTP",
                kinds.SWITCH,
                "Whether the admin wants a second factor; see [moderation.md](moderation.md).",
                default=True,
                in_development=False,
            ),
        ),
    ),
    Section(
        "Games",
        (
            Setting(
                "ACQUISITION_PERMISSION",
                kinds.TEXT,
                "Who permits Acquisition here, and when; see [operating.md](operating.md#acquisition).",
                default="",
                otherwise="off",
            ),
            Setting(
                "BOT_TIME_LIMIT",
                kinds.number(1, 180),
                "Seconds after which the search of a bot is interrupted.",
                default=10.0,
            ),
            Setting(
                "BOT_DELAY_FACTOR",
                kinds.number(0, 100),
                "Scale of the time that bots pretend to think. Below 1 the time of an answer may tell what a"
                " bot holds.",
                default=1.0,
            ),
            Setting(
                "ANSWER_DELAY_SECONDS",
                kinds.number(0, 30),
                "Seconds that standing orders and planned turns wait on average before they answer; see"
                " [clocks.md](clocks.md#orders-and-plans). Below 2 the time of a move may tell that it was"
                " planned.",
                default=4.0,
            ),
            Setting(
                "PUZZLE_DAYS_AHEAD",
                kinds.count(most=366),
                "Days, with today, for which workers find a puzzle ahead; 0 for none.",
                default=8,
            ),
        ),
    ),
    Section(
        "Limits",
        (
            Setting("GUESTS_PER_HOUR", kinds.count(), "New guests from one address.", default=5),
            Setting(
                "MOVES_PER_MINUTE",
                kinds.count(1),
                "Moves that one person makes by hand, with votes and takebacks.",
                default=30,
            ),
            Setting(
                "SOCKETS_PER_USER",
                kinds.count(),
                "Live pages of one member; further ones poll. Without Redis each web process counts for"
                " itself, here and in the next three.",
                default=5,
            ),
            Setting(
                "SOCKETS_PER_ADDRESS", kinds.count(), "Live pages of strangers at one address.", default=20
            ),
            Setting(
                "API_PER_MINUTE",
                kinds.count(),
                "Requests to the reading API from one address; see [api.md](api.md).",
                default=120,
            ),
            Setting("API_PER_MINUTE_WITH_TOKEN", kinds.count(), "The same with a token.", default=600),
            Setting(
                "PROGRAM_ASKS_PER_MINUTE",
                kinds.count(),
                "Requests of a bot account; see [bot_accounts.md](bot_accounts.md).",
                default=120,
            ),
        ),
    ),
    Section(
        "Log and monitoring",
        (
            Setting(
                "LOG_LEVEL",
                kinds.LOG_LEVEL,
                "The least important lines that are logged. DEBUG logs hidden tiles.",
                default="INFO",
            ),
            Setting(
                "LOG_FORMAT",
                kinds.choice("json", "line"),
                "`line` is for people.",
                default="json",
                in_development="line",
            ),
            Setting(
                "ACCESS_LOG",
                kinds.SWITCH,
                "Whether every request is logged, with the pattern of its address. Probes only if they fail.",
                default=True,
                in_development=False,
            ),
            Setting(
                "METRICS_TOKEN",
                kinds.TOKEN,
                "Turns `/metrics` on, for those who send this token.",
                default="",
                secret=True,
            ),
            Setting("SENTRY_DSN", kinds.SENTRY_DSN, "Where errors are reported.", default="", secret=True),
            Setting(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                kinds.WEB_URL,
                "Where traces are sent.",
                default="",
                secret=True,
            ),
        ),
    ),
)

SETTINGS: dict[str, Setting] = {setting.name: setting for section in SECTIONS for setting in section.settings}

# Names of earlier releases, and what they are called now.
FORMER_NAMES = {"PUZZLE_STOCK": "PUZZLE_DAYS_AHEAD", "BOT_PACE": "BOT_DELAY_FACTOR"}

# Variables that begin like the name of the project and are read elsewhere: by tests, and by our scripts.
OTHER_NAMES = {"ACQUIRE_REQUIRE", "ACQUIRE_WITHOUT", "ACQUIRE_TEST_NOTES", "ACQUIRE_TEST_RESULTS"}
