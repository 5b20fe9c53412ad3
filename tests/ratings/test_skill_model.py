"""The skill model orders all places rightly, shared ones too."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

import pytest
from openskill.models import BradleyTerryFull, PlackettLuce

from games.ratings import skill_model
from games.ratings.skill_model import CERTAIN, FEWEST_GAMES, MU, SIGMA, Strength, after_game, bot_strength

SIGMAS = (1.0, 2.0, 5.0, SIGMA)


def all_ranks() -> Iterator[list[int]]:
    """Every order in which two to six players can finish, with all ties."""
    for players in range(2, 7):
        for steps in product((False, True), repeat=players - 1):
            ranks = [1]
            for place, is_lower in enumerate(steps, start=2):
                ranks.append(place if is_lower else ranks[-1])
            yield ranks


def gains(ranks: Sequence[int], before: Sequence[Strength]) -> list[float]:
    """Return what each player gains by a game with these ranks."""
    known = dict(enumerate(before))
    after = after_game("acquire", 0, list(enumerate(ranks)), known)
    return [after[who].mu - known[who].mu for who in known]


def wrongly_ordered(ranks: Sequence[int], before: Sequence[Strength]) -> list[tuple[int, int]]:
    """The pairs of equally strong players of whom the better placed does not gain more, or a tie differs."""
    gained = gains(ranks, before)
    wrong = []
    for one, other in combinations(range(len(ranks)), 2):
        if before[one] != before[other]:
            continue
        ahead = (ranks[one] < ranks[other]) - (ranks[one] > ranks[other])
        difference = gained[one] - gained[other]
        if difference * ahead < 1e-6 and (ahead or abs(difference) > 1e-9):
            wrong.append((one, other))
    return wrong


@pytest.mark.parametrize("sigma", SIGMAS)
def test_every_order_of_equal_players_is_rated_in_that_order(sigma: float) -> None:
    for ranks in all_ranks():
        before = [Strength(MU, sigma)] * len(ranks)
        assert not wrongly_ordered(ranks, before), ranks
        gained = gains(ranks, before)
        assert sum(gained) == pytest.approx(0, abs=1e-9)
        assert gained[0] > 0 > gained[-1] or len(set(ranks)) == 1


def test_wrong_order_of_ties_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: openskill's Plackett-Luce lets the third gain more than those who shared the first place."""
    monkeypatch.setattr(skill_model, "_MODEL", PlackettLuce())
    assert wrongly_ordered([1, 1, 3, 4, 5], [Strength(MU, 5.0)] * 5)
    assert sum(bool(wrongly_ordered(ranks, [Strength()] * len(ranks))) for ranks in all_ranks()) > 10


def some_strength(rng: Random) -> Strength:
    return Strength(rng.uniform(0, 50), rng.uniform(0.5, SIGMA))


def test_equally_strong_players_are_ordered_among_any_others() -> None:
    rng = Random(1500)
    for ranks in [*all_ranks()] * 5:
        twin, others = some_strength(rng), [some_strength(rng) for _ in ranks[2:]]
        before = [twin, twin, *others]
        rng.shuffle(ranks)
        assert not wrongly_ordered(ranks, before), (ranks, before)


def test_game_makes_nobody_less_sure() -> None:
    rng = Random(200)
    for ranks in all_ranks():
        known = {who: some_strength(rng) for who in range(len(ranks))}
        after = after_game("acquire", 0, list(enumerate(ranks)), known)
        assert all(after[who].sigma < known[who].sigma + 0.01 for who in known)


def test_weaker_of_two_who_tie_gains_what_the_stronger_loses() -> None:
    for sigma in SIGMAS:
        weaker, stronger = gains([1, 1], [Strength(20.0, sigma), Strength(30.0, sigma)])
        assert weaker > 0 > stronger
        assert weaker == pytest.approx(-stronger)


def test_order_in_which_players_are_named_does_not_matter() -> None:
    before = [Strength(20 + who, 1.0 + who) for who in range(4)]
    gained = gains([2, 1, 2, 4], before)
    assert gains([4, 2, 1, 2], before[::-1]) == pytest.approx(gained[::-1])


def test_numbers_of_openskill_are_those_we_know() -> None:
    """A change in openskill changes all ratings: then sites have to be told."""
    before = [Strength(MU, 5.0)] * 5
    assert gains([1, 1, 3, 4, 5], before) == pytest.approx([4.08, 4.08, 0, -2.72, -5.43], abs=0.02)


def test_rating_200_points_higher_finishes_first_in_three_games_of_four() -> None:
    """As the page about ratings says: then neither gains in the long run."""
    high, low = Strength(MU + 200 / 30, 0.5), Strength(MU, 0.5)
    won, lost = gains([1, 2], [high, low])[0], gains([2, 1], [high, low])[0]
    assert -lost / (won - lost) == pytest.approx(0.755, abs=0.01)


def test_bots_keep_their_rating_and_count_with_it() -> None:
    beaten = {level: after_game("acquire", 2, [(1, 1), (level, 2)], {}) for level in ("random", "expert")}
    assert all(set(after) == {1} for after in beaten.values())
    assert beaten["expert"][1].mu > beaten["random"][1].mu + 1


def test_rating_is_provisional_until_it_is_sure_and_has_some_games() -> None:
    assert Strength(sigma=CERTAIN, games=FEWEST_GAMES).is_certain
    assert not Strength(sigma=CERTAIN, games=FEWEST_GAMES - 1).is_certain
    assert not Strength(sigma=CERTAIN + 0.1, games=100).is_certain


@pytest.mark.parametrize("players", range(2, 7))
def test_rating_is_sure_after_six_to_a_dozen_games(players: int) -> None:
    """Against newcomers with whom one takes turns in winning, as the page about ratings says."""
    own, turn = Strength(), 0
    while not own.is_certain:
        others = [rank for rank in range(1, players + 1) if rank != 1 + turn % players]
        places = list(enumerate([1 + turn % players, *others]))
        own, turn = after_game("acquire", 0, places, {0: own})[0], turn + 1
    assert FEWEST_GAMES <= own.games <= 12


def test_beating_much_weaker_players_makes_a_rating_sure_only_slowly() -> None:
    own = Strength()
    for _ in range(2 * FEWEST_GAMES):
        own = after_game("acquire", 0, [(1, 1), ("random", 2)], {1: own})[1]
    assert not own.is_certain


def test_version_names_the_model() -> None:
    assert isinstance(skill_model._MODEL, BradleyTerryFull)
    assert skill_model.VERSION.startswith("BradleyTerryFull ")
    assert bot_strength("acquire", "medium", 4) == MU
