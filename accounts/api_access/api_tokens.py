"""API tokens: making, finding and revoking them."""

import hashlib
import re
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail import account_mails
from accounts.models import ApiToken, User
from accounts.models.api_token import MAX_NAME_LENGTH
from accounts.refusals import InvalidToken

Scope = ApiToken.Scope

MAX_TOKENS = 10

# A token stays listed for this time after it was revoked or ran out.
KEPT = timedelta(days=30)

# The prefix lets people and secret scanners recognise a leaked token.
_PREFIX = "acquire_"
_SHAPE = re.compile(rf"{_PREFIX}[\w-]{{43}}", re.ASCII)


@transaction.atomic
def make_token(
    member: User, name: str, *, until: datetime | None = None, by: User | None = None
) -> tuple[ApiToken, str]:
    """Make a token for the account and return its row and its text.

    The text is not stored, so this is the only time it can be shown. A bot account's token may play, a
    member's may read. `by` is who makes it, the owner of a bot account, if not the member; they get a mail
    about it. Raises InvalidToken.
    """
    # Lock the row: two forms at once must not both find room for one more.
    member = User.objects.select_for_update(no_key=True).get(pk=member.pk)
    name = name.strip()
    if member.is_guest or not member.is_active:
        raise InvalidToken(_("Only members can create tokens."))
    if member.is_suspended:
        raise InvalidToken(_("This account is not allowed to play right now, so it cannot have a token."))
    if not name:
        raise InvalidToken(_("Enter a name for the token, so that you recognise it later."))
    if len(name) > MAX_NAME_LENGTH:
        sentence = ngettext(
            "A token name can have at most {n} character.",
            "A token name can have at most {n} characters.",
            MAX_NAME_LENGTH,
        )
        raise InvalidToken(sentence.format(n=MAX_NAME_LENGTH))
    if until is not None and until <= timezone.now():
        raise InvalidToken(_("Choose an end date in the future."))
    if member.tokens.valid().count() >= MAX_TOKENS:
        sentence = ngettext(
            "You already have {n} token, which is the limit. Revoke it first.",
            "You already have {n} tokens, which is the limit. Revoke one first.",
            MAX_TOKENS,
        )
        raise InvalidToken(sentence.format(n=MAX_TOKENS))
    text = _PREFIX + secrets.token_urlsafe(32)
    scope = Scope.PLAY if member.is_bot_account else Scope.READ
    token = ApiToken.objects.create(member=member, name=name, hash=_hash(text), scope=scope, until=until)
    account_mails.mail_token_created(by or member, token)
    return token, text


def revoke_token(member: User, key: int) -> bool:
    """Revoke a token of the account and return whether it exists; revoking it again is the same."""
    tokens = member.tokens.filter(pk=key)
    tokens.filter(revoked=None).update(revoked=timezone.now())
    return tokens.exists()


def revoke_all(member: User) -> int:
    """Revoke all tokens of the account and of its bot accounts; return how many there were."""
    accounts = [member.pk, *member.programs.values_list("pk", flat=True)]
    return ApiToken.objects.valid().filter(member__in=accounts).update(revoked=timezone.now())


def find_token(text: str, scope: str) -> ApiToken:
    """Return the token with this text and its `member`; it must have the scope. Raises InvalidToken.

    Reads the database each time, so that revocations and suspensions take effect at once.
    """
    token = None
    if _SHAPE.fullmatch(text):
        found = ApiToken.objects.valid().select_related("member__program__owner")
        token = found.filter(hash=_hash(text)).first()
    if token is None or not all(one.is_active for one in _people(token)):
        raise InvalidToken(_("This token is unknown, expired or revoked. Create a new one."))
    if any(one.is_suspended for one in _people(token)):
        raise InvalidToken(_("This account is not allowed to play right now. Log in to see why."), known=True)
    if scope == Scope.PLAY and token.scope != Scope.PLAY:
        raise InvalidToken(_("This token can only read. To play, use a bot’s token."), known=True)
    _note_use(token)
    return token


def is_still_valid(token: ApiToken) -> bool:
    """Return whether a token found some time ago is still valid."""
    now = ApiToken.objects.valid().select_related("member__program__owner").filter(pk=token.pk).first()
    return now is not None and all(one.is_active and not one.is_suspended for one in _people(now))


def delete_expired_tokens(now: datetime) -> int:
    """Delete tokens that have been invalid for a month and return how many."""
    old = now - KEPT
    return (
        ApiToken.objects.filter(revoked__lt=old).delete()[0]
        + ApiToken.objects.filter(until__lt=old).delete()[0]
    )


def _people(token: ApiToken) -> list[User]:
    """The users whose suspension disables the token: the account and a bot account's owner."""
    member = token.member
    return [member, member.program.owner] if member.is_bot_account else [member]


def _note_use(token: ApiToken) -> None:
    today = timezone.localdate()
    if token.used != today:
        ApiToken.objects.filter(pk=token.pk).update(used=today)
        User.objects.filter(pk=token.member_id, last_seen__lt=today).update(last_seen=today)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
