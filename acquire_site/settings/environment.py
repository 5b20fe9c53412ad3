"""Settings read from the environment, all of them and once, by the table of settings."""

import difflib
import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from environs import EnvError, EnvValidationError, FileAwareEnv

from acquire_site.settings.setting_kinds import PARSERS
from acquire_site.settings.setting_table import FORMER_NAMES, OTHER_NAMES, SETTINGS, Setting

PAGE = "docs/settings.md"

# The similarity, from 0 to 1, above which one name is probably the other mistyped.
_NEAR = 0.85
# The library for traces reads many names of its own, which look alike.
_OF_LIBRARIES = ("OTEL_",)


class SiteEnv(FileAwareEnv):
    """Reads a variable, or else the file that NAME_FILE names; an empty value counts as not set."""

    def _get_value(self, env_key: str, default: Any) -> Any:
        # NAME wins over NAME_FILE; the library has it the other way round.
        if text := os.environ.get(env_key, "").strip():
            return text
        try:
            text = super()._get_value(env_key, "").strip()
        except UnicodeDecodeError:
            # Its message quotes the file, which may be a secret.
            raise EnvError("the file is not text in UTF-8") from None
        except (OSError, ValueError) as error:
            raise EnvError(f"the file cannot be read ({error.__cause__ or error})") from None
        return text or default


class WrongSettings(ImproperlyConfigured):
    """Settings cannot be used; the message has a line for each fault, and no secret."""


def read_settings() -> dict[str, Any]:
    """Return the value of every setting; raises WrongSettings with all faults."""
    env = SiteEnv()
    for name, parser in PARSERS.items():
        env.add_parser(name, _unless_missing(parser))
    found: dict[str, Any] = {}
    faults: list[str] = []
    for setting in SETTINGS.values():
        try:
            found[setting.name] = getattr(env, setting.kind.parser)(
                setting.name, None, **setting.kind.options
            )
        except EnvValidationError as error:
            faults.append(_wrong_value(setting, " ".join(map(str, error.error_messages))))
        except EnvError as error:
            faults.append(f"{setting.name}_FILE is set, but {error}.")
    in_production = found.get("DEBUG") is False
    if in_production:
        faults += [_missing(setting) for setting in SETTINGS.values() if _is_missing(setting, found)]
    if faults:
        raise WrongSettings(
            "\n".join(["The settings cannot be used:", *faults, f"{PAGE} explains them all."])
        )
    return {
        setting.name: _default(setting, in_production) if found[setting.name] is None else found[setting.name]
        for setting in SETTINGS.values()
    }


def _unless_missing(parser: Any) -> Any:
    """The library calls parsers of ours with the default, too."""
    return lambda text, **options: None if text is None else parser(text, **options)


def _default(setting: Setting, in_production: bool) -> Any:
    if not in_production and setting.in_development is not None:
        return setting.in_development
    return setting.default


def _is_missing(setting: Setting, found: Mapping[str, Any]) -> bool:
    return setting.needed and setting.name in found and not found[setting.name]


def _missing(setting: Setting) -> str:
    return (
        f"{setting.name} is not set. With DEBUG=0 the site needs it: {setting.kind.wants}.{_example(setting)}"
    )


def _wrong_value(setting: Setting, reason: str) -> str:
    """Return what is wrong with a value, and show the value unless it is secret."""
    text = os.environ.get(setting.name, "").strip()
    value = f" is {text!r}" if text and not setting.secret else " has a wrong value"
    source = "" if text else f" (in the file that {setting.name}_FILE names)"
    ours = f": {reason}" if reason.startswith("it ") else ""
    return f"{setting.name}{source}{value}{ours}. It takes {setting.kind.wants}.{_example(setting)}"


def _example(setting: Setting) -> str:
    example = setting.shown_example
    return f" Example: {setting.name}={example}" if example else ""


def doubtful_names(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each variable that looks like a setting and is none, with the name that was probably meant."""
    known = {*SETTINGS, *(f"{name}_FILE" for name in SETTINGS)}
    for name in sorted(environ):
        if name in known or name in OTHER_NAMES or name.startswith(_OF_LIBRARIES):
            continue
        bare = name.removeprefix("ACQUIRE_")
        if bare in FORMER_NAMES:
            yield name, FORMER_NAMES[bare]
        elif meant := _resembled(bare, known):
            yield name, meant
        elif name.startswith("ACQUIRE"):
            yield name, ""


def _resembled(name: str, known: Collection[str]) -> str:
    """Return the known name that this one probably stands for, or "".

    The same letters in another order count, too: in a short name two swapped ones make a low similarity.
    """
    if near := difflib.get_close_matches(name, known, n=1, cutoff=_NEAR):
        return near[0]
    return next((other for other in known if sorted(other) == sorted(name)), "")


def names_set_twice(environ: Mapping[str, str]) -> list[str]:
    """Return the settings that are set both by themselves and by a file."""
    return [name for name in SETTINGS if environ.get(name, "").strip() and environ.get(f"{name}_FILE")]


_VALUES = read_settings()

DEVELOPMENT = _VALUES["DEBUG"] is not False


def setting(name: str) -> Any:
    """Return the value of a setting of the table; None if it is not set and has no default there."""
    value = _VALUES[name]
    return list(value) if isinstance(value, tuple) else value
