"""People, what is kept of their names, the operator's pages, and what staff has done."""

from .audit import Audit
from .page import Page
from .user import FreedName, User, Users

__all__ = ["Audit", "FreedName", "Page", "User", "Users"]
