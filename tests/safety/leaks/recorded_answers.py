"""Answers as comparable parts, without what is random by design."""

import io
import re
import zipfile
from typing import Any

# Django masks its token anew for every answer and sets new ones in cookies, as the site does with the names
# of new browsers and of forms of staff. Keys of undone rows are not given out again.
# Each pattern begins with fixed letters: one pattern for all would be sought almost thirty times as slowly.
_RANDOM = [
    re.compile(pattern)
    for pattern in (
        rb'(csrf(?:middlewaretoken" value="|[Tt]oken=|Token": "))[0-9A-Za-z]{32,64}',
        rb'(CSRFToken": ")[0-9A-Za-z]{32,64}',
        rb'(name="form" value=")[0-9a-f-]{36}',
        rb"(X-Padding: )\[[^\]]*\]",
        rb"(sessionid=)[0-9a-z]+",
        rb"(known-browser=)[^;\s]+",
        rb"(browser=)[\w-]{22}",
        rb"(line-)\d+",
        rb'(data-key=")\d+',
    )
]

Parts = dict[str, bytes]


def parts(answer: Any) -> Parts:
    """Status, headers with cookies, and body of an answer; archives are unpacked."""
    # The order of the policy's words is random.
    headers = sorted(f"{name}: {sorted(text.split('; '))}" for name, text in answer.headers.items())
    cookies = sorted(cookie.OutputString() for cookie in answer.cookies.values())
    return {
        "status": str(answer.status_code).encode(),
        "headers": masked("\n".join([*headers, *cookies]).encode()),
        "body": masked(_body(answer)),
    }


def masked(sent: bytes) -> bytes:
    """Replace what is random by design."""
    for pattern in _RANDOM:
        sent = pattern.sub(rb"\1", sent)
    return sent


def _body(answer: Any) -> bytes:
    body = b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)
    if not body.startswith(b"PK"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as folder:
        return b"\n".join(name.encode() + b"\n" + folder.read(name) for name in folder.namelist())


def difference(one: bytes, other: bytes) -> str:
    """Return where two answers begin to differ, with some context."""
    place = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    around = slice(max(0, place - 60), place + 100)
    return f"\n  as dealt:  {one[around]!r}\n  otherwise: {other[around]!r}"
