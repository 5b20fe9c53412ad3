"""The OpenAPI description of the public API.

Its sentences are in English, the language of its readers; tests check every response against it.
"""

from typing import Final

from games.web.api.public.api_query import DEFAULT_LIMIT, MAX_LIMIT, MIN_LIMIT
from games.web.api.public.api_schemas import NUMBER, PRESET, SCHEMAS, SYSTEM, TEXT, Schema, of_this_site, ref


def _query(name: str, what: str, schema: Schema) -> Schema:
    return {"name": name, "in": "query", "required": False, "description": what, "schema": schema}


def _in_path(name: str, what: str, schema: Schema) -> Schema:
    return {"name": name, "in": "path", "required": True, "description": what, "schema": schema}


_AFTER: Final = _query("after", "What “next” said on the page before.", TEXT)
_ID: Final = _in_path("id", "The id of a game, as in its address.", TEXT)

_PROBLEMS: Final = {
    "304": {"description": "You have it already: the ETag has not changed."},
    **{
        status: {
            "description": what,
            "content": {"application/json": {"schema": ref("Problem")}},
        }
        for status, what in {
            "400": "A parameter is not understood.",
            "401": "The token is no good.",
            "403": "Whoever the token is of may not play here just now.",
            "404": "There is no such thing, or it is not public.",
            "429": "Too much in a minute; the header Retry-After tells how long to wait.",
        }.items()
    },
}


def _get(name: str, what: str, more: str, answer: str, *parameters: Schema) -> Schema:
    content = {"application/json": {"schema": ref(answer)}}
    return {
        "get": {
            "operationId": name,
            "summary": what,
            "description": more,
            "parameters": list(parameters),
            "responses": {"200": {"description": what, "content": content}, **_PROBLEMS},
        }
    }


PATHS: Final[dict[str, Schema]] = {
    "/games": _get(
        "games",
        "Public games, a page at a time.",
        "Games that are over, unless “status” says otherwise, the latest first.",
        "Games",
        _query("status", "Which games.", {**TEXT, "enum": ["finished", "running", "open"]}),
        _query("system", "Of this rule system.", SYSTEM),
        _query("preset", "Of this set of rules.", PRESET),
        _query("player", "In which this member sits.", TEXT),
        _query("since", "Over since this day or time (UTC unless it says otherwise).", TEXT),
        _query(
            "limit",
            "How many.",
            {**NUMBER, "minimum": MIN_LIMIT, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
        ),
        _AFTER,
    ),
    "/games/{id}": _get(
        "game",
        "One public game with its whole log.",
        "Of a game that runs, what a spectator may know; of one that is over everything.",
        "Game",
        _ID,
    ),
    "/games/{id}/positions/{number}": _get(
        "position",
        "A position of a public game.",
        "Of a game that runs, as a spectator saw it; of one that is over with all hands.",
        "PositionAt",
        _ID,
        _in_path("number", "The entry of the log that led there; 0 is the deal.", {**NUMBER, "minimum": 0}),
    ),
    "/leaderboards/{system}": _get(
        "leaderboard",
        "Who plays best.",
        "Members by their ratings, a page at a time, and the levels of computers.",
        "Leaderboard",
        _in_path("system", "The rule system.", SYSTEM),
        _query("players", "Of games with so many players; 1: of team games.", NUMBER),
        _query("month", "Of games that ended in this month, as 2026-11.", TEXT),
        _query("who", "Members, or their programs apart.", {**TEXT, "enum": ["members", "programs"]}),
        _AFTER,
    ),
    "/players/{name}": _get(
        "player",
        "A member.",
        "What everybody may know: public games and how they ended, ratings.",
        "Player",
        _in_path("name", "The name, in any case.", TEXT),
        _AFTER,
    ),
}


def described() -> Schema:
    """Return the description, without rule systems that are not playable here."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Acquire by correspondence",
            "version": "1",
            "description": "Public games, their positions, players and leaderboards. No key is needed; with a"
            " personal token one may ask for more in a minute. Problems come as JSON with a sentence.",
        },
        "servers": [{"url": "/api/v1"}],
        "security": [{}, {"token": []}],
        "paths": PATHS,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A personal token: see Settings.",
                }
            },
            "schemas": {**SCHEMAS, **of_this_site()},
        },
    }
