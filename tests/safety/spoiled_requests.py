"""Requests that none of our pages would send: addresses of the site, spoiled at random.

The number of a request and the seed say all about it, so that one that did harm can be sent again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from urllib.parse import parse_qsl, quote, urlencode

from tests.safety.markup_probes import PAYLOADS
from tests.safety.populated_site import ROLES
from tests.safety.site_addresses import Address

FORM = "application/x-www-form-urlencoded"

# Texts that programs stumble over: nothing, invisible letters, half letters, odd numbers, quotes of
# every language that a text may land in, and overlong texts.
TEXTS = (
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "\ud800",
        "\udfff a",
        "\u202e",
        "\u2066a",
        "\u200b",
        "\ufeff",
        "\x7f",
        "\x1b[31m",
    ),
    *(
        "\r\nX-Evil: 1",
        "\n",
        "\t",
        "a\u0301" * 500,
        "İ",
        "ß",
        "ﬀ",
        "٣",
        "½",
        "🏨",
        "👩\u200d👩\u200d👧",
        "\uffff",
    ),
    *("0", "-1", "-0", "1", "00", "1.5", "1e3", "1e309", "NaN", "inf", "0x10", "1_0", " 1 ", "+1", "٣٣"),
    *(
        str(2**31),
        str(2**32),
        str(2**63 - 1),
        str(2**63),
        str(2**64),
        str(-(2**63) - 1),
        "9" * 400,
        "9" * 5000,
    ),
    *(
        "'",
        '"',
        "`",
        "\\",
        "';--",
        "' OR 1=1",
        "%",
        "%s%n",
        "%00",
        "{0.__class__}",
        "{{7*7}}",
        "${x}",
        "$(x)",
    ),
    *(
        "<script>alert(1)</script>",
        '"><img src=x onerror=x>',
        "javascript:x",
        "//evil.example",
        "\\\\evil.example",
    ),
    *(
        "../../etc/passwd",
        "..",
        ".",
        "/",
        "?",
        "#",
        "&",
        "=",
        ";",
        "~",
        "*",
        "null",
        "None",
        "true",
        "on",
        "[]",
    ),
    *("{}", '{"a":', "[[[[", "__class__", "constructor", "admin", "the-player", "THE-PLAYER", "the-player "),
    *("2027-02-30", "0000-00-00", "9999-12-31", "-271821-04-20", "Europe/Nowhere", "x@y", "a@b@c", "@"),
    *("a" * 21, "a" * 300, "a" * 5000, "é" * 2000, "a b " * 400, "," * 600, "1," * 300, "a" * 60_000),
    *PAYLOADS[::6],
)

METHODS = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "get",
    "X" * 50,
)

# Names that some view reads from the address.
ASKED = (
    "after",
    "before",
    "seen",
    "known",
    "code",
    "next",
    "q",
    "p",
    "o",
    "e",
    "page",
    "chain",
    "away",
    "_popup",
)
ASKED_OF_ADMIN = (
    "status__exact",
    "state",
    "seed",
    "all",
    "_to_field",
    "_changelist_filters",
    "status__in",
    "made__gte",
)

HEADERS = (
    *(
        "HX-Request",
        "HX-Boosted",
        "HX-Current-URL",
        "HX-Target",
        "HX-Trigger",
        "HX-Trigger-Name",
        "HX-Prompt",
    ),
    *("HX-History-Restore-Request", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"),
    *("Accept", "Accept-Language", "Accept-Encoding", "Cookie", "Referer", "Origin", "User-Agent", "Range"),
    *("If-Modified-Since", "If-None-Match", "X-Signature", "X-CSRFToken", "X-HTTP-Method-Override", "Host"),
    *("X-Requested-With", "Content-Encoding", "Transfer-Encoding", "Upgrade", "Forwarded", "X-Request-ID"),
)

# Encodings are removed before the site sees them (acquire_site.asgi); test_hostile_sockets.py sends some.
TYPES = (
    *("", "x", "/", "text/plain", "application/json", "application/xml", "multipart/form-data", "image/png"),
    *(
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=b",
        "multipart/form-data; boundary=\xe9",
    ),
    *(
        f"multipart/form-data; boundary={'b' * 300}",
        "multipart/mixed; boundary=b",
        f"{FORM}; x=\xff",
        f"{FORM};;;",
    ),
)

BODIES = (
    *(
        b"",
        b"\xff\xfe\0\1" * 100,
        b"{not json",
        b'{"address": null}',
        b"[" * 5000,
        b"null",
        b"=&=&=;",
        b"%",
        b"%zz=%",
    ),
    *(
        b"--b\r\n",
        b"--b--\r\n",
        b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n",
        b"\r\n" * 500,
    ),
    b'--b\r\nContent-Disposition: form-data; name="text"; filename="a\0b"\r\n\r\nx\r\n--b--\r\n',
    b'--b\r\nContent-Disposition: form-data; name="text"\r\nContent-Transfer-Encoding: base64\r\n\r\n!',
    b"--b\r\nContent-Disposition: form-data; name*=utf-8''%ff; filename*=\"x\"\r\n\r\nx\r\n--b--\r\n",
    b"a" * 70_000,
    b"text=" + b"a" * 1_000_000,
    b"&".join(b"f%d=1" % number for number in range(150)),
)


@dataclass
class Spoiled:
    """A bad request in this role."""

    role: str
    method: str
    path: str
    query: str
    form: list[tuple[str, str]]
    headers: dict[str, str] = field(default_factory=dict)
    type: str = FORM
    raw: bytes | None = None

    @property
    def body(self) -> bytes:
        return urlencode(self.form, errors="surrogatepass").encode() if self.raw is None else self.raw

    def __str__(self) -> str:
        parts = (self.headers, self.type, self.body[:200]) if self.body else (self.headers,)
        return f"{self.role}: {self.method} {self.path[:200]}?{self.query[:200]} {parts}"


def spoiled(address: Address, rng: Random) -> Spoiled:
    """Return the address with one to three faults."""
    path, _mark, query = address.path.partition("?")
    form = parse_qsl(address.form, keep_blank_values=True)
    request = Spoiled(rng.choice(ROLES), address.method, path, query, form)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        rng.choice(_WAYS)(request, rng)
    return request


# -- Ways to spoil a request -----------------------------------------------------------------------


def _path(request: Spoiled, rng: Random) -> None:
    parts = request.path.split("/")
    parts[rng.randrange(len(parts))] = _quoted(rng)
    request.path = "/" + "/".join(parts).lstrip("/")


def _query(request: Spoiled, rng: Random) -> None:
    names = ASKED_OF_ADMIN if request.path.startswith("/admin/") and rng.random() < 0.5 else ASKED
    asked = [f"{rng.choice(names)}={_quoted(rng, 400)}" for _ in range(rng.choice((1, 1, 2, 5)))]
    request.query = "&".join(filter(None, [request.query, *asked]))


def _field(request: Spoiled, rng: Random) -> None:
    if not request.form:
        request.form = [(rng.choice(ASKED), rng.choice(TEXTS))]
        return
    number = rng.randrange(len(request.form))
    name, _text = request.form[number]
    match rng.randrange(6):
        case 0:
            del request.form[number]
        case 1:
            request.form.append((name, rng.choice(TEXTS)))
        case 2:
            request.form[number] = (rng.choice(TEXTS)[:50], rng.choice(TEXTS))
        case _:
            request.form[number] = (name, rng.choice(TEXTS))


def _every_field(request: Spoiled, rng: Random) -> None:
    request.form = [(name, rng.choice(TEXTS)) for name, _text in request.form]


def _method(request: Spoiled, rng: Random) -> None:
    request.method = rng.choice(METHODS)


def _header(request: Spoiled, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 2, 4))):
        # Servers pass each header on as one line of bytes.
        text = rng.choice(TEXTS)[:4000].encode("utf-8", "surrogatepass").decode("latin-1")
        text = text.replace("\r", "").replace("\n", "").replace("\0", "")
        request.headers[rng.choice(HEADERS)] = rng.choice((text, "true"))


def _body(request: Spoiled, rng: Random) -> None:
    request.type, request.raw = rng.choice((FORM, rng.choice(TYPES))), rng.choice(BODIES)


def _type(request: Spoiled, rng: Random) -> None:
    request.type = rng.choice(TYPES)


def _quoted(rng: Random, most: int = 2000) -> str:
    return quote(rng.choice(TEXTS)[:most].encode("utf-8", "surrogatepass"), safe="")


_WAYS: tuple[Callable[[Spoiled, Random], None], ...] = (
    *(_path, _query, _field, _field, _field, _every_field, _method, _header, _body, _type),
)
