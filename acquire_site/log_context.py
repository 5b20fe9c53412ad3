"""Request, user and game that every log line written meanwhile names."""

from contextvars import ContextVar
from typing import Any

log_context: ContextVar[dict[str, Any] | None] = ContextVar("log_context", default=None)
