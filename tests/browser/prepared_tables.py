"""Tables at a chosen moment: a decision of every kind, another player's decision, the end.

All seats are people's, so that nothing moves by itself. Tests call `prepare`; everything below it runs
inside the site, in `manage.py shell`.
"""

import json
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.models import User
    from games.models import Game

# Names of the maximum length, and one of the maximum width: if these fit, all do.
NAMES = [
    "Wilhelmina-of-Orange",
    "Maximilian_the_Great",
    "Bartholomew-Thompson",
    "Konstantinopolitanus",
    "WWWWWWWWWWWWWWWWWWWW",
    "Mademoiselle_Beauval",
]
ME = NAMES[0]


@dataclass(frozen=True)
class Moment:
    """A kind of decision that ME has to answer, and the game in which it comes.

    Three more kinds: "end" is a purchase that may declare the end, "others" is another player's decision in
    a merger, "final" is the end. For "place" there are at least two playable tiles, one of which merges.
    """

    kind: str
    preset: str = "avalon-hill"
    seats: int = 6
    hidden: bool = False


MOMENTS = {
    moment.kind: moment
    for moment in (
        Moment("place"),
        Moment("found", "classic", seats=4),
        Moment("survivor"),
        Moment("next"),
        Moment("dispose"),
        Moment("buy"),
        Moment("end", "classic", seats=2),
        Moment("stuck", "course"),
        Moment("others", "quick-reference", hidden=True),
        Moment("final"),
    )
}
DECISIONS = [kind for kind in MOMENTS if kind not in {"others", "final"}]


@dataclass(frozen=True)
class Prepared:
    """Addresses of several games for each kind of moment, and ME's session cookie."""

    games: dict[str, list[str]]
    cookie: dict[str, str]


def prepare(site: Any, copies: int) -> Prepared:
    """Bring this number of games to each moment on the running site."""
    told = site.shell(f"from {__name__} import main; main({copies})")
    games, session = json.loads(told.splitlines()[-1])
    return Prepared(games, {"name": "sessionid", "value": session, "url": site.url})


# -- Inside the site -------------------------------------------------------------------------------


def main(copies: int) -> None:
    """Create the games and print what `prepare` returns."""
    from accounts.models import User
    from games.players import limits
    from tests.support.clients import client_of

    limits.MAX_UNFINISHED_GAMES = 1000  # beyond the limit of the site
    people = [User.objects.create_user(name) for name in NAMES]
    games = {
        kind: [_game_at(moment, people).get_absolute_url() for _ in range(copies)]
        for kind, moment in MOMENTS.items()
    }
    print(json.dumps([games, client_of(people[0]).session.session_key]))


def _game_at(moment: Moment, people: "list[User]") -> "Game":
    """A game at this moment. Its log is written in bulk; only the last move is played."""
    from games.lobby.game_start import start_game
    from games.models import Game, LogEntry
    from games.play.play_move import play_move

    game = start_game(
        system="acquire",
        preset=moment.preset,
        host=people[0],
        players=people[: moment.seats],
        options={"holdings": "hidden"} if moment.hidden else None,
        skips=False,
    )
    users = {seat.number: seat.user for seat in game.seats.all()}
    me = next(number for number, user in users.items() if user == people[0])
    *moves, last = _moves_to(moment.kind, me, game)
    system, log = game.rule_system, []
    state = system.state_from_json(game.state)
    for number, text in enumerate(moves, start=1):
        seat = system.decider(state)
        events = [system.event_to_json(event) for event in system.play(state, system.parse_move(text))]
        entry = {"number": number, "seat": seat, "text": text, "events": events, "user": users[seat]}
        log.append(
            LogEntry(game=game, author=LogEntry.Author.PERSON, created_at=game.last_change_at, **entry)
        )
    LogEntry.objects.bulk_create(log)
    Game.objects.filter(pk=game.pk).update(state=system.state_to_json(state), version=len(log))
    seat = system.decider(state)
    play_move(game_id=game.pk, number=len(log) + 1, seat=seat, text=last, by=users[seat])
    return game


def _moves_to(kind: str, me: int, game: "Game") -> list[str]:
    """Random moves that lead to the moment as late as possible; tried again until it comes."""
    system, rng = game.rule_system, Random()
    while True:
        state, moves, found = system.state_from_json(game.state), [], None
        while system.decider(state) is not None:
            if _is_moment(kind, me, state):
                found = len(moves)
            move = rng.choice(system.legal_moves(state))
            moves.append(str(move))
            system.apply(state, move)
        if kind == "final":
            return moves
        if found is not None:
            return moves[:found]


def _is_moment(kind: str, me: int, state: Any) -> bool:
    from games.engine.rules.acquire import rule_system as acquire

    asked, mine = state.decision.kind, acquire.decider(state) == me
    match kind:
        case "end":
            return asked == "buy" and mine and any(move.end for move in acquire.legal_moves(state))  # type: ignore[attr-defined]
        case "others":
            return asked == "dispose" and not mine
        case "buy":
            moves = acquire.legal_moves(state)
            return asked == "buy" and mine and len(moves) > 20 and not any(move.end for move in moves)  # type: ignore[attr-defined]
        case "place":
            return asked == "place" and mine and len(acquire.legal_moves(state)) > 1 and _may_merge(state, me)
    return bool(asked == kind and mine)


def _may_merge(state: Any, me: int) -> bool:
    from games.engine.rules.acquire import rule_system as acquire
    from games.engine.rules.acquire.tile_placement import tile_effect

    seen = acquire.observe(state, me)
    return any(tile_effect(seen, square).kind == "merges" for square in seen.hand)
