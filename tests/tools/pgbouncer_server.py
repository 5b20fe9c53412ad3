"""A PgBouncer of our own before a PostgreSQL of our own, set up by deploy/pgbouncer.ini."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from acquire_site import embedded_redis
from acquire_site.processes import MANAGE
from acquire_site.supervisor import death_signal_command
from tests.tools import available_services
from tests.tools.postgres_server import Postgres, unprivileged_user


class PgBouncer:
    """Hands out so few connections of the server that processes and threads must share them."""

    def __init__(self, postgres: Postgres, connections: int = 2) -> None:
        self._postgres = postgres
        self._connections = connections
        self._port = embedded_redis.free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self._port}/acquire"

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="acquire-pgbouncer-"))
        config = self._folder / "pgbouncer.ini"
        config.write_text(self._config((MANAGE.parent / "deploy" / "pgbouncer.ini").read_text()))
        account: list[str] = []
        if os.geteuid() == 0:
            user = unprivileged_user()
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            account = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        program = available_services.find("pgbouncer").path
        assert program
        with (self._folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                [*account, *death_signal_command(), str(program), "-q", str(config)], stdout=log, stderr=log
            )
        embedded_redis.wait_until_it_answers(self._port)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _config(self, example: str) -> str:
        """The example, for this machine and without passwords."""
        place = f"host={self._postgres.folder} dbname=postgres user=postgres"
        text = example.replace("host=127.0.0.1 port=5432 dbname=acquire", place)
        for name, value in {
            "listen_port": self._port,
            "auth_type": "any",
            "default_pool_size": self._connections,
        }.items():
            text, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.M)
            assert count == 1, name
        return re.sub(r"^auth_file = .*\n", "", text, flags=re.M)
