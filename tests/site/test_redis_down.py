"""A stopped or hung Redis costs a tick one second, and the request nothing else."""

import os
import signal
import subprocess
import sys

import pytest
from kombu import Connection
from kombu.transport.redis import Channel
from redis import exceptions as redis_errors

from acquire_site import celery_broker, embedded_redis
from acquire_site.celery import app
from tests.support.played_site import ROOT, missing
from tests.tools import available_services

pytestmark = pytest.mark.site

HINTS = {
    "task": "from celery import current_app; current_app.send_task('games.tasks.play_computer', args=[1, 1])",
    "tick": (
        "from asgiref.sync import async_to_sync; from channels.layers import get_channel_layer; "
        "async_to_sync(get_channel_layer().group_send)('game.x', {'type': 'tick'})"
    ),
}

TIMED = """
import sys, time
import django
django.setup()
started = time.monotonic()
try:
    {hint}
    print("sent", end=" ")
except Exception as error:
    print(type(error).__name__, end=" ")
print(time.monotonic() - started)
"""


@pytest.fixture
def redis():
    """An installed Redis server for this test alone: its process and port."""
    executable = embedded_redis.redis_program()
    if not executable:
        missing("redis")
    port = embedded_redis.free_port()
    with subprocess.Popen(embedded_redis.redis_server(executable, port).command) as process:
        embedded_redis.wait_until_it_answers(port)
        yield process, port
        process.send_signal(signal.SIGCONT)
        process.kill()


def send(hint, port):
    """Send a tick from a new process; return its result and the seconds it took."""
    env = {
        **available_services.environment(),
        "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        "DJANGO_SETTINGS_MODULE": "acquire_site.settings",
    }
    code = TIMED.format(hint=HINTS[hint])
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    outcome, seconds = done.stdout.split()
    return outcome, float(seconds)


@pytest.mark.parametrize("hint", HINTS)
def test_tick_is_sent(hint, redis):
    _, port = redis
    assert send(hint, port)[0] == "sent"


@pytest.mark.parametrize("hint", HINTS)
def test_stopped_redis_is_noticed_at_once(hint, redis):
    process, port = redis
    process.kill()
    process.wait()
    outcome, seconds = send(hint, port)
    assert outcome != "sent"
    assert seconds < 1.5


@pytest.mark.parametrize("hint", HINTS)
def test_hung_redis_is_given_up_after_a_second(hint, redis):
    process, port = redis
    os.kill(process.pid, signal.SIGSTOP)
    outcome, seconds = send(hint, port)
    assert outcome != "sent"
    assert seconds < 2.5


@pytest.mark.parametrize(("qos", "takes_more"), [(celery_broker.QoS, True), (celery_broker.redis.QoS, False)])
def test_worker_takes_messages_again_after_redis_missed_an_acknowledgement(
    qos, takes_more, redis, monkeypatch
):
    """The library's own worker would wait for ever with all its places taken."""
    assert Channel.QoS is celery_broker.QoS
    monkeypatch.setattr(Channel, "QoS", qos)
    process, port = redis
    options = app.conf.broker_transport_options
    with Connection(f"redis://127.0.0.1:{port}/0", transport_options=options) as connection:
        channel = connection.channel()
        channel.basic_qos(0, 1, False)  # type: ignore[attr-defined]
        queue = connection.SimpleQueue("bots", channel=channel)
        queue.put("move")
        message = queue.get(timeout=5)
        assert not channel.qos.can_consume()  # type: ignore[attr-defined]
        os.kill(process.pid, signal.SIGSTOP)
        with pytest.raises(redis_errors.TimeoutError):
            message.ack()
        assert channel.qos.can_consume() is takes_more  # type: ignore[attr-defined]
        os.kill(process.pid, signal.SIGCONT)
