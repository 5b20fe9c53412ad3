"""Speed of rules and bots, and strength of bots: `python -m tests.bench [NAME]`.

Each figure is one JSON line `{"name": …, "value": …, "unit": …}`, printed as soon as it is known.
Times are processor times, medians of repeated runs. NAME asks for one figure; `start`, which
builds the site in a temporary folder, is measured only by name.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time, sleep
from urllib.error import URLError
from urllib.request import urlopen

from games.engine.bots.arena.match import Match, play
from games.engine.bots.arena.match_scores import scores
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.deal import deal
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import observe
from games.engine.rules.acquire.state import State
from tests.bench import bench_bots, bench_large_site
from tests.bench.bench_django_internals import django_internals
from tests.bench.bench_front_page import front_page
from tests.bench.bench_front_page_paint import front_page_paint
from tests.bench.bench_game_review import story
from tests.bench.bench_insights import insights
from tests.bench.bench_live_deadlines import live_deadlines
from tests.bench.bench_live_refresh import live_refresh
from tests.bench.bench_move_paint import move_paint
from tests.bench.bench_outbox import outbox
from tests.bench.bench_past_positions import positions as history
from tests.bench.bench_puzzles import puzzles
from tests.bench.bench_ratings import leaderboard

ROOT = Path(__file__).parents[2]
RULES = acquire.PRESETS["avalon-hill"]
Figure = tuple[str, float | str, str]


def random_game(seed: int, seats: int = 4) -> tuple[State, list[Move]]:
    """Play a game of random moves to its end; return the final state and the moves."""
    rng = Random(seed)
    state = deal(RULES, seats, rng.randbytes(32))
    moves = []
    while legal := legal_moves(state):
        move = legal[int(rng.random() * len(legal))]
        moves.append(move)
        apply(state, move)
    return state, moves


def positions() -> list[State]:
    """Every seventh position of some random games."""
    found = []
    for seed in range(20):
        rng = Random(seed)
        state = deal(RULES, 4, rng.randbytes(32))
        for number, move in enumerate(random_game(seed)[1]):
            if number % 7 == 0:
                found.append(state.copy())
            apply(state, move)
    return found


def seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """Processor seconds of the work: the median of some runs after a warm-up."""
    work()
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times)


def microseconds_each(work: Callable[[State], object], states: list[State]) -> float:
    def each() -> None:
        for state in states:
            work(state)

    return seconds(each) / len(states) * 1e6


def random_games_4p() -> Iterator[Figure]:
    """Whole games of four random players, including deal and lists of legal moves."""
    games = 200
    spent = seconds(lambda: [random_game(seed) for seed in range(games)])
    yield "random_games_4p", games / spent, "games/s"


def copy() -> Iterator[Figure]:
    yield "copy", microseconds_each(State.copy, positions()), "us"


def legal() -> Iterator[Figure]:
    yield "legal_moves", microseconds_each(legal_moves, positions()), "us"


def apply_and_play() -> Iterator[Figure]:
    """Time of a move without and with events."""
    for name, make in (("apply", apply), ("play_recorded", acquire.play)):
        games = [(Random(seed).randbytes(32), random_game(seed)[1]) for seed in range(40)]

        def replay(
            make: Callable[[State, Move], object] = make, games: list[tuple[bytes, list[Move]]] = games
        ) -> None:
            for seed, moves in games:
                state = deal(RULES, 4, seed)
                for move in moves:
                    make(state, move)

        dealing = seconds(lambda games=games: [deal(RULES, 4, seed) for seed, _ in games])
        yield name, (seconds(replay) - dealing) / sum(len(moves) for _, moves in games) * 1e6, "us"


def replay_checked() -> Iterator[Figure]:
    """A finished game replayed from its notation, with every move checked."""
    games = [(Random(seed).randbytes(32), [str(move) for move in random_game(seed)[1]]) for seed in range(40)]

    def replay() -> None:
        for seed, texts in games:
            state = deal(RULES, 4, seed)
            for text in texts:
                move = acquire.parse_move(text)
                acquire.check_move(state, move)
                apply(state, move)

    yield "replay_checked", seconds(replay) / len(games) * 1e3, "ms"


def state_json() -> Iterator[Figure]:
    sizes = [len(json.dumps(acquire.state_to_json(state), separators=(",", ":"))) for state in positions()]
    yield "state_json", median(sizes), "bytes"


def observing() -> Iterator[Figure]:
    yield "observe", microseconds_each(lambda state: observe(state, 0), positions()), "us"


def dealing() -> Iterator[Figure]:
    seeds = [Random(number).randbytes(32) for number in range(300)]
    yield "deal", seconds(lambda: [deal(RULES, 4, seed) for seed in seeds]) / len(seeds) * 1e6, "us"


def medium_decision() -> Iterator[Figure]:
    """Time of a decision of the medium level, observation included."""
    choose = BOTS["acquire"]["medium"].choose
    rng = Random(1)

    def decide(state: State) -> object:
        seen = observe(state, state.decision.seat, memory=True)
        return choose(seen, seen.legal, rng)

    yield "medium_decision", microseconds_each(decide, positions()), "us"


def wins_against_random(key: str, *, games: int, seats: int = 4) -> float:
    """Games won by one player of this level against random ones; ties share."""
    match = Match((key, *["random"] * (seats - 1)))
    return scores(match, [play(match, number) for number in range(games)])[0].share * games


def medium_vs_random() -> Iterator[Figure]:
    """Percentage of games that medium wins against three random players."""
    yield "medium_vs_random", wins_against_random("medium", games=1000) / 10, "%"


def start() -> Iterator[Figure]:
    """Time of `make play` until the first page answers: first with nothing installed, then again."""
    if shutil.which("make") is None:
        yield "start", "skipped: there is no make", "s"
        return
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        ignore = shutil.ignore_patterns(".venv", ".git", "data", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, site, ignore=ignore)
        cache = {"PIP_CACHE_DIR": f"{folder}/pip", "UV_CACHE_DIR": f"{folder}/uv"}
        yield "start_cold", seconds_until_it_answers(site, cache), "s"
        yield "start_warm", seconds_until_it_answers(site, cache), "s"


def seconds_until_it_answers(site: Path, environment: dict[str, str]) -> float:
    """Wall seconds from `make play` to an answer 200 for /; stops the site afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    began = perf_counter()
    log = site.with_suffix(".log")
    with log.open("w") as output:
        # A session of its own, so that Ctrl-C reaches the whole family.
        play = subprocess.Popen(
            ["make", "play", f"PORT={port}"],
            cwd=site,
            env={**os.environ, **environment},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        while True:
            if play.poll() is not None:
                raise RuntimeError(f"make play stopped:\n{log.read_text()[-2000:]}")
            if perf_counter() - began > 600:
                raise RuntimeError("make play did not answer in ten minutes")
            try:
                with urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
                    if answer.status == 200:
                        return perf_counter() - began
            except (URLError, OSError):
                sleep(0.05)
    finally:
        if play.poll() is None:
            os.killpg(play.pid, signal.SIGINT)
            play.wait(30)


FIGURES: dict[str, Callable[[], Iterator[Figure]]] = {
    "random_games_4p": random_games_4p,
    "copy": copy,
    "legal_moves": legal,
    "apply": apply_and_play,
    "play_recorded": apply_and_play,
    "replay_checked": replay_checked,
    "state_json": state_json,
    "observe": observing,
    "deal": dealing,
    "medium_decision": medium_decision,
    "medium_vs_random": medium_vs_random,
    **dict.fromkeys((f"decisions_{level}" for level in bench_bots.LEVELS), bench_bots.decisions),
    **dict.fromkeys((f"decisions_{tries}_rollouts" for tries in bench_bots.ROLLOUTS), bench_bots.rollouts),
    "worker_memory_start": bench_bots.memory,
    "worker_memory": bench_bots.memory,
    "position_k_of_250": history,
    "story_of_a_game": story,
    "story_decisions": story,
    "front_page_per_second": front_page,
    "front_page_p95": front_page,
    "front_page_bytes": front_page,
    "front_page_paint_ms": front_page_paint,
    **dict.fromkeys(("move_paint_desk_ms", "move_paint_phone_ms"), move_paint),
    **dict.fromkeys(bench_large_site.NAMES, bench_large_site.large_site),
    **dict.fromkeys(
        (
            "leaderboard_first_queries",
            "leaderboard_first_ms",
            "leaderboard_100k_queries",
            "leaderboard_100k_ms",
            "ratings_from_scratch",
        ),
        leaderboard,
    ),
    **dict.fromkeys(("insights_100k_queries", "insights_100k_ms", "insights_from_rows_ms"), insights),
    "outbox_per_second": outbox,
    **dict.fromkeys(("live_deadline_p95", "live_deadline_max"), live_deadlines),
    **dict.fromkeys(("live_refresh_ms", "live_unchanged_ms", "live_push_ratio"), live_refresh),
    **dict.fromkeys(("puzzle_game", "puzzle_search", "puzzle", "puzzle_decisions"), puzzles),
    **dict.fromkeys(("page_ms", "django_handler_ratio", "unprepared_queries_ratio"), django_internals),
    "start": start,
}
ONLY_WHEN_ASKED = {"start"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("only", nargs="?", choices=FIGURES, help="one figure alone")
    only = parser.parse_args().only
    names = [only] if only else [name for name in FIGURES if name not in ONLY_WHEN_ASKED]
    for measure in dict.fromkeys(FIGURES[name] for name in names):
        for name, value, unit in measure():
            if name in names or only == "start":
                shown = value if isinstance(value, str) else round(value, 2)
                print(json.dumps({"name": name, "value": shown, "unit": unit}), flush=True)
    return 0
