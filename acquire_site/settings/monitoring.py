"""What whoever runs the site gets to see: the log, and figures."""

from environs import validate

from acquire_site.settings.environment import DEVELOPMENT, env

# To stderr, and no more of a request than its address: bodies and variables hold players' tiles.
LOG_FORMAT = env.str(
    "LOG_FORMAT", "line" if DEVELOPMENT else "json", validate=validate.OneOf(["line", "json"])
)
# A line for every request, with the pattern of its address.
ACCESS_LOG = env.bool("ACCESS_LOG", not DEVELOPMENT)
LOG_LEVEL = env.str("LOG_LEVEL", "INFO")

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
        # The web server has set up lines of its own by then. Those for requests tell whole addresses, some of
        # which are secrets; ours tell their patterns.
        "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
        "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
    },
}

# What Django itself reports of an error, as by mail where somebody adds its handler.
DEFAULT_EXCEPTION_REPORTER_FILTER = "acquire_site.exception_filter.SafeErrorReports"

# Figures at /metrics for whoever sends this as a bearer token; without one there are none.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")

# Reports of faults and traces go there; both need requirements/monitoring.txt. See acquire_site.telemetry.
SENTRY_DSN = env.str("SENTRY_DSN", "")
OTEL_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", "")
