"""Bad requests to every address in every role: `python -m tests.safety.hostile_requests --requests 200000`.

No request may be a fault of the site (an exception that nobody caught) or come back as markup, and none
that is refused, nor one that only reads, may change a row. Sessions, counts of rate limits, and marks on what
somebody has read are excepted. Each request finds the same world: what it did is undone. A fault is printed
with the command that sends it once more; a run that is broken off goes on where it was.
"""

import argparse
import contextlib
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.safety import site_addresses, spoiled_requests
from tests.safety.markup_probes import faults
from tests.safety.site_addresses import Address

READING = {"GET", "HEAD", "OPTIONS", "TRACE"}

PROGRESS = 1000


@dataclass(frozen=True)
class Fault:
    """A request that did something no request may do."""

    number: int
    request: str
    what: str


@dataclass
class Sums:
    """Answers to requests, counted by status, and the faults among them."""

    answers: Counter[int] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def __str__(self) -> str:
        told = ", ".join(f"{number} × {status}" for status, number in sorted(self.answers.items()))
        return f"{self.answers.total()} requests: {told}; {len(self.faults)} faults"


def send_all(
    world: Any, numbers: Sequence[int], seed: str = "1", asked_for: list[Address] | None = None, most: int = 0
) -> Iterator[Sums]:
    """Send the requests of these numbers; yield the sums after each. Ends after `most` faults, if given."""
    from django.core import mail
    from django.db import connection

    from tests.safety.database_changes import Watch

    told = [address.in_(world) for address in asked_for or site_addresses.every()]
    watch, sums = Watch(), Sums()
    with connection.execute_wrapper(watch), _quietly() as exceptions:
        for number in numbers:
            rng = Random(f"{seed}:{number}")
            request = spoiled_requests.spoiled(told[number % len(told)], rng)
            exceptions.clear()
            watch.begin()
            status, what = _sent(world, watch, request, exceptions)
            sums.answers[status] += 1
            if what:
                sums.faults.append(Fault(number, str(request), what))
            mail.outbox = []
            yield sums
            if most and len(sums.faults) >= most:
                return


def _sent(
    world: Any, watch: Any, request: spoiled_requests.Spoiled, exceptions: list[BaseException]
) -> tuple[int, str]:
    """Send the request and undo it; return the status of the answer and the fault, if any."""
    from tests.safety.database_changes import NOTED_BY_READING
    from tests.safety.populated_site import undone

    with undone():
        client = world.client(request.role)
        headers = dict(request.headers)
        if (cookies := headers.pop("Cookie", None)) is not None:
            client.cookies.load({"sessionid": cookies.replace(";", "")})
        answer = client.generic(
            request.method,
            request.path,
            request.body,
            request.type,
            headers=headers,
            QUERY_STRING=request.query,
        )
        changed = watch.changed() if not exceptions else set()
    if exceptions or answer.status_code == 500:
        exceptions = exceptions or [RuntimeError("a fault without an exception")]
        return answer.status_code, f"{type(exceptions[0]).__name__}: {exceptions[0]}"
    if request.method in READING or answer.status_code >= 400:
        changed -= NOTED_BY_READING
        if changed:
            return answer.status_code, f"{answer.status_code}, but changed: {', '.join(sorted(changed))}"
    shown = not answer.streaming and "html" in answer.headers.get("Content-Type", "")
    if shown and (markup := faults(answer.content.decode())):
        return answer.status_code, f"markup: {markup[0]}"
    return answer.status_code, ""


@contextlib.contextmanager
def _quietly() -> Iterator[list[BaseException]]:
    """Collect uncaught exceptions of views, without logging and without looking up names."""
    from django.core.signals import got_request_exception

    from games.web.notifications import public_http

    found: list[BaseException] = []

    def note(**_: Any) -> None:
        error = sys.exc_info()[1]
        if error is not None:
            found.append(error)

    look_up = public_http._look_up
    public_http._look_up = lambda host, port: ["127.0.0.1"]
    got_request_exception.connect(note)
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield found
    finally:
        logging.disable(before)
        got_request_exception.disconnect(note)
        public_http._look_up = look_up


# -- The long run ----------------------------------------------------------------------------------


@contextlib.contextmanager
def own_world() -> Iterator[Any]:
    """A populated site in a database of its own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "acquire_site.settings")
    import django

    django.setup()
    from django.db import transaction
    from django.test.utils import get_runner, setup_test_environment

    from games.lobby import game_start
    from tests import conftest
    from tests.safety import populated_site
    from tests.tools import fixed_seeds

    conftest.change_settings()
    setup_test_environment()
    from django.conf import settings

    runner = get_runner(settings)(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    game_start.new_seed = fixed_seeds.drawn("", "world")
    try:
        with transaction.atomic():
            yield populated_site.build()
            transaction.set_rollback(True)
    finally:
        runner.teardown_databases(databases)


def main(arguments: list[str]) -> int:
    """Send this many requests; returns 1 if there was a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.safety.hostile_requests", description=__doc__)
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, help="send the request of this number alone")
    parser.add_argument("--anew", action="store_true", help="begin at the first, whatever was sent before")
    chosen = parser.parse_args(arguments)
    with own_world() as world:
        from django.conf import settings

        kept = settings.DATA_DIR / f"hostile-{quote_name(chosen.seed)}"
        if chosen.only is not None:
            # Requests sent before stay noted.
            return _go_on(world, chosen.seed, range(chosen.only, chosen.only + 1))
        done = 0 if chosen.anew or not kept.exists() else int(kept.read_text())
        return _go_on(world, chosen.seed, range(done, chosen.requests), kept)


def _go_on(world: Any, seed: str, numbers: range, kept: Path | None = None) -> int:
    started, sums = time.monotonic(), Sums()
    if kept and numbers.start:
        print(f"The first {numbers.start} were sent before.", flush=True)
    told = 0
    for sums in send_all(world, numbers, seed):
        for fault in sums.faults[told:]:
            _tell(fault, seed)
        told = len(sums.faults)
        number = numbers.start + sums.answers.total()
        if kept and number % PROGRESS == 0:
            kept.write_text(str(number))
            print(f"{number}: {time.monotonic() - started:.0f} s, {len(sums.faults)} faults", flush=True)
    if kept:
        kept.write_text(str(max(numbers.stop, numbers.start)))
    print(sums)
    return 1 if sums.faults else 0


def _tell(fault: Fault, seed: str) -> None:
    print(f"{fault.what}\n  {fault.request}\n  {again(fault, seed)}", flush=True)


def again(fault: Fault, seed: str) -> str:
    """Return the command that sends the request again."""
    return f"python -m tests.safety.hostile_requests --seed {seed} --only {fault.number}"


def quote_name(seed: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
