"""The pages of games."""

from .absences import come_back, take_over, vote_on_absent
from .blocking import block, unblock
from .ending import answer_proposal, end, ending
from .exploring import explore, explore_move
from .exporting import export_json, export_text
from .hands import hand
from .history import position, positions
from .importing import forget_imported, import_game
from .leaderboards import leaderboard
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
from .noting import notes
from .orders import orders
from .pauses import paused_games
from .pictures import picture, picture_png
from .plans import plan, turn
from .players import player
from .practice import new_practice
from .puzzles import puzzle, puzzle_today
from .ratings import history_of_rating, ratings
from .records import records
from .reporting import my_reports, report_game, report_player
from .rooms import again, by_link, decline, invite, join, kick, leave, room, start
from .rulebook import about, preset, rules, rules_of_game
from .settings import delete_account, export, mail_again, settings_browser, settings_page, settings_section
from .stories import story
from .table import advice, back, deal, game, log, move, table
from .talking import line, mute, talk, unread
from .vacations import come_home, go_away

__all__ = [
    "about",
    "advice",
    "again",
    "answer_proposal",
    "back",
    "block",
    "by_link",
    "come_back",
    "come_home",
    "deal",
    "decline",
    "delete_account",
    "end",
    "ending",
    "explore",
    "explore_move",
    "export",
    "export_json",
    "export_text",
    "finished_games",
    "forget_imported",
    "game",
    "go_away",
    "hand",
    "history_of_rating",
    "home",
    "import_game",
    "invite",
    "join",
    "kick",
    "leaderboard",
    "leave",
    "line",
    "log",
    "mail_again",
    "move",
    "mute",
    "my_finished_games",
    "my_reports",
    "new_game",
    "new_practice",
    "next_game",
    "notes",
    "open_games",
    "orders",
    "paused_games",
    "picture",
    "picture_png",
    "plan",
    "play_now",
    "player",
    "position",
    "positions",
    "preset",
    "puzzle",
    "puzzle_today",
    "ratings",
    "records",
    "report_game",
    "report_player",
    "room",
    "rules",
    "rules_of_game",
    "running_games",
    "settings_browser",
    "settings_page",
    "settings_section",
    "start",
    "story",
    "table",
    "take_over",
    "talk",
    "turn",
    "unblock",
    "unread",
    "vote_on_absent",
    "waiting",
]
