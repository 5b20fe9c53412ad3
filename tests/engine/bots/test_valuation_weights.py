"""The file with the weights of the valuation."""

import json
from array import array
from math import inf, nan, prod
from pathlib import Path

import pytest

from games.engine.bots.acquire.valuation_weights import (
    MENDING,
    SHAPES,
    WEIGHTS_FILE,
    Weights,
    WeightsError,
    read_weights,
    write_weights,
)


def some_weights() -> Weights:
    return Weights(
        {name: array("f", [index / 7 for index in range(prod(shape))]) for name, shape in SHAPES.items()},
        {"seed": 3},
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "valuation.json"
    write_weights(path, some_weights())
    return path


def test_weights_are_read_as_they_were_written(file: Path) -> None:
    assert read_weights(file) == some_weights()


def test_writing_leaves_no_other_file(file: Path) -> None:
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"There is no weights file none\.json\."):
        read_weights(tmp_path / "none.json")


@pytest.mark.parametrize("part", [0, 0.01, 0.5, 0.999])
def test_cut_file_is_refused(file: Path, part: float) -> None:
    text = file.read_text()
    file.write_text(text[: int(len(text) * part)])
    with pytest.raises(WeightsError, match="truncated"):
        read_weights(file)


@pytest.mark.parametrize("text", ["[]", "7", '"text"', "{}", '{"weights": 1}', "null", "[" * 100_000])
def test_another_file_is_refused(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(WeightsError, match="is truncated or is not a weights file"):
        read_weights(file)


def test_binary_file_is_refused(file: Path) -> None:
    file.write_bytes(bytes(range(256)))
    with pytest.raises(WeightsError, match="cannot be read"):
        read_weights(file)


def test_weights_of_other_features_are_refused(file: Path) -> None:
    content = json.loads(file.read_text())
    content["features"] = "0" * 64
    file.write_text(json.dumps(content))
    with pytest.raises(WeightsError, match="other features"):
        read_weights(file)


def test_changed_weights_are_refused(file: Path) -> None:
    content = json.loads(file.read_text())
    content["weights"]["skip"] = content["weights"]["skip"].replace("A", "B")
    file.write_text(json.dumps(content))
    with pytest.raises(WeightsError, match="damaged"):
        read_weights(file)


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_weights_that_are_not_finite_are_refused(file: Path, value: float) -> None:
    weights = some_weights()
    weights.values["output"][5] = value
    write_weights(file, weights)
    with pytest.raises(WeightsError, match="has weights that are not finite numbers"):
        read_weights(file)


def test_weights_of_another_size_are_refused(tmp_path: Path) -> None:
    values = {**some_weights().values, "linear": array("f", [1.0])}
    write_weights(tmp_path / "small.json", Weights(values, {}))
    with pytest.raises(WeightsError, match="another size"):
        read_weights(tmp_path / "small.json")


def test_mending_names_a_command() -> None:
    assert "`manage.py learn --system acquire --seed 1 --use`" in MENDING
    assert "git" not in MENDING


def test_weights_in_use_are_small_and_say_how_they_were_learned() -> None:
    assert WEIGHTS_FILE.stat().st_size < 100_000
    record = read_weights(WEIGHTS_FILE).record
    assert {"seed", "games", "positions", "bots", "epochs", "held_out", "commit"} <= set(record)
