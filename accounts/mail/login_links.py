"""Links in mails that offer their reader a log-in code, where the member has allowed it.

The key in the link opens nothing. Who opens the link can have a code mailed to the confirmed address of the
member, who has the key already. Without the key, strangers could do so for every name that they know.
"""

from allauth.account.models import EmailAddress
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

_SALT = "accounts.login_links"


def link_key(member: User) -> str:
    """The key for links in mails to this member; "" if they offer no code."""
    return _key(member) if member.codes_from_links else ""


def find_address(name: str, key: str) -> EmailAddress | None:
    """The confirmed address of the member with this name, if the key is the one in the member's mails."""
    member = User.objects.filter(username=name, is_active=True, codes_from_links=True).first()
    # Some databases take other spellings for the same name.
    if member is None or member.username != name or not is_key(member, key):
        return None
    address: EmailAddress | None = EmailAddress.objects.get_verified(member)
    return address


def is_key(member: User, key: str) -> bool:
    """Return whether this is the key in the member's mails, and the member still allows codes from links."""
    return member.codes_from_links and constant_time_compare(key, _key(member))


def _key(member: User) -> str:
    """The key. A new password ends all former ones."""
    return salted_hmac(_SALT, f"{member.pk} {member.password}", algorithm="sha256").hexdigest()[:20]
