"""Mail to members about decisions of the staff."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.mail import background_mail
from accounts.models import ApiToken, Sanction, User
from accounts.models.sanction import NO_END

Kind = Sanction.Kind


def mail_sanction_imposed(sanction: Sanction) -> None:
    """Mail a member about a new sanction and how to appeal."""
    subjects = {
        Kind.WARNING: _("A warning about your account at Acquire"),
        Kind.MUTE: _("You may not talk at Acquire for now"),
        Kind.SUSPENSION: _("You may not play at Acquire for now"),
        Kind.BAN: _("Your account at Acquire is shut out"),
    }
    words = {
        Kind.WARNING: lambda: _("Those who look after the site warn you. Read it before you play on."),
        Kind.MUTE: lambda: _("{until} you may not talk at tables. You may play on.").format(
            until=format_until(sanction.until)
        ),
        Kind.SUSPENSION: lambda: _(
            "{until} you may not play, talk or invite. The clocks of your games go on."
        ).format(until=format_until(sanction.until)),
        Kind.BAN: lambda: _("You may not play here any more. Computers have taken your seats."),
    }
    kind = Kind(sanction.kind)
    _write(
        sanction.member,
        subjects[kind],
        words[kind],
        lambda: _("The reason: {reason}").format(reason=sanction.reason),
        lambda: _("You can answer to this: {url}").format(url=_page()),
    )


def mail_sanction_lifted(sanction: Sanction) -> None:
    """Mail a member that a sanction was lifted early, and why."""
    _write(
        sanction.member,
        _("Good news about your account at Acquire"),
        lambda: _rights_regained(sanction),
        lambda: _("The reason: {reason}").format(reason=sanction.lifted_why),
    )


def mail_sanction_ended(sanction: Sanction) -> None:
    """Mail a member that a sanction has run out."""
    _write(
        sanction.member,
        _("Good news about your account at Acquire"),
        lambda: _rights_regained(sanction),
        lambda: _("Its time is over."),
    )


def _rights_regained(sanction: Sanction) -> str:
    """A sentence on what the member may do again, unless another sanction forbids it."""
    member = User.objects.get(pk=sanction.member_id)
    if sanction.kind != Kind.WARNING and (
        member.is_suspended or (sanction.kind == Kind.MUTE and member.is_muted)
    ):
        return _("One of the decisions about your account is over. Another one still holds: {url}").format(
            url=_page()
        )
    return {
        Kind.WARNING: _("A warning of yours was taken back."),
        Kind.MUTE: _("You may talk again."),
        Kind.SUSPENSION: _("You may play again."),
        Kind.BAN: _("You may play again. The seats that computers have taken are not given back."),
    }[Kind(sanction.kind)]


def mail_appeal_reply(member: User, words: str) -> None:
    """Mail a member the reply to an appeal."""
    _write(
        member,
        _("A reply to your answer at Acquire"),
        lambda: _("Those who look after the site have read what you wrote, and reply:"),
        lambda: words,
        lambda: _("All of it stands here: {url}").format(url=_page()),
    )


def mail_token_created(reader: User, token: ApiToken) -> None:
    """Mail the maker of a token, so that one made by an intruder is noticed."""
    if token.member_id == reader.pk:
        words = _("A token was made that reads with your account: “{name}”.")
    else:
        words = _("A token was made by which your program {program} plays: “{name}”.")
    _write(
        reader,
        _("A new token at Acquire"),
        lambda: words.format(name=token.name, program=token.member.username),
        lambda: _("If it was not you, revoke it, and choose another password: {url}").format(
            url=f"{settings.SITE_URL}{reverse('account_tokens')}"
        ),
    )


def mail_renamed(member: User, old: str, reason: str) -> None:
    """Mail a member that staff changed the name."""
    _write(
        member,
        _("You have another name at Acquire"),
        lambda: _(
            "Those who look after the site have changed your name from {old} to {new}. Log in with the"
            " new one."
        ).format(old=old, new=member.username),
        lambda: _("The reason: {reason}").format(reason=reason),
        lambda: _("You can choose another name in the settings."),
    )


def format_until(moment: datetime | None) -> str:
    """Format as "Until 3 May 2027, 14:00 UTC" in the current time zone."""
    if moment is None or moment >= NO_END:
        return _("From now on")
    return _("Until {moment}").format(moment=date_format(timezone.localtime(moment), "j F Y, H:i e"))


def _page() -> str:
    return f"{settings.SITE_URL}{reverse('standing')}"


def _write(member: User, subject: str, *paragraphs: Callable[[], str]) -> None:
    """Mail paragraphs to the member in the member's time zone; nothing without a confirmed address.

    Mail about a bot account goes to its owner and begins with the name of the bot account.
    """
    reader = member.program.owner if member.is_bot_account else member
    address = reader.mail_address()
    if not address:
        return
    with translation.override(settings.LANGUAGE_CODE), timezone.override(reader.tzinfo):
        context = {
            "name": member.username,
            "paragraphs": [paragraph() for paragraph in paragraphs],
            "host": urlsplit(settings.SITE_URL).netloc,
        }
        text = render_to_string("accounts/member_mail.txt", context)
    background_mail.send_in_background(
        EmailMessage(subject, text.strip() + "\n", settings.DEFAULT_FROM_EMAIL, [address])
    )
