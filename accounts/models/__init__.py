"""People, what is kept of their names, the operator's pages and switches, what staff has done, what
stands against whom, and programs with the tokens by which they come in.
"""

from .audit import Audit
from .page import Page
from .program import Program
from .sanction import Appeal, Sanction
from .switch import Switch
from .token import Token
from .trace import Trace
from .user import FreedName, User, Users

__all__ = [
    "Appeal",
    "Audit",
    "FreedName",
    "Page",
    "Program",
    "Sanction",
    "Switch",
    "Token",
    "Trace",
    "User",
    "Users",
]
