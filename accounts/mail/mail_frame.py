"""The HTML frame of all mails.

Mail programs know little CSS, and many drop style sheets. So the templates name classes, and each class is
written out as inline styles here. The style sheet holds only what inline styles cannot say: the colours of
the dark scheme. No mail needs a picture.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.template.loader import render_to_string

# The dark colour for each light one, both as in the site's style sheets.
DARK: Final = {
    "#f4f1ea": "#14161a",  # ground
    "#fffdf9": "#1c1f25",  # surface
    "#ddd6c7": "#323842",  # line
    "#211d15": "#ece8df",  # ink
    "#665e4f": "#a3a9b4",  # dim
    "#0d5f58": "#5cc8bc",  # accent
    "#ffffff": "#07201d",  # on accent
}
_GROUND, _SURFACE, _LINE, _INK, _DIM, _ACCENT, _ON_ACCENT = DARK

_FACE = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
_TEXT = "margin:0 0 12px;font-size:16px;line-height:24px;"


@dataclass(frozen=True)
class _Style:
    """The look of a class: declarations without colours, and the colours of the light scheme."""

    rest: str = ""
    background: str = ""
    ink: str = ""
    line: str = ""

    @property
    def colours(self) -> list[tuple[str, str]]:
        found = [("background-color", self.background), ("color", self.ink), ("border-color", self.line)]
        return [(name, colour) for name, colour in found if colour]


_STYLES: Final = {
    "ground": _Style(f"margin:0;padding:0;{_FACE}", _GROUND, _INK),
    "outer": _Style("padding:16px 12px 32px;"),
    "page": _Style("max-width:600px;text-align:left;"),
    "above": _Style("padding:0 4px 12px;"),
    "below": _Style("padding:16px 4px 0;"),
    "brand": _Style("font-size:20px;line-height:28px;font-weight:700;letter-spacing:0.02em;", ink=_INK),
    "card": _Style("padding:24px;border:1px solid;border-radius:12px;", _SURFACE, _INK, _LINE),
    "heading": _Style("margin:0 0 4px;font-size:20px;line-height:28px;font-weight:700;", ink=_INK),
    "text": _Style(_TEXT, ink=_INK),
    "strong": _Style("font-weight:700;", ink=_INK),
    "dim": _Style("margin:0 0 12px;font-size:14px;line-height:20px;", ink=_DIM),
    "note": _Style("font-size:13px;line-height:20px;", ink=_DIM),
    "list": _Style("margin:0 0 16px;padding:0 0 0 20px;font-size:15px;line-height:22px;", ink=_INK),
    "link": _Style("text-decoration:underline;", ink=_ACCENT),
    "quiet": _Style("text-decoration:underline;", ink=_DIM),
    "button-table": _Style("margin:4px 0 20px;"),
    "button-cell": _Style("border-radius:8px;", _ACCENT),
    "button": _Style(
        "display:inline-block;padding:12px 24px;font-size:16px;line-height:20px;font-weight:700;"
        "text-decoration:none;border-radius:8px;",
        _ACCENT,
        _ON_ACCENT,
    ),
    "code": _Style(
        "margin:8px 0 20px;font-family:ui-monospace,Consolas,Menlo,monospace;font-size:28px;line-height:36px;"
        "font-weight:700;letter-spacing:0.08em;",
        ink=_INK,
    ),
    "divider": _Style("margin:24px 0;"),
    "rule": _Style("height:1px;padding:0;font-size:1px;line-height:1px;", _LINE),
    # Letters on coloured squares, which stay as they are in the dark.
    "on-dark": _Style("color:#ffffff;"),
    "on-light": _Style("color:#211d15;"),
    "stocks": _Style("margin:0 0 16px;"),
    "axis": _Style("font-size:11px;line-height:14px;", ink=_DIM),
    "head": _Style(
        "padding:4px 6px;font-size:13px;line-height:18px;font-weight:400;text-align:right;", ink=_DIM
    ),
    "head-first": _Style(
        "padding:4px 6px 4px 0;font-size:13px;line-height:18px;font-weight:400;text-align:left;", ink=_DIM
    ),
    "figure": _Style(
        "padding:4px 6px;font-size:15px;line-height:20px;text-align:right;border-top:1px solid;",
        ink=_INK,
        line=_LINE,
    ),
    "name": _Style(
        "padding:4px 6px;font-size:15px;line-height:20px;text-align:left;border-top:1px solid;",
        ink=_INK,
        line=_LINE,
    ),
    "badge-cell": _Style("padding:4px 0;border-top:1px solid;", line=_LINE),
    "badge": _Style(
        "width:24px;font-size:14px;line-height:24px;font-weight:700;text-align:center;border-radius:4px;"
    ),
    "board": _Style(
        "max-width:460px;table-layout:fixed;margin:0 0 16px;font-size:14px;line-height:18px;font-weight:700;"
    ),
}

_CLASS = re.compile(r'<(?P<tag>\w+)(?P<before>[^<>]*?) class="(?P<names>[\w -]+)"')
_INDENT = re.compile(r"\n\s+")


def render_mail(template: str, context: Mapping[str, Any]) -> str:
    """Render the template of an HTML mail, which extends mail_frame.html, with inline styles."""
    html = render_to_string(template, {**context, "dark_rules": list(_dark_rules())})
    return _INDENT.sub("\n", with_inline_styles(html)).strip() + "\n"


def with_inline_styles(html: str) -> str:
    """Give each element with a known class its styles; other classes stay as they are."""
    return _CLASS.sub(_styled, html)


def _styled(match: re.Match[str]) -> str:
    # Values of the context cannot look like an element with a class: templates escape them.
    style = _STYLES.get(match["names"].split()[0])
    if style is None:
        return match[0]
    colours = "".join(f"{name}:{colour};" for name, colour in style.colours)
    is_cell = style.background and match["tag"] in ("body", "table", "td")
    # Some programs drop styles but keep this attribute.
    attribute = f' bgcolor="{style.background}"' if is_cell else ""
    return f'{match[0]}{attribute} style="{style.rest}{colours}"'


def _dark_rules() -> Iterator[str]:
    """The rules of the dark scheme, which override the inline styles."""
    for name, style in _STYLES.items():
        told = ";".join(f"{what}:{DARK[colour]} !important" for what, colour in style.colours)
        if told:
            yield f".{name}{{{told}}}"
