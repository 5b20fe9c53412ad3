"""Who asks, as the site believes it: proxies of ours are counted from the right."""

import pytest

from acquire_site.trusted_proxies import TrustedProxies


async def believed(hops, *headers, kind="http"):
    """The address and scheme that an application behind so many proxies is told."""
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


async def test_without_a_proxy_nothing_that_is_said_is_believed():
    assert await believed(0, FORGED, ("x-forwarded-proto", "https")) == ("10.0.0.9", "http")


async def test_one_proxy_is_believed_for_what_it_adds_at_the_end():
    assert await believed(1, FORGED, ("x-forwarded-proto", "https")) == ("203.0.113.7", "https")


async def test_of_two_proxies_the_outer_one_says_who_asked():
    entry = ("x-forwarded-for", "6.6.6.6, 203.0.113.7, 10.0.0.2")
    assert (await believed(2, entry))[0] == "203.0.113.7"


async def test_several_headers_are_one_list():
    assert (await believed(1, ("x-forwarded-for", "6.6.6.6"), FORGED))[0] == "203.0.113.7"


async def test_who_comes_around_a_proxy_is_who_it_is():
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
async def test_an_entry_is_an_address_or_nothing(entry, address):
    assert (await believed(1, ("x-forwarded-for", entry)))[0] == address


@pytest.mark.parametrize(
    ("protocol", "scheme"), [("https", "wss"), ("http", "ws"), ("gopher", "ws"), ("https, http", "ws")]
)
async def test_a_socket_is_told_its_scheme_too(protocol, scheme):
    assert (await believed(1, ("x-forwarded-proto", protocol), kind="websocket"))[1] == scheme
