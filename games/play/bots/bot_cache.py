"""Cache of moves chosen by bots.

It stays in the database because chosen moves reveal hands. Nothing else that is cached does, so a large site
may cache that elsewhere.
"""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy

bot_cache = ConnectionProxy(caches, "record")
