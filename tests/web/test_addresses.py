"""Addresses that are kept are those that Django builds."""

import sys
from types import ModuleType

import pytest
from django.template import engines
from django.test import override_settings
from django.urls import NoReverseMatch, path, reverse, set_script_prefix

from games.web.addresses import address


def test_address_is_the_one_of_django() -> None:
    for _ in range(2):
        assert address("home") == reverse("home")
        assert address("move", "abc", 3) == reverse("move", args=["abc", 3])
    with pytest.raises(NoReverseMatch):
        address("move", "abc")


def test_address_depends_on_the_prefix_and_the_urlconf(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = address("home")
    other = ModuleType("other_urls")
    other.__dict__["urlpatterns"] = [path("elsewhere/", lambda request: None, name="home")]
    monkeypatch.setitem(sys.modules, "other_urls", other)
    with override_settings(ROOT_URLCONF="other_urls"):
        assert address("home") == "/elsewhere/"
    set_script_prefix("/under/")
    try:
        assert address("home") == f"/under{usual}"
    finally:
        set_script_prefix("/")
    assert address("home") == usual


def test_tag_shows_the_address_or_keeps_it_for_later() -> None:
    source = "{% load address_tags %}{% address 'page' name as there %}{{ there }} {% address 'page' name %}"
    assert engines["django"].from_string(source).render({"name": "terms"}) == "/terms/ /terms/"
