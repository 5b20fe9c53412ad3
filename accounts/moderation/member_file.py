"""The member file: sanctions, linked accounts and what games contribute, for moderators."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.mail.staff_letters import format_until
from accounts.models import Sanction, User
from accounts.moderation import linked_accounts
from accounts.signals import collect_member_file


@dataclass(frozen=True, slots=True)
class FileLine:
    """A sentence and the address of a page about it, or ""; `below` holds further sentences."""

    text: str
    url: str = ""
    below: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileSection:
    """A heading with the lines below it."""

    title: str
    lines: list[FileLine]


def member_file_sections(member: User) -> list[FileSection]:
    """All that moderators are shown besides the account itself; contains no address."""
    found = [FileSection(_("What stands, and stood"), list(_sanctions(member)))]
    found.append(FileSection(_("Other accounts"), list(_bonds(member))))
    for _receiver, more in collect_member_file.send(sender=User, user=member):
        told = cast(list[tuple[str, list[tuple[str, str]]]], more)
        found += [FileSection(title, [FileLine(text, url) for text, url in lines]) for title, lines in told]
    return found


def _sanctions(member: User) -> Iterator[FileLine]:
    rows = list(member.sanctions.select_related("by").prefetch_related("appeals"))
    for row in rows:
        yield FileLine(_sentence(row), below=tuple(_below(row)))
    if not rows:
        yield FileLine(_("Nothing."))


def _sentence(row: Sanction) -> str:
    words = {
        "kind": capfirst(row.get_kind_display()),
        "by": row.by or _("the shell"),
        "made": _moment(row.made),
        "until": format_until(row.until),
        "ended": _moment(row.ended) if row.ended else "",
    }
    if row.ended:
        return _("{kind}, made by {by} on {made}, over since {ended}").format(**words)
    if row.kind == Sanction.Kind.WARNING:
        return _("{kind}, made by {by} on {made}, not read yet").format(**words)
    return _("{kind}, made by {by} on {made}. {until}").format(**words)


def _below(row: Sanction) -> Iterator[str]:
    yield _("Reason: {words}").format(words=row.reason)
    if row.lifted_why:
        yield _("Lifted: {words}").format(words=row.lifted_why)
    for one in row.appeals.all():
        yield _("The member on {moment}: {words}").format(moment=_moment(one.made), words=one.text)
        yield _("Replied: {words}").format(words=one.reply) if one.replied else _("Waits for a reply.")


def _bonds(member: User) -> Iterator[FileLine]:
    bonds = linked_accounts.account_links(member)
    for bond in bonds:
        last = _(" (last on {day})").format(day=date_format(bond.last, "j F Y")) if bond.last else ""
        url = reverse("admin:accounts_user_change", args=[bond.other.pk])
        yield FileLine(f"{capfirst(bond.words)}{last}", url)
    if not bonds:
        yield FileLine(_("Nothing links this account to another one."))


def _moment(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j F Y, H:i")
