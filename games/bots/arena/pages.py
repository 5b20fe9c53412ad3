"""The page about the computer opponents and how strong they are, in Markdown."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template
from typing import Final

from games.bots import BOTS, YARDSTICKS, Bot

from .ladder import HOURS, Row, Standing
from .matches import Match
from .wording import interval, milliseconds, percent

TEMPLATE: Final = Path(__file__).with_name("page.md")
HEADS: Final = ("no.", "match", "games", "wins", "95 % interval", "goal", "reached", "mean money",
                "a decision", "longest", "caps struck")  # fmt: skip


def page(standings: Sequence[Standing]) -> str:
    """The whole page, rows that are not played yet named as such."""
    numbered = [*enumerate(standings, start=1)]
    parts = {
        part: _table(HEADS, [_row(number, one) for number, one in numbered if one.row.part == part])
        for part in ("goals", "tables", "presets")
    }
    commands = [f"{number}. `{one.row.match.command(one.row.games)}`" for number, one in numbered]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        parts,
        levels=_levels(),
        home=_home(standings),
        hours=f"{HOURS:g}",
        commands="\n".join(commands),
    )


def _levels() -> str:
    known = {**BOTS[Match.system], **YARDSTICKS[Match.system]}
    rows = [(f"`{key}`", bot.name, bot.character, _cap(bot)) for key, bot in known.items()]
    return _table(("key", "name", "what it does", "time cap"), rows)


def _cap(bot: Bot) -> str:
    return "none needed" if bot.seconds is None else f"{bot.seconds:g} s"


def _home(standings: Iterable[Standing]) -> str:
    """On what the matches were played."""
    homes = {(one.home.cores, one.home.python) for one in standings if one.scores}
    if not homes:
        return "Nothing has been played yet."
    told = [f"{cores} cores with Python {python}" for cores, python in sorted(homes)]
    return f"Played on {', and on '.join(told)}."


def _row(number: int, standing: Standing) -> tuple[str, ...]:
    row = standing.row
    goal = "none" if row.goal is None else f"{100 * row.goal:.3g} %"
    start = (str(number), _who(row))
    if not standing.scores:
        return (*start, "not yet played", "", "", goal, "", "", "", "", "")
    hero, others = standing.scores
    return (
        *start,
        _games(standing),
        percent(hero.share),
        interval(hero),
        goal,
        {True: "yes", False: "no", None: "" if row.goal is None else "not yet"}[standing.reached],
        f"${hero.mean_money:,.0f} / ${others.mean_money:,.0f}",
        f"{milliseconds(hero.ms_mean)} / {milliseconds(others.ms_mean)}",
        f"{milliseconds(hero.ms_max)} / {milliseconds(others.ms_max)}",
        f"{hero.capped:,} of {hero.decisions:,}" if row.real_time else "no caps",
    )


def _who(row: Row) -> str:
    rules = f", {row.preset}" if row.preset else ""
    return f"{row.hero} against {row.count} {row.others}{rules}"


def _games(standing: Standing) -> str:
    if standing.late:
        return f"{standing.games} of {standing.row.games}, in {HOURS:g} hours"
    if not standing.done:
        return f"{standing.games} of {standing.row.games} so far"
    return str(standing.games)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
