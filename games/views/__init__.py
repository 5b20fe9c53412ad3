"""The pages of games."""

from .lobby import (
    finished_games,
    home,
    my_finished_games,
    new_game,
    next_game,
    open_games,
    play_now,
    running_games,
    waiting,
)
from .players import player
from .rooms import again, by_link, decline, invite, join, kick, leave, room, start
from .rulebook import preset, rules, rules_of_game
from .settings import delete_account, export, mail_again, settings_browser, settings_page, settings_section
from .table import advice, deal, game, log, move, table

__all__ = [
    "advice",
    "again",
    "by_link",
    "deal",
    "decline",
    "delete_account",
    "export",
    "finished_games",
    "game",
    "home",
    "invite",
    "join",
    "kick",
    "leave",
    "log",
    "mail_again",
    "move",
    "my_finished_games",
    "new_game",
    "next_game",
    "open_games",
    "play_now",
    "player",
    "preset",
    "room",
    "rules",
    "rules_of_game",
    "running_games",
    "settings_browser",
    "settings_page",
    "settings_section",
    "start",
    "table",
    "waiting",
]
