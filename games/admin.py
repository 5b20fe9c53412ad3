"""Registers the admin pages of games."""

from games.web.moderation import game_admin, member_games_panel, report_admin  # noqa: F401
from games.web.notifications import notification_admin  # noqa: F401
