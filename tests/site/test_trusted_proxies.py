"""The client's address behind trusted proxies, which are counted from the right."""

import pytest

from acquire_site.trusted_proxies import TrustedProxies


async def believed(hops, *headers, kind="http"):
    """Return the address and scheme that an application behind this many proxies sees."""
    seen = {}

    async def application(scope, receive, send):
        seen.update(scope)

    scope = {
        "type": kind,
        "client": ("10.0.0.9", 4711),
        "scheme": "ws" if kind == "websocket" else "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    await TrustedProxies(application, hops)(scope, None, None)
    return seen["client"][0], seen["scheme"]


FORGED = ("x-forwarded-for", "1.1.1.1, 203.0.113.7")


async def test_headers_are_ignored_without_a_proxy():
    assert await believed(0, FORGED, ("x-forwarded-proto", "https")) == ("10.0.0.9", "http")


async def test_one_proxy_is_believed_for_the_last_entry():
    assert await believed(1, FORGED, ("x-forwarded-proto", "https")) == ("203.0.113.7", "https")


async def test_outer_one_of_two_proxies_names_the_client():
    entry = ("x-forwarded-for", "6.6.6.6, 203.0.113.7, 10.0.0.2")
    assert (await believed(2, entry))[0] == "203.0.113.7"


async def test_several_headers_are_one_list():
    assert (await believed(1, ("x-forwarded-for", "6.6.6.6"), FORGED))[0] == "203.0.113.7"


async def test_client_that_bypasses_a_proxy_keeps_its_own_address():
    assert (await believed(2, ("x-forwarded-for", "6.6.6.6")))[0] == "10.0.0.9"


@pytest.mark.parametrize(
    ("entry", "address"),
    [
        ("203.0.113.7:5000", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:5000", "2001:db8::1"),
        ("nonsense", "10.0.0.9"),
        ("", "10.0.0.9"),
    ],
)
async def test_invalid_entry_is_ignored(entry, address):
    assert (await believed(1, ("x-forwarded-for", entry)))[0] == address


@pytest.mark.parametrize(
    ("protocol", "scheme"), [("https", "wss"), ("http", "ws"), ("gopher", "ws"), ("https, http", "ws")]
)
async def test_socket_gets_its_scheme_too(protocol, scheme):
    assert (await believed(1, ("x-forwarded-proto", protocol), kind="websocket"))[1] == scheme
