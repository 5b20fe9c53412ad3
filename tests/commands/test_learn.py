"""The command that learns the valuation."""

import gzip
import json
import os
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.engine.bots import learners, random_bot
from games.engine.bots.acquire import generation, rollout_policy, valuation_training, weights_match
from games.engine.bots.acquire.generation import Generation
from games.engine.bots.acquire.self_play import PlayedGame, play_game
from games.engine.bots.acquire.valuation_learning import MIN_GAMES, Learning
from games.engine.bots.acquire.valuation_weights import WEIGHTS_FILE, read_weights


class QuickPlayer:
    """Plays as a search would, without searching."""

    def __init__(self, *arguments: object, **settings: object) -> None:
        self.choose = rollout_policy.choose


class CarelessPlayer:
    """Plays in place of a search by learned weights, and tells that it was asked."""

    def __init__(self, *arguments: object) -> None:
        self.choose = random_bot.choose


@pytest.fixture(autouse=True)
def quick_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "MonteCarloSearch", QuickPlayer)
    monkeypatch.setattr(generation, "PlanSearch", CarelessPlayer)
    monkeypatch.setattr(weights_match, "PlanSearch", CarelessPlayer)


KEPT = settings.BASE_DIR / "docs" / "learning" / "acquire-2026"


def learn(folder: Path, *, seed: int = 1, **options: object) -> str:
    out = StringIO()
    options = {"games": MIN_GAMES, "more": 0, "epochs": 1, "processes": 1, "match_games": 0, **options}
    call_command("learn", seed=seed, folder=folder, stdout=out, **options)
    return out.getvalue()


def only_generation(folder: Path, epochs: int = 1) -> Generation:
    """The first and only generation of a learning that has not begun."""
    return next(Learning(folder, seed=1, games=MIN_GAMES, more=0, epochs=epochs).generations())


def moves(folder: Path, name: str = "games") -> list[list[str]]:
    text = gzip.decompress((folder / f"{name}.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()[1:]]


def test_command_writes_weights_with_their_record(tmp_path: Path) -> None:
    said = learn(tmp_path)
    record = read_weights(tmp_path / "valuation.json").record
    assert (record["seed"], record["games"], record["epochs"]) == (1, MIN_GAMES, 1)
    assert set(record["held_out"]["all tables"]) == {"positions", "before", "linear", "ends", "td"}
    assert [(point["stage"], point["epoch"]) for point in record["curve"]] == [
        ("linear", 1),
        ("ends", 1),
        ("td", 1),
    ]
    assert "td 1: held out log loss" in said


def test_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    learn(tmp_path / "one")
    learn(tmp_path / "two")
    learn(tmp_path / "other", seed=2)
    one, two, other = ((tmp_path / name / "valuation.json").read_text() for name in ("one", "two", "other"))
    assert one == two != other


def test_interrupted_play_goes_on_with_the_same_games(tmp_path: Path) -> None:
    learn(tmp_path / "whole")
    played: Iterator[int] = only_generation(tmp_path / "parts").play()
    for _ in range(3):
        next(played)
    played.close()  # type: ignore[attr-defined]
    with (tmp_path / "parts" / "games.jsonl").open("a") as file:
        file.write('["place 1A", "bu')
    learn(tmp_path / "parts")
    assert moves(tmp_path / "parts") == moves(tmp_path / "whole")


def kill_own_process(number: int) -> PlayedGame:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("This process has been killed.")


def test_killed_process_ends_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "partial", lambda *_: kill_own_process)
    with pytest.raises(CommandError, match="A process that played was killed; the same command goes on"):
        learn(tmp_path, processes=2)


def test_interrupted_training_goes_on_with_the_same_weights(tmp_path: Path) -> None:
    learn(tmp_path / "whole", epochs=2)
    begun = only_generation(tmp_path / "parts", epochs=2)
    assert [*begun.play()]
    trained = begun.train()
    for _ in range(3):
        next(trained)
    trained.close()  # type: ignore[attr-defined]
    learn(tmp_path / "parts", epochs=2)
    whole, parts = (read_weights(tmp_path / name / "valuation.json") for name in ("whole", "parts"))
    assert whole.values == parts.values
    assert whole.record["curve"] == parts.record["curve"]


@pytest.mark.parametrize("constant", ["features", "rate"])
def test_training_with_other_constants_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, constant: str
) -> None:
    learn(tmp_path)
    assert "starts again" not in learn(tmp_path)
    monkeypatch.setitem(valuation_training.CONSTANTS, constant, "others")
    trained = []
    run_epoch = valuation_training.Training.run_epoch
    monkeypatch.setattr(
        valuation_training.Training, "run_epoch", lambda self: (trained.append(self.stage), run_epoch(self))
    )
    said = learn(tmp_path)
    assert "The checkpoint of stage td has other settings, so this stage starts again." in said
    assert trained == [0, 1, 2]


def test_checkpoint_with_unreadable_settings_starts_again(tmp_path: Path) -> None:
    learn(tmp_path)
    np.savez(tmp_path / "stage-ends.npz", settings=np.array([1, MIN_GAMES, 40, 1]))
    said = learn(tmp_path)
    assert "stage ends has other settings" in said
    assert "stage td has other settings" not in said


def test_kept_checkpoints_can_be_continued(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    shutil.copytree(KEPT, kept)
    first, second = (read_weights(kept / name).record for name in ("valuation.json", "valuation-2.json"))
    learning = Learning(
        kept,
        seed=2026,
        games=first["games"],
        more=second["games"] - first["games"],
        epochs=second["epochs"],
    )
    for begun in learning.generations():
        assert len(begun.played) == len(begun.numbers)
        assert begun.other_checkpoints() == []


def test_second_generation_plays_by_what_the_first_has_learned(tmp_path: Path) -> None:
    said = learn(tmp_path, more=3)
    assert len(moves(tmp_path)) == MIN_GAMES
    later = [play_game(1, number, random_bot.choose) for number in range(MIN_GAMES, MIN_GAMES + 3)]
    assert moves(tmp_path, "games-2") == [[*game.moves] for game in later]
    record = read_weights(tmp_path / "valuation-2.json").record
    assert record["games"] == MIN_GAMES + 3
    assert said.count("td 1: held out log loss") == 2


def test_second_generation_alone_goes_on(tmp_path: Path) -> None:
    learn(tmp_path, more=3)
    before = moves(tmp_path, "games-2")
    learn(tmp_path, more=5)
    assert moves(tmp_path, "games-2")[:3] == before
    assert len(moves(tmp_path, "games-2")) == 5


def test_second_generation_of_other_weights_is_refused(tmp_path: Path) -> None:
    learn(tmp_path, more=3)
    with pytest.raises(CommandError, match="or delete the file to play them anew"):
        learn(tmp_path, games=MIN_GAMES + 2, more=3)


def test_more_games_are_added_to_those_of_before(tmp_path: Path) -> None:
    learn(tmp_path)
    before = moves(tmp_path)
    learn(tmp_path, games=MIN_GAMES + 2)
    assert moves(tmp_path)[:MIN_GAMES] == before
    assert len(moves(tmp_path)) == MIN_GAMES + 2


def test_stored_games_are_those_of_seed_and_number(tmp_path: Path) -> None:
    learn(tmp_path)
    assert moves(tmp_path)[3] == [*play_game(1, 3, rollout_policy.choose).moves]


def test_folder_of_another_seed_is_refused(tmp_path: Path) -> None:
    learn(tmp_path)
    with pytest.raises(CommandError, match="name another folder"):
        learn(tmp_path, seed=2)


def test_too_few_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=f"Learning needs at least {MIN_GAMES} games, not 5"):
        learn(tmp_path, games=5)


def test_number_below_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--epochs is 1 or more, not 0"):
        learn(tmp_path, epochs=0)


def test_missing_numpy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(system: str) -> None:
        raise ImportError("numpy is broken")

    monkeypatch.setattr(learners, "learner", missing)
    with pytest.raises(CommandError, match="Learning needs numpy"):
        learn(tmp_path)


def test_weights_in_use_change_only_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Learning.weights_in_use == WEIGHTS_FILE
    in_use = tmp_path / "in_use.json"
    monkeypatch.setattr(Learning, "weights_in_use", in_use)
    learn(tmp_path / "folder")
    assert not in_use.exists()
    learn(tmp_path / "folder", use=True)
    assert [*tmp_path.glob("in_use*")] == [in_use]
    assert read_weights(in_use) == read_weights(tmp_path / "folder" / "valuation.json")


def test_weights_in_use_stay_whole_if_replacing_them_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: Path, content: bytes) -> None:
        path.open("wb").write(content[:10])
        raise OSError("No space left on device")

    in_use = tmp_path / "in_use.json"
    in_use.write_text("the weights before")
    monkeypatch.setattr(Learning, "weights_in_use", in_use)
    monkeypatch.setattr(Path, "write_bytes", broken)
    learning = Learning(tmp_path / "folder", seed=1, games=MIN_GAMES)
    next(learning.generations())
    learning.out.write_text("the new weights")
    with pytest.raises(OSError, match="No space"):
        learning.use()
    assert in_use.read_text() == "the weights before"


# -- The match against the weights in use ------------------------------------------------------------------


class NewOrUsedPlayer:
    """Plays by the policy with the new weights, at random with those in use."""

    def __init__(self, tries: int, judge: partial[object]) -> None:
        self.choose = random_bot.choose if "in_use" in judge.args[0] else rollout_policy.choose


@pytest.fixture
def in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights in use other than those that are learned."""
    file = tmp_path / "in_use.json"
    shutil.copy(WEIGHTS_FILE, file)
    monkeypatch.setattr(Learning, "weights_in_use", file)
    return file


def test_weights_that_win_the_match_are_used(
    tmp_path: Path, in_use: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights_match, "PlanSearch", NewOrUsedPlayer)
    said = learn(tmp_path / "folder", match_games=100, use=True)
    assert "which proves that they are better" in said
    assert read_weights(in_use) == read_weights(tmp_path / "folder" / "valuation.json")


def test_weights_that_are_no_better_are_not_used(tmp_path: Path, in_use: Path) -> None:
    before = in_use.read_bytes()
    with pytest.raises(CommandError, match="so those in use stay"):
        learn(tmp_path / "folder", match_games=12, use=True)
    assert in_use.read_bytes() == before
    assert "12 games, which does not prove" in learn(tmp_path / "folder", match_games=12)


def test_weights_without_a_match_are_not_used(tmp_path: Path, in_use: Path) -> None:
    with pytest.raises(CommandError, match="so those in use stay"):
        learn(tmp_path / "folder", match_games=0, use=True)


def test_match_ends_with_its_verdict(tmp_path: Path, in_use: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_match, "PlanSearch", NewOrUsedPlayer)
    learn(tmp_path / "folder", match_games=100)
    (stored,) = (tmp_path / "folder").glob("match-*.jsonl")
    games = len(stored.read_text().splitlines()) - 1
    assert 5 < games < 60
    learn(tmp_path / "folder", match_games=200)
    assert len(stored.read_text().splitlines()) - 1 == games


def test_interrupted_match_goes_on(tmp_path: Path, in_use: Path) -> None:
    learn(tmp_path / "folder", match_games=5)
    (stored,) = (tmp_path / "folder").glob("match-*.jsonl")
    before = stored.read_text()
    learn(tmp_path / "folder", match_games=8)
    assert stored.read_text().startswith(before)
    assert len(stored.read_text().splitlines()) == 1 + 8


def test_new_weights_sit_in_each_seat_in_turn_at_tables_of_four(tmp_path: Path) -> None:
    numbers = [weights_match.FIRST + weights_match.STEP * index for index in range(8)]
    assert {PlayedGame(1, number, ()).seats for number in numbers} == {weights_match.SEATS}
    seats = [weights_match._seat(number) for number in numbers]
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]
