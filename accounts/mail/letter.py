"""A composed account mail, or why there is none."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from accounts.mail.mail_frame import render_mail

# Mail programs take this for the beginning of a signature.
_SIGNATURE = "\n-- \n"

_ENDS_WITH_LINK = re.compile(r"(?P<words>.*?)\s*(?P<url>https?://\S+)", re.DOTALL)


@dataclass(frozen=True)
class Letter:
    """A mail to one address, in plain text.

    In HTML the addresses in `links` become buttons with these labels, and `code` is shown large.
    """

    address: str
    subject: str
    text: str
    links: Mapping[str, str] = field(default_factory=dict)
    code: str = ""

    @property
    def html(self) -> str:
        """The same text in the frame of all mails."""
        body, _, signature = self.text.strip().rpartition(_SIGNATURE)
        paragraphs = [self._paragraph(text) for text in re.split(r"\n\s*\n", body.strip())]
        context = {"subject": self.subject, "paragraphs": paragraphs, "signature": signature.strip()}
        return render_mail("accounts/letter.html", context)

    def _paragraph(self, text: str) -> dict[str, Any]:
        """A paragraph for the template: the code, or words and a button if it ends with a link."""
        if self.code and text == self.code:
            return {"code": text}
        link = _ENDS_WITH_LINK.fullmatch(text)
        if link and link["url"] in self.links:
            return {"words": link["words"], "url": link["url"], "label": self.links[link["url"]]}
        return {"words": text}


class NotWanted(Exception):
    """The mail is not wanted any more; its text says why, for operators."""
