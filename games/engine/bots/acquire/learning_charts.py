"""Charts of the record of learned weights, as SVG."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

WIDTH: Final = 640
HEIGHT: Final = 300
LEFT, RIGHT, TOP, BOTTOM = 70, 110, 44, 44
GRID_LINES: Final = 4
ROW_HEIGHT: Final = 26
LABEL_WIDTH: Final = 210
LABEL_HEIGHT: Final = 16

INK, DIM, LINE = "#211d15", "#665e4f", "#ddd6c7"
COLOURS: Final = {"linear": "#8a5200", "ends": "#2f5597", "td": "#0d5f58"}
STAGES: Final = {"linear": "linear", "ends": "network, ends", "td": "network, TD"}


def charts(record: Mapping[str, Any]) -> dict[str, str]:
    """The charts of a record, by name: `curve` and `reliance`."""
    return {"curve": curve_chart(record["curve"]), "reliance": reliance_chart(record["reliance"])}


def curve_chart(curve: Sequence[Mapping[str, Any]]) -> str:
    """Log-loss of who wins on held-out games after each epoch, a line for each stage."""
    losses: list[float] = [point["log_loss"] for point in curve]
    least, most = min(losses), max(losses)
    spread = max(most - least, 1e-5)
    epochs: int = max(point["epoch"] for point in curve)

    def x(epoch: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (epoch - 1) / max(1, epochs - 1)

    def y(loss: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (most - loss) / spread

    parts = [_text(LEFT, 22, "Log-loss of who wins on held-out games, by epoch", INK)]
    for step in range(GRID_LINES + 1):
        loss = least + spread * step / GRID_LINES
        parts.append(_line(LEFT, y(loss), WIDTH - RIGHT, y(loss)))
        parts.append(_text(LEFT - 8, y(loss) + 4, f"{loss:.3f}", DIM, "end"))
    parts += [
        _text(x(epoch), HEIGHT - BOTTOM + 20, str(epoch), DIM, "middle") for epoch in range(1, epochs + 1)
    ]
    label = 0.0
    for stage, name in STAGES.items():
        points = [point for point in curve if point["stage"] == stage]
        places = " ".join(f"{x(point['epoch']):.1f},{y(point['log_loss']):.1f}" for point in points)
        colour = COLOURS[stage]
        parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')
        last = points[-1]
        label = max(y(last["log_loss"]) + 4, label + LABEL_HEIGHT)
        parts.append(_text(x(last["epoch"]) + 8, label, name, colour))
    return _drawing(HEIGHT, parts)


def reliance_chart(reliance: Mapping[str, float]) -> str:
    """A bar for each group of features, as long as the log-loss grows without it; the longest first."""
    most = max(*reliance.values(), 1e-5)
    parts = [
        _text(16, 22, "What the valuation relies on: log-loss that is added if a group tells nothing", INK)
    ]
    for row, (group, added) in enumerate(sorted(reliance.items(), key=lambda item: -item[1])):
        top = TOP + ROW_HEIGHT * row
        width = (WIDTH - LABEL_WIDTH - LEFT - 16) * max(added, 0) / most
        parts.append(_text(LABEL_WIDTH - 8, top + 14, group, INK, "end"))
        parts.append(
            f'<rect x="{LABEL_WIDTH}" y="{top}" width="{width:.1f}" height="18" fill="{COLOURS["td"]}"/>'
        )
        parts.append(_text(LABEL_WIDTH + width + 8, top + 14, f"{added:.3f}", DIM))
    return _drawing(TOP + ROW_HEIGHT * len(reliance) + 12, parts)


def _drawing(height: int, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
    return "\n".join(
        [f'{head} font-size="13">', '<rect width="100%" height="100%" fill="#fffdf9"/>', *parts, "</svg>\n"]
    )


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}">{text}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{LINE}"/>'
