"""How settings are read from the environment."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def env(name: str, default: str = "") -> str:
    """The variable's text without blanks around it; an empty one counts as not set.

    NAME_FILE may name a file with the text instead, as systems that keep secrets hand them over.
    """
    text = os.environ.get(name, "").strip()
    if not text and (file := os.environ.get(f"{name}_FILE", "").strip()):
        try:
            text = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error
    return text or default


def env_bool(name: str, default: bool) -> bool:
    text = env(name, str(default)).lower()
    if text not in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        raise ImproperlyConfigured(f"{name} is yes or no (1 or 0), not {text!r}.")
    return text in {"1", "true", "yes", "on"}


def env_int(name: str, default: int) -> int:
    """A whole number that is not negative."""
    text = env(name, str(default))
    if not text.isascii() or not text.isdigit():
        raise ImproperlyConfigured(f"{name} is a number, not {text!r}.")
    return int(text)


def env_in_production(name: str) -> str:
    """The variable's text; DEBUG=0 without it is refused here, not met later as a puzzle."""
    text = env(name)
    if not WORKBENCH and not text:
        raise ImproperlyConfigured(f"With DEBUG=0 the variable {name} must be set.")
    return text


def words(text: str) -> list[str]:
    """The parts of a list written with commas or blanks."""
    return text.replace(",", " ").split()


WORKBENCH = env_bool("DEBUG", True)
