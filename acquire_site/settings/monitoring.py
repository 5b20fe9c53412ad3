"""Settings of logging, metrics and error reports."""

from acquire_site.settings.environment import setting

# To stderr, with only the address of a request: bodies and variables hold players' tiles.
LOG_FORMAT = setting("LOG_FORMAT")
# A line for every request, with the pattern of its address.
ACCESS_LOG = setting("ACCESS_LOG")
LOG_LEVEL = setting("LOG_LEVEL")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "acquire_site.log_format.Lines",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "acquire_site.log_format.JsonLines"},
    },
    "filters": {
        "noteworthy": {
            "()": "django.utils.log.CallbackFilter",
            "callback": "ext://acquire_site.log_format.is_noteworthy",
        },
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["noteworthy"]},
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # Replace uvicorn's request lines, which show whole addresses, some of them secret; ours show
        # patterns.
        "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
        "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
    },
}

# Filter of Django's own error reports, for example by mail.
DEFAULT_EXCEPTION_REPORTER_FILTER = "acquire_site.exception_filter.SafeErrorReports"

# Bearer token for /metrics; without one there are no metrics.
METRICS_TOKEN = setting("METRICS_TOKEN")

# Destinations of error reports and traces; both need requirements/monitoring.txt. See acquire_site.telemetry.
SENTRY_DSN = setting("SENTRY_DSN")
OTEL_ENDPOINT = setting("OTEL_EXPORTER_OTLP_ENDPOINT")

# A folder on the disk of PostgreSQL, if that runs on this machine. PostgreSQL does not tell the site its own.
POSTGRES_DIR = setting("POSTGRES_DIR") or "/var/lib/postgresql"

# The interval at which each process shows in the database that it lives; 0 for never.
SIGN_OF_LIFE_SECONDS = 15.0
