"""Texts that try to be markup, and a parser that finds them taken for it."""

from html.parser import HTMLParser

# Part of every payload. A page may show it as text, and never as markup.
MARK = "xssq"

PAYLOADS = [
    text.replace("M", MARK)
    for text in (
        *("<M>", "<script>M()</script>", "<script src=//M>", "<img src=x onerror=M()>", "<svg onload=M()>"),
        *(
            '"><M>',
            "'><M>",
            '" onclick=M() "',
            "' onclick=M() '",
            "` onclick=M() `",
            '"onfocus=M() autofocus x="',
        ),
        *("</textarea><M>", "</title><M>", "</script><M>", "</style><M>", "--><M>", "]]><M>", "</option><M>"),
        *("<b M=1>", "<a href=javascript:M()>x</a>", "<a href='data:text/html,M'>", "<base href=//M/>"),
        *(
            "<iframe src=//M>",
            "<iframe srcdoc='M'>",
            "<object data=M>",
            "<embed src=M>",
            "<link href=//M rel=x>",
        ),
        *(
            "<meta http-equiv=refresh content='0;url=//M'>",
            "<form action=//M>",
            "<input formaction=M>",
            "<style>M{}",
        ),
        *(
            "<body onload=M()>",
            "<details open ontoggle=M()>",
            "<video><source onerror=M()>",
            "<math><M>",
            "<M/",
        ),
        *(
            "<<M>",
            "<\0M>",
            "<M\n>",
            "<\tM>",
            "<!--><M>",
            "<![CDATA[<M>]]>",
            "<?M?>",
            "<!M>",
            "&lt;M&gt;",
            "&#60;M&#62;",
        ),
        *(
            "\\u003cM\\u003e",
            "%3CM%3E",
            "\\x3cM\\x3e",
            "＜M＞",
            "{{M}}",
            "{% M %}",
            "${M}",
            "<%=M%>",
            "javascript:M()",
        ),
        *(
            "<x hx-get=//M hx-trigger=load>",
            "<x hx-on::load=M()>",
            "<x data-hx-vals=js:M()>",
            "@<M>",
            "\u202e<M>",
        ),
        *("<template><M>", "<noscript><M>", "<plaintext><M>"),
    )
]

# Attributes that may hold somebody's text: read aloud, shown as a tip, or filled into a field.
_SPOKEN = {"aria-label", "alt", "content", "label", "placeholder", "title", "value"}
_LINKS = {"href", "action"}
_CODE = {"script", "style"}


def faults(page: str) -> list[str]:
    """Return where the mark is more than text in the page."""
    if MARK not in page:
        return []
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.faults


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if MARK in tag:
            self.faults.append(f"<{tag}>")
        if any(name == "http-equiv" and value == "refresh" for name, value in attrs):
            self.faults.append(f"<{tag} {attrs}>")
        for name, value in attrs:
            if MARK in name or (MARK in (value or "") and not _is_text(name, value or "")):
                self.faults.append(f"<{tag} {name}={value!r}>")

    def handle_data(self, data: str) -> None:
        if MARK in data and self.cdata_elem in _CODE:
            self.faults.append(f"<{self.cdata_elem}> {data[:80]}")

    def handle_comment(self, data: str) -> None:
        if MARK in data:
            self.faults.append(f"<!--{data[:80]}")

    def handle_decl(self, decl: str) -> None:
        self.handle_comment(decl)

    def handle_pi(self, data: str) -> None:
        self.handle_comment(data)

    def unknown_decl(self, data: str) -> None:
        self.handle_comment(data)


def _is_text(name: str, value: str) -> bool:
    """Return whether the text is harmless in this attribute: links must stay on this site."""
    if name in _LINKS:
        return value.startswith(("/", "?", "#", "http://testserver/")) and not value.startswith(("//", "/\\"))
    return name in _SPOKEN or (name.startswith("data-") and not name.startswith("data-hx-"))
