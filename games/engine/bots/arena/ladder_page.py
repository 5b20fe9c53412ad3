"""The page about the bots and their strength, in Markdown."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template
from typing import Final

from games.engine.bots.arena.ladder_plan import MAX_HOURS, MIN_GAMES, MatchProgress, Row
from games.engine.bots.arena.score_text import MEANS, WHEN_IT_WINS, interval, milliseconds, percent, win_money
from games.engine.bots.bot_levels import BOTS, YARDSTICKS, Bot

TEMPLATE: Final = Path(__file__).with_name("ladder_page.md")
PARTS: Final = ("goals", "tables", "presets")


def page(standings: Sequence[MatchProgress]) -> str:
    """The whole page; rows that are not played yet are marked so."""
    numbered = [*enumerate(standings, start=1)]
    parts = {
        f"{system}_{part}": _matches(
            system, [one for one in numbered if _belongs_to(one[1].row, system, part)]
        )
        for system in BOTS
        for part in PARTS
    }
    levels = {f"{system}_levels": _levels(system) for system in BOTS}
    commands = [f"{number}. `{one.row.match.command(one.row.games)}`" for number, one in numbered]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        parts | levels,
        home=_hardware_line(standings),
        hours=f"{MAX_HOURS:g}",
        min_games=str(MIN_GAMES),
        commands="\n".join(commands),
    )


def _belongs_to(row: Row, system: str, part: str) -> bool:
    return (row.system, row.part) == (system, part)


def _matches(system: str, numbered: Iterable[tuple[int, MatchProgress]]) -> str:
    heads = ("no.", "match", "games", "wins", "95% interval", "goal", "reached", MEANS[system].head,
             WHEN_IT_WINS, "a decision", "longest", "caps struck")  # fmt: skip
    return _table(heads, [_row(number, one) for number, one in numbered])


def _levels(system: str) -> str:
    known = {**BOTS[system], **YARDSTICKS.get(system, {})}
    rows = [(f"`{key}`", bot.name, bot.character, _cap(bot)) for key, bot in known.items()]
    return _table(("key", "name", "what it does", "time cap"), rows)


def _cap(bot: Bot) -> str:
    return "none needed" if bot.seconds is None else f"{bot.seconds:g} s"


def _hardware_line(standings: Sequence[MatchProgress]) -> str:
    """The hardware on which the matches were played, and the number of unfinished matches."""
    homes = {(home.cores, home.python, home.compiled) for one in standings for home in one.homes}
    if not homes:
        return "Nothing has been played yet."
    descriptions = [
        f"{cores} cores with Python {python}{', rules and players compiled' if compiled else ''}"
        for cores, python, compiled in sorted(homes)
    ]
    missing = sum(one.end is None for one in standings)
    left = f" Not finished yet: {missing} of the {len(standings)} matches." if missing else ""
    return f"Played on {'; on '.join(descriptions)}.{left}"


def _row(number: int, standing: MatchProgress) -> tuple[str, ...]:
    row = standing.row
    goal = "none" if row.goal is None else f"{100 * row.goal:.3g}%"
    start = (str(number), _match_label(row))
    if not standing.scores:
        return (*start, "not yet played", "", "", goal, "", "", "", "", "", "")
    hero, others = standing.scores
    mean = MEANS[row.system]
    return (
        *start,
        _games_text(standing),
        percent(hero.share),
        interval(hero),
        goal,
        {True: "yes", False: "no", None: "" if row.goal is None else "not yet"}[standing.reached],
        f"{mean.number.format(hero.mean_money)} / {mean.number.format(others.mean_money)}",
        win_money(hero, mean),
        _times(hero.ms_mean, others.ms_mean),
        _times(hero.ms_max, others.ms_max),
        f"{hero.capped:,} of {hero.decisions:,}" if row.real_time else "no caps",
    )


def _match_label(row: Row) -> str:
    rules = f", {row.preset}" if row.preset else ""
    return f"{row.hero} against {row.count} {row.others}{rules}"


def _times(hero: float | None, others: float | None) -> str:
    return milliseconds(hero) if hero is None else f"{milliseconds(hero)} / {milliseconds(others)}"


def _games_text(standing: MatchProgress) -> str:
    if standing.end == "complete":
        return str(standing.games)
    ends = {"clear": ", clear", "late": f", in {MAX_HOURS:g} hours", None: " so far"}
    return f"{standing.games} of {standing.row.games}{ends[standing.end]}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
