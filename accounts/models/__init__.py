"""People, what is kept of their names, the operator's pages and switches, what staff has done, and what
stands against whom.
"""

from .audit import Audit
from .page import Page
from .sanction import Appeal, Sanction
from .switch import Switch
from .trace import Trace
from .user import FreedName, User, Users

__all__ = ["Appeal", "Audit", "FreedName", "Page", "Sanction", "Switch", "Trace", "User", "Users"]
