"""All that is read of games. Nothing secret leaves: a game's state goes out as an observation only."""

from .lists import (
    Lobby,
    Page,
    Wanted,
    finished_page,
    finished_page_of,
    lobby,
    next_game,
    open_page,
    running_page,
    waiting_count,
    waiting_for,
    with_seats,
)
from .looks import Look, look
from .past import Replay, replay, revealed_seed, worth_by_turn
from .players import Result, Results, counts_of, player, results_of, running_of
from .rooms import Room, by_code, last_choices, room

__all__ = [
    "Lobby",
    "Look",
    "Page",
    "Replay",
    "Result",
    "Results",
    "Room",
    "Wanted",
    "by_code",
    "counts_of",
    "finished_page",
    "finished_page_of",
    "last_choices",
    "lobby",
    "look",
    "next_game",
    "open_page",
    "player",
    "replay",
    "results_of",
    "revealed_seed",
    "room",
    "running_of",
    "running_page",
    "waiting_count",
    "waiting_for",
    "with_seats",
    "worth_by_turn",
]
