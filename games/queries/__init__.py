"""All that is read of games. Nothing secret leaves: a game's state goes out as an observation only."""

from .explorations import Explored, explored
from .exports import exported, seen_after, seen_by_all
from .lists import (
    Page,
    Wanted,
    finished_page,
    finished_page_of,
    next_game,
    open_page,
    own_imported,
    running_page,
    waiting_count,
    waiting_for,
    with_seats,
)
from .lobbies import Lobby, lobby
from .looks import Look, look
from .orders import order_that_asks, orders_of, takes_orders
from .past import (
    DealChecked,
    Replay,
    TurnSeen,
    after_entry,
    before_turn,
    check_deal,
    replay,
    revealed_seed,
    worth_by_turn,
)
from .pauses import paused_game, paused_games
from .plans import planned
from .players import Result, Results, counts_of, player, results_of, running_of
from .positions import Position, position_at
from .puzzles import (
    puzzle_answer,
    puzzle_neighbours,
    puzzle_of,
    puzzle_of_today,
    puzzle_position,
    puzzle_solution,
)
from .reports import reports_about, reports_by
from .rooms import Room, by_code, last_choices, room
from .stories import costly, course, fates, may_be_rated, paces, player_of, plays, story, turning_points
from .talk import TALK_PAGE, Talk, blocked_by, line_for, muted_by, note, talk, unread
from .vacations import away_until

__all__ = [
    "TALK_PAGE",
    "DealChecked",
    "Explored",
    "Lobby",
    "Look",
    "Page",
    "Position",
    "Replay",
    "Result",
    "Results",
    "Room",
    "Talk",
    "TurnSeen",
    "Wanted",
    "after_entry",
    "away_until",
    "before_turn",
    "blocked_by",
    "by_code",
    "check_deal",
    "costly",
    "counts_of",
    "course",
    "explored",
    "exported",
    "fates",
    "finished_page",
    "finished_page_of",
    "last_choices",
    "line_for",
    "lobby",
    "look",
    "may_be_rated",
    "muted_by",
    "next_game",
    "note",
    "open_page",
    "order_that_asks",
    "orders_of",
    "own_imported",
    "paces",
    "paused_game",
    "paused_games",
    "planned",
    "player",
    "player_of",
    "plays",
    "position_at",
    "puzzle_answer",
    "puzzle_neighbours",
    "puzzle_of",
    "puzzle_of_today",
    "puzzle_position",
    "puzzle_solution",
    "replay",
    "reports_about",
    "reports_by",
    "results_of",
    "revealed_seed",
    "room",
    "running_of",
    "running_page",
    "seen_after",
    "seen_by_all",
    "story",
    "takes_orders",
    "talk",
    "turning_points",
    "unread",
    "waiting_count",
    "waiting_for",
    "with_seats",
    "worth_by_turn",
]
