"""One upgrade under load behind each proxy of deploy/; `make proof` does many, and the twin."""

import pytest

from tests.support.played_site import missing
from tests.support.site_proxies import PROXIES
from tests.tools import available_services
from tests.tools.rolling_restart import measure

pytestmark = pytest.mark.alone

# The answer of a site that is short of time, which other programs on this machine may cause.
BUSY = ": 503 The site is busy"


@pytest.mark.parametrize("proxy", PROXIES)
def test_an_upgrade_loses_no_request(proxy: str) -> None:
    for service in ("postgres", "redis", proxy):
        if not available_services.find(service).path:
            missing(service)
    figures = measure(proxy, rolls=1, per_second=20)
    assert figures.requests > 50
    assert [what for what in figures.failed if not what.endswith(BUSY)] == []
