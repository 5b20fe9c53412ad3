"""Notifications on their way: claimed, looked at once more, settled.

A row is claimed by moving `due` a little ahead, if it is still what it was; so of many workers one gets it,
and a worker that dies leaves it due again. What is sent keeps its Message-ID whatever happens.
"""
