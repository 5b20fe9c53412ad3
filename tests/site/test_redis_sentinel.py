"""Sentinels instead of a Redis: when another server takes the lead, ticks, tasks and counts follow."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.sentinel import Sentinel

from acquire_site import embedded_redis
from acquire_site.health import service_health
from games.realtime import redis_addresses, shared_counts
from tests.support.own_loop import run_in_own_loop
from tests.support.played_site import ROOT, missing
from tests.support.settings_process import PRODUCTION
from tests.tools.available_services import environment

pytestmark = pytest.mark.site

PATIENCE = 60.0


def until(condition: Callable[[], Any]) -> Any:
    """Wait for a true value; an error of Redis counts as false."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if found := condition():
                return found
        except redis.RedisError:
            pass
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


class Servers:
    """Two Redis servers with a password, one of them leading, and three sentinels."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self.ports = [embedded_redis.free_port() for _ in range(2)]
        self.sentinels = [embedded_redis.free_port() for _ in range(3)]
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.sentinels)
        self.url = f"sentinel://:secret@{hosts}/mymaster/0"

    def start(self) -> None:
        leader, follower = self.ports
        common = "--bind 127.0.0.1 --logfile /dev/null --requirepass secret --masterauth secret"
        self._run(leader, *f"--port {leader} {common} --save".split(), "")
        follow = f"--port {follower} {common} --replicaof 127.0.0.1 {leader} --dbfilename b.rdb --save"
        self._run(follower, *follow.split(), "")
        for port in self.sentinels:
            config = self._folder / f"sentinel-{port}.conf"
            config.write_text(
                f"port {port}\nbind 127.0.0.1\nlogfile /dev/null\n"
                f"sentinel monitor mymaster 127.0.0.1 {leader} 2\n"
                "sentinel auth-pass mymaster secret\n"
                "sentinel down-after-milliseconds mymaster 500\n"
                "sentinel failover-timeout mymaster 3000\n"
            )
            self._run(port, str(config), "--sentinel")
        known = Sentinel([("127.0.0.1", port) for port in self.sentinels])
        until(lambda: known.discover_slaves("mymaster"))
        until(lambda: all(self._knows_others(port) for port in self.sentinels))

    def _knows_others(self, port: int) -> bool:
        state: Any = redis.Redis(port=port, decode_responses=True).sentinel_master("mymaster")
        return state["num-other-sentinels"] == 2 and state["num-slaves"] == 1

    def fail_over(self) -> None:
        """Kill the leader and wait until the other server leads."""
        known = Sentinel([("127.0.0.1", port) for port in self.sentinels])
        _host, leader = known.discover_master("mymaster")
        self._processes[leader].kill()
        until(lambda: known.discover_master("mymaster")[1] != leader)

    def stop(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()

    def _run(self, port: int, *options: str) -> None:
        self._processes[port] = subprocess.Popen([self._program, *options], cwd=self._folder)
        embedded_redis.wait_until_it_answers(port)


@pytest.fixture
def servers(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    program = embedded_redis.redis_program()
    if not program:
        missing("redis")
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    servers = Servers(program, tmp_path)
    settings.BROKER_URL, settings.CHANNEL_URLS = servers.url, [servers.url]
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()


def test_ticks_follow_the_leader(servers: Servers) -> None:
    async def pass_tick(layer: RedisPubSubChannelLayer, channel: str) -> bool:
        try:
            async with asyncio.timeout(2):
                await layer.group_send("game", {"type": "tick"})
                return bool(await layer.receive(channel))
        except (redis.RedisError, OSError, TimeoutError):
            return False

    async def listen() -> None:
        layer = RedisPubSubChannelLayer(hosts=[redis_addresses.channel_host(servers.url, 1.0)])
        channel = await layer.new_channel()
        await layer.group_add("game", channel)
        assert await pass_tick(layer, channel)
        await asyncio.to_thread(servers.fail_over)
        deadline = time.monotonic() + PATIENCE
        while not await pass_tick(layer, channel):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
        await layer.flush()

    run_in_own_loop(listen())


def test_probes_and_counts_follow_the_leader(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.realtime.best_effort.REDIS_BACKOFF_SECONDS", 0.0)
    assert service_health.broker() == service_health.hints() == service_health.OK
    assert shared_counts.count_up("test", 60) == 1
    servers.fail_over()
    until(lambda: service_health.broker() == service_health.OK)
    assert until(lambda: shared_counts.count_up("test", 60)) >= 1


SEND = """
from games.realtime import worker_queue
print("SENT", worker_queue.request_delivery())
"""

PING = """
from acquire_site import celery_app
print("PONG", len(celery_app.control.ping(timeout=2)))
"""


def test_workers_take_tasks_from_the_new_leader(servers: Servers, tmp_path: Path) -> None:
    env = {
        **environment(),
        **PRODUCTION,
        "DATABASE_URL": f"sqlite:///{tmp_path}/site.sqlite3",
        "ALLOW_SQLITE": "1",
        "REDIS_URL": servers.url,
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
    }

    def manage(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], env=env, cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    manage("migrate", "-v0")
    manage("createcachetable")
    command = "celery --app acquire_site --quiet worker --queues celery --pool solo --loglevel ERROR"
    command += " --without-mingle --without-gossip --without-heartbeat"
    worker = subprocess.Popen([sys.executable, "-m", *command.split()], env=env, cwd=ROOT)
    client = redis_addresses.client(servers.url, 1.0)

    def is_taken() -> bool:
        return (
            manage("shell", "--no-imports", "-c", SEND) == "SENT True"
            and bool(until(lambda: client.llen("acquire:celery") == 0))
            and manage("shell", "--no-imports", "-c", PING) == "PONG 1"
        )

    try:
        until(is_taken)
        servers.fail_over()
        until(is_taken)
    finally:
        worker.terminate()
        worker.wait(30)
