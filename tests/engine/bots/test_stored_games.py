"""Games in a file: a line that was cut off is lost, a file of other games is refused."""

from pathlib import Path

import pytest

from games.engine.bots.acquire import rollout_policy
from games.engine.bots.acquire.self_play import PlayedGame, play_game
from games.engine.bots.acquire.stored_games import StoredGames, StoredGamesError

HEADER = {"seed": 1, "tries": 40}


def game(number: int) -> PlayedGame:
    return play_game(1, number, rollout_policy.choose)


def stored(folder: Path, first: int = 7) -> StoredGames:
    return StoredGames(folder, "games", first, HEADER)


def test_games_are_read_with_the_numbers_that_they_had(tmp_path: Path) -> None:
    played = [*stored(tmp_path).add([game(7), game(8)])]
    assert stored(tmp_path).games == played


def test_packed_games_are_read_and_continued(tmp_path: Path) -> None:
    first = stored(tmp_path)
    assert [*first.add([game(7)])]
    first.pack()
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl.gz"]
    again = stored(tmp_path)
    assert [*again.add([game(8)])]
    assert stored(tmp_path).games == [game(7), game(8)]


def test_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    assert [*stored(tmp_path).add([game(7)])]
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write('["place 1A", "bu')
    again = stored(tmp_path)
    assert again.games == [game(7)]
    assert [*again.add([game(8)])]
    assert stored(tmp_path).games == [game(7), game(8)]


def test_file_of_other_games_is_refused_and_kept(tmp_path: Path) -> None:
    assert [*stored(tmp_path).add([game(7)])]
    before = (tmp_path / "games.jsonl").read_text()
    with pytest.raises(StoredGamesError, match="or delete the file to play them anew"):
        StoredGames(tmp_path, "games", 7, {"seed": 2, "tries": 40})
    assert (tmp_path / "games.jsonl").read_text() == before
