"""The text of mails to members about decisions of the staff and tokens."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.mail.letter import Letter, NotWanted
from accounts.models import AccountMail, ApiToken, Sanction, User
from accounts.models.sanction import NO_END, Appeal

Kind = Sanction.Kind

# A subject and paragraphs.
Words = tuple[str, list[str]]


def write(row: AccountMail) -> Letter:
    """Write to the member, in words for the row's kind; raises NotWanted without a confirmed address.

    Mail about a bot account goes to its owner and begins with the name of the bot account.
    """
    assert row.user
    reader = row.user.program.owner if row.user.is_bot_account else row.user
    address = reader.mail_address()
    if not address:
        raise NotWanted("no confirmed address")
    subject, paragraphs = _WORDS[AccountMail.Kind(row.kind)](row)
    context = {
        "name": row.user.username,
        "paragraphs": paragraphs,
        "host": urlsplit(settings.SITE_URL).netloc,
    }
    text = render_to_string("accounts/member_mail.txt", context)
    return Letter(address, subject, text.strip() + "\n")


def _sanction_imposed(row: AccountMail) -> Words:
    """The sanction and how to appeal."""
    sanction = _sanction(row)
    if sanction.ended:
        raise NotWanted("the sanction is over")
    subjects = {
        Kind.WARNING: _("A warning about your account at Acquire"),
        Kind.MUTE: _("You may not talk at Acquire for now"),
        Kind.SUSPENSION: _("You may not play at Acquire for now"),
        Kind.BAN: _("Your account at Acquire is shut out"),
    }
    until = format_until(sanction.until)
    sentences = {
        Kind.WARNING: _("Those who look after the site warn you. Read it before you play on."),
        Kind.MUTE: _("{until} you may not talk at tables. You may play on.").format(until=until),
        Kind.SUSPENSION: _(
            "{until} you may not play, talk or invite. The clocks of your games go on."
        ).format(until=until),
        Kind.BAN: _("You may not play here any more. Computers have taken your seats."),
    }
    kind = Kind(sanction.kind)
    return subjects[kind], [
        sentences[kind],
        _("The reason: {reason}").format(reason=sanction.reason),
        _("You can answer to this: {url}").format(url=_page()),
    ]


def _sanction_lifted(row: AccountMail) -> Words:
    sanction = _sanction(row)
    return _("Good news about your account at Acquire"), [
        _rights_regained(sanction),
        _("The reason: {reason}").format(reason=sanction.lifted_why),
    ]


def _sanction_ended(row: AccountMail) -> Words:
    return _("Good news about your account at Acquire"), [
        _rights_regained(_sanction(row)),
        _("Its time is over."),
    ]


def _appeal_reply(row: AccountMail) -> Words:
    appeal = Appeal.objects.filter(pk=row.facts["appeal"]).first()
    if appeal is None:
        raise NotWanted("the appeal is gone")
    return _("A reply to your answer at Acquire"), [
        _("Those who look after the site have read what you wrote, and reply:"),
        appeal.reply,
        _("All of it stands here: {url}").format(url=_page()),
    ]


def _token_created(row: AccountMail) -> Words:
    """The name of the token, so that one made by an intruder is noticed."""
    token = ApiToken.objects.select_related("member").filter(pk=row.facts["token"]).first()
    if token is None:
        raise NotWanted("the token is gone")
    if token.member_id == row.user_id:
        words = _("A token was made that reads with your account: “{name}”.")
    else:
        words = _("A token was made by which your program {program} plays: “{name}”.")
    url = f"{settings.SITE_URL}{reverse('account_tokens')}"
    return _("A new token at Acquire"), [
        words.format(name=token.name, program=token.member.username),
        _("If it was not you, revoke it, and choose another password: {url}").format(url=url),
    ]


def _renamed(row: AccountMail) -> Words:
    assert row.user
    return _("You have another name at Acquire"), [
        _(
            "Those who look after the site have changed your name from {old} to {new}. Log in with the"
            " new one."
        ).format(old=row.facts["old_name"], new=row.user.username),
        _("The reason: {reason}").format(reason=row.facts["reason"]),
        _("You can choose another name in the settings."),
    ]


_WORDS: dict[AccountMail.Kind, Callable[[AccountMail], Words]] = {
    AccountMail.Kind.SANCTION_IMPOSED: _sanction_imposed,
    AccountMail.Kind.SANCTION_LIFTED: _sanction_lifted,
    AccountMail.Kind.SANCTION_ENDED: _sanction_ended,
    AccountMail.Kind.APPEAL_REPLY: _appeal_reply,
    AccountMail.Kind.TOKEN_CREATED: _token_created,
    AccountMail.Kind.RENAMED: _renamed,
}


def format_until(moment: datetime | None) -> str:
    """Format as "Until 3 May 2027, 14:00 UTC" in the current time zone."""
    if moment is None or moment >= NO_END:
        return _("From now on")
    return _("Until {moment}").format(moment=date_format(timezone.localtime(moment), "j F Y, H:i e"))


def _sanction(row: AccountMail) -> Sanction:
    found = Sanction.objects.filter(pk=row.facts["sanction"]).first()
    if found is None:
        raise NotWanted("the sanction is gone")
    return found


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


def _page() -> str:
    return f"{settings.SITE_URL}{reverse('standing')}"
