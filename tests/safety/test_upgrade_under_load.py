"""One upgrade under load; `make proof` does it behind the other proxy, does many, and the twin."""

import pytest

from tests.support.played_site import missing
from tests.tools import available_services
from tests.tools.rolling_restart import measure

pytestmark = pytest.mark.alone

# The answer of a site that is short of time, which other programs on this machine may cause.
BUSY = ": 503 The site is busy"


# One proxy with each change: `tests/site/test_proxies.py` tests what differs between them.
@pytest.mark.parametrize("proxy", ["caddy", pytest.param("nginx", marks=pytest.mark.proof)])
def test_an_upgrade_loses_no_request(proxy: str) -> None:
    for service in ("postgres", "redis", proxy):
        if not available_services.find(service).path:
            missing(service)
    figures = measure(proxy, rolls=1, per_second=20)
    assert figures.requests > 50
    assert [what for what in figures.failed if not what.endswith(BUSY)] == []
