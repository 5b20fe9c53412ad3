"""Redis for this machine alone: an installed server as a child process, or fakeredis.

Redis holds hints only, so nothing is kept on disk.
"""

import contextlib
import os
import random
import shutil
import socket
import threading
import time
from typing import Any

from acquire_site.supervisor import Program

PORTS_TO_LISTEN_ON = (15_000, 32_000)


def hidden(service: str) -> bool:
    """Return whether ACQUIRE_WITHOUT asks to pretend that this service is not installed."""
    return service in os.environ.get("ACQUIRE_WITHOUT", "").replace(",", " ").split()


def redis_program() -> str | None:
    """Return the path of an installed Redis or Valkey server, unless hidden."""
    if hidden("redis"):
        return None
    return shutil.which("redis-server") or shutil.which("valkey-server")


def redis_server(executable: str, port: int) -> Program:
    """A server that listens on this port of this machine only and writes nothing to disk."""
    options = f"--bind 127.0.0.1 --port {port} --logfile /dev/null --appendonly no --save"
    return Program("Redis", [executable, *options.split(), ""])


def serve_in_python(port: int) -> None:
    """Serve Redis on this port from a thread of this process, as long as the process lives."""
    # A development dependency that production never imports.
    from fakeredis import TcpFakeServer
    from fakeredis._clients._tcp_server import TCPFakeRequestHandler
    from redis import ResponseError

    class Handler(TCPFakeRequestHandler):
        """Answers failed commands with an error, as Redis does; fakeredis closes the connection."""

        def setup(self) -> None:
            super().setup()
            read = self.current_client.read_response

            def read_answer_or_error(*args: Any, **kwargs: Any) -> Any:
                try:
                    return read(*args, **kwargs)
                except ResponseError as error:
                    return error

            self.current_client.read_response = read_answer_or_error  # type: ignore[method-assign]

    server = TcpFakeServer(("127.0.0.1", port))
    server.RequestHandlerClass = Handler
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True, name="redis").start()


def free_port() -> int:
    """Return a free port that no outgoing connection takes before it is used.

    Systems give outgoing connections ports from 32768 on, or from 49152 on.
    """
    while True:
        port = random.randrange(*PORTS_TO_LISTEN_ON)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def answers(port: int) -> bool:
    """Return whether something listens on this port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until_it_answers(port: int, seconds: float = 10.0) -> None:
    """Wait until something listens on the port; raise TimeoutError after that many seconds."""
    deadline = time.monotonic() + seconds
    while not answers(port):
        if time.monotonic() > deadline:
            raise TimeoutError(f"Nothing answered on port {port} within {seconds:g} seconds.")
        time.sleep(0.02)
