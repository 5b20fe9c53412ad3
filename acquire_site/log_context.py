"""Context of log lines: request, user and game."""

from contextvars import ContextVar
from typing import Any

log_context: ContextVar[dict[str, Any] | None] = ContextVar("log_context", default=None)
