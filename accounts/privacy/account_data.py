"""Export of the personal data of an account."""

import io
import json
import zipfile
from typing import Any, cast

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import AccountMail, BotAccount, Sanction, User
from accounts.signals import collect_personal_data

_COLUMNS = (
    *("username", "email", "date_joined", "last_login", "last_seen", "is_guest", "terms_accepted"),
    *("time_zone", "theme", "patterns", "square_names", "sounds", "coach_marks", "read_coach_marks"),
    *("confirm_placing", "confirm_sending"),
    *("mail_mode", "mail_delay", "digest_hour", "quiet_nights", "codes_from_links", "mail_stopped"),
)


def personal_data_zip(user: User) -> bytes:
    """Return a zip of all data about the user: the account, and what `collect_personal_data` yields.

    Contains neither passwords nor keys, so that nobody can log in with it.
    """
    files = [("account.json", as_json(_account(user)))]
    for _receiver, more in collect_personal_data.send(sender=User, user=user):
        files += cast(list[tuple[str, bytes]], more)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return packed.getvalue()


def as_json(value: Any) -> bytes:
    """Return the value as readable JSON with times in ISO form."""
    return json.dumps(value, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False).encode()


def _account(user: User) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=user)
    sessions = UserSession.objects.filter(user=user)
    keys = Authenticator.objects.filter(user=user)
    return {
        **{name: getattr(user, name) for name in _COLUMNS},
        "email_addresses": list(addresses.values("email", "verified", "primary")),
        "former_names": list(user.freed_names.values("skeleton", "freed")),
        "sanctions": [_sanction(one) for one in user.sanctions.prefetch_related("appeals")],
        # Only the times: the hashes would be of use to others alone.
        "seen_from": list(user.traces.order_by("-last").values("kind", "first", "last")),
        "sessions": list(sessions.values("created_at", "last_seen_at", "ip", "user_agent")),
        "tokens": list(user.tokens.values("name", "scope", "made", "used", "until", "revoked")),
        "account_mails": list(
            AccountMail.objects.filter(user=user)
            .order_by("made")
            .values("kind", "address", "made", "state", "settled")
        ),
        "programs": [_program(one) for one in user.programs.select_related("user")],
        "two_factor": [
            {"kind": key.type, "name": str(key), "added": key.created_at, "last_used": key.last_used_at}
            for key in keys
        ],
    }


def _program(program: BotAccount) -> dict[str, Any]:
    tokens = program.user.tokens.values("name", "scope", "made", "used", "until", "revoked")
    columns = ("description", "address", "made")
    return {
        "name": program.user.username,
        **{name: getattr(program, name) for name in columns},
        "tokens": list(tokens),
    }


def _sanction(sanction: Sanction) -> dict[str, Any]:
    """Return a sanction as its member sees it, without who imposed it."""
    columns = ("kind", "reason", "made", "until", "read", "lifted", "lifted_why")
    return {
        **{name: getattr(sanction, name) for name in columns},
        "answers": [
            {name: getattr(one, name) for name in ("text", "made", "reply", "replied")}
            for one in sanction.appeals.all()
        ],
    }
