"""Messages to systemd, in the protocol of sd_notify; nothing without systemd."""

import contextlib
import os
import socket
import time

# systemd waits a minute; see WatchdogSec of deploy/acquire.service.
_RUNS_SECONDS = 5.0

_next = 0.0


def tell(message: str) -> None:
    """Send a message, such as READY=1, to the service manager that started this process."""
    if not (address := os.environ.get("NOTIFY_SOCKET", "")):
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    # A service manager that does not listen must neither end the site nor hold it up.
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.setblocking(False)
        sender.sendto(message.encode(), address)


def tell_that_it_runs() -> None:
    """Tell the service manager now and then that this process does not hang."""
    global _next
    if (now := time.monotonic()) >= _next:
        _next = now + _RUNS_SECONDS
        tell("WATCHDOG=1")
