"""Bot accounts and their owners at one table."""

from collections.abc import Iterable

from accounts.models import BotAccount, User


def meets_own_bot(user: User, people: Iterable[int]) -> bool:
    """Return whether the user's own bot account, its owner, or another one of that owner is at the table.

    `people` are the keys of those at the table. One person with two seats could help one with the other.
    """
    others = set(people) - {user.pk}
    owner = user.program.owner_id if user.is_bot_account else user.pk
    return owner in others or BotAccount.objects.filter(owner=owner, user__in=others).exists()
