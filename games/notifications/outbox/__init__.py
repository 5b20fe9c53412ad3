"""The outbox: notifications are claimed, checked once more and settled; see accounts.mail.outbox."""
