"""What accounts tells and asks the rest of the site, which it does not know."""

from django.dispatch import Signal

# Sent with `user` before an account is emptied, outside any transaction: whoever holds something
# for this user (a seat, say) hands it on now. The account is closed already, so that nothing new is
# taken meanwhile. An exception stops the emptying and opens the account again.
member_leaving = Signal()

# Sent with `user`: whoever keeps something about this person returns it as a list of pairs, a file
# name and its bytes. Nothing may be in it that the person could not see on the site.
collect_personal_data = Signal()

# Sent with `now` once a day: whoever keeps what grows old throws it away, and returns how much of
# what as a dictionary, as {"sent notifications": 12}.
deleting_expired = Signal()

# Sent with `user` in the transaction that shuts a member out for good: whoever holds something for this
# user (a seat, say) hands it on now.
member_banned = Signal()

# Sent with `user`, to fill the page on which those who look after the site see a member: whoever knows more
# returns it as a list of pairs, a heading and a list of lines below it; a line is a sentence and the address
# of a page, "" for none. Nothing may be in it that is hidden from its readers, such as hands.
collect_member_file = Signal()

# Sent with `user`: whoever knows of a bond between this and other accounts returns it as a list of pairs,
# the key of the other user and a sentence about it with `{name}` in the place of that user's name.
collect_account_links = Signal()
