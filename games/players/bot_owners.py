"""Programs of members at the table."""

from collections.abc import Iterable

from accounts.models import BotAccount, User


def meets_own_bot(user: User, people: Iterable[int]) -> bool:
    """Whether the user would meet an own program, its owner, or another program of the same owner.

    `people` are the keys of those at the table. One person on two seats could help the one with the other.
    """
    others = set(people) - {user.pk}
    owner = user.program.owner_id if user.is_bot_account else user.pk
    return owner in others or BotAccount.objects.filter(owner=owner, user__in=others).exists()
