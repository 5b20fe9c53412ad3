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
    links = {
        _page(): _("See your account status"),
        _tokens_page(): _("See your tokens"),
        _not_you_page(): _("Secure your account"),
    }
    return Letter(address, subject, text.strip() + "\n", links)


def _sanction_imposed(row: AccountMail) -> Words:
    """The mail about a sanction, and how to appeal."""
    sanction = _sanction(row)
    if sanction.ended:
        raise NotWanted("the sanction is over")
    subjects = {
        Kind.WARNING: _("A warning about your Acquire account"),
        Kind.MUTE: _("You are muted on Acquire"),
        Kind.SUSPENSION: _("Your Acquire account is suspended"),
        Kind.BAN: _("Your Acquire account is banned"),
    }
    return subjects[Kind(sanction.kind)], [
        _effect(sanction),
        _("Reason: {reason}").format(reason=sanction.reason),
        _(
            "If you think this is wrong, you can appeal to the moderators. They will read your "
            "appeal and reply: {url}"
        ).format(url=_page()),
    ]


def _effect(sanction: Sanction) -> str:
    """The sentences on what the member cannot do, and until when."""
    kind = Kind(sanction.kind)
    until = {
        Kind.MUTE: _("You cannot write in chats until {end}. You can still play."),
        Kind.SUSPENSION: _(
            "You cannot play, chat or invite until {end}. The clocks in your games keep running."
        ),
    }
    if kind in until and (end := format_end(sanction.until)):
        return until[kind].format(end=end)
    return {
        Kind.WARNING: _("The moderators have warned you. Read the warning to continue playing."),
        Kind.MUTE: _("You cannot write in chats. The mute has no end date. You can still play."),
        Kind.SUSPENSION: _(
            "You cannot play, chat or invite. The suspension has no end date. The clocks in your games "
            "keep running."
        ),
        Kind.BAN: _(
            "You can no longer play here. The ban has no end date. Computer players have taken over your "
            "seats."
        ),
    }[kind]


def _sanction_lifted(row: AccountMail) -> Words:
    sanction = _sanction(row)
    return _("Your Acquire account status has changed"), [
        _rights_regained(sanction),
        _("Reason: {reason}").format(reason=sanction.lifted_why),
    ]


def _sanction_ended(row: AccountMail) -> Words:
    return _("Your Acquire account status has changed"), [
        _rights_regained(_sanction(row)),
        _("The restriction has reached its end date."),
    ]


def _appeal_reply(row: AccountMail) -> Words:
    appeal = Appeal.objects.filter(pk=row.facts["appeal"]).first()
    if appeal is None:
        raise NotWanted("the appeal is gone")
    return _("Reply to your Acquire appeal"), [
        _("The moderators have read your appeal and replied:"),
        appeal.reply,
        _("Read the full exchange: {url}").format(url=_page()),
    ]


def _token_created(row: AccountMail) -> Words:
    """The mail about a new token, so that one made by an intruder is noticed."""
    token = ApiToken.objects.select_related("member").filter(pk=row.facts["token"]).first()
    if token is None:
        raise NotWanted("the token is gone")
    if token.member_id == row.user_id:
        words = _("You have a new token, “{name}”. It lets your software read data as you.")
    else:
        words = _("You have a new token, “{name}”. It lets your bot {program} play.")
    return _("New token for your Acquire account"), [
        words.format(name=token.name, program=token.member.username),
        _happened(token.made),
        _("If this was not you, revoke the token and change your password: {url}").format(url=_tokens_page()),
    ]


def _renamed(row: AccountMail) -> Words:
    assert row.user
    changed = _("The moderators have changed your name from {old} to {new}. Log in with the new name.")
    return _("Your Acquire name has changed"), [
        changed.format(old=row.facts["old_name"], new=row.user.username),
        *_staff_change(row),
        _("You can choose another name in your settings."),
    ]


def _factors_removed(row: AccountMail) -> Words:
    return _("Two-factor authentication is off for your Acquire account"), [
        _("We have removed all your second factors. Log in with your password."),
        *_staff_change(row),
        _("You can set up two-factor authentication again in your settings."),
    ]


def _address_confirmed(row: AccountMail) -> Words:
    return _("Your Acquire email address is confirmed"), [
        _("We have confirmed this address for your account."),
        *_staff_change(row),
        _("You can change your address in your settings."),
    ]


def _staff_change(row: AccountMail) -> list[str]:
    """The reason and the time of a change by staff, and what to do if a stranger has asked for it."""
    return [
        _("Reason: {reason}").format(reason=row.facts["reason"]),
        _happened(row.made),
        _("If someone else asked for this in your name, secure your account: {url}").format(
            url=_not_you_page()
        ),
    ]


def _happened(moment: datetime) -> str:
    time = date_format(timezone.localtime(moment), "j F Y, H:i")
    return _("This happened on {time} ({zone}).").format(time=time, zone=timezone.get_current_timezone_name())


_WORDS: dict[AccountMail.Kind, Callable[[AccountMail], Words]] = {
    AccountMail.Kind.SANCTION_IMPOSED: _sanction_imposed,
    AccountMail.Kind.SANCTION_LIFTED: _sanction_lifted,
    AccountMail.Kind.SANCTION_ENDED: _sanction_ended,
    AccountMail.Kind.APPEAL_REPLY: _appeal_reply,
    AccountMail.Kind.TOKEN_CREATED: _token_created,
    AccountMail.Kind.RENAMED: _renamed,
    AccountMail.Kind.FACTORS_REMOVED: _factors_removed,
    AccountMail.Kind.ADDRESS_CONFIRMED: _address_confirmed,
}


def format_end(moment: datetime | None) -> str:
    """Format the end of a sanction as "3 May 2027, 14:00 UTC" in the current time zone; "" without an end."""
    if moment is None or moment >= NO_END:
        return ""
    return date_format(timezone.localtime(moment), "j F Y, H:i e")


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
        return _(
            "One of the restrictions on your account has ended. Another one still applies: {url}"
        ).format(url=_page())
    return {
        Kind.WARNING: _("The moderators have withdrawn your warning."),
        Kind.MUTE: _("You can chat again."),
        Kind.SUSPENSION: _("You can play again."),
        Kind.BAN: _("You can play again. Computer players keep the seats they have taken over."),
    }[Kind(sanction.kind)]


def _page() -> str:
    return f"{settings.SITE_URL}{reverse('standing')}"


def _tokens_page() -> str:
    return f"{settings.SITE_URL}{reverse('account_tokens')}"


def _not_you_page() -> str:
    return f"{settings.SITE_URL}{reverse('account_not_you')}"
