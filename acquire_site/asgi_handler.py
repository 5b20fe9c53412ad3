"""ASGI handler that runs each request in one thread and limits how many run at once.

It overrides undocumented methods of Django's handler and uses threads of asgiref. The measured gain, and the
steps for a new version of either, are in docs/decisions/asgi_handler.md.
"""

import asyncio
from typing import Any

import asgiref
import django
from asgiref.sync import SyncToAsync, sync_to_async
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest

from acquire_site import health_probes
from acquire_site.request_places import RequestPlaces
from games.processes import refused_requests

CHECKED_DJANGO = {(5, 2)}
CHECKED_ASGIREF = {"3.13"}

if django.VERSION[:2] not in CHECKED_DJANGO or asgiref.__version__.rpartition(".")[0] not in CHECKED_ASGIREF:
    raise ImproperlyConfigured(
        f"{__name__} uses internals of Django and asgiref that nobody has checked in Django "
        f"{django.get_version()} with asgiref {asgiref.__version__}: see docs/decisions/asgi_handler.md."
    )

# Seconds that a request waits for its turn before it is answered with 503: people would rather be told soon.
QUEUE_TIMEOUT = 0.8

# Moves and other forms are handled before pages: losing one costs a person more.
FORM_RANK, PAGE_RANK = 0, 1
_PAGE_METHODS = {"GET", "HEAD", "OPTIONS"}


class Handler(ASGIHandler):
    """Django's handler for a site whose views all block.

    Django's own starts every request at once: hundreds would compete for the few database connections, and
    none would finish. It also switches between thread and event loop for every view and every middleware with
    a `process_view` method.
    """

    def __init__(self) -> None:
        super().__init__()
        self._places = RequestPlaces(settings.MAX_CONCURRENT_REQUESTS)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: Any) -> Any:
        """Return the response, or that of `refuse_when_full` if the request's turn did not come in time."""
        answer = sync_to_async(self._answer)
        if health_probes.asked_by(request):
            # Probes must not queue behind pages, or a busy site would appear dead.
            return await answer(request)
        try:
            async with asyncio.timeout(QUEUE_TIMEOUT):
                await self._places.take(rank(request))
        except TimeoutError:
            request.came_too_late = True
            refused_requests.of_this_process.note()
            return await answer(request)
        work = asyncio.create_task(answer(request))
        work.add_done_callback(lambda _work: self._places.give_back())
        try:
            # The thread cannot notice a client that hangs up, and holds its place until it is done.
            response = await asyncio.shield(work)
        except asyncio.CancelledError:
            work.add_done_callback(_close)
            raise
        if _is_long_response(response):
            _release_thread()
        return response

    def _answer(self, request: HttpRequest) -> Any:
        response: Any = self.get_response(request)
        if not response.streaming or _is_long_response(response):
            # Free the connections now: the reader may be slow.
            close_old_connections()
        return response


def rank(request: HttpRequest) -> int:
    """The place of the request in the queue: lower ranks come first."""
    return PAGE_RANK if request.method in _PAGE_METHODS else FORM_RANK


def _close(work: asyncio.Task[Any]) -> None:
    """Close the response of an abandoned request, if there is one."""
    if not work.cancelled() and work.exception() is None:
        work.result().close()


def _is_long_response(response: Any) -> bool:
    """Return whether the response takes long and is made outside the thread of its request."""
    return getattr(response, "lasts", False)


def _release_thread() -> None:
    """Shut down the thread of this request, which would otherwise wait for the end of the response."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context else None
    if executor is not None:
        executor.shutdown(wait=False)
