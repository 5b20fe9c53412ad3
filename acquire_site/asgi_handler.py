"""How the web server hands a request on: whole to one thread, and no more at once than can be worked on.

This overrides methods of Django's handler and takes threads from asgiref, neither of which is documented. The
measured gain, and what to do at a new version of them, is in docs/decisions/asgi_handler.md.
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

CHECKED_DJANGO = {(5, 2)}
CHECKED_ASGIREF = {"3.13"}

if django.VERSION[:2] not in CHECKED_DJANGO or asgiref.__version__.rpartition(".")[0] not in CHECKED_ASGIREF:
    raise ImproperlyConfigured(
        f"{__name__} uses internals of Django and asgiref that nobody has checked in Django "
        f"{django.get_version()} with asgiref {asgiref.__version__}: see docs/decisions/asgi_handler.md."
    )

# Seconds that a request waits for its turn; then it is told to come back.
QUEUE_TIMEOUT = 4.0


class Handler(ASGIHandler):
    """Django's handler for a site whose views all block.

    Django's own begins with every request at once: of hundreds none gets on, and all of them wait for the few
    connections to the database. And for each view, and each middleware with a word on views, it goes from the
    thread to its loop and back.
    """

    def __init__(self) -> None:
        super().__init__()
        self._places = asyncio.Semaphore(settings.MAX_CONCURRENT_REQUESTS)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: Any) -> Any:
        """The answer; that of `refuse_when_full` when it was not the request's turn in time."""
        answer = sync_to_async(self._answer)
        if health_probes.asked_by(request):
            # Behind the pages it would learn too late how a busy site does.
            return await answer(request)
        try:
            async with asyncio.timeout(QUEUE_TIMEOUT):
                await self._places.acquire()
        except TimeoutError:
            request.came_too_late = True
            return await answer(request)
        work = asyncio.create_task(answer(request))
        work.add_done_callback(lambda _work: self._places.release())
        try:
            # Of who hangs up the thread knows nothing: the place is taken until it has done its work.
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
            # It waits for no reader, who may be slow.
            close_old_connections()
        return response


def _close(work: asyncio.Task[Any]) -> None:
    """Give back what an answer holds that nobody will read, if there is one."""
    if not work.cancelled() and work.exception() is None:
        work.result().close()


def _is_long_response(response: Any) -> bool:
    """Whether the answer takes long, and is made without the thread of its request."""
    return getattr(response, "lasts", False)


def _release_thread() -> None:
    """End the thread that worked for this request, which would else wait for the end of the answer."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = SyncToAsync.context_to_thread_executor.pop(context, None) if context else None
    if executor is not None:
        executor.shutdown(wait=False)
