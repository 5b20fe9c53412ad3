"""The member file: sanctions, linked accounts and what games contribute, for moderators."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.mail.staff_letters import format_end
from accounts.models import Sanction, User
from accounts.moderation import linked_accounts
from accounts.moderation.suspicious_signups import SignupGroup, groups_with
from accounts.signals import collect_common_tables, collect_member_file

# By kind, and by whether it has ended, ends, or neither.
_SANCTIONED = {
    (Sanction.Kind.WARNING, "ended"): gettext_lazy("Warned by {by} on {made}, read on {ended}."),
    (Sanction.Kind.WARNING, "until"): gettext_lazy("Warned by {by} on {made}, not read yet."),
    (Sanction.Kind.WARNING, "open"): gettext_lazy("Warned by {by} on {made}, not read yet."),
    (Sanction.Kind.MUTE, "ended"): gettext_lazy("Muted by {by} on {made}, ended on {ended}."),
    (Sanction.Kind.MUTE, "until"): gettext_lazy("Muted by {by} on {made}, until {end}."),
    (Sanction.Kind.MUTE, "open"): gettext_lazy("Muted by {by} on {made}, with no end date."),
    (Sanction.Kind.SUSPENSION, "ended"): gettext_lazy("Suspended by {by} on {made}, ended on {ended}."),
    (Sanction.Kind.SUSPENSION, "until"): gettext_lazy("Suspended by {by} on {made}, until {end}."),
    (Sanction.Kind.SUSPENSION, "open"): gettext_lazy("Suspended by {by} on {made}, with no end date."),
    (Sanction.Kind.BAN, "ended"): gettext_lazy("Banned by {by} on {made}, ended on {ended}."),
    (Sanction.Kind.BAN, "until"): gettext_lazy("Banned by {by} on {made}, until {end}."),
    (Sanction.Kind.BAN, "open"): gettext_lazy("Banned by {by} on {made}, with no end date."),
}


@dataclass(frozen=True, slots=True)
class FileLine:
    """A sentence and the address of a page about it, or ""; `below` holds further lines."""

    text: str
    url: str = ""
    below: tuple["FileLine", ...] = ()


@dataclass(frozen=True, slots=True)
class FileSection:
    """A heading with the lines below it."""

    title: str
    lines: list[FileLine]


def member_file_sections(member: User) -> list[FileSection]:
    """The sections of the member file, which contain no mail or network address."""
    found = [FileSection(_("Current and past sanctions"), list(_sanctions(member)))]
    if groups := groups_with(member):
        found.insert(0, FileSection(_("Suspicious sign-up"), [_alike(group) for group in groups]))
    found.append(FileSection(_("Other accounts"), list(_bonds(member))))
    for _receiver, more in collect_member_file.send(sender=User, user=member):
        told = cast(list[tuple[str, list[tuple[str, str]]]], more)
        found += [FileSection(title, [FileLine(text, url) for text, url in lines]) for title, lines in told]
    return found


def _sanctions(member: User) -> Iterator[FileLine]:
    rows = list(member.sanctions.select_related("by").prefetch_related("appeals"))
    for row in rows:
        yield FileLine(_sentence(row), below=tuple(map(FileLine, _below(row))))
    if not rows:
        yield FileLine(_("None."))


def _sentence(row: Sanction) -> str:
    words = {
        "by": row.by or _("the command line"),
        "made": _moment(row.made),
        "end": format_end(row.until),
        "ended": _moment(row.ended) if row.ended else "",
    }
    state = "ended" if row.ended else "until" if words["end"] else "open"
    return _SANCTIONED[Sanction.Kind(row.kind), state].format(**words)


def _below(row: Sanction) -> Iterator[str]:
    yield _("Reason: {words}").format(words=row.reason)
    if row.lifted_why:
        yield _("Lifted: {words}").format(words=row.lifted_why)
    for one in row.appeals.all():
        yield _("The member’s appeal on {moment}: {words}").format(moment=_moment(one.made), words=one.text)
        yield _("Reply: {words}").format(words=one.reply) if one.replied else _("Waiting for a reply.")


def _alike(group: SignupGroup) -> FileLine:
    """A line about a suspicious group, with its members below."""
    return FileLine(
        group.sentence, below=tuple(FileLine(name, _page(key)) for key, name in group.names.items())
    )


def _bonds(member: User) -> Iterator[FileLine]:
    bonds = linked_accounts.account_links(member)
    shared = _tables_in_common(member, {bond.other.pk for bond in bonds})
    for bond in bonds:
        # A member with several links has the tables below the first one.
        tables = tuple(shared.pop(bond.other.pk, ()))
        yield FileLine(bond.sentence, _page(bond.other.pk), tables)
    if not bonds:
        yield FileLine(_("No other account is linked to this one."))


def _tables_in_common(member: User, others: set[int]) -> dict[int, list[FileLine]]:
    """Lines about the games that the member plays or played with each of the others."""
    found: dict[int, list[FileLine]] = defaultdict(list)
    for _receiver, told in collect_common_tables.send(sender=User, user=member, others=others):
        for other, text, url in cast(list[tuple[int, str, str]], told):
            found[other].append(FileLine(text, url))
    return found


def _page(key: int) -> str:
    return reverse("admin:accounts_user_change", args=[key])


def _moment(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j F Y, H:i")
