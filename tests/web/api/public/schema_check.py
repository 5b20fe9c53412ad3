"""Validation against the schemas of the OpenAPI description, with as much of JSON Schema as it uses."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from games.web.api.public.openapi import PATHS, described

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "array": list,
    "object": dict,
    "boolean": bool,
    "null": type(None),
    "integer": int,
    "number": (int, float),
}

_KNOWN = {
    *(
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "pattern",
        "format",
    ),
    *("anyOf", "$ref", "description", "minimum", "maximum", "default"),
}


def schema_of(path: str) -> dict[str, Any]:
    """Return the schema of the answer to a path."""
    answer = PATHS[path]["get"]["responses"]["200"]
    schema: dict[str, Any] = answer["content"]["application/json"]["schema"]
    return schema


def faults(value: Any, schema: dict[str, Any], where: str = "") -> Iterator[str]:
    """Return every difference from the schema, in words."""
    unknown = set(schema) - _KNOWN
    assert not unknown, f"the tests do not know {unknown}"
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from faults(value, described()["components"]["schemas"][name], where)
        return
    if "anyOf" in schema:
        if all(list(faults(value, one, where)) for one in schema["anyOf"]):
            yield f"{where} fits none of what it may be"
        return
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{where} is {value!r}, not {kinds}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is {value!r}, none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{where} is {value!r}, not {schema['const']!r}"
    if isinstance(value, str):
        yield from _text(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from faults(item, schema["items"], f"{where}[{number}]")
    if isinstance(value, dict):
        yield from _members(value, schema, where)


def _is(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind])


def _text(value: str, schema: dict[str, Any], where: str) -> Iterator[str]:
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where} is {value!r}, which does not fit {schema['pattern']}"
    if schema.get("format") == "date-time" and datetime.fromisoformat(value).tzinfo is None:
        yield f"{where} is a time without a zone"
    if schema.get("format") == "date":
        date.fromisoformat(value)


def _members(value: dict[str, Any], schema: dict[str, Any], where: str) -> Iterator[str]:
    known = schema.get("properties", {})
    yield from (f"{where} has no {name}" for name in schema.get("required", []) if name not in value)
    for name, item in value.items():
        if name in known:
            yield from faults(item, known[name], f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{where} has {name}, which is not described"
