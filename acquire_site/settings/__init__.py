"""Settings of the site. Everything that differs between deployments comes from the environment.

Without any variables these are development settings: SQLite and mail in data/, plain http, this machine only.
DEBUG=0 is production and needs five more: SECRET_KEY, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS, DATABASE_URL and
REDIS_URL. Every other variable has a safe default; setting_table.py declares them all, and docs/settings.md
shows them. Each may also be the content of a file that NAME_FILE names.
"""

from .accounts import *
from .backup import *
from .base import *
from .mail import *
from .monitoring import *
from .redis import *
from .storage import *
from .web_security import *

__all__ = [*(name for name in dir() if name.isupper()), "database"]
