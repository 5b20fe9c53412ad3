"""The sign of life of a web process."""

import signal
import threading
from typing import Any

from django.conf import settings

from games.models import ProcessSign
from games.processes.process_signs import SigningThread, SignOfLife

# What the database may take to remove the sign; requests that are still answered take longer.
_END_SECONDS = 1.0


def show() -> None:
    """Show from now on that this process lives; a server that is asked to end removes the sign first.

    Uvicorn ends by the signal that it was sent, so nothing runs after it.
    """
    if not settings.SIGN_OF_LIFE_SECONDS or threading.current_thread() is not threading.main_thread():
        return
    thread = SigningThread(SignOfLife(ProcessSign.Kind.WEB))
    thread.start()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def end(received: int, frame: Any, before: Any = before) -> None:
            thread.end()
            if callable(before):
                before(received, frame)
            else:
                thread.join(_END_SECONDS)
                signal.signal(received, signal.SIG_DFL)
                signal.raise_signal(received)

        signal.signal(number, end)
