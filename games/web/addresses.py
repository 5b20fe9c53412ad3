"""Addresses of pages, kept once they are known.

A table has some fifty of them, and to build one takes Django as long as to show several squares.
"""

from functools import lru_cache

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse


def address(name: str, *arguments: str | int) -> str:
    """Return the address of the page with this name, as `reverse` does."""
    urls = get_urlconf() or settings.ROOT_URLCONF
    return _address(urls, get_script_prefix(), name, *arguments)


@lru_cache(maxsize=8192, typed=True)
def _address(urls: str, prefix: str, name: str, *arguments: str | int) -> str:
    # `reverse` asks for the prefix itself: it is named here to be part of the key.
    return reverse(name, urls, arguments)
