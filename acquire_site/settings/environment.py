"""Settings read from the environment."""

import os
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from environs import EnvError, FileAwareEnv, validate


class SiteEnv(FileAwareEnv):
    """Reads a variable, or else the file that NAME_FILE names; an empty value counts as not set."""

    def _get_value(self, env_key: str, default: Any) -> Any:
        # NAME wins over NAME_FILE; the library has it the other way round.
        if text := os.environ.get(env_key, "").strip():
            return text
        try:
            text = super()._get_value(env_key, "").strip()
        except (OSError, ValueError) as error:
            raise EnvError(f"{env_key}_FILE cannot be read: {error}") from error
        return text or default


def words(text: str) -> list[str]:
    """The parts of a list separated by commas or blanks."""
    return text.replace(",", " ").split()


env = SiteEnv()
env.add_parser("words", words)


def env_count(name: str, default: int) -> int:
    """The variable's value, a whole number that is not negative."""
    return env.int(name, default, validate=validate.Range(min=0))


def env_in_production(name: str) -> str:
    """Return the variable's text; raise an error if it is missing with DEBUG=0."""
    text = env.str(name, "")
    if not DEVELOPMENT and not text:
        raise ImproperlyConfigured(f"With DEBUG=0 the variable {name} must be set.")
    return text


DEVELOPMENT = env.bool("DEBUG", True)
