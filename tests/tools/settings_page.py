"""Writes docs/settings.md from the table of settings: `make settings-page`."""

import sys
from pathlib import Path
from typing import Any

from acquire_site.settings.setting_table import SECTIONS, Section, Setting

PAGE = Path(__file__).resolve().parents[2] / "docs" / "settings.md"

HEAD = """\
# Settings

The site reads its settings from the environment, once, when a process starts. A setting can also be the
content of a file: put the path into the same name with `_FILE`, as in
`SECRET_KEY_FILE=/run/secrets/secret_key`. An empty setting counts as not set.

Wrong settings end the process with a sentence for each of them, which names the setting and shows an
example. Values of secret settings are never shown.

    manage.py check --deploy --fail-level WARNING --database default

also finds settings that are unsafe on a public site, and mistyped names such as `EMIAL_URL`. **Needed** means
needed with `DEBUG=0`.

`make settings-page` writes this page from `acquire_site/settings/setting_table.py`.
"""


def main() -> int:
    """Write the page; returns the exit code for the shell."""
    PAGE.write_text(page())
    return 0


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_section(section) for section in SECTIONS)]).rstrip() + "\n"


def _section(section: Section) -> str:
    rows = [_row(setting) for setting in section.settings]
    head = ["| setting | what it does | takes | default |", "| --- | --- | --- | --- |"]
    return "\n".join([f"## {section.title}", "", *head, *rows, ""])


def _row(setting: Setting) -> str:
    meaning = f"{setting.meaning} Secret." if setting.secret else setting.meaning
    takes = setting.kind.wants
    if example := setting.example or setting.kind.example:
        takes += f", like `{example}`"
    return f"| `{setting.name}` | {meaning} | {takes} | {_default(setting)} |"


def _default(setting: Setting) -> str:
    in_development = setting.otherwise or _value(setting.in_development)
    if setting.needed:
        return f"**needed**; in development {in_development}"
    text = setting.otherwise or _value(setting.default)
    return text if setting.in_development is None else f"{text}; in development {in_development}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "`1`" if value else "`0`"
    if isinstance(value, tuple):
        value = ",".join(value)
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`" if value not in ("", None) else "none"


if __name__ == "__main__":
    sys.exit(main())
