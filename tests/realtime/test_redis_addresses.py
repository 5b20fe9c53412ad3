"""REDIS_URL and its like are turned into the forms that libraries want."""

import pytest

from games.realtime import redis_addresses

SENTINELS = "sentinel://:secret@one:26379,two:26380,three/mymaster/2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("redis://one:6379/0", ["redis://one:6379/0"]),
        ("redis://one/0, rediss://two/1", ["redis://one/0", "rediss://two/1"]),
        ("redis://one/0 unix:///run/redis.sock", ["redis://one/0", "unix:///run/redis.sock"]),
        (SENTINELS, [SENTINELS]),
        (f"{SENTINELS},redis://one/0", [SENTINELS, "redis://one/0"]),
    ],
)
def test_a_list_is_parted_between_addresses_alone(text: str, expected: list[str]) -> None:
    assert redis_addresses.addresses(text) == expected


@pytest.mark.parametrize("url", ["redis://one/0", "rediss://one:1/0", "unix:///run/redis.sock", SENTINELS])
def test_an_address_that_works_has_no_fault(url: str) -> None:
    assert redis_addresses.check(url) == ""


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("one:6379", "redis://host:6379/0"),
        ("http://one/0", "redis://host:6379/0"),
        ("sentinel://one:26379", "sentinel://:password@host"),
        ("sentinel://one:26379/", "sentinel://:password@host"),
        ("sentinel:///mymaster/0", "sentinel://:password@host"),
        ("sentinel://one/mymaster/zero", "sentinel://:password@host"),
    ],
)
def test_a_fault_says_how_it_should_look(url: str, hint: str) -> None:
    assert hint in redis_addresses.check(url)


def test_a_plain_server_is_named_by_its_address() -> None:
    how = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, **redis_addresses.RECONNECT}
    assert redis_addresses.channel_host("redis://one/0", 1.0) == {"address": "redis://one/0", **how}
    assert redis_addresses.celery_broker("redis://one/0", 1.0) == ("redis://one/0", {})


def test_sentinels_reach_every_library() -> None:
    limits = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0}
    assert redis_addresses.channel_host(SENTINELS, 1.0) == {
        "sentinels": [("one", 26379), ("two", 26380), ("three", 26379)],
        "master_name": "mymaster",
        "sentinel_kwargs": limits,
        "password": "secret",
        "db": 2,
        **limits,
        **redis_addresses.RECONNECT,
    }
    assert redis_addresses.celery_broker(SENTINELS, 1.0) == (
        "sentinel://:secret@one:26379/2;sentinel://:secret@two:26380/2;sentinel://:secret@three:26379/2",
        {"master_name": "mymaster", "sentinel_kwargs": limits},
    )
