"""JSON Schemas of the values in the API; openapi.py lists the paths that return them."""

from typing import Any, Final

from games.archive.import_file import FIRST_VERSION, VERSION
from games.models import Game, LogEntry
from games.models.playable_systems import playable_systems

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
NUMBER: Final[Schema] = {"type": "integer"}
_FLAG: Final[Schema] = {"type": "boolean"}
_TIME: Final[Schema] = {"type": "string", "format": "date-time"}
_HEX: Final[Schema] = {**TEXT, "pattern": "^[0-9a-f]{64}$"}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def ref(name: str) -> Schema:
    """Return a reference to the schema of this name in the description."""
    return {"$ref": f"#/components/schemas/{name}"}


SYSTEM: Final = ref("System")
PRESET: Final = ref("Preset")


def of_this_site() -> dict[str, Schema]:
    """The schemas that depend on which rule systems are playable here."""
    here = playable_systems()
    presets = [preset for rules in here.values() for preset in rules.PRESETS]
    return {"System": {**TEXT, "enum": list(here)}, "Preset": {**TEXT, "enum": presets}}


def _object(what: str, properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "description": what,
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _said(schema: Schema, what: str) -> Schema:
    return {**schema, "description": what}


_HASH: Final = _said(_HEX, "SHA-256 of the seed.")
_ENDING: Final[Schema] = {
    "type": ["string", "null"],
    "enum": ["rules", *filter(None, Game.Ending.values), None],
    "description": "What ended the game; null before.",
}
_NEXT: Final[Schema] = _said(_or_null(TEXT), "What to send as “after” for the next page; null at the end.")
_OPTIONS: Final[Schema] = {
    "type": "object",
    "description": "Options that differ from the rule book's.",
    "additionalProperties": True,
}
_POOL: Final[Schema] = _said(
    _or_null(NUMBER), "Of games with so many players; null: with any number; 1: of team games."
)

SCHEMAS: Final[dict[str, Schema]] = {
    "Problem": _object("Why there is no answer, in a sentence.", {"problem": TEXT}),
    "Games": _object("A page of games, the latest first.", {"games": _list(ref("Summary")), "next": _NEXT}),
    "Summary": _object(
        "A public game as lists tell it.",
        {
            "id": TEXT,
            "address": _said(TEXT, "The path of its page on this site."),
            "name": _said(TEXT, "What its host called it, or nothing."),
            "system": SYSTEM,
            "preset": PRESET,
            "options": _OPTIONS,
            "status": {**TEXT, "enum": ["open", "running", "finished"]},
            "rated": _FLAG,
            "pace": _said(_or_null(NUMBER), "Seconds for a decision; null without a limit."),
            "least": _said(NUMBER, "So many must sit down before it begins."),
            "most": _said(NUMBER, "The number of seats."),
            "rounds_late": _said(
                NUMBER,
                "While the game runs, spectators and this API see it this many rounds late; 0 for no delay.",
            ),
            "seats": _list(ref("Seated")),
            "entries": _said(NUMBER, "How long the log is."),
            "to_decide": _said(_or_null(NUMBER), "The seat that is asked, from 0; null when none is."),
            "opened": _TIME,
            "started": _or_null(_TIME),
            "moved": _said(_TIME, "When anything last happened; to the minute while the game runs."),
            "finished": _or_null(_TIME),
            "ending": _ENDING,
        },
    ),
    "Seated": _object(
        "Who sits somewhere.",
        {
            "name": TEXT,
            "member": _said(_FLAG, "Whether this is somebody with an account."),
            "program": _said(_FLAG, "Whether this is a program of a member."),
            "computer": _said(_or_null(TEXT), "The level of the computer that plays here; null: a person."),
        },
    ),
    "Game": _object(
        "A game, as /games/<id>/export.json gives it: docs/export.md. Only what a spectator may know while"
        " it runs; “seed” and “standings” once it is over.",
        {
            "format": {"const": "acquire-game"},
            "version": {"enum": [FIRST_VERSION, VERSION]},
            "rules": _object(
                "What it is played by.",
                {
                    "system": SYSTEM,
                    "version": _said(NUMBER, "Of how the system is computed."),
                    "preset": PRESET,
                    "options": _OPTIONS,
                },
            ),
            "game": _object(
                "What it is called and when it was played.",
                {
                    "id": TEXT,
                    "name": TEXT,
                    "status": {**TEXT, "enum": ["running", "finished"]},
                    "rated": _FLAG,
                    "started": _TIME,
                    "finished": _or_null(_TIME),
                    "ending": _ENDING,
                },
            ),
            "commitment": _HASH,
            "redeals": _list(
                _object(
                    "What was hidden was dealt again; only in a game that went on after its end.",
                    {
                        "entry": _said(NUMBER, "The entry of the log."),
                        "commitment": _HASH,
                        "seed": _said(_HEX, "Only after the end."),
                    },
                    optional=("seed",),
                ),
            ),
            "seats": _list(
                _object(
                    "In the order of play, from 0.",
                    {
                        "name": TEXT,
                        "program": _said(_FLAG, "Whether this is a program of a member."),
                        "computer": _or_null(TEXT),
                        "conceded": _said(_or_null(NUMBER), "The how-manyth to concede, from 1."),
                    },
                )
            ),
            "log": _list(ref("Entry")),
            "position": ref("Position"),
            "seed": _HEX,
            "standings": _list(
                _object("A place.", {"rank": NUMBER, "seat": NUMBER, "points": NUMBER}),
            ),
        },
        optional=("redeals", "seed", "standings"),
    ),
    "Entry": _object(
        "An entry of the log: a move in the notation of the rules, or a ruling from outside them.",
        {
            "number": _said(NUMBER, "From 1."),
            "kind": {**TEXT, "enum": LogEntry.Kind.values},
            "seat": _said(_or_null(NUMBER), "Whose move it is, or whom the ruling is about."),
            "text": TEXT,
            "author": {**TEXT, "enum": LogEntry.Author.values},
            "made": _TIME,
            "events": _list(
                {"type": "object", "properties": {"kind": TEXT}, "required": ["kind"]},
            ),
            "origin": {**TEXT, "enum": LogEntry.Origin.values},
            "reason": _said(TEXT, "Why a moderator ruled so."),
        },
        optional=("events", "origin", "reason"),
    ),
    "Position": {
        "type": "object",
        "description": "What a spectator sees; its fields are those of the rule system.",
        "properties": {
            "rules": _OPTIONS,
            "seat": {"type": "null"},
            "seats": NUMBER,
            "board": _said(TEXT, "A row after the other, with a stroke between them."),
            "turn": NUMBER,
            "decision": {"type": ["array", "null"], "description": "What is asked, and which seat."},
            "ended": _said(TEXT, "Why the game is over; nothing before."),
            "legal": _list(TEXT),
        },
        "required": ["rules", "seat", "seats", "board", "turn", "decision", "ended", "legal"],
        "additionalProperties": True,
    },
    "PositionAt": _object(
        "The game after an entry of its log.",
        {
            "game": TEXT,
            "number": _said(NUMBER, "The entry that led here; 0 is the deal."),
            "last": _said(NUMBER, "How long the log is."),
            "turns": _said(_list(NUMBER), "After which entries a turn begins."),
            "status": {**TEXT, "enum": ["running", "finished"]},
            "entry": {"anyOf": [ref("Entry"), {"type": "null"}]},
            "position": ref("Position"),
            "uncovered": {
                "type": ["object", "null"],
                "description": "Once the game is over, what was hidden then: hands, and the bag in order.",
            },
        },
    ),
    "Player": _object(
        "A member, and a page of the public games that are over, the latest first.",
        {
            "name": TEXT,
            "address": TEXT,
            "program": _said(_FLAG, "Whether this is a program of another member."),
            "games": _object("How many public games.", {"running": NUMBER, "finished": NUMBER}),
            "ratings": _list(ref("Rated")),
            "in_time": _said(_or_null(NUMBER), "So many per cent of decisions; null while few are known."),
            "away_until": {"type": ["string", "null"], "format": "date"},
            "results": _list(ref("Result")),
            "next": _NEXT,
        },
    ),
    "Rated": _object(
        "The rating of a member in one pool.",
        {
            "system": SYSTEM,
            "players": _POOL,
            "points": NUMBER,
            "provisional": _said(_FLAG, "Whether it says little as yet."),
            "games": NUMBER,
            "wins": NUMBER,
        },
    ),
    "Leaderboard": _object(
        "A page of a leaderboard, the best first.",
        {
            "system": SYSTEM,
            "players": _POOL,
            "month": _said(_or_null(TEXT), "The month that is told of; null for all time."),
            "lines": _list(
                _object(
                    "A member, from place 1.",
                    {"place": NUMBER, "name": TEXT, "points": NUMBER, "games": NUMBER, "wins": NUMBER},
                )
            ),
            "computers": _list(
                _object(
                    "A level of computer opponent; of shared wins it has its part.",
                    {"level": TEXT, "points": NUMBER, "games": NUMBER, "wins": {"type": "number"}},
                )
            ),
            "next": _NEXT,
        },
    ),
    "Result": _object(
        "How a game ended for the member.",
        {
            "game": TEXT,
            "system": SYSTEM,
            "preset": PRESET,
            "rank": _said(_or_null(NUMBER), "Null without a result."),
            "points": _or_null(NUMBER),
            "players": NUMBER,
            "finished": _TIME,
        },
    ),
}
