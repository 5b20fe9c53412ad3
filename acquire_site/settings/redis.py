"""Settings of Redis, which holds hints only, and of Celery."""

from typing import Any

from acquire_site.settings.environment import setting
from games.realtime import redis_addresses

REDIS_URL = setting("REDIS_URL")

# A large site gives each kind of hint a Redis of its own; ticks may be spread over several.
CHANNEL_URLS = setting("CHANNEL_URLS") or ([REDIS_URL] if REDIS_URL else [])
BROKER_URL = setting("BROKER_URL") or REDIS_URL

# A stopped or hung Redis may cost a page one second, never more.
REDIS_TIMEOUT = 1.0

_IN_PROCESS = "channels.layers.InMemoryChannelLayer"
CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": _IN_PROCESS},
    # The pages of a process; see games.realtime.tick_relay. They may stay open for weeks.
    "pages": {"BACKEND": _IN_PROCESS, "CONFIG": {"group_expiry": 10**9}},
}
if CHANNEL_URLS:
    CHANNEL_LAYERS["default"] = {
        "BACKEND": setting("CHANNEL_LAYER"),
        "CONFIG": {
            "hosts": [redis_addresses.channel_host(url, REDIS_TIMEOUT) for url in CHANNEL_URLS],
            "prefix": "acquire-live",
        },
    }

CELERY_BROKER_URL, _broker_options = redis_addresses.celery_broker(BROKER_URL or "memory://", REDIS_TIMEOUT)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = REDIS_TIMEOUT
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": "acquire:",
    "visibility_timeout": 300,  # longer than any task; no message has a later ETA
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "socket_timeout": REDIS_TIMEOUT,
    "socket_connect_timeout": REDIS_TIMEOUT,
    "socket_keepalive": True,
    "health_check_interval": 25,
    "max_retries": 0,
    **_broker_options,
}
# Publishing must never wait or retry: the sweeper finds work whose task was lost.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_ACKS_ON_FAILURE_OR_TIMEOUT = True
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_TIME_LIMIT = 60
# Bots' moves have workers of their own, so that nothing else waits for a search. A search that exceeds its
# own cap is interrupted after this many seconds; if that fails, its process is killed, and the task is
# delivered again.
BOT_TIME_LIMIT = setting("BOT_TIME_LIMIT")
_BY_COMPUTERS = ("play_computer", "advise", "assess", "find_puzzles", "search_mistakes")
CELERY_TASK_ROUTES = {f"games.tasks.{name}": {"queue": "bots"} for name in _BY_COMPUTERS}
_bot_limits = {"soft_time_limit": BOT_TIME_LIMIT, "time_limit": 1.5 * BOT_TIME_LIMIT}
CELERY_TASK_ANNOTATIONS = {
    "games.tasks.play_computer": {**_bot_limits, "acks_on_timeout": False},
    "games.tasks.advise": _bot_limits,
    "games.tasks.assess": _bot_limits,
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 1000
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# Scale of the bots' artificial thinking time: 1 is natural, 0 none. Below 1 the response time may reveal how
# long a search took.
BOT_DELAY_FACTOR = setting("BOT_DELAY_FACTOR")
