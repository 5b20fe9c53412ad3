"""Locks of users who want to play, join, invite or chat; those who may not are refused."""

from accounts.models import BotAccount, User
from games.refusals import AccountClosed, Muted, Suspended, Warned


def lock_admitted_user(user: User | None) -> User | None:
    """Lock the row of a user who wants to act and return it; None, a bot or the site, needs no lock.

    The lock orders this transaction and a ban: nothing is done after the ban. Lock the user before any game.
    The owner of a bot account is locked before it, as a suspension of the owner applies to the bot account.
    Raises AccountClosed, Suspended, and Warned before a warning was read.
    """
    if user is None:
        return None
    if user.is_bot_account:
        owner = BotAccount.objects.filter(user=user.pk).values_list("owner").first()
        if owner is None:
            raise AccountClosed
        check_admitted(_lock_row(owner[0]))
    found = lock_user(user)
    check_admitted(found)
    return found


def lock_chatting_user(user: User) -> None:
    """Lock a user who wants to chat, like `lock_admitted_user`; raise Muted as well."""
    found = lock_admitted_user(user)
    if found and found.muted_until and found.is_muted:
        raise Muted(found.muted_until)


def lock_user(user: User) -> User:
    """Lock the user's row until the transaction ends, and return it; lock it before any game.

    Raises AccountClosed for an account that is being deleted. It is closed before its seats are handed over,
    so a seat taken after that would stay taken.
    """
    found = _lock_row(user.pk)
    if not found.is_active:
        raise AccountClosed
    return found


def check_admitted(found: User) -> None:
    """Raise AccountClosed, Suspended or Warned for a user who may not act, as the row was read."""
    if not found.is_active:
        raise AccountClosed
    if found.suspended_until and found.is_suspended:
        raise Suspended(found.suspended_until)
    if found.has_unread_warning:
        raise Warned


def _lock_row(key: int) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=key)
