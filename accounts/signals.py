"""Signals to the packages above accounts, which accounts must not import."""

from django.dispatch import Signal

# Sent with `user` before an account is emptied, outside any transaction. Receivers hand over what they hold
# for the user (a seat, say). The account is closed already, so that it can take nothing new. An exception
# stops the deletion and reopens the account.
member_leaving = Signal()

# Sent with `user`. Receivers return their data about the user as a list of pairs, file name and bytes. The
# data must hold nothing that the user could not see on the site.
collect_personal_data = Signal()

# Sent with `now` once a day. Receivers delete expired rows and return the numbers by kind, as {"sent
# notifications": 12}.
deleting_expired = Signal()

# Sent with `work` (what failed, in words) and `error`, which was caught and logged so that the rest goes on.
# Receivers count it for operators and must not raise.
work_failed = Signal()

# Sent with `user` in the transaction that bans a member. Receivers hand over what they hold for the user (a
# seat, say).
member_banned = Signal()

# Sent after the commit when an account mail waits to be sent. Receivers have a worker send it soon; if nobody
# does, the next regular look at the outbox finds it (accounts.mail.account_outbox).
mail_waiting = Signal()

# Sent with `user` to fill the member file for moderators. Receivers return a list of pairs, a heading and a
# list of lines; a line is a sentence and the address of a page or "". The lines must hold nothing that is
# hidden from moderators, such as hands.
collect_member_file = Signal()

# Sent with `user`. Receivers return links to other accounts as a list of pairs, the key of the other user and
# a sentence with `{name}` in the place of that user's name.
collect_account_links = Signal()

# Sent with `user` and `others`, the keys of linked accounts. Receivers return the tables that the user shares
# with one of them as a list of triples: the key of the other user, a sentence with the result, and the
# address of a page or "". The sentences must hold nothing that is hidden from moderators.
collect_common_tables = Signal()
