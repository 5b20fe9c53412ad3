"""Requests of htmx, for the test client."""

from typing import Any, Final

# Extra keywords of `client.get` and `client.post`.
HTMX: Final[dict[str, Any]] = {"HTTP_HX_REQUEST": "true"}
