"""What happened to a game besides its moves, told inside the transaction that does it.

Receivers get `game`, the locked game, and what is named below; they write what must not be lost (a
receiver that fails undoes everything) and leave the rest for after the commit. Moves and rulings
are told by the log: `games.services.record.add_entry`.
"""

from django.dispatch import Signal

# user: who sat down. Not sent for the host of a new game, nor for computers.
seat_taken = Signal()

# user: who stood up. The host may have changed by then, see host_changed.
seat_left = Signal()

# user: who was sent away; by: the host; reason: a sentence.
kicked = Signal()

# host: who is the host now; old: who left.
host_changed = Signal()

# invitation: of a member (`user`) or an address; its `code` makes the link for the mail.
invited = Signal()

# invitation: the one that was declined.
declined = Signal()

# full: whether all seats are taken, or only as many as the host needs. Sent when the host may start.
game_ready = Signal()

# The game was dealt and runs.
game_started = Signal()

# closes: when the game will be closed unless it is started before.
closing_soon = Signal()

# reason: "empty" when everybody left, "stale" when nobody started it in time, "overruled" when a moderator
# has closed it. Seats are still there.
game_closed = Signal()
