"""The outbox: notifications are claimed, checked once more and settled.

A row is claimed by moving `due` a little ahead if the row is unchanged, so only one of several workers gets
it, and a worker that dies leaves it due again. The Message-ID stays the same over all attempts.
"""
