"""The podium of a finished game."""

from dataclasses import replace

from games.web.presenters.podium import podium
from games.web.presenters.table_people import money, people
from tests.web.presenters.presenter_cases import persons, random_game


def test_podium_names_all_places_from_the_winner_on() -> None:
    found = podium([(1, 2, 900), (2, 0, 800), (2, 1, 800)], people(persons(3), 0), money)
    assert [(place.rank, place.name, place.score) for place in found] == [
        (1, "Rook", "$900"),
        (2, "you", "$800"),
        (2, "marta", "$800"),
    ]
    assert [place.initial for place in found] == ["R", "S", "M"]
    assert [place.me for place in found] == [False, True, False]
    assert [place.computer for place in found] == [True, False, False]


def test_podium_marks_concessions() -> None:
    seated = persons(2)
    seated[0] = replace(seated[0], conceded=1)
    assert podium([(1, 1, 5), (2, 0, 9)], people(seated), money)[1].name == "sam (conceded)"


def test_podium_shows_at_the_end_only() -> None:
    played = random_game(9, 5)
    assert 'class="podium"' in played.page(0)
    assert 'class="podium"' not in random_game(9, 5, lambda state: state.turn == 3).page(0)
