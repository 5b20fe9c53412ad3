"""Models of games."""

from games.models.abuse_report import AbuseReport, ReplyTemplate
from games.models.block import Block
from games.models.bot_failure import BotFailure
from games.models.chat_message import ChatMessage, MutedMember
from games.models.endpoint import Channel, Endpoint
from games.models.exploration import Exploration
from games.models.game import Game
from games.models.game_outcome import GameOutcome, OpeningTally, Record, Result
from games.models.game_review import GameReview, MoveAssessment
from games.models.game_visit import GameVisit
from games.models.heartbeat import Heartbeat
from games.models.invitation import DepartureCount, Invitation, Kick
from games.models.lesson_progress import LessonProgress
from games.models.log_entry import LogEntry
from games.models.new_game_defaults import NewGameDefaults
from games.models.note import Note
from games.models.notification import DeliveryAttempt, Kind, Notification
from games.models.notification_preference import GameNotificationLevel, MutedKind, UnsubscribedAddress
from games.models.planned_turn import PlannedTurn
from games.models.presence import OpenPage
from games.models.process_sign import ProcessSign
from games.models.puzzle import Puzzle, PuzzleAnswer, PuzzleSource
from games.models.queued_player import QueuedPlayer
from games.models.rated_decision import GameMoney, InsightSum, Mistake, PublicInsights, RatedDecision
from games.models.rating import OVERALL, TEAM_GAMES, Rating, RatingChange, RatingCorrection, RatingLedger
from games.models.redeal import Redeal
from games.models.reliability import Reliability
from games.models.seat import Seat
from games.models.standing_order import StandingOrder
from games.models.task_failure import TaskFailure
from games.models.vacation import Vacation
from games.models.vote import Vote

__all__ = [
    "OVERALL",
    "TEAM_GAMES",
    "AbuseReport",
    "Block",
    "BotFailure",
    "Channel",
    "ChatMessage",
    "DeliveryAttempt",
    "DepartureCount",
    "Endpoint",
    "Exploration",
    "Game",
    "GameMoney",
    "GameNotificationLevel",
    "GameOutcome",
    "GameReview",
    "GameVisit",
    "Heartbeat",
    "InsightSum",
    "Invitation",
    "Kick",
    "Kind",
    "LessonProgress",
    "LogEntry",
    "Mistake",
    "MoveAssessment",
    "MutedKind",
    "MutedMember",
    "NewGameDefaults",
    "Note",
    "Notification",
    "OpenPage",
    "OpeningTally",
    "PlannedTurn",
    "ProcessSign",
    "PublicInsights",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleSource",
    "QueuedPlayer",
    "RatedDecision",
    "Rating",
    "RatingChange",
    "RatingCorrection",
    "RatingLedger",
    "Record",
    "Redeal",
    "Reliability",
    "ReplyTemplate",
    "Result",
    "Seat",
    "StandingOrder",
    "TaskFailure",
    "UnsubscribedAddress",
    "Vacation",
    "Vote",
]
