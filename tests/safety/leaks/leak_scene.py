"""The rest of the site during a leak check: secrets of all kinds, and something on every page."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.models import AccountMail, Appeal, AuditEntry, Sanction, SitePage, User
from games.analysis.exploration_steps import start_exploration
from games.engine.rules.acquire.board import SQUARE_NAMES
from games.insights.decision_figures import set_public
from games.lobby.game_start import create_game
from games.lobby.game_terms import GameTerms
from games.models import (
    AbuseReport,
    ChatMessage,
    DeliveryAttempt,
    Endpoint,
    Game,
    GameReview,
    Invitation,
    LogEntry,
    Mistake,
    Note,
    Notification,
    PlannedTurn,
    Puzzle,
    PuzzleSource,
    RatedDecision,
    ReplyTemplate,
    StandingOrder,
    UnsubscribedAddress,
    Vacation,
)
from games.players.chat_access import TEAMS
from games.puzzles import puzzle_calendar
from games.refusals import ExplorationHidden
from games.web.notifications import unsubscribe, web_push
from games.web.notifications.mail_sections import absolute
from tests.safety.leaks.labels import label
from tests.safety.leaks.twin_sites import stored, think_ahead
from tests.safety.leaks.viewers import Viewer


@dataclass(frozen=True)
class Scene:
    """A game in the middle of a site, and values for its addresses and forms."""

    game: Game
    facts: dict[str, str]
    invitation: Invitation
    mention: ChatMessage

    @cached_property
    def words(self) -> dict[str, set[int]]:
        """Texts written somewhere, and who may read each of them, by primary key."""
        return _words(self.game)


def prepare(game: Game, players: list[Viewer], elsewhere: User) -> Scene:
    """Fill the site around a game with secrets of single people and with public things."""
    now = timezone.now()
    host = game.host
    for viewer in players:
        _keep_secrets(game, viewer)
    think_ahead(game)
    opened = create_game(host=host, terms=GameTerms(system="acquire", preset="classic", least=2, most=4))
    invitation = Invitation.objects.create(game=opened, user=elsewhere, invited_by=host)
    line = ChatMessage.objects.create(
        game=game, channel="watchers", user=elsewhere, text="Who leads?", made=now
    )
    AbuseReport.objects.create(line=line, by=host, reason="too curious", made=now)
    AuditEntry.objects.create(made=now, by_name="vera", action="warn", reason="too curious", member=elsewhere)
    AccountMail.objects.create(
        user=elsewhere,
        address="elsewhere@mail.example",
        kind="password changed",
        state="given up",
        due=now,
    )
    # Rows of migrations are gone when a test has emptied the database.
    ReplyTemplate.objects.get_or_create(name="Nothing found", defaults={"text": "We looked."})
    over = Sanction.objects.create(member=elsewhere, kind="mute", reason="loud", made=now, until=now)
    Appeal.objects.create(sanction=over, text="I was not.", made=now)
    vacation = Vacation.objects.create(
        user=elsewhere, first=now.date(), last=now.date(), starts=now, ends=now + timedelta(days=1)
    )
    endpoint = Endpoint.objects.filter(user=host).first() or _endpoints(host)[0]
    DeliveryAttempt.objects.create(
        user=host, address=host.email, subject="News", outcome="handed over", at=now
    )
    UnsubscribedAddress.objects.create(address="nobody@mail.example", reason="asked", since=now)
    Group.objects.create(name="Watchmen")
    SitePage.objects.create(slug=SitePage.Slug.TERMS, title="Terms", text="Be kind.")
    Notification.objects.get_or_create(
        user=host, game=game, kind="started", version=0, endpoint=None, defaults={"made": now, "due": now}
    )
    Authenticator.objects.create(user=elsewhere, type="recovery_codes", data={"seed": "", "used_mask": 0})
    UserSession.objects.create(user=elsewhere, ip="127.0.0.1", session_key="abc", user_agent="Browser")
    # A puzzle of a game that is not over, which no code would make.
    source = PuzzleSource.objects.create(game=game, system=game.system)
    Puzzle.objects.create(
        source=source,
        number=max(game.version, 1),
        seat=0,
        seats=len(players),
        kind=game.decision_kind,
        best="buy nothing",
        estimates=[],
        day=puzzle_calendar.today(),
    )
    mistake = _mistake_in(game)
    set_public(host, True)
    facts = {
        "id": game.public_id,
        "mistake": str(mistake.pk),
        "today": puzzle_calendar.today().isoformat(),
        "next": str(game.version + 1),
        "now": str(max(game.version, 1)),
        "half": str(game.version // 2),
        "line": str(line.pk),
        "name": host.username,
        "open": opened.public_id,
        "open code": opened.invite_code,
        "vacation": str(vacation.pk),
        "endpoint": str(endpoint.pk),
        "token": unsubscribe.link(unsubscribe.ALL, user=host)
        .removeprefix(absolute("/mail/stop/"))
        .rstrip("/"),
        "in bag": _plain(game.state["bag"].split()[:1]),
        "in hand": _plain([tile for hand in game.state["hands"] for tile in hand.split()][:1]),
    }
    return Scene(game, facts, invitation, line)


def _mistake_in(game: Game) -> Mistake:
    """Make a decision of a game that is not over a mistake of its host, which no code would do."""
    now = timezone.now()
    review, _is_new = GameReview.objects.get_or_create(game=game, defaults={"done": now, "counted": now})
    decision = RatedDecision.objects.create(
        review=review,
        number=max(game.version, 1),
        user=game.host,
        system=game.system,
        theme="place",
        third=1,
        tier=0,
        lost=0.2,
    )
    estimates = [["buy nothing", 0.5, 100.0, 9]]
    return Mistake.objects.create(
        decision=decision, user=game.host, seat=0, kind="place", best="buy nothing", estimates=estimates
    )


def _plain(labels: list[str]) -> str:
    """Return the usual name of the first of these tiles."""
    return next((name for name in SQUARE_NAMES if labels and label(name) == labels[0]), "1A")


def _keep_secrets(game: Game, viewer: Viewer) -> None:
    """Give one player a plan, an order, notes and messages, and moves made by order and plan."""
    user, now = viewer.user, timezone.now()
    assert user is not None and viewer.seat is not None
    system = game.rule_system
    hand = stored(game).state["hands"][viewer.seat].split()
    plan = {"tile": hand[0] if hand else "", "board": "", "answers": {"buy": ["buy nothing"]}, "end": False}
    # The order must not apply, or it would have answered already.
    is_asked = game.waiting_for_id == user.pk
    stopped = {"reason": "stuck", "facts": {}} if is_asked else None
    PlannedTurn.objects.create(game=game, user=user, plan_json=plan, stop_reason=stopped, made=now)
    terms = {"chain": "", "hold": viewer.seat + 1, "trade": 2, "survivor": "tower", "bank": 7}
    if not (is_asked and game.decision_kind == "dispose"):
        StandingOrder.objects.create(game=game, user=user, topic="", order_json=terms, once=False, given=now)
    Note.objects.create(game=game, user=user, text=note_of(user), version=1, saved=now)
    ChatMessage.objects.create(game=game, channel="players", user=user, text=words_of(user), made=now)
    if game.team_chat:
        channel = TEAMS[viewer.seat % len(game.teams)]
        ChatMessage.objects.create(game=game, channel=channel, user=user, text=team_words_of(user), made=now)
    mine = LogEntry.objects.filter(game=game, user=user, kind="move").order_by("-number")
    for origin, move in zip((LogEntry.Origin.PLAN, LogEntry.Origin.ORDER), mine[:2], strict=False):
        LogEntry.objects.filter(pk=move.pk).update(origin=origin)
    seen = system.observe(system.state_from_json(stored(game).state), viewer.seat)
    # Exploration is off with hidden holdings.
    with suppress(ExplorationHidden):
        start_exploration(game=game, user=user, seat=viewer.seat, seen=seen, version=game.version)
    _endpoints(user)


def _endpoints(user: User) -> list[Endpoint]:
    kinds = ("push", "discord", "slack", "json")
    return [
        Endpoint.objects.create(
            user=user,
            kind=kind,
            name=kind,
            url=f"https://hooks.example/{kind}/{user.pk}",
            public=web_push.encode(b"\4" + bytes(64)),
            auth=web_push.encode(bytes(16)),
        )
        for kind in kinds
    ]


def note_of(user: User) -> str:
    return label(f"note of {user.username}")


def words_of(user: User) -> str:
    return label(f"words of {user.username}")


def team_words_of(user: User) -> str:
    return label(f"words of {user.username} to the team")


def _words(game: Game) -> dict[str, set[int]]:
    seats = [seat for seat in game.seats.select_related("user") if seat.user]
    table = {seat.user.pk for seat in seats if seat.user}
    words: dict[str, set[int]] = {}
    for seat in seats:
        assert seat.user is not None
        team = {other.user.pk for other in seats if other.user and other.team == seat.team}
        words |= {note_of(seat.user): {seat.user.pk}, words_of(seat.user): table}
        words[team_words_of(seat.user)] = team
    return words


def tell_everything(scene: Scene, viewer: Viewer) -> None:
    """Put a due notification of every kind and channel into a viewer's outbox."""
    now, game = timezone.now(), scene.game
    Notification.objects.all().delete()
    ways = [None, *Endpoint.objects.filter(user=viewer.user)]
    rows = [
        Notification(
            user=viewer.user,
            game=game,
            kind=kind,
            version=game.version,
            endpoint=way,
            invitation=scene.invitation if kind == "invitation" else None,
            line=scene.mention if kind == "mention" else None,
            about="somebody",
            made=now,
            due=now,
        )
        for kind in Notification.Kind
        for way in ways
    ]
    Notification.objects.bulk_create(rows)
