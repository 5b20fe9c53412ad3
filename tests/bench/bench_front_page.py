"""Answers of the front page to strangers who come at a steady rate, on a site such as `make play` starts."""

import http.client
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import quantiles
from time import perf_counter, sleep

from tests.load.home_site import HomeSite

RATE = 50  # requests a second
SECONDS = 15
WARM_UP = 20


def front_page() -> Iterator[tuple[str, float, str]]:
    """Answers a second and the 95th percentile of the time, and the bytes of a page.

    Each request is sent when it is due, so a slow answer makes the next ones wait and counts for them too.
    """
    with HomeSite() as site:
        sizes = [_ask(site.port) for _ in range(WARM_UP)]
        begin = perf_counter()
        with ThreadPoolExecutor(RATE * 2) as visitors:
            due = [begin + number / RATE for number in range(RATE * SECONDS)]
            times = list(visitors.map(lambda at: _time(site.port, at), due))
        took = perf_counter() - begin
    yield "front_page_per_second", len(times) / took, "answers/s"
    yield "front_page_p95", quantiles(times, n=20)[-1] * 1e3, "ms"
    yield "front_page_bytes", float(sizes[-1]), "bytes"


def _time(port: int, due: float) -> float:
    """Seconds from when a request is due until its answer is there."""
    sleep(max(0.0, due - perf_counter()))
    _ask(port)
    return perf_counter() - due


def _ask(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"The front page answered {answer.status}.")
        return len(content)
    finally:
        connection.close()
