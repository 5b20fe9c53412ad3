"""`make stack`: the site as it runs in production, on this machine and until Ctrl-C.

PostgreSQL, Redis, two web processes behind a proxy, two workers and a sweeper; the proxy speaks http and says
https, which browsers let pass for localhost. Everything is gone afterwards.
"""

import secrets
import signal
import sys
import threading

from tests.safety.site_stack import Stack
from tests.tools import available_services

ADMIN = (
    "from accounts.models import User; import sys; "
    "User.objects.create_superuser('admin', password=sys.stdin.read())"
)


def main() -> int:
    """Run the stack; returns the exit code for the shell."""
    lacking = [name for name in ("postgres", "redis") if not available_services.find(name).path]
    if lacking:
        print(
            *(f"The stack needs {name}, but {available_services.find(name).reason}." for name in lacking),
            sep="\n",
        )
        return 1
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    with Stack() as stack:
        password = secrets.token_urlsafe(9)
        stack.manage("shell", "--no-imports", "-c", ADMIN, text=password)
        print(f"The administrator is admin, the password is {password}")
        for name, process in stack.processes.items():
            print(f"{name:8} {process.pid}")
        print(f"Acquire is open at {stack.url} (press Ctrl-C to stop).", flush=True)
        over.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
