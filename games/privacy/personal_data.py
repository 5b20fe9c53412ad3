"""Personal data of games, for the export of an account."""

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet

from accounts.models import User
from games.log.public_times import entry_time
from games.models import (
    AbuseReport,
    Block,
    ChatMessage,
    DepartureCount,
    Exploration,
    Game,
    GameMoney,
    GameVisit,
    Invitation,
    Kick,
    LessonProgress,
    LogEntry,
    Mistake,
    MutedMember,
    NewGameDefaults,
    Note,
    OpenPage,
    PlannedTurn,
    PublicInsights,
    PuzzleAnswer,
    QueuedPlayer,
    RatedDecision,
    Rating,
    RatingChange,
    RatingCorrection,
    Reliability,
    Seat,
    StandingOrder,
    Vacation,
)
from games.players.invitations import invitations_of


def my_data(user: User) -> list[tuple[str, bytes]]:
    """The data that games hold about the user, as files.

    All of it is public or the user's own: no other hand, no state, no seed, no other person's address. It
    includes games whose system may not be played here now, because the data is the user's all the same.
    """
    hosted = Game.all_games.filter(host=user).order_by("pk")
    return [
        ("games.json", _json([_game(seat) for seat in _seats(user)])),
        (
            "practice_tables.json",
            _json([_practice(game) for game in hosted.filter(is_practice=True, imported=None)]),
        ),
        ("imported_games.json", _json([_imported(game) for game in hosted.filter(imported__isnull=False)])),
        ("hosted_games.json", _json([_hosted(game) for game in hosted])),
        ("moves.json", _json([_move(move) for move in _moves(user)])),
        ("invitations.json", _json(_invitations(user))),
        ("live_queue.json", _json(list(QueuedPlayer.objects.filter(user=user).values()))),
        ("last_choices.json", _json(list(NewGameDefaults.objects.filter(user=user).values("new_game")))),
        ("orders.json", _json(_orders(user))),
        ("vacations.json", _json(_vacations(user))),
        ("ratings.json", _json(_ratings(user))),
        ("reliability.json", _json(_reliability(user))),
        ("looks_at_games.json", _json(_open_pages(user))),
        ("plans.json", _json(_plans(user))),
        ("visits.json", _json(_visits(user))),
        ("talk.json", _json(_chat(user))),
        ("blocks.json", _json(_blocks(user))),
        ("notes.json", _json(_notes(user))),
        ("explorations.json", _json(_explorations(user))),
        ("puzzles.json", _json(_puzzles(user))),
        ("lessons.json", _json(_lessons(user))),
        ("insights.json", _json(_insights(user))),
        ("retries.json", _json(_retries(user))),
    ]


def systems_of(user: User) -> set[str]:
    """The rule systems of all games in the files."""
    mine = Q(seats__user=user) | Q(host=user) | Q(moves__user=user)
    return set(Game.all_games.filter(mine).values_list("system", flat=True))


def _seats(user: User) -> Any:
    seats = Seat.objects.filter(user=user).select_related("game").prefetch_related("game__seats__user")
    return seats.order_by("game").defer("game__state", "game__seed")


def _moves(user: User) -> Any:
    moves = LogEntry.objects.filter(user=user).select_related("game").order_by("game", "number")
    return moves.defer("game__state", "game__seed", "events")


def _game(seat: Seat) -> dict[str, Any]:
    return {
        **_hosted(seat.game),
        "my_seat": seat.number,
        "players": [other.name for other in seat.game.seats.all()],
    }


def _practice(game: Game) -> dict[str, Any]:
    return {**_hosted(game), "players": [seat.name for seat in game.seats.all()]}


def _imported(game: Game) -> dict[str, Any]:
    return {**_practice(game), "imported": game.imported}


def _hosted(game: Game) -> dict[str, Any]:
    return {
        "address": game.get_absolute_url(),
        "name": game.name,
        "system": game.system,
        "preset": game.preset,
        "options": game.options,
        "status": game.status,
        "paused": game.paused,
        "started": game.started,
        "moved": entry_time(game, game.last_change_at),
        "finished": game.finished,
        "ending": game.ending,
    }


def _move(move: LogEntry) -> dict[str, Any]:
    """A move of the user; its origin is the order or plan of the user that made it, or ""."""
    return {
        "game": move.game.get_absolute_url(),
        "number": move.number,
        "seat": move.seat,
        "kind": move.kind,
        "move": move.text,
        "origin": move.origin,
        "made": move.created_at,
    }


def _invitations(user: User) -> dict[str, list[Any]]:
    """Invitations from and to the user, and the user's kicks and departures.

    The reason of another person's kick is not included; who kicked the user is not stored.
    """
    asked = invitations_of(user).values("game__public_id", "invited_by__username", "state", "made")
    sent = Invitation.objects.filter(invited_by=user).values(
        "game__public_id", "user__username", "address", "state", "made"
    )
    kicks = Kick.objects.filter(user=user).values("game__public_id", "reason", "made")
    departures = DepartureCount.objects.filter(user=user)
    return {
        "received": list(asked),
        "sent": list(sent),
        "sent_away": list(kicks),
        "left": list(departures.values("game__public_id", "times", "missed_ready_check")),
    }


def _rows(found: QuerySet[Any], *columns: str) -> list[dict[str, Any]]:
    """Return the rows as dictionaries; "key=column" renames a column."""
    pairs = [(key, column or key) for key, _, column in (named.partition("=") for named in columns)]
    rows = found.values_list(*(column for _, column in pairs))
    return [dict(zip((key for key, _ in pairs), row, strict=True)) for row in rows]


def _orders(user: User) -> list[Any]:
    found = StandingOrder.objects.filter(user=user).order_by("game", "topic")
    return _rows(found, "game__public_id", "terms=order_json", "once", "given")


def _plans(user: User) -> list[Any]:
    found = PlannedTurn.objects.filter(user=user).order_by("pk")
    return _rows(found, "game__public_id", "record=plan_json", "made")


def _vacations(user: User) -> list[Any]:
    return list(Vacation.objects.filter(user=user).values("first", "last", "starts", "ends"))


def _reliability(user: User) -> list[Any]:
    """The user's numbers of timely and late decisions, and of seats lost to bots."""
    return list(Reliability.objects.filter(user=user).values("decisions", "late", "left"))


def _ratings(user: User) -> dict[str, list[Any]]:
    """The user's ratings and their changes by game, as computed."""
    columns = ("system", "players", "month", "mu", "sigma", "games", "wins")
    kept = Rating.objects.filter(user=user).order_by("system", "month", "players")
    changes = RatingChange.objects.filter(user=user).order_by("finished", "game", "month", "players")
    return {
        "ratings": list(kept.values(*columns)),
        "changes": _rows(changes, "game__public_id", "finished", "rank", "before=mu_before", *columns),
        "corrections": _rows(
            RatingCorrection.objects.filter(user=user).order_by("at", "pk"),
            *("game__public_id", "at", "reason", "before=mu_before", "system", "players", "mu"),
        ),
    }


def _open_pages(user: User) -> list[Any]:
    """The games that the user recently had open, and until when."""
    found = OpenPage.objects.filter(user=user).order_by("pk")
    return _rows(found, "game__public_id", "until=visible_until")


def _visits(user: User) -> list[Any]:
    """The user's visits to games."""
    found = GameVisit.objects.filter(user=user).order_by("pk")
    return _rows(found, "game__public_id", "since=seen_before", "seen", "at")


def _chat(user: User) -> dict[str, list[Any]]:
    """The user's chat messages, mutes and reports; no messages of others."""
    lines = ChatMessage.objects.filter(user=user).values(
        "game__public_id", "channel", "text", "made", "removed"
    )
    muted = MutedMember.objects.filter(user=user).order_by("pk")
    reports = _rows(
        AbuseReport.objects.filter(by=user).order_by("pk"),
        "about", "trouble=category", "person__username", "called", "game__public_id", "reason", "made",
        "settled", "outcome", "answer",
    )  # fmt: skip
    return {
        "lines": list(lines),
        "muted": list(muted.values_list("person__username", flat=True)),
        "reports": reports,
    }


def _blocks(user: User) -> list[Any]:
    """The user's blocks of others; not others' blocks of the user."""
    return list(Block.objects.filter(user=user).order_by("pk").values("person__username", "made"))


def _notes(user: User) -> list[Any]:
    return list(Note.objects.filter(user=user).order_by("pk").values("game__public_id", "text", "saved"))


def _explorations(user: User) -> list[Any]:
    """The user's explorations: game, start and moves."""
    found = Exploration.objects.filter(user=user).order_by("pk")
    return list(found.values("game__public_id", "seat", "version", "turn", "steps", "touched"))


def _puzzles(user: User) -> list[Any]:
    """The user's answers to puzzles; `day` is the day for which an answer counted."""
    found = PuzzleAnswer.objects.filter(user=user).order_by("pk")
    return list(found.values("puzzle__day", "move", "right", "day", "streak", "made"))


def _lessons(user: User) -> list[Any]:
    """The lessons that the user has begun, and how many steps of each are solved."""
    found = LessonProgress.objects.filter(user=user).order_by("pk")
    return list(found.values("lesson", "solved", "made"))


def _insights(user: User) -> dict[str, Any]:
    """The user's rated decisions and money by source, and since when others may read the sums."""
    decisions = RatedDecision.objects.filter(user=user).order_by("pk")
    money = GameMoney.objects.filter(user=user).order_by("pk")
    public = PublicInsights.objects.filter(user=user).values_list("since", flat=True).first()
    game = "game=review__game__public_id"
    return {
        "public_since": public,
        "decisions": _rows(decisions, game, "number", "system", "theme", "third", "tier", "lost"),
        "money": _rows(money, game, "system", "source", "dollars"),
    }


def _retries(user: User) -> list[Any]:
    """The user's mistakes, with the latest answer and when each comes back."""
    found = Mistake.objects.filter(user=user).order_by("pk")
    return _rows(
        found, "game=decision__review__game__public_id", "number=decision__number",
        "kind", "best", "move", "right", "answers", "right_answers", "answered", "due",
    )  # fmt: skip


def _json(value: Any) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, indent=2, ensure_ascii=False).encode()
