"""Command `fit_levels`: fit the bot levels' strengths to the matches of the ladder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from games.engine.bots.arena.results_file import ResultsError
from games.engine.bots.bot_levels import BOTS
from games.ratings import level_fit, level_strengths
from games.ratings.skill_model import points


class Command(BaseCommand):
    help = (
        "Fits the strengths of the computer players to the totals in docs/ladder, writes them to"
        " games/ratings/level_strengths.py, and shows how well they explain each match. All ratings depend on"
        " them, so run recount_ratings afterwards."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--totals", type=Path, default=settings.BASE_DIR / "docs" / "ladder")
        parser.add_argument("--out", type=Path, default=Path(level_strengths.__file__))

    def handle(self, *args: Any, totals: Path, out: Path, **options: Any) -> None:
        try:
            matches = {system: level_fit.ladder_matches(system, totals) for system in BOTS}
        except ResultsError as error:
            raise CommandError(str(error)) from error
        if empty := [system for system, found in matches.items() if not found]:
            raise CommandError(f"{totals} has no matches of {', '.join(empty)}: play them with make ladder.")
        strengths = {system: level_fit.fit_levels(system, found) for system, found in matches.items()}
        for system, found in matches.items():
            self._report(system, found, strengths[system])
        out.write_text(source(strengths), encoding="utf-8")
        self.stdout.write(f"The strengths are in {out}")

    def _report(self, system: str, matches: list[level_fit.Match], strengths: level_fit.Strengths) -> None:
        for level, by_number in strengths.items():
            figures = ", ".join(f"{points(mu)} ({number or 'any'})" for number, mu in by_number.items())
            self.stdout.write(f"{system}: {level}: {figures}")
        for match in matches:
            at_table = {level: by_number[match.opponents + 1] for level, by_number in strengths.items()}
            self.stdout.write(
                f"{system}: {match.hero} against {match.opponents} {match.others}: won {match.wins:g} of"
                f" {match.games}, so before each in {match.share:.1%}; expected"
                f" {match.expected_share(at_table):.1%}"
            )


def source(strengths: dict[str, level_fit.Strengths]) -> str:
    """The text of the module with these strengths."""
    lines = [f'"""{level_strengths.__doc__}"""', "", "from typing import Final", ""]
    lines.append("LEVEL_STRENGTHS: Final[dict[str, dict[str, dict[int, float]]]] = {")
    for system, levels in strengths.items():
        lines.append(f'    "{system}": {{')
        lines += [f'        "{level}": {by_number},' for level, by_number in levels.items()]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])
