"""What staff does about members."""

from .members import MEMBER_ACTIONS

__all__ = ["MEMBER_ACTIONS"]
