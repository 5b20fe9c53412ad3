"""A site with several processes of each kind behind Caddy, and a trial that kills all of them in turn."""

import asyncio
from collections.abc import Mapping, Sequence

import psycopg

from tests.safety import failing_mail
from tests.safety.failing_mail import MailServer
from tests.safety.site_outages import Result, kill_processes
from tests.safety.site_stack import Stack

# A sender that was killed lets its mail wait for two minutes.
MAIL_WITHIN = 150.0

# Players who are asked, and for whom the outbox has no mail.
UNTOLD = """
    SELECT game.public_id, game.version FROM games_game game
    WHERE game.status = 'running' AND game.waiting_for_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM games_notification note
        WHERE note.game_id = game.id AND note.version = game.version AND note.kind = 'decision'
        AND note.user_id = game.waiting_for_id AND note.endpoint_id IS NULL
    )
"""


def larger_site(env: Mapping[str, str], *, durable: bool = True, without: Sequence[str] = ()) -> Stack:
    """Three web processes, two sweepers and two workers for bots, which play fast."""
    return Stack(web=3, bots=2, sweepers=2, proxy="caddy", env=env, durable=durable, without=tuple(without))


def kills_in_turn(
    stack: Stack, server: MailServer, word: str, *, kills: int, seed: int = 0, mails: int = 12
) -> Result:
    """Kill one process after the other while people play, and others are told by mail that they are asked."""
    names = [f"{word}p{number}" for number in range(8)]
    told = f"{word}m"

    async def trial() -> Result:
        # At once, so that mails are on their way all the time.
        starting = asyncio.to_thread(
            failing_mail.start_games, stack, told, mails, pause=2 * kills / mails, mail_mode="at once"
        )
        result, _ = await asyncio.gather(
            kill_processes(stack, names, kills=kills, seed=seed, in_turn=True), starting
        )
        return result

    result = asyncio.run(trial())
    result.what = "larger site"
    # Each kill repeats one mail at most.
    result.faults += failing_mail.judge_when_sent(stack, server, told, kills, MAIL_WITHIN)
    result.faults += _untold(stack) + _complaints(stack)
    result.did["mails"] = len(server.mails)
    result.did["kills on a larger site"] = result.did.pop("kills")
    return result


def _untold(stack: Stack) -> list[str]:
    with psycopg.connect(stack.postgres.url) as database:
        return [f"nobody is told of {game} at {version}" for game, version in database.execute(UNTOLD)]


def _complaints(stack: Stack) -> list[str]:
    """Errors of the sweepers, which may be in each other's way; no part that they need was away."""
    sweepers = [name for name in stack.processes if name.startswith("sweeper")]
    return [
        f"{name}: {line[:500]}"
        for name in sweepers
        for line in stack.log(name).splitlines()
        if '"ERROR"' in line or "Traceback" in line
    ]
