"""An upgrade under load loses no request, and who finds nobody at home reads a friendly page."""

import asyncio
import time

import pytest

from tests.safety.headless_browser import Visitor
from tests.support.played_site import missing
from tests.tools import available_services
from tests.tools.rolling_restart import measure
from tests.tools.served_site import PROXIES, ServedSite, is_installed

pytestmark = [pytest.mark.site, pytest.mark.proof, pytest.mark.alone]


@pytest.fixture(autouse=True)
def _services() -> None:
    for service in ("postgres", "redis"):
        if not available_services.find(service).path:
            missing(service)


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest) -> str:
    if not is_installed(request.param):
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


def test_upgrades_lose_no_request(proxy: str) -> None:
    figures = measure(proxy, rolls=3, per_second=20)
    assert figures.requests > 100
    assert figures.failed == []


def stop_and_start(site: ServedSite) -> float:
    """Restart as `systemctl restart` does."""
    serve = site.processes["serve"]
    serve.stop(patience=60)
    time.sleep(6)
    serve.start()
    site.wait()
    return 0.0


def test_a_restart_instead_would_be_noticed(proxy: str) -> None:
    """The twin: everything stops before it starts."""
    assert measure(proxy, rolls=1, per_second=20, roll=stop_and_start).failed


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_finds_nobody_at_home_reads_a_friendly_page(proxy: str, method: str) -> None:
    if proxy == "python":
        pytest.skip("the proxy of the tests has no such page")
    with ServedSite(proxy) as site:
        site.processes["serve"].stop(patience=60)
        ask = Visitor(site.port).get if method == "get" else _post(site)
        answer = asyncio.run(ask("/games/open/", Connection="close"))
    assert answer.status == 503
    assert answer.headers["retry-after"] == "10"
    assert answer.headers["cache-control"] == "no-store"
    assert "Back in a moment" in answer.text


def _post(site):
    async def post(path, **headers):
        return await Visitor(site.port).post(path, {"theme": "dark"}, **headers)

    return post
