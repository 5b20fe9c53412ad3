"""Games played by scripts: positions and moves that people can read, with lines that must hold."""

from collections.abc import Iterator
from typing import Any

from games.engine.rules.rule_errors import IllegalMove


class ScriptedGame:
    """A game of a rule system, played by a script."""

    system: Any

    def __init__(self, text: str) -> None:
        lines = [line.partition("#")[0].rstrip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        start = lines.index("play:")
        self.state = self.system.position_from_text("\n".join(lines[:start]))
        self.lines = lines[start + 1 :]
        self.events: list[Any] = []

    def run(self) -> Iterator[str]:
        """Every line that does not hold, with the actual value."""
        for line in self.lines:
            if line.startswith(" "):
                name, _, expected = line.strip().partition(":")
                if (found := self.actual(name, expected.strip())) != expected.strip():
                    yield f"{line.strip()} <-- {found}"
            else:
                self.move(line)

    def move(self, line: str) -> None:
        seat, _, text = line.partition(" ")
        state, system, move = self.state, self.system, self.system.parse_move(text)
        assert system.decider(state) == int(seat), f"{line} <-- asked is {self.asked()}"
        system.check_move(state, move)
        self.events = system.play(state, move)
        assert system.invariants(state) == [], line
        again = system.position_from_text(system.position_to_text(state))
        assert system.state_to_json(again) == system.state_to_json(state), line

    def actual(self, name: str, expected: str) -> str:
        """The actual value, in the words of the script; `expected` itself if it is true."""
        match name.split():
            case ["told"]:
                events = [self.words(event, expected) for event in self.events]
                return expected if expected in events else " / ".join(events)
            case ["not", "told"]:
                kinds = [self.system.event_to_json(event)["kind"] for event in self.events]
                return "told" if expected in kinds else expected
            case ["legal"]:
                moves = {move.text for move in self.system.legal_moves(self.state)}
                wanted = {text.strip() for text in expected.split(",")}
                return expected if moves == wanted else ", ".join(sorted(moves))
            case ["refused"]:
                text = expected.partition(" (")[0]
                return f"{text} ({self.refusal(text)})"
            case ["standings"]:
                ranks = {seat: rank for rank, seat, _ in self.system.standings(self.state)}
                return plain([ranks[seat] for seat in range(self.state.seats)], " ")
            case ["decision"]:
                return self.asked()
        return self.value(name)

    def value(self, name: str) -> str:
        """The value of a line that only this rule system has."""
        raise AssertionError(f"no line {name}")

    def asked(self) -> str:
        """The decision and its seat; "over" after the end."""
        kind, seat = self.state.decision.kind, self.state.decision.seat
        return kind if kind == "over" else f"{kind} {seat}"

    def words(self, event: Any, expected: str) -> str:
        """The event in the form `kind name=value …`, with the names that are expected."""
        record = self.system.event_to_json(event)
        kind = record.pop("kind")
        named = [part.partition("=")[0] for part in expected.split()[1:]]
        names = [name for name in named if name in record] if expected.split()[0] == kind else list(record)
        return " ".join([kind, *(f"{name}={plain(record[name])}" for name in names)])

    def refusal(self, text: str) -> str:
        before = self.system.state_to_json(self.state)
        try:
            self.system.check_move(self.state, self.system.parse_move(text))
        except IllegalMove as refusal:
            assert self.system.state_to_json(self.state) == before
            return refusal.reason
        return "legal"


def plain(value: object, between: str = ",") -> str:
    if isinstance(value, list | tuple):
        return between.join(map(plain, value))
    if value is None:
        return "nobody"
    return str(value).lower() if isinstance(value, bool) else str(value)
