"""Where computers keep what they have thought: it tells of hands, so it stays in the database.

Nothing else that is cached does, and a large site may cache it elsewhere.
"""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy

bot_cache = ConnectionProxy(caches, "record")
