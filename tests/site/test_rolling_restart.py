"""An upgrade under load loses no request."""

import time

import pytest

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
        missing(request.param)
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
