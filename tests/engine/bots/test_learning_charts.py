"""Charts of the record of learned weights."""

from typing import Any
from xml.etree import ElementTree

from games.engine.bots.acquire.learning_charts import charts
from games.engine.bots.acquire.valuation_weights import weights

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str, record: Any) -> ElementTree.Element:
    return ElementTree.fromstring(charts(record)[name])  # noqa: S314 - it comes from here


def texts(drawing: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawing.iter(f"{SVG}text")]


def test_curve_has_a_line_for_each_stage_with_a_point_for_each_epoch() -> None:
    record = weights().record
    lines = [*drawn("curve", record).iter(f"{SVG}polyline")]
    assert len(lines) == 3
    assert [len(line.attrib["points"].split()) for line in lines] == [record["epochs"]] * 3


def test_better_epochs_are_lower() -> None:
    curve = [
        {"stage": stage, "epoch": epoch, "log_loss": 1.0 - 0.1 * epoch - 0.05 * place}
        for place, stage in enumerate(("linear", "ends", "td"))
        for epoch in (1, 2)
    ]
    for line in drawn("curve", {"curve": curve, "reliance": {"cash": 0.1}}).iter(f"{SVG}polyline"):
        first, second = (float(point.split(",")[1]) for point in line.attrib["points"].split())
        assert first < second


def test_bars_are_as_long_as_the_reliance_longest_first() -> None:
    found = drawn(
        "reliance", {"curve": weights().record["curve"], "reliance": {"cash": 0.1, "bag": 0.2, "turn": -0.01}}
    )
    bars = [float(bar.attrib["width"]) for bar in found.iter(f"{SVG}rect") if "x" in bar.attrib]
    assert bars[0] == 2 * bars[1]
    assert bars[2] == 0
    named = [text for text in texts(found) if text in ("cash", "bag", "turn")]
    assert named == ["bag", "cash", "turn"]


def test_both_charts_are_drawn_for_the_weights_in_use() -> None:
    assert {drawn(name, weights().record).tag for name in ("curve", "reliance")} == {f"{SVG}svg"}
