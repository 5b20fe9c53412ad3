"""The strengths of the bot levels follow from the matches in docs/ladder."""

from dataclasses import replace
from math import e, sqrt
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.engine.bots.bot_levels import BOTS
from games.engine.rules.rule_systems import SYSTEMS
from games.ratings import level_fit, level_strengths
from games.ratings.level_fit import Match, fit_levels, fit_strengths, ladder_matches, pair_share
from games.ratings.skill_model import MU, SCALE, bot_strength

LADDER = settings.BASE_DIR / "docs" / "ladder"


def test_strengths_are_those_of_the_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If this fails, a match was played on or the fit has changed: run `manage.py fit_levels`."""
    out = tmp_path / "strengths.py"
    call_command("fit_levels", "--out", str(out))
    assert out.read_text() == Path(level_strengths.__file__).read_text()
    assert "hard against 3 medium: won 320 of 400, so before each in 90.9%" in capsys.readouterr().out


def test_folder_without_matches_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="has no matches of acquire, acquisition"):
        call_command("fit_levels", "--totals", str(tmp_path), "--out", str(tmp_path / "strengths.py"))
    assert not (tmp_path / "strengths.py").exists()


@pytest.mark.parametrize("system", BOTS)
def test_every_level_has_a_strength_for_every_number_of_players(system: str) -> None:
    assert list(level_strengths.LEVEL_STRENGTHS[system]) == list(BOTS[system])
    for players in (0, *SYSTEMS[system].SEATS):
        found = [bot_strength(system, level, players) for level in BOTS[system]]
        assert found == sorted(found)
        assert bot_strength(system, "medium", players) == MU


@pytest.mark.parametrize("system", BOTS)
def test_strengths_explain_the_matches(system: str) -> None:
    for match in ladder_matches(system, LADDER):
        at_table = {level: bot_strength(system, level, match.opponents + 1) for level in BOTS[system]}
        # Levels that met in a circle cannot agree with each match exactly, but within its 95% interval.
        chance = 1.96 * sqrt(match.share * (1 - match.share) / match.games)
        assert match.share == pytest.approx(match.expected_share(at_table), abs=max(0.015, chance))


@pytest.mark.parametrize("system", BOTS)
def test_only_matches_with_the_usual_rules_count(system: str) -> None:
    matches = ladder_matches(system, LADDER)
    assert len({(match.hero, match.others, match.opponents) for match in matches}) == len(matches)


def test_match_of_too_few_games_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def met() -> set[tuple[str, str, int]]:
        return {(match.hero, match.others, match.opponents) for match in ladder_matches("acquire", LADDER)}

    of_400_games = ("expert", "hard", 3)
    assert of_400_games in met()
    monkeypatch.setattr(level_fit, "FEWEST_GAMES", 401)
    assert of_400_games not in met()


def test_fit_finds_the_strengths_that_made_the_matches() -> None:
    true = {"easy": 14.0, "medium": MU, "hard": 33.5}
    met = [("medium", "easy"), ("hard", "medium"), ("hard", "easy")]
    matches = [Match(*pair, opponents=1, games=10**6, wins=0) for pair in met]
    played = [replace(match, wins=match.games * match.expected_share(true)) for match in matches]
    assert fit_strengths(played) == pytest.approx(true, abs=0.001)


def test_odds_of_a_pair_are_those_of_the_skill_model() -> None:
    match = Match("hard", "medium", opponents=3, games=1, wins=0)
    share = match.expected_share({"medium": MU, "hard": MU + SCALE})
    assert share / (1 - share) == pytest.approx(e)


def test_equal_players_win_their_part_and_half_of_the_pairs() -> None:
    assert [pair_share(1 / (1 + n), n) for n in range(1, 6)] == pytest.approx([0.5] * 5, abs=1e-4)
    assert pair_share(0.8, 1) == pytest.approx(0.8, abs=1e-4)


def test_shares_of_pairs_are_near_those_that_were_played() -> None:
    """In the games of the ladder, replayed from their seeds, the winner and all pairs were counted."""
    played = {("easy", 3, 0.8225): 0.901, ("medium", 3, 0.5825): 0.783, ("medium", 5, 0.385): 0.711}
    for (_, opponents, wins), share in played.items():
        assert pair_share(wins, opponents) == pytest.approx(share, abs=0.025)


def test_level_that_never_lost_is_not_infinitely_strong() -> None:
    found = fit_strengths([Match("medium", "random", 1, 200, 200)])
    assert -15 < found["random"] < 0


def test_level_is_as_far_above_the_one_below_with_numbers_that_were_not_measured() -> None:
    matches = [Match("hard", "medium", opponents, 200, 160) for opponents in (1, 2, 3)]
    matches += [Match("expert", "hard", opponents, 200, 120) for opponents in (1, 2)]
    found = fit_levels("acquire", matches)
    gains = [found["expert"][number] - found["hard"][number] for number in (2, 3, 4)]
    assert gains[2] == pytest.approx((gains[0] + gains[1]) / 2, abs=0.15)
    assert gains[2] > 0


def test_level_without_enough_games_counts_as_the_one_below() -> None:
    matches = [Match("medium", "random", 1, 200, 150), Match("hard", "medium", 1, 200, 150)]
    matches = [*matches, Match("easy", "random", 1, 200, 120), Match("medium", "easy", 1, 200, 130)]
    found = fit_levels("acquire", matches)
    assert found["master"] == found["expert"] == found["hard"]
    assert found["random"][2] < found["easy"][2] < found["medium"][2] < found["hard"][2]
